import type { Knex } from 'knex';
import { anyOf } from '../db/any-of.ts';
import type { Database } from '../db/connect.ts';
import { queryCount, queryRow, queryRows } from '../db/rows.ts';
import type { Quota, QuotaUpdate } from '../domain/quota/quota.ts';
import type { Attributes } from '../domain/respondents/attributes.ts';
import { comparisonsIn, type Condition } from '../domain/questions/condition.ts';
import { requireItem, requireRow } from '../lib/require-value.ts';
import { countRows, type IdPage, selectIdPage } from './list-queries.ts';
import { qualifyColumns, qualifyValues } from './tables/table.ts';
import type { QuotaCellTable, QuotaTable } from './tables/field.ts';
import type { ResponseTable } from './tables/responses.ts';

const QUOTA_COLUMNS = ['quota_id', 'survey_id', 'wave_id', 'quota_name', 'mode'] as const;
const CELL_COLUMNS = ['cell_id', 'cell_label', 'condition', 'target', 'completed'] as const;

/** A cell with its quota and how far it is filled. */
export type QuotaCellRow = Pick<QuotaTable, (typeof QUOTA_COLUMNS)[number]> &
  Pick<QuotaCellTable, (typeof CELL_COLUMNS)[number]> & {
    /** Reservations of responses that have started and not ended. */
    pending: number;
    /** Responses that it turned away. */
    turned_away: number;
  };

/** The quotas of a wave, as they were set the `revision`th time. */
interface WaveQuotas {
  revision: number;
  quotas: readonly Quota[];
}

/** Filters of the list; null: no filter. */
export interface QuotaCellSearch {
  surveyId: number | null;
  waveId: number | null;
}

interface InWorkspace {
  organizationId: number;
  workspaceId: number;
}

const RESPONSE_COLUMNS = ['response_id', 'wave_id', 'answers', 'hidden', 'quota_cells'] as const;

/**
 * A complete response of a wave, with everything that quota conditions use. `wave_id` is not null, because only responses of waves are
 * counted; `attributes` is null without a respondent.
 */
export type CountedRow = Pick<ResponseTable, Exclude<(typeof RESPONSE_COLUMNS)[number], 'wave_id'>> & {
  wave_id: number;
  attributes: Attributes | null;
};

/** The quotas of waves and how far they are filled. Lists read counters; only a recount reads responses, with the waves locked. */
export class QuotaRepository {
  constructor(private readonly db: Database) {}

  /** Returns the quotas that apply to responses of the wave. */
  async findByWave(surveyId: number, waveId: number): Promise<WaveQuotas> {
    // Raw SQL: aggregates quotas with their cells as JSON.
    const row = await queryRow<WaveQuotas>(
      this.db,
      `SELECT quota_revision AS revision, (
         SELECT coalesce(json_agg(json_build_object('quotaId', quota_id, 'name', quota_name, 'mode', mode, 'cells', (
           SELECT coalesce(json_agg(json_build_object('cellId', cell_id, 'label', cell_label, 'condition', condition, 'target', target)
             ORDER BY c.cell_order), '[]') FROM quota_cells c WHERE c.survey_id = ? AND c.quota_id = q.quota_id)) ORDER BY q.quota_order), '[]')
         FROM quotas q WHERE q.survey_id = ? AND q.wave_id = v.wave_id) AS quotas
       FROM wave_quotas v WHERE v.survey_id = ? AND v.wave_id = ?`,
      [surveyId, surveyId, surveyId, waveId],
    );
    return row ?? { revision: 0, quotas: [] };
  }

  /** The conditions of all quotas of the survey, in any order. */
  async listConditions(surveyId: number): Promise<Condition[]> {
    return this.db('quota_cells').where({ survey_id: surveyId }).pluck('condition');
  }

  /** Every cell of the wave, in order. */
  async listCells(surveyId: number, waveId: number, now: Date): Promise<QuotaCellRow[]> {
    const cells = this.db('quotas')
      .joinRaw('JOIN quota_cells USING (survey_id, quota_id)')
      .where(qualifyValues('quotas', { survey_id: surveyId, wave_id: waveId }))
      .orderBy(['quotas.quota_order', 'quota_cells.cell_order']);
    return this.selectCells(cells, [surveyId], now);
  }

