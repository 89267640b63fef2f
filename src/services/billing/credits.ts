import { HeldCredits } from '../../domain/credits/held-credits.ts';
import { creditsFor, type Engine, type TokenUsage } from '../../domain/credits/prices.ts';
import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import type { CreditPurpose, UsageRow } from '../../repositories/credits.ts';
import type { Store } from '../../repositories/store.ts';

/** So long credits stay set aside after the last sign of life of whoever works with them. */
const LEASE_SECONDS = 60;
const RENEW_INTERVAL_MS = 20_000;
const ABANDONED_AT_ONCE = 100;

/** Who works, which says what a token costs. */
export interface EngineModel {
  engine: Engine;
  model: string;
}

export interface SpendResult<T> {
  result: T;
  usage: TokenUsage;
  creditsUsed: number;
  creditsRemaining: number;
}

interface SpendRequest {
  purpose: CreditPurpose;
  engineModel: EngineModel;
  /** All that the work may take, in and out together. */
  maxTokens: number;
  /** SHA-256 of what is worked on: the same is not begun twice at once. */
  workKey?: Buffer;
  /** When it fires, what was used until then is kept. */
  signal?: AbortSignal;
}

/** Somebody works on the same already. */
export class AlreadyRunningError extends Error {}

/** Credits: what an organization has, and how they are spent, once and never below zero. */
export class CreditService {
  private readonly store: Store;
  private readonly clock: Clock;
  private readonly startingCredits: number;

  constructor(store: Store, clock: Clock, startingCredits: number) {
    this.store = store;
    this.clock = clock;
    this.startingCredits = startingCredits;
  }

  async balance(organizationId: number): Promise<number> {
    const { credits } = this.store.read;
    const known = await credits.balance(organizationId);
    if (known !== null) return known;
    await credits.open(organizationId, this.startingCredits);
    return (await credits.balance(organizationId))!;
  }

  /**
   * Sets credits aside, works, and keeps what the work took, at most those. All come back when it fails, or when this process ends in
   * the middle; of work that was stopped by the signal, what it did not use. 402 `insufficient_credits` before anything is begun.
   */
  async spend<T>(
    { purpose, engineModel: worker, maxTokens: mostTokens, workKey, signal }: SpendRequest,
    work: (held: HeldCredits) => Promise<T>,
  ): Promise<SpendResult<T>> {
    const { credits } = this.store.read;
    const balance = await this.balance(purpose.organizationId);
    const most = creditsFor(worker.engine, worker.model, { input_tokens: mostTokens, output_tokens: 0 });
    const reserved = await credits.reserve(purpose, most, LEASE_SECONDS, workKey ?? null);
    if (reserved === 'insufficient') throw insufficientCredits(most, balance);
    if (reserved === 'already_running') throw new AlreadyRunningError('The same is worked on already');
    const held = new HeldCredits(reserved);
    // One that fails is made up for by the next.
    const renewing = setInterval(
      () => void credits.extend(reserved, LEASE_SECONDS).catch(() => undefined),
      RENEW_INTERVAL_MS,
    );
    try {
      const result = await work(held);
      const creditsUsed = await this.settle(held, worker);
      const creditsRemaining = await this.balance(purpose.organizationId);
      return { result, usage: held.usage, creditsUsed, creditsRemaining };
    } catch (error) {
      const { input_tokens: input, output_tokens: output } = held.usage;
      if (signal?.aborted === true && input + output > 0) await this.settle(held, worker);
      else await credits.release(reserved);
      throw error;
    } finally {
      clearInterval(renewing);
    }
  }

  /** What was kept. Nothing: so long without a sign of life that they were given back; then it was for nothing. */
  private async settle(held: HeldCredits, { engine, model }: EngineModel): Promise<number> {
    const { usage } = held;
    const kept = await this.store.read.credits.settle(held.reservationId, {
      engine,
      model,
      inputTokens: usage.input_tokens,
      outputTokens: usage.output_tokens,
      tokensEstimated: held.isEstimated,
      credits: creditsFor(engine, model, usage),
    });
    return kept ?? 0;
  }

  /** What whoever died in the middle had set aside comes back. */
  async releaseAbandoned(): Promise<number> {
    const { credits } = this.store.read;
    let released = 0;
    for (const reservationId of await credits.abandoned(ABANDONED_AT_ONCE))
      if (await credits.releaseAbandoned(reservationId)) released += 1;
    return released;
  }

  /** Sums from one moment to before another; null: the last thirty days, and until now. */
  async usage(
    organizationId: number,
    from: Date | null,
    until: Date | null,
  ): Promise<{ from: Date; until: Date; rows: UsageRow[] }> {
    const end = until ?? this.clock.now();
    const start = from ?? new Date(end.getTime() - 30 * DAY_MS);
    return { from: start, until: end, rows: await this.store.read.credits.usage(organizationId, start, end) };
  }
}

const DAY_MS = 24 * 60 * 60 * 1_000;

const insufficientCredits = (needed: number, balance: number) =>
  new AppError(
    'payment_required',
    'insufficient_credits',
    `This may take up to ${needed} credits, and the organization has ${balance}`,
  );
