import type { Knex } from 'knex';
import { anyOf } from '../db/any-of.ts';
import type { Database } from '../db/connect.ts';
import { queryRow } from '../db/rows.ts';
import { WAVE_STATUSES, type WaveStatus } from '../domain/survey/status.ts';
import { requireRow } from '../lib/require-value.ts';
import { type IdPage, selectIdPage } from './list-queries.ts';
import { qualifyValues } from './tables/table.ts';
import type { QuotaCellTable, QuotaTable, WaveTable } from './tables/field.ts';

interface SurveyKey {
  organizationId: number;
  surveyId: number;
}

/** The properties of a wave that a user sets. */
export interface WaveFields {
  name: string;
  start: Date | null;
  end: Date | null;
  target: number | null;
}

const WAVE_COLUMNS = [
  'wave_id',
  'survey_id',
  'wave_name',
  'wave_start_date',
  'wave_end_date',
  'created_at',
] as const;

/** A wave with its counts, which leave out deleted and test responses. */
export type WaveRow = Pick<WaveTable, (typeof WAVE_COLUMNS)[number] | 'target'> & {
  /** The target as it was set; null: `target` is that of the largest quota. */
  own_target: number | null;
  completed: number;
  partial: number;
  screened_out: number;
};

/** A cell of a quota and how far it is filled. */
export interface WaveCellRow extends Pick<QuotaCellTable, 'cell_id' | 'cell_label' | 'target' | 'completed'> {
  /** Reservations of responses that have started and not ended. */
  pending: number;
  /** Responses that it turned away. */
  turned_away: number;
}

export type WaveProgressRow = WaveRow & {
  /** null: none. */
  quotas: (Pick<QuotaTable, 'quota_id' | 'quota_name' | 'mode'> & { cells: WaveCellRow[] })[] | null;
};

/** Filters of the list; null: no filter. */
export interface WaveSearch {
  surveyId: number | null;
  /** The status at `now`. */
  status: WaveStatus | null;
  now: Date;
}

interface InWorkspace {
  organizationId: number;
  workspaceId: number;
}

/** The status of `v` as domain/survey/wave-status.ts decides it. Binds the current time twice. */
const STATUS = `CASE WHEN v.wave_end_date <= ? THEN 'ended' WHEN v.wave_start_date > ? THEN 'scheduled' ELSE 'active' END`;

/** Orders waves `v` by time. A wave without a start was open from the beginning. */
export const BY_START = 'v.wave_start_date NULLS FIRST, v.wave_id';

/** Columns of `v`. The counts are sums over slots, so no response is read. */
const COLUMNS = `${WAVE_COLUMNS.map((column) => `v.${column}`).join(', ')},
  v.target AS own_target, coalesce(v.target, CASE WHEN v.quota_revision > 0 THEN (
    SELECT max(q.target) FROM (
      SELECT sum(target) AS target FROM quota_cells WHERE survey_id = v.survey_id AND wave_id = v.wave_id GROUP BY quota_id) q) END) AS target,
  c.completed, c.partial, c.screened_out`;
const COUNTS = `CROSS JOIN LATERAL (
    SELECT coalesce(sum(n.complete), 0)::bigint AS completed, coalesce(sum(n.partial), 0)::bigint AS partial,
      coalesce(sum(n.screened_out), 0)::bigint AS screened_out
    FROM wave_counts n WHERE n.survey_id = v.survey_id AND n.wave_id = v.wave_id
  ) c`;

/** The quotas of `v`, in order. Binds the current time. */
const QUOTAS = `CASE WHEN v.quota_revision > 0 THEN (
    SELECT json_agg(json_build_object('quota_id', q.quota_id, 'quota_name', q.quota_name, 'mode', q.mode, 'cells', (
      SELECT coalesce(json_agg(json_build_object('cell_id', c.cell_id, 'cell_label', c.cell_label, 'target', c.target,
          'completed', c.completed, 'turned_away', c.over_quota,
          'pending', (SELECT count(*) FROM quota_reservations h WHERE h.survey_id = v.survey_id AND h.cell_id = c.cell_id AND h.reserved_until > ?)
        ) ORDER BY c.cell_order), '[]')
      FROM quota_cells c WHERE c.survey_id = v.survey_id AND c.quota_id = q.quota_id
    )) ORDER BY q.quota_order) FROM quotas q WHERE q.survey_id = v.survey_id AND q.wave_id = v.wave_id) END AS quotas`;

/** The waves of surveys. Deleted waves are not found. */
export class WaveRepository {
  constructor(private readonly db: Database) {}

  find({ organizationId, surveyId }: SurveyKey, waveId: number): Promise<WaveRow | null> {
    // Raw SQL: the list's columns and lateral join.
    return queryRow(
      this.db,
      `SELECT ${COLUMNS} FROM waves v ${COUNTS}
       WHERE v.organization_id = ? AND v.survey_id = ? AND v.wave_id = ? AND v.deleted_at IS NULL`,
      [organizationId, surveyId, waveId],
    );
  }