  /** Lists cells of a workspace, oldest first, one more than `limit` if there are more. */
  async list(
    scope: InWorkspace,
    { now, ...search }: QuotaCellSearch & { now: Date },
    page: IdPage,
  ): Promise<QuotaCellRow[]> {
    const waves = await this.findMatchingWaves(scope, search);
    const cells = this.queryCells(waves);
    return this.selectCells(
      selectIdPage(cells, { idColumn: 'quota_cells.cell_id', order: 'oldest_first' }, page),
      surveyIdsOf(waves),
      now,
    );
  }

  async count(scope: InWorkspace, search: QuotaCellSearch): Promise<number> {
    return countRows(this.queryCells(await this.findMatchingWaves(scope, search)));
  }

  /** Returns the waves of the survey that have quotas. */
  async listWavesWithQuotas(surveyId: number): Promise<number[]> {
    return this.db('quotas').distinct().where({ survey_id: surveyId }).orderBy('wave_id').pluck('wave_id');
  }

  /** Returns the codes of the questions on which any cell of the survey depends. */
  async listQuestionCodes(surveyId: number): Promise<Set<string>> {
    const rows = await this.db('quota_cells').distinct('condition').where({ survey_id: surveyId });
    const operands = rows.flatMap(({ condition }) => comparisonsIn(condition).map(({ left }) => left));
    return new Set(operands.flatMap((operand) => (operand.type === 'question' ? [operand.code] : [])));
  }

  /**
   * Writes the quotas of a wave that the caller has locked. Quotas and cells with a known id are updated and keep their counts, others
   * are created, and those that are not named are deleted. Returns the new revision.
   */
  async replace(surveyId: number, waveId: number, quotas: readonly QuotaUpdate[]): Promise<number> {
    const keptCells = quotas.flatMap(({ cells }) => cells.flatMap(({ cellId }) => cellId ?? []));
    const retainedIds = quotas.flatMap(({ quotaId }) => quotaId ?? []);
    const inWave = { survey_id: surveyId, wave_id: waveId };
    await this.db('quota_cells')
      .where(inWave)
      .whereNot({ cell_id: anyOf(this.db, keptCells) })
      .delete();
    await this.db('quotas')
      .where(inWave)
      .whereNot({ quota_id: anyOf(this.db, retainedIds) })
      .delete();
    if (quotas.length > 0) {
      const withIds = await this.assignIds(quotas);
      await this.db('quotas')
        .insert(
          withIds.map(({ quotaId, name, mode }, index) => ({
            ...inWave,
            quota_id: quotaId,
            quota_name: name,
            mode,
            quota_order: index,
          })),
        )
        .onConflict(['survey_id', 'quota_id'])
        .merge(['quota_name', 'mode', 'quota_order']);
      await this.db('quota_cells')
        .insert(
          withIds.flatMap(({ quotaId, cells }) =>
            cells.map(({ cellId, label, condition, target }, index) => ({
              ...inWave,
              quota_id: quotaId,
              cell_id: cellId,
              cell_label: label,
              condition: JSON.stringify(condition),
              target,
              cell_order: index,
            })),
          ),
        )
        .onConflict(['survey_id', 'cell_id'])
        .merge(['cell_label', 'condition', 'target', 'cell_order']);
    }
    const rows = await this.db('waves')
      .where(inWave)
      .update({ quota_revision: this.db.raw('quota_revision + 1') })
      .returning('quota_revision');
    const revision = requireRow(rows, 'waves').quota_revision;
    await this.db('wave_quotas').where(inWave).update({ quota_revision: revision });
    return revision;
  }

