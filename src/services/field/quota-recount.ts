import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  allocateCells,
  type CellOccupancy,
  createPartialOperands,
  matchQuotas,
} from '../../domain/quota/allocate-cells.ts';
import { cellsOf, type Quota } from '../../domain/quota/quota.ts';
import { type PreparedDefinition, prepareDefinition } from '../../domain/survey/prepared-definition.ts';
import type { Clock } from '../../lib/clock.ts';
import type { CountedRow } from '../../repositories/quotas.ts';
import type { Repositories } from '../../repositories/repositories.ts';

const ROWS_PER_CHUNK = 2_000;
const ROWS_PER_TURN = 200;

/**
 * Assigns complete responses to quota cells after an edit or a change of quotas. A response stays in its cell while
 * the cell still fits; stored responses count even beyond a target. The caller has locked the survey.
 */
export class QuotaRecount {
  private constructor(
    private readonly repositories: Repositories,
    private readonly surveyId: number,
    private readonly quotas: ReadonlyMap<number, readonly Quota[]>,
    private readonly prepared: PreparedDefinition,
    private readonly clock: Clock,
  ) {}

  /** Locks these waves until the transaction ends. */
  static async open(
    repositories: Repositories,
    surveyId: number,
    waveIds: readonly number[],
    clock: Clock,
  ): Promise<QuotaRecount> {
    await repositories.quotaReservations.lockWaves(waveIds);
    const quotas = new Map<number, readonly Quota[]>();
    for (const waveId of waveIds)
      quotas.set(waveId, (await repositories.quotas.findByWave(surveyId, waveId)).quotas);
    const prepared = prepareDefinition(await repositories.definitions.draft(surveyId));
    return new QuotaRecount(repositories, surveyId, quotas, prepared, clock);
  }

  /** Recounts changed responses. */
  async recountResponses(responseIds: readonly number[]): Promise<void> {
    const { quotas } = this.repositories;
    for (let start = 0; start < responseIds.length; start += ROWS_PER_CHUNK) {
      const ids = responseIds.slice(start, start + ROWS_PER_CHUNK);
      await quotas.releaseEndedReservations(this.surveyId, ids);
      await this.recount(await quotas.listCountedResponses(this.surveyId, [...this.quotas.keys()], ids));
    }
  }

  /** Recounts a wave after its quotas changed. */
  async recountWave(waveId: number): Promise<void> {
    const { quotas } = this.repositories;
    let afterId = 0;
    for (;;) {
      const rows = await quotas.listCountedOfWave(this.surveyId, waveId, afterId, ROWS_PER_CHUNK);
      await this.recount(rows);
      if (rows.length < ROWS_PER_CHUNK) return;
      afterId = rows.at(-1)!.response_id;
    }
  }

  private async recount(rows: readonly CountedRow[]): Promise<void> {
    if (rows.length === 0) return;
    const { quotaReservations, quotas } = this.repositories;
    const waveIds = [...new Set(rows.map((row) => row.wave_id))].sort((a, b) => a - b);
    const cellIds = waveIds.flatMap((waveId) =>
      cellsOf(this.quotas.get(waveId)!).map(({ cellId }) => cellId),
    );
    const usage = await quotaReservations.readUsage(
      { surveyIds: [this.surveyId], waveIds },
      cellIds,
      this.clock.now(),
    );
    const changed: { responseId: number; cellIds: number[] }[] = [];
    for (const [index, row] of rows.entries()) {
      if (index > 0 && index % ROWS_PER_TURN === 0) await nextTurn();
      const before = row.quota_cells ?? [];
      const after = this.assignCells(row, usage);
      if (hasSameCells(before, after)) continue;
      for (const cellId of before) adjustCount(usage, cellId, -1);
      for (const cellId of after) adjustCount(usage, cellId, 1);
      changed.push({ responseId: row.response_id, cellIds: after });
    }
    await quotas.saveRecount(this.surveyId, changed);
  }

  private assignCells(row: CountedRow, usage: ReadonlyMap<number, CellOccupancy>): number[] {
    const background = {
      hidden: new Map(Object.entries(row.hidden ?? {})),
      respondent: row.attributes === null ? null : { name: null, attributes: row.attributes },
    };
    const operandOf = createPartialOperands(this.prepared, row.answers, background, null);
    const fits = matchQuotas(this.quotas.get(row.wave_id)!, operandOf);
    return allocateCells(fits, new Set(row.quota_cells), usage, 'counted').cellIds;
  }
}

const hasSameCells = (before: readonly number[], after: readonly number[]): boolean =>
  before.length === after.length && after.every((cellId) => before.includes(cellId));

function adjustCount(usage: Map<number, CellOccupancy>, cellId: number, change: number): void {
  const counts = usage.get(cellId);
  if (counts !== undefined) usage.set(cellId, { ...counts, completed: counts.completed + change });
}
