import {
  allocateCells,
  type CellAllocation,
  type CellOccupancy,
  matchQuotas,
  type PartialOperandOf,
  type QuotaMatch,
  retainCells,
} from '../../domain/quota/allocate-cells.ts';
import { cellsOf, type Quota } from '../../domain/quota/quota.ts';
import type { Clock } from '../../lib/clock.ts';
import { requireEntry } from '../../lib/require-value.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { OpenResponseRow, ResponseEnd } from '../../repositories/responses.ts';
import { RESERVATION_TTL_SECONDS } from './link-reservations.ts';
import type { ResolvedLink } from './link-resolver.ts';

const MAX_WAVES = 200;

/** A wave whose quotas have at least this revision. */
interface WaveRevision {
  surveyId: number;
  waveId: number;
  revision: number;
}

/** Caches the quotas of waves. A revision never changes, so entries are never stale. */
class WaveQuotaCache {
  private readonly entries = new Map<number, { revision: number; quotas: readonly Quota[] }>();

  /** Returns the quotas of the given revision or a later one. */
  async load(
    { quotas }: Repositories,
    { surveyId, waveId, revision }: WaveRevision,
  ): Promise<readonly Quota[]> {
    const known = this.entries.get(waveId);
    const found =
      known !== undefined && known.revision >= revision ? known : await quotas.findByWave(surveyId, waveId);
    // Moved to the end: the first key of the map is the least recently used.
    this.entries.delete(waveId);
    this.entries.set(waveId, found);
    const [oldest] = this.entries.keys();
    if (oldest !== undefined && this.entries.size > MAX_WAVES) this.entries.delete(oldest);
    return found.quotas;
  }
}

/** A response of a wave with quotas. */
interface QuotaResponse {
  surveyId: number;
  responseId: number;
  waveId: number;
  /** Revision of the wave's quotas when they were last read. */
  revision: number;
}

/** Returns null if the response's wave has no quotas. */
export const quotaResponseOf = (surveyId: number, response: OpenResponseRow): QuotaResponse | null =>
  response.wave_id === null || response.quota_revision === 0
    ? null
    : {
        surveyId,
        responseId: response.response_id,
        waveId: response.wave_id,
        revision: response.quota_revision,
      };

/**
 * Reservations in the quota cells of waves. Submitting the page that decides a cell makes one, each later page renews
 * it, and it expires after 15 minutes without activity. In a hard cell, completes and reservations together never
 * exceed the target. The order of locks is documented in repositories/reservations.ts. Waves without quotas
 * cause no reads or writes.
 */
export class QuotaReservations {
  private readonly quotaCache = new WaveQuotaCache();

  constructor(private readonly clock: Clock) {}

  /** Returns the quotas of the wave of responses that start through the link. */
  async loadQuotasOfLink(
    repositories: Repositories,
    {
      surveyId,
      waveId,
      quotaRevision: revision,
    }: Pick<ResolvedLink, 'surveyId' | 'waveId' | 'quotaRevision'>,
  ): Promise<readonly Quota[]> {
    if (waveId === null || revision === 0) return [];
    return this.quotaCache.load(repositories, { surveyId, waveId, revision });
  }

  /** Renews the reservations of a response that the caller has locked. Returns their cells. */
  async renew({ quotaReservations }: Repositories, response: QuotaResponse): Promise<Set<number>> {
    return quotaReservations.renew(response, this.computeExpiry());
  }

  /** Deletes the reservations of a response that ended without being complete. */
  async release({ quotaReservations }: Repositories, response: QuotaResponse): Promise<void> {
    await quotaReservations.release(response);
  }

  /**
   * Makes the reservations that a submitted page decides. Returns the cells that turn the response away; null: it
   * continues.
   */
  async reserveForPage(
    repositories: Repositories,
    response: QuotaResponse,
    operandOf: PartialOperandOf,
  ): Promise<readonly number[] | null> {
    const { quotaReservations } = repositories;
    const reservedCellIds = await this.renew(repositories, response);
    const { kept, isWanting } = retainCells(
      await this.findFits(repositories, response, operandOf),
      reservedCellIds,
    );
    if (!isWanting) {
      if (kept.length < reservedCellIds.size) await quotaReservations.release(response, kept);
      return null;
    }
    const assignment = await this.assignCells({
      repositories,
      response,
      operandOf,
      reservedCellIds,
      end: 'open',
    });
    if (assignment.isOver) return assignment.cellIds;
    const assignedCellIds = new Set(assignment.cellIds);
    if ([...reservedCellIds].some((cellId) => !assignedCellIds.has(cellId)))
      await quotaReservations.release(response, assignment.cellIds);
    const newCellIds = assignment.cellIds.filter((cellId) => !reservedCellIds.has(cellId));
    if (newCellIds.length > 0)
      await quotaReservations.reserve({
        responseKey: response,
        waveId: response.waveId,
        cellIds: newCellIds,
        until: this.computeExpiry(),
      });
    return null;
  }

