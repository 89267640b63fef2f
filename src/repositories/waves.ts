import type { Database } from '../db/connect.ts';
import { countOf, rowOf, rowsOf } from '../db/rows.ts';
import type { QuotaMode } from '../domain/quota/quota.ts';
import type { WaveStatus } from '../domain/survey/wave-status.ts';

interface SurveyKey {
  organizationId: number;
  surveyId: number;
}

/** What its owners decide about a wave. */
export interface WaveFields {
  name: string;
  start: Date | null;
  end: Date | null;
  target: number | null;
}

/** A wave with what it has; the responses that count are neither deleted nor test. */
export interface WaveRow {
  wave_id: number;
  survey_id: number;
  wave_name: string;
  wave_start_date: Date | null;
  wave_end_date: Date | null;
  /** As it was set; null: that of its largest quota. */
  own_target: number | null;
  target: number | null;
  created_at: Date;
  completed: number;
  partial: number;
  screened_out: number;
}

/** A cell of a quota, and how it is filled. */
export interface WaveCellRow {
  cell_id: number;
  cell_label: string;
  target: number | null;
  completed: number;
  /** Places held by responses that have begun and not ended. */
  pending: number;
  /** Responses that it turned away. */
  turned_away: number;
}

export type WaveProgressRow = WaveRow & {
  /** null: none. */
  quotas: { quota_id: number; quota_name: string; mode: QuotaMode; cells: WaveCellRow[] }[] | null;
};

/** What to look for in a workspace; null: anything. */
export interface WaveSearch {
  surveyId: number | null;
  /** As it is at `now`. */
  status: WaveStatus | null;
  now: Date;
}

/** A part of the list, newest first. */
export interface WaveListPart {
  /** Where the part before ended. */
  past: number | null;
  skip: number;
  limit: number;
}

interface InWorkspace {
  organizationId: number;
  workspaceId: number;
}

/** As domain/survey/wave-status.ts has it, of waves v; binds the moment twice. */
const STATUS = `CASE WHEN v.wave_end_date <= ? THEN 'ended' WHEN v.wave_start_date > ? THEN 'scheduled' ELSE 'active' END`;

/** The order of waves in which data are looked at over time: one without a start was open from the beginning. */
export const BY_START = 'v.wave_start_date NULLS FIRST, v.wave_id';

/** Of waves v. The counts are sums over slots: no response is counted. */
const COLUMNS = `v.wave_id, v.survey_id, v.wave_name, v.wave_start_date, v.wave_end_date, v.created_at,
  v.target AS own_target, coalesce(v.target, CASE WHEN v.quota_revision > 0 THEN (
    SELECT max(q.target) FROM (
      SELECT sum(target) AS target FROM quota_cells WHERE survey_id = v.survey_id AND wave_id = v.wave_id GROUP BY quota_id) q) END) AS target,
  c.completed, c.partial, c.screened_out`;
const COUNTS = `CROSS JOIN LATERAL (
    SELECT coalesce(sum(n.complete), 0)::bigint AS completed, coalesce(sum(n.partial), 0)::bigint AS partial,
      coalesce(sum(n.screened_out), 0)::bigint AS screened_out
    FROM wave_counts n WHERE n.survey_id = v.survey_id AND n.wave_id = v.wave_id
  ) c`;

/** Of waves v, in their order; binds the moment. */
const QUOTAS = `CASE WHEN v.quota_revision > 0 THEN (
    SELECT json_agg(json_build_object('quota_id', q.quota_id, 'quota_name', q.quota_name, 'mode', q.mode, 'cells', (
      SELECT coalesce(json_agg(json_build_object('cell_id', c.cell_id, 'cell_label', c.cell_label, 'target', c.target,
          'completed', c.completed, 'turned_away', c.over_quota,
          'pending', (SELECT count(*) FROM quota_holds h WHERE h.survey_id = v.survey_id AND h.cell_id = c.cell_id AND h.held_until > ?)
        ) ORDER BY c.place), '[]')
      FROM quota_cells c WHERE c.survey_id = v.survey_id AND c.quota_id = q.quota_id
    )) ORDER BY q.place) FROM quotas q WHERE q.survey_id = v.survey_id AND q.wave_id = v.wave_id) END AS quotas`;

const IN_WORKSPACE = `surveys s JOIN waves v USING (survey_id)
  WHERE s.organization_id = ? AND s.workspace_id = ? AND s.survey_status <> 0 AND v.deleted_at IS NULL`;
const MATCHES = `${IN_WORKSPACE} AND (?::bigint IS NULL OR v.survey_id = ?) AND (?::text IS NULL OR ${STATUS} = ?)`;

const matching = ({ organizationId, workspaceId }: InWorkspace, { surveyId, status, now }: WaveSearch) => [
  ...[organizationId, workspaceId],
  ...[surveyId, surveyId],
  ...[status, now, now, status],
];

/** A page v of them, one more than `limit` where there is more. */
const PAGE = `WITH v AS MATERIALIZED (
  SELECT v.* FROM ${MATCHES} AND (?::bigint IS NULL OR v.wave_id < ?) ORDER BY v.wave_id DESC OFFSET ? LIMIT ?)`;

