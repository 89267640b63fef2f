import type { Database } from '../db/connect.ts';
import { countOf, rowOf, rowsOf } from '../db/rows.ts';
import type { NextQuota } from '../domain/quota/known-cells.ts';
import type { Quota, QuotaMode } from '../domain/quota/quota.ts';
import { comparisonsIn, type Condition } from '../domain/survey/logic/condition.ts';

/** A cell with how it is filled. */
export interface QuotaCellRow {
  quota_id: number;
  survey_id: number;
  wave_id: number;
  quota_name: string;
  mode: QuotaMode;
  cell_id: number;
  cell_label: string;
  condition: Condition;
  target: number | null;
  completed: number;
  /** Places held by responses that have begun and not ended. */
  pending: number;
  /** Responses that it turned away. */
  turned_away: number;
}

/** The quotas of a wave, as they were set the `revision`th time. */
export interface WaveQuotas {
  revision: number;
  quotas: readonly Quota[];
}

/** What to look for in a workspace; null: anything. */
export interface QuotaCellSearch {
  surveyId: number | null;
  waveId: number | null;
}

interface InWorkspace {
  organizationId: number;
  workspaceId: number;
}

const CELL = `q.quota_id, q.survey_id, q.wave_id, q.quota_name, q.mode, c.cell_id, c.cell_label, c.condition, c.target, c.completed,
  c.over_quota AS turned_away, (SELECT count(*) FROM quota_holds h WHERE h.survey_id = c.survey_id AND h.cell_id = c.cell_id AND h.held_until > ?) AS pending`;

const IN_WORKSPACE = `surveys s JOIN waves v USING (survey_id) JOIN quotas q USING (survey_id, wave_id)
  JOIN quota_cells c ON c.survey_id = s.survey_id AND c.quota_id = q.quota_id
  WHERE s.organization_id = ? AND s.workspace_id = ? AND s.survey_status <> 0 AND v.deleted_at IS NULL
    AND (?::bigint IS NULL OR s.survey_id = ?) AND (?::bigint IS NULL OR v.wave_id = ?)`;
const matching = ({ organizationId, workspaceId }: InWorkspace, { surveyId, waveId }: QuotaCellSearch) => [
  ...[organizationId, workspaceId],
  ...[surveyId, surveyId, waveId, waveId],
];