  /**
   * Assigns a response that would be complete to its cells, or returns the cells that turn it away. Deletes its
   * reservations in both cases.
   */
  async assignForCompletion(
    repositories: Repositories,
    response: QuotaResponse,
    operandOf: PartialOperandOf,
  ): Promise<CellAllocation> {
    const reservedCellIds = await repositories.quotaReservations.release(response);
    return this.assignCells({ repositories, response, operandOf, reservedCellIds, end: 'complete' });
  }

  /** Locks the waves of responses of one survey that are about to be written. */
  async lockWaves(
    repositories: Repositories,
    surveyId: number,
    waveIds: readonly number[],
  ): Promise<LockedWaves> {
    if (waveIds.length === 0) return new LockedWaves(new Map(), new Map());
    const { quotaReservations } = repositories;
    const quotas = new Map<number, readonly Quota[]>();
    const revisions = await quotaReservations.lockWaves({ surveyId, waveIds: [...new Set(waveIds)] });
    for (const [waveId, revision] of revisions)
      quotas.set(waveId, await this.quotaCache.load(repositories, { surveyId, waveId, revision }));
    const cellIds = cellsOf([...quotas.values()].flat()).map(({ cellId }) => cellId);
    const locked = { surveyId, waveIds: [...quotas.keys()] };
    const occupancy = await quotaReservations.readUsage(locked, cellIds, this.clock.now());
    return new LockedWaves(quotas, occupancy);
  }

  private async assignCells({
    repositories,
    response,
    operandOf,
    reservedCellIds,
    end,
  }: {
    repositories: Repositories;
    response: QuotaResponse;
    operandOf: PartialOperandOf;
    reservedCellIds: ReadonlySet<number>;
    end: 'open' | 'complete';
  }): Promise<CellAllocation> {
    const { quotaReservations } = repositories;
    const { surveyId, waveId } = response;
    const wave = { surveyId, waveIds: [waveId] };
    const revision = requireEntry(await quotaReservations.lockWaves(wave), waveId, 'wave');
    const fits = await this.findFits(repositories, { surveyId, waveId, revision }, operandOf);
    const cellIds = fits.flatMap(({ cells, possibleCells }) =>
      [...cells, ...possibleCells].map(({ cellId }) => cellId),
    );
    const occupancy =
      cellIds.length === 0 ? new Map() : await quotaReservations.readUsage(wave, cellIds, this.clock.now());
    return allocateCells({ fits, reservedIds: reservedCellIds, occupancy, end });
  }

  private async findFits(
    repositories: Repositories,
    wave: Pick<QuotaResponse, 'surveyId' | 'waveId' | 'revision'>,
    operandOf: PartialOperandOf,
  ): Promise<QuotaMatch[]> {
    return matchQuotas(await this.quotaCache.load(repositories, wave), operandOf);
  }

  private computeExpiry(): Date {
    return new Date(this.clock.now().getTime() + RESERVATION_TTL_SECONDS * 1000);
  }
}

/** Waves that the transaction has locked. */
export class LockedWaves {
  constructor(
    private readonly quotas: ReadonlyMap<number, readonly Quota[]>,
    /** By cell. */
    private readonly taken: Map<number, CellOccupancy>,
  ) {}

  /**
   * Returns the cells in which a response counts that is about to be written as complete, or those that turn it away.
   */
  assignCells(waveId: number, operandOf: PartialOperandOf): CellAllocation {
    const fits = matchQuotas(this.quotas.get(waveId) ?? [], operandOf);
    return allocateCells({ fits, reservedIds: new Set(), occupancy: this.taken, end: 'complete' });
  }

  /** Counts a written response in its cells. */
  recordWrite(cellIds: readonly number[]): void {
    for (const cellId of cellIds) {
      const { completed, pending } = requireEntry(this.taken, cellId, 'quota cell');
      this.taken.set(cellId, { completed: completed + 1, pending });
    }
  }
}

/** How a response ends. Only the server decides it. */
export type CompletionOutcome = Pick<
  ResponseEnd,
  'status' | 'statusReason' | 'endReason' | 'quality' | 'quotaCells'
>;

/** The link's quota is full, or the answers belong to a full quota cell. */
export const OVER_QUOTA: CompletionOutcome = {
  status: 'screened_out',
  statusReason: 'over_quota',
  endReason: null,
  quality: null,
  quotaCells: null,
};

/** Returns the outcome of a response that these cells turned away. */
export const overQuotaOutcome = (
  quotaCells: readonly number[],
  quality: CompletionOutcome['quality'] = null,
): CompletionOutcome => ({
  ...OVER_QUOTA,
  quality,
  quotaCells,
});