  /** Gives new quotas and cells their ids, in order. */
  private async assignIds(quotas: readonly QuotaUpdate[]) {
    const cells = quotas.flatMap((quota) => quota.cells);
    const quotaIds = await this.reserveIds(
      'quotas',
      'quota_id',
      quotas.filter(({ quotaId }) => quotaId === null).length,
    );
    const cellIds = await this.reserveIds(
      'quota_cells',
      'cell_id',
      cells.filter(({ cellId }) => cellId === null).length,
    );
    return quotas.map((quota) => ({
      ...quota,
      quotaId: quota.quotaId ?? requireItem(quotaIds.splice(0, 1), 0, 'quota id'),
      cells: quota.cells.map((cell) => ({
        ...cell,
        cellId: cell.cellId ?? requireItem(cellIds.splice(0, 1), 0, 'cell id'),
      })),
    }));
  }

  private async reserveIds(table: string, column: string, count: number): Promise<number[]> {
    // Raw SQL: the builder does not know sequences.
    const rows = await queryRows<{ id: number }>(
      this.db,
      'SELECT nextval(pg_get_serial_sequence(?, ?)) AS id FROM generate_series(1, ?)',
      [table, column, count],
    );
    return rows.map(({ id }) => id);
  }

  /** The waves with quotas. A separate query, because the waves and their quotas can be on different servers. */
  private async findMatchingWaves(
    { organizationId, workspaceId }: InWorkspace,
    { surveyId, waveId }: QuotaCellSearch,
  ): Promise<Pick<QuotaTable, 'survey_id' | 'wave_id'>[]> {
    const waves = this.db('surveys')
      .join('waves', 'waves.survey_id', 'surveys.survey_id')
      .where(qualifyValues('surveys', { organization_id: organizationId, workspace_id: workspaceId }))
      .whereNot(qualifyValues('surveys', { survey_status: 0 }))
      .where(qualifyValues('waves', { deleted_at: null }))
      .where('waves.quota_revision', '>', 0)
      .select('waves.survey_id', 'waves.wave_id');
    if (surveyId !== null) void waves.where(qualifyValues('surveys', { survey_id: surveyId }));
    if (waveId !== null) void waves.where(qualifyValues('waves', { wave_id: waveId }));
    return waves;
  }

  private queryCells(waves: readonly Pick<QuotaTable, 'survey_id' | 'wave_id'>[]): Knex.QueryBuilder {
    const surveyIds = anyOf(this.db, surveyIdsOf(waves));
    return this.db('quotas')
      .joinRaw(
        'JOIN quota_cells ON quota_cells.survey_id = quotas.survey_id AND quota_cells.quota_id = quotas.quota_id',
      )
      .where(qualifyValues('quota_cells', { survey_id: surveyIds }))
      .where(
        qualifyValues('quotas', {
          survey_id: surveyIds,
          wave_id: anyOf(
            this.db,
            waves.map((wave) => wave.wave_id),
          ),
        }),
      );
  }

  /** Adds the columns to a query of `quotas` and `quota_cells` of these surveys. */
  private async selectCells(
    cells: Knex.QueryBuilder,
    surveyIds: readonly number[],
    now: Date,
  ): Promise<QuotaCellRow[]> {
    const pending = this.db('quota_reservations')
      .count()
      .where({ survey_id: anyOf(this.db, surveyIds), cell_id: this.db.raw('quota_cells.cell_id') })
      .whereRaw('survey_id = quota_cells.survey_id')
      .where('reserved_until', '>', now)
      .as('pending');
    return cells.select<QuotaCellRow[]>(
      ...qualifyColumns('quotas', QUOTA_COLUMNS),
      ...qualifyColumns('quota_cells', CELL_COLUMNS),
      'quota_cells.over_quota AS turned_away',
      pending,
    );
  }

  /** Locks these responses, except previews, until the transaction ends. */
  async lockCountedResponses(surveyId: number, responseIds: readonly number[]): Promise<void> {
    await this.db('responses')
      .select('response_id')
      .where({ survey_id: surveyId, response_id: anyOf(this.db, responseIds), is_preview: false })
      .orderBy('response_id')
      .forUpdate();
  }