  /** Returns those of the ids that are waves of the survey. */
  async filterExisting(
    { organizationId, surveyId }: SurveyKey,
    waveIds: readonly number[],
  ): Promise<Set<number>> {
    const found = await this.db('waves')
      .where({
        organization_id: organizationId,
        survey_id: surveyId,
        wave_id: anyOf(this.db, waveIds),
        deleted_at: null,
      })
      .pluck('wave_id');
    return new Set(found);
  }

  /** Newest first. Returns one row more than `limit` if there are more. */
  async list(scope: InWorkspace, search: WaveSearch, page: IdPage): Promise<WaveRow[]> {
    return this.queryPage(scope, search, page).select<WaveRow[]>(this.db.raw(COLUMNS));
  }

  /** The same with the waves' quotas, in one statement; no response is read. */
  async listProgress(scope: InWorkspace, search: WaveSearch, page: IdPage): Promise<WaveProgressRow[]> {
    return this.queryPage(scope, search, page).select<WaveProgressRow[]>(
      this.db.raw(COLUMNS),
      this.db.raw(QUOTAS, [search.now]),
    );
  }

  async countByStatus(scope: InWorkspace, search: WaveSearch): Promise<Record<WaveStatus, number>> {
    const found = this.queryMatching(scope, search).select(
      this.db.raw(`${STATUS} AS status`, [search.now, search.now]),
    );
    const rows = await this.db
      .from(found.as('found'))
      .select<Record<WaveStatus, number>[]>(
        WAVE_STATUSES.map((status) =>
          this.db.raw('count(*) FILTER (WHERE status = ?) AS ??', [status, status]),
        ),
      );
    return requireRow(rows, 'count of waves');
  }

  /** Queries a page as `v` with its counts. Materialized, so that counts are summed for the waves of the page only. */
  private queryPage(scope: InWorkspace, search: WaveSearch, page: IdPage) {
    const rows = this.queryMatching(scope, search).select('v.*');
    return this.db
      .withMaterialized('v', selectIdPage(rows, { idColumn: 'v.wave_id', order: 'newest_first' }, page))
      .from('v')
      .joinRaw(COUNTS)
      .orderBy('v.wave_id', 'desc');
  }

  private queryMatching(
    { organizationId, workspaceId }: InWorkspace,
    { surveyId, status, now }: WaveSearch,
  ): Knex.QueryBuilder {
    const query = this.db('surveys')
      .join({ v: 'waves' }, 'v.survey_id', 'surveys.survey_id')
      .where(qualifyValues('surveys', { organization_id: organizationId, workspace_id: workspaceId }))
      .whereNot(qualifyValues('surveys', { survey_status: 0 }))
      .whereNull('v.deleted_at');
    if (surveyId !== null) void query.where('v.survey_id', surveyId);
    if (status !== null) void query.whereRaw(`${STATUS} = ?`, [now, now, status]);
    return query;
  }

  async create({ organizationId, surveyId }: SurveyKey, wave: WaveFields): Promise<number> {
    const row = requireRow(
      await this.db('waves')
        .insert({
          organization_id: organizationId,
          survey_id: surveyId,
          wave_name: wave.name,
          wave_start_date: wave.start,
          wave_end_date: wave.end,
          target: wave.target,
        })
        .returning('wave_id'),
      'waves',
    );
    await this.incrementColumnsRevision(surveyId);
    return row.wave_id;
  }

  async update({ organizationId, surveyId }: SurveyKey, waveId: number, wave: WaveFields): Promise<void> {
    await this.db('waves')
      .where({ organization_id: organizationId, survey_id: surveyId, wave_id: waveId, deleted_at: null })
      .update({
        wave_name: wave.name,
        wave_start_date: wave.start,
        wave_end_date: wave.end,
        target: wave.target,
      });
    await this.incrementColumnsRevision(surveyId);
  }

  /** Whether any response, deleted ones included, ever belonged to the wave, and how many links do. */
  async findUses(surveyId: number, waveId: number): Promise<{ hasResponses: boolean; links: number }> {
    const counts = this.db('wave_counts').where({ survey_id: surveyId, wave_id: waveId });
    const links = this.db('links').count().where({ survey_id: surveyId, wave_id: waveId, deleted_at: null });
    const row = requireRow(
      await this.db.select<{ has_responses: boolean; links: number }[]>(
        this.db.raw('EXISTS (?) AS has_responses', [counts]),
        links.as('links'),
      ),
      'waves',
    );
    return { hasResponses: row.has_responses, links: row.links };
  }

  /** Marks the wave as deleted. */
  async delete({ organizationId, surveyId }: SurveyKey, waveId: number): Promise<void> {
    await this.db('waves')
      .where({ organization_id: organizationId, survey_id: surveyId, wave_id: waveId })
      .update({ deleted_at: this.db.fn.now() });
    await this.incrementColumnsRevision(surveyId);
  }

  /** The column `wave_id` of a dataset depends on the waves; readers of datasets notice changes by the survey's columns_revision. */
  private async incrementColumnsRevision(surveyId: number): Promise<void> {
    await this.db('surveys').where({ survey_id: surveyId }).increment('columns_revision');
  }
}