const paging = (scope: InWorkspace, search: WaveSearch, { past, skip, limit }: WaveListPart) => [
  ...matching(scope, search),
  ...[past, past, skip, limit + 1],
];

/** The waves in which surveys are asked. */
export class WaveRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  find({ organizationId, surveyId }: SurveyKey, waveId: number): Promise<WaveRow | null> {
    return rowOf(
      this.db,
      `SELECT ${COLUMNS} FROM waves v ${COUNTS}
       WHERE v.organization_id = ? AND v.survey_id = ? AND v.wave_id = ? AND v.deleted_at IS NULL`,
      [organizationId, surveyId, waveId],
    );
  }

  /** Those of the ids that are waves of the survey. */
  async known({ organizationId, surveyId }: SurveyKey, waveIds: readonly number[]): Promise<Set<number>> {
    const rows = await rowsOf<{ wave_id: number }>(
      this.db,
      `SELECT wave_id FROM waves
       WHERE organization_id = ? AND survey_id = ? AND wave_id = ANY(?::bigint[]) AND deleted_at IS NULL`,
      [organizationId, surveyId, waveIds],
    );
    return new Set(rows.map((row) => row.wave_id));
  }

  /** One more than `limit` where there is more. */
  list(scope: InWorkspace, search: WaveSearch, part: WaveListPart): Promise<WaveRow[]> {
    return rowsOf(
      this.db,
      `${PAGE} SELECT ${COLUMNS} FROM v ${COUNTS} ORDER BY v.wave_id DESC`,
      paging(scope, search, part),
    );
  }

  /** The same with all that is known of their quotas, in one query; no response is read. */
  progress(scope: InWorkspace, search: WaveSearch, part: WaveListPart): Promise<WaveProgressRow[]> {
    return rowsOf(this.db, `${PAGE} SELECT ${COLUMNS}, ${QUOTAS} FROM v ${COUNTS} ORDER BY v.wave_id DESC`, [
      ...paging(scope, search, part),
      search.now,
    ]);
  }

  async counts(scope: InWorkspace, search: WaveSearch): Promise<Record<WaveStatus, number>> {
    const { now } = search;
    const row = await rowOf<Record<WaveStatus, number>>(
      this.db,
      `SELECT count(*) FILTER (WHERE status = 'scheduled') AS scheduled, count(*) FILTER (WHERE status = 'active') AS active,
         count(*) FILTER (WHERE status = 'ended') AS ended
       FROM (SELECT ${STATUS} AS status FROM ${MATCHES}) AS found`,
      [now, now, ...matching(scope, search)],
    );
    return row!;
  }

  async create({ organizationId, surveyId }: SurveyKey, wave: WaveFields): Promise<number> {
    const row = await rowOf<{ wave_id: number }>(
      this.db,
      `INSERT INTO waves (organization_id, survey_id, wave_name, wave_start_date, wave_end_date, target)
       VALUES (?, ?, ?, ?, ?, ?) RETURNING wave_id`,
      [organizationId, surveyId, wave.name, wave.start, wave.end, wave.target],
    );
    await this.noteColumns(surveyId);
    return row!.wave_id;
  }

  async update({ organizationId, surveyId }: SurveyKey, waveId: number, wave: WaveFields): Promise<void> {
    await countOf(
      this.db,
      `UPDATE waves SET wave_name = ?, wave_start_date = ?, wave_end_date = ?, target = ?
       WHERE organization_id = ? AND survey_id = ? AND wave_id = ? AND deleted_at IS NULL`,
      [wave.name, wave.start, wave.end, wave.target, organizationId, surveyId, waveId],
    );
    await this.noteColumns(surveyId);
  }

  /** Whether a response ever belonged to it, deleted ones too, and how many links do. */
  async uses(surveyId: number, waveId: number): Promise<{ hasResponses: boolean; links: number }> {
    const row = await rowOf<{ has_responses: boolean; links: number }>(
      this.db,
      `SELECT EXISTS (SELECT FROM wave_counts WHERE survey_id = ? AND wave_id = ?) AS has_responses,
         (SELECT count(*) FROM links WHERE survey_id = ? AND wave_id = ? AND deleted_at IS NULL) AS links`,
      [surveyId, waveId, surveyId, waveId],
    );
    return { hasResponses: row!.has_responses, links: row!.links };
  }

  async delete({ organizationId, surveyId }: SurveyKey, waveId: number): Promise<void> {
    await countOf(
      this.db,
      `UPDATE waves SET deleted_at = now() WHERE organization_id = ? AND survey_id = ? AND wave_id = ?`,
      [organizationId, surveyId, waveId],
    );
    await this.noteColumns(surveyId);
  }

  /** What `wave_id` means in data follows from the waves: readers of datasets notice by the survey's columns_revision. */
  private async noteColumns(surveyId: number): Promise<void> {
    await countOf(this.db, `UPDATE surveys SET columns_revision = columns_revision + 1 WHERE survey_id = ?`, [
      surveyId,
    ]);
  }
}
