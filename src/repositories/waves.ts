import type { Knex } from 'knex';
import { anyOf } from '../db/any-of.ts';
import type { Database } from '../db/connect.ts';
import { queryRows } from '../db/rows.ts';
import { WAVE_STATUSES, type WaveStatus } from '../domain/survey/status.ts';
import { requireRow } from '../lib/require-value.ts';
import { countRows, type IdPage, selectIdPage } from './list-queries.ts';
import { surveyIdsOf, type WaveCounts, withWaveCounts } from './response-counts.ts';
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
} & WaveCounts;

type StoredWaveRow = Pick<WaveTable, (typeof STORED_COLUMNS)[number]>;

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

/** The status of `v` as domain/survey/status.ts decides it. Binds the current time twice. */
const STATUS = `CASE WHEN v.wave_end_date <= ? THEN 'ended' WHEN v.wave_start_date > ? THEN 'scheduled' ELSE 'active' END`;

/** Orders waves `v` by time. A wave without a start was open from the beginning. */
export const BY_START = 'v.wave_start_date NULLS FIRST, v.wave_id';

const STORED_COLUMNS = [...WAVE_COLUMNS, 'target', 'quota_revision'] as const;

/** The waves of surveys. Deleted waves are not found. */
export class WaveRepository {
  constructor(private readonly db: Database) {}

  async find({ organizationId, surveyId }: SurveyKey, waveId: number): Promise<WaveRow | null> {
    const found = await this.db('waves')
      .select(...STORED_COLUMNS)
      .where({ organization_id: organizationId, survey_id: surveyId, wave_id: waveId, deleted_at: null });
    const [wave] = await this.withTargets(await withWaveCounts(this.db, found));
    return wave ?? null;
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

  /** All waves of a survey in the order of time, with their starts. */
  async listStarts({
    organizationId,
    surveyId,
  }: SurveyKey): Promise<{ waveId: number; start: Date | null }[]> {
    const found = await this.db('waves')
      .select('wave_id', 'wave_start_date')
      .where({ organization_id: organizationId, survey_id: surveyId, deleted_at: null })
      .orderBy([{ column: 'wave_start_date', nulls: 'first' }, { column: 'wave_id' }]);
    return found.map(({ wave_id, wave_start_date }) => ({ waveId: wave_id, start: wave_start_date }));
  }

  /** One more than `limit` where there are more. */
  async list(scope: InWorkspace, search: WaveSearch, page: IdPage): Promise<WaveRow[]> {
    const found = await this.selectPage(scope, search, page);
    return this.withTargets(await withWaveCounts(this.db, found));
  }

  /** The same with the waves' quotas; no response is read. */
  async listProgress(scope: InWorkspace, search: WaveSearch, page: IdPage): Promise<WaveProgressRow[]> {
    const found = await this.selectPage(scope, search, page);
    const waves = await this.withTargets(await withWaveCounts(this.db, found));
    const quotas = await this.listQuotas(found, search.now);
    return waves.map((wave) => ({ ...wave, quotas: quotas.get(wave.wave_id) ?? null }));
  }

  private async selectPage(scope: InWorkspace, search: WaveSearch, page: IdPage): Promise<StoredWaveRow[]> {
    const rows = this.queryMatching(scope, search).select<StoredWaveRow[]>(
      STORED_COLUMNS.map((column) => `v.${column}`),
    );
    return selectIdPage(rows, { idColumn: 'v.wave_id', order: 'newest_first' }, page);
  }

  /** Sets the target of waves without one to that of their largest quota. */
  private async withTargets<Wave extends StoredWaveRow>(
    waves: readonly Wave[],
  ): Promise<(Omit<Wave, 'quota_revision'> & Pick<WaveRow, 'own_target'>)[]> {
    const missing = waves.filter((wave) => wave.target === null && wave.quota_revision > 0);
    const targets = new Map<number, number | null>();
    if (missing.length > 0) {
      // Raw SQL: a maximum of sums.
      const rows = await queryRows<{ wave_id: number; target: number | null }>(
        this.db,
        `SELECT wave_id, max(target)::bigint AS target FROM (
           SELECT survey_id, wave_id, quota_id, sum(target) AS target FROM quota_cells
           WHERE survey_id = ANY(?::bigint[]) AND wave_id = ANY(?::bigint[]) GROUP BY survey_id, wave_id, quota_id) AS quotas
         GROUP BY survey_id, wave_id`,
        [surveyIdsOf(missing), missing.map((wave) => wave.wave_id)],
      );
      for (const row of rows) targets.set(row.wave_id, row.target);
    }
    return waves.map(({ quota_revision: _, ...wave }) => ({
      ...wave,
      own_target: wave.target,
      target: wave.target ?? targets.get(wave.wave_id) ?? null,
    }));
  }

  /** The quotas of the waves, in order, by wave_id. */
  private async listQuotas(
    waves: readonly StoredWaveRow[],
    now: Date,
  ): Promise<Map<number, NonNullable<WaveProgressRow['quotas']>>> {
    const withQuotas = waves.filter((wave) => wave.quota_revision > 0);
    if (withQuotas.length === 0) return new Map();
    const surveyIds = surveyIdsOf(withQuotas);
    // Raw SQL: joins an aggregate.
    const rows = await queryRows<
      WaveCellRow & Pick<QuotaTable, 'wave_id' | 'quota_id' | 'quota_name' | 'mode'>
    >(
      this.db,
      `SELECT q.wave_id, q.quota_id, q.quota_name, q.mode, c.cell_id, c.cell_label, c.target, c.completed, c.over_quota AS turned_away,
         coalesce(r.pending, 0) AS pending
       FROM quotas q JOIN quota_cells c ON c.survey_id = q.survey_id AND c.quota_id = q.quota_id
       LEFT JOIN (
         SELECT survey_id, cell_id, count(*) AS pending FROM quota_reservations
         WHERE survey_id = ANY(?::bigint[]) AND reserved_until > ? GROUP BY survey_id, cell_id
       ) r ON r.survey_id = c.survey_id AND r.cell_id = c.cell_id
       WHERE q.survey_id = ANY(?::bigint[]) AND c.survey_id = ANY(?::bigint[]) AND q.wave_id = ANY(?::bigint[])
       ORDER BY q.quota_order, q.quota_id, c.cell_order`,
      [surveyIds, now, surveyIds, surveyIds, withQuotas.map((wave) => wave.wave_id)],
    );
    const byWave = new Map<number, NonNullable<WaveProgressRow['quotas']>>();
    for (const { wave_id: waveId, quota_id, quota_name, mode, ...cell } of rows) {
      const quotas = byWave.get(waveId) ?? [];
      byWave.set(waveId, quotas);
      const last = quotas.at(-1);
      if (last?.quota_id === quota_id) last.cells.push(cell);
      else quotas.push({ quota_id, quota_name, mode, cells: [cell] });
    }
    return byWave;
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
    const counts = await this.db('wave_counts').first('slot').where({ survey_id: surveyId, wave_id: waveId });
    const links = this.db('links').where({ survey_id: surveyId, wave_id: waveId, deleted_at: null });
    return { hasResponses: counts !== undefined, links: await countRows(links) };
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