  /**
   * Keeps others from writing complete responses that were evaluated while the wave had no quotas: see the trigger update_quota_counts.
   * Reading the counts makes the lock be taken where the trigger takes it: on the server that has the survey's responses.
   */
  async lockUnevaluatedResponses(surveyId: number, waveId: number): Promise<void> {
    // Raw SQL: advisory lock.
    await queryCount(
      this.db,
      `SELECT pg_advisory_xact_lock(hashtextextended('quotas of wave ' || ?::bigint, 0))
       FROM (SELECT count(*) FROM wave_counts WHERE survey_id = ? AND wave_id = ?) AS here`,
      [waveId, surveyId, waveId],
    );
  }

  /** Returns those of the ids that count in these waves. */
  async listCountedResponses(
    surveyId: number,
    waveIds: readonly number[],
    responseIds: readonly number[],
  ): Promise<CountedRow[]> {
    return this.withAttributes(
      this.queryCounted(surveyId)
        .where({ response_id: anyOf(this.db, responseIds), wave_id: anyOf(this.db, waveIds) })
        .orderBy('response_id'),
    );
  }

  /** Returns the next responses that count in the wave, ordered by id. */
  async listCountedOfWave({
    surveyId,
    waveId,
    afterId,
    limit,
  }: {
    surveyId: number;
    waveId: number;
    afterId: number;
    limit: number;
  }): Promise<CountedRow[]> {
    return this.withAttributes(
      this.queryCounted(surveyId)
        .where({ wave_id: waveId })
        .where('response_id', '>', afterId)
        .orderBy('response_id')
        .limit(limit),
    );
  }

  async saveRecount(
    surveyId: number,
    rows: readonly { responseId: number; cellIds: readonly number[] }[],
  ): Promise<void> {
    if (rows.length === 0) return;
    // Raw SQL: bulk update.
    await queryCount(
      this.db,
      `UPDATE responses r SET quota_cells = ARRAY(SELECT json_array_elements_text(g.cells)::bigint)
       FROM json_to_recordset(?::json) AS g (id bigint, cells json) WHERE r.survey_id = ? AND r.response_id = g.id`,
      [JSON.stringify(rows.map(({ responseId: id, cellIds }) => ({ id, cells: cellIds }))), surveyId],
    );
  }

  /** Deletes reservations of responses that have ended or were deleted. */
  async releaseEndedReservations(surveyId: number, responseIds: readonly number[]): Promise<void> {
    // Raw SQL: deletes by a join.
    await queryCount(
      this.db,
      `DELETE FROM quota_reservations h USING responses r
       WHERE h.survey_id = ? AND h.response_id = ANY(?::bigint[]) AND r.survey_id = h.survey_id AND r.response_id = h.response_id
         AND (r.deleted_at IS NOT NULL OR r.response_status <> 'partial')`,
      [surveyId, responseIds],
    );
  }

  private queryCounted(surveyId: number) {
    return this.db('responses')
      .select<(Omit<CountedRow, 'attributes'> & Pick<ResponseTable, 'respondent_id'>)[]>(
        ...RESPONSE_COLUMNS,
        'respondent_id',
      )
      .where({ survey_id: surveyId, response_status: 'complete', deleted_at: null, is_test: false });
  }

  /** Adds the attributes of the respondents, who can be on another server than the responses. */
  private async withAttributes(query: ReturnType<QuotaRepository['queryCounted']>): Promise<CountedRow[]> {
    const rows = await query;
    const respondentIds = rows.flatMap((row) => row.respondent_id ?? []);
    if (respondentIds.length === 0) return rows.map((row) => ({ ...row, attributes: null }));
    const respondents = await this.db('respondents')
      .select('respondent_id', 'attributes')
      .where({ respondent_id: anyOf(this.db, respondentIds), erased_at: null });
    const attributes = new Map(respondents.map((row) => [row.respondent_id, row.attributes]));
    return rows.map((row) => ({ ...row, attributes: attributes.get(row.respondent_id ?? 0) ?? null }));
  }
}

const surveyIdsOf = (waves: readonly Pick<QuotaTable, 'survey_id'>[]): number[] => [
  ...new Set(waves.map((wave) => wave.survey_id)),
];
