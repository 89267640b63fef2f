import type { OperandSoFar } from '../../domain/quota/condition-truth.ts';
import { type Fit, fitsOf } from '../../domain/quota/fitting-cells.ts';
import { givePlaces, type Places, type Taken } from '../../domain/quota/give-places.ts';
import { keptPlaces } from '../../domain/quota/kept-places.ts';
import { cellsOf, type Quota } from '../../domain/quota/quota.ts';
import type { Clock } from '../../lib/clock.ts';
import type { OpenResponseRow } from '../../repositories/responses.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import { HOLD_SECONDS } from './link-places.ts';
import { QuotaDefinitions } from './quota-definitions.ts';

/** A response that quotas have to do with. */
export interface InQuotas {
  surveyId: number;
  responseId: number;
  waveId: number;
  /** How often the quotas of the wave were set when somebody last looked. */
  revision: number;
}

/** null: its wave has no quotas. */
export const inQuotas = (surveyId: number, response: OpenResponseRow): InQuotas | null =>
  response.wave_id === null || response.quota_revision === 0
    ? null
    : {
        surveyId,
        responseId: response.response_id,
        waveId: response.wave_id,
        revision: response.quota_revision,
      };

/**
 * Places in the quotas of waves: whoever hands in the page that decides a cell takes one there, keeps it with every later page, and
 * gives it back after 15 minutes without one. Of a hard cell completes and places together are never more than the target. The locks
 * are those of repositories/quota-places.ts. Of waves without quotas nothing is read or written.
 */
export class QuotaPlaces {
  private readonly clock: Clock;
  private readonly definitions = new QuotaDefinitions();

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** The response, which the caller holds, was heard of. */
  async keep({ quotaPlaces }: Repositories, response: InQuotas): Promise<Set<number>> {
    return quotaPlaces.renew(response, this.until());
  }

  /** The response has ended, and not as a complete one. */
  async giveBack({ quotaPlaces }: Repositories, response: InQuotas): Promise<void> {
    await quotaPlaces.release(response);
  }

  /** A page was handed in. The cells that turn the response away; null: it goes on, and has its places. */
  async atPage(
    repositories: Repositories,
    response: InQuotas,
    operandOf: OperandSoFar,
  ): Promise<readonly number[] | null> {
    const { quotaPlaces } = repositories;
    const held = await this.keep(repositories, response);
    const { kept, isWanting } = keptPlaces(await this.fits(repositories, response, operandOf), held);
    if (!isWanting) {
      if (kept.length < held.size) await quotaPlaces.release(response, kept);
      return null;
    }
    const places = await this.give(repositories, response, operandOf, held, 'open');
    if (places.isOver) return places.cellIds;
    const mine = new Set(places.cellIds);
    if ([...held].some((cellId) => !mine.has(cellId))) await quotaPlaces.release(response, places.cellIds);
    const taken = places.cellIds.filter((cellId) => !held.has(cellId));
    if (taken.length > 0) await quotaPlaces.hold(response, response.waveId, taken, this.until());
    return null;
  }

  /** The response is complete but for its quotas: where it counts, or what turns it away. Its places are given back either way. */
  async atEnd(repositories: Repositories, response: InQuotas, operandOf: OperandSoFar): Promise<Places> {
    const held = await repositories.quotaPlaces.release(response);
    return this.give(repositories, response, operandOf, held, 'complete');
  }

  /** The cells of waves that this transaction holds, for responses about to be written. */
  async opened(
    repositories: Repositories,
    waves: readonly Pick<InQuotas, 'surveyId' | 'waveId'>[],
  ): Promise<OpenedCells> {
    if (waves.length === 0) return new OpenedCells(new Map(), new Map());
    const { quotaPlaces } = repositories;
    const quotas = new Map<number, readonly Quota[]>();
    const surveyIds = new Map(waves.map(({ surveyId, waveId }) => [waveId, surveyId]));
    const revisions = await quotaPlaces.lockWaves([...surveyIds.keys()]);
    for (const [waveId, revision] of revisions) {
      quotas.set(
        waveId,
        await this.definitions.of(repositories, { surveyId: surveyIds.get(waveId)!, waveId, revision }),
      );
    }
    const cellIds = cellsOf([...quotas.values()].flat()).map(({ cellId }) => cellId);
    const held = { surveyIds: [...new Set(surveyIds.values())], waveIds: [...quotas.keys()] };
    const taken = await quotaPlaces.taken(held, cellIds, this.clock.now());
    return new OpenedCells(quotas, taken);
  }

  private async give(
    repositories: Repositories,
    response: InQuotas,
    operandOf: OperandSoFar,
    held: ReadonlySet<number>,
    end: 'open' | 'complete',
  ): Promise<Places> {
    const { quotaPlaces } = repositories;
    const { surveyId, waveId } = response;
    const revision = (await quotaPlaces.lockWaves([waveId])).get(waveId)!;
    const fits = await this.fits(repositories, { surveyId, waveId, revision }, operandOf);
    const cellIds = fits.flatMap(({ cells, mayFit }) => [...cells, ...mayFit].map(({ cellId }) => cellId));
    const wave = { surveyIds: [surveyId], waveIds: [waveId] };
    const taken = cellIds.length === 0 ? new Map() : await quotaPlaces.taken(wave, cellIds, this.clock.now());
    return givePlaces(fits, held, taken, end);
  }

  private async fits(
    repositories: Repositories,
    wave: Pick<InQuotas, 'surveyId' | 'waveId' | 'revision'>,
    operandOf: OperandSoFar,
  ): Promise<Fit[]> {
    return fitsOf(await this.definitions.of(repositories, wave), operandOf);
  }

  private until(): Date {
    return new Date(this.clock.now().getTime() + HOLD_SECONDS * 1000);
  }
}

/** Within one transaction, which holds the waves. */
export class OpenedCells {
  private readonly quotas: ReadonlyMap<number, readonly Quota[]>;
  private readonly taken: Map<number, Taken>;

  constructor(quotas: ReadonlyMap<number, readonly Quota[]>, taken: Map<number, Taken>) {
    this.quotas = quotas;
    this.taken = taken;
  }

  /** Where a response that is about to be written as complete counts, or what turns it away. */
  placesOf(waveId: number, operandOf: OperandSoFar): Places {
    const fits = fitsOf(this.quotas.get(waveId) ?? [], operandOf);
    return givePlaces(fits, new Set(), this.taken, 'complete');
  }

  /** It was written, and counts there. */
  noteWritten(cellIds: readonly number[]): void {
    for (const cellId of cellIds) {
      const { completed, pending } = this.taken.get(cellId)!;
      this.taken.set(cellId, { completed: completed + 1, pending });
    }
  }
}