/** What the quotas of waves are, and how they are filled. No read counts a response. */
export class QuotaRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  /** What responses of the wave are judged by. */
  async ofWave(surveyId: number, waveId: number): Promise<WaveQuotas> {
    const row = await rowOf<WaveQuotas>(
      this.db,
      `SELECT quota_revision AS revision, (
         SELECT coalesce(json_agg(json_build_object('quotaId', quota_id, 'name', quota_name, 'mode', mode, 'cells', (
           SELECT coalesce(json_agg(json_build_object('cellId', cell_id, 'label', cell_label, 'condition', condition, 'target', target)
             ORDER BY c.place), '[]') FROM quota_cells c WHERE c.survey_id = ? AND c.quota_id = q.quota_id)) ORDER BY q.place), '[]')
         FROM quotas q WHERE q.survey_id = ? AND q.wave_id = v.wave_id) AS quotas
       FROM waves v WHERE v.survey_id = ? AND v.wave_id = ?`,
      [surveyId, surveyId, surveyId, waveId],
    );
    return row ?? { revision: 0, quotas: [] };
  }

  /** Every cell of the wave, in order. */
  cellsOf(surveyId: number, waveId: number, now: Date): Promise<QuotaCellRow[]> {
    return rowsOf(
      this.db,
      `SELECT ${CELL} FROM quotas q JOIN quota_cells c USING (survey_id, quota_id) WHERE q.survey_id = ? AND q.wave_id = ? ORDER BY q.place, c.place`,
      [now, surveyId, waveId],
    );
  }

  /** The cells of a workspace, oldest first; one more than `limit` where there is more. */
  list(
    scope: InWorkspace,
    search: QuotaCellSearch,
    { past, skip, limit }: { past: number | null; skip: number; limit: number },
    now: Date,
  ): Promise<QuotaCellRow[]> {
    return rowsOf(
      this.db,
      `SELECT ${CELL} FROM ${IN_WORKSPACE} AND (?::bigint IS NULL OR c.cell_id > ?) ORDER BY c.cell_id OFFSET ? LIMIT ?`,
      [now, ...matching(scope, search), past, past, skip, limit + 1],
    );
  }

  async count(scope: InWorkspace, search: QuotaCellSearch): Promise<number> {
    const row = await rowOf<{ count: number }>(
      this.db,
      `SELECT count(*) FROM ${IN_WORKSPACE}`,
      matching(scope, search),
    );
    return row!.count;
  }

  /** Waves of the survey that have quotas. */
  async wavesWithQuotas(surveyId: number): Promise<number[]> {
    const rows = await rowsOf<{ wave_id: number }>(
      this.db,
      `SELECT DISTINCT wave_id FROM quotas WHERE survey_id = ? ORDER BY wave_id`,
      [surveyId],
    );
    return rows.map((row) => row.wave_id);
  }

  /** The questions that any cell of the survey asks. */
  async questionCodes(surveyId: number): Promise<Set<string>> {
    const rows = await rowsOf<{ condition: Condition }>(
      this.db,
      `SELECT DISTINCT condition FROM quota_cells WHERE survey_id = ?`,
      [surveyId],
    );
    const asked = rows.flatMap(({ condition }) => comparisonsIn(condition).map(({ left }) => left));
    return new Set(asked.flatMap(({ type, code }) => (type === 'question' ? [code] : [])));
  }

  /**
   * Writes the quotas of a wave that the caller holds: those with an id that it has are changed, cells with theirs, and keep their
   * counts; others are made, and what is not named is gone. Gives the new revision.
   */
  async replace(surveyId: number, waveId: number, quotas: readonly NextQuota[]): Promise<number> {
    const keptCells = quotas.flatMap(({ cells }) => cells.flatMap(({ cellId }) => cellId ?? []));
    const kept = quotas.flatMap(({ quotaId }) => quotaId ?? []);
    await countOf(
      this.db,
      `DELETE FROM quota_cells WHERE survey_id = ? AND wave_id = ? AND NOT cell_id = ANY(?::bigint[])`,
      [surveyId, waveId, keptCells],
    );
    await countOf(
      this.db,
      `DELETE FROM quotas WHERE survey_id = ? AND wave_id = ? AND NOT quota_id = ANY(?::bigint[])`,
      [surveyId, waveId, kept],
    );
    await countOf(
      this.db,
      `WITH given AS (
         SELECT coalesce(quota_id, nextval(pg_get_serial_sequence('quotas', 'quota_id'))) AS quota_id, quota_name, mode, cells, place
         FROM json_to_recordset(?::json) AS g (quota_id bigint, quota_name text, mode text, cells json, place integer)),
       written AS (
         INSERT INTO quotas (quota_id, survey_id, wave_id, quota_name, mode, place)
         SELECT quota_id, ?, ?, quota_name, mode, place FROM given ORDER BY place
         ON CONFLICT (quota_id) DO UPDATE SET quota_name = excluded.quota_name, mode = excluded.mode, place = excluded.place
         RETURNING quota_id)
       INSERT INTO quota_cells (cell_id, quota_id, survey_id, wave_id, cell_label, condition, target, place)
       SELECT coalesce(c.cell_id, nextval(pg_get_serial_sequence('quota_cells', 'cell_id'))), g.quota_id, ?, ?, c.cell_label, c.condition,
         c.target, c.place
       FROM given g JOIN written USING (quota_id),
         json_to_recordset(g.cells) AS c (cell_id bigint, cell_label text, condition jsonb, target integer, place integer)
       ORDER BY g.place, c.place
       ON CONFLICT (survey_id, cell_id) DO UPDATE SET cell_label = excluded.cell_label, condition = excluded.condition,
         target = excluded.target, place = excluded.place`,
      [
        JSON.stringify(
          quotas.map(({ quotaId, name, mode, cells }, place) => ({
            quota_id: quotaId,
            quota_name: name,
            mode,
            place,
            cells: cells.map(({ cellId, label, condition, target }, cellPlace) => ({
              cell_id: cellId,
              cell_label: label,
              condition,
              target,
              place: cellPlace,
            })),
          })),
        ),
        ...[surveyId, waveId, surveyId, waveId],
      ],
    );
    const row = await rowOf<{ quota_revision: number }>(
      this.db,
      `UPDATE waves SET quota_revision = quota_revision + 1 WHERE wave_id = ? RETURNING quota_revision`,
      [waveId],
    );
    return row!.quota_revision;
  }
}
