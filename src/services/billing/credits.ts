import { creditsFor, type Engine, type TokenUsage } from '../../domain/credits/prices.ts';
import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import type { CreditPurpose, UsageRow } from '../../repositories/credits.ts';
import type { Store } from '../../repositories/store.ts';

/** So long credits stay set aside after the last sign of life of whoever works with them. */
const LEASE_SECONDS = 60;
const RENEWED_EVERY_MS = 20_000;
const ABANDONED_AT_ONCE = 100;

/** What work gives, and what it took. */
export interface Worked<T> {
  result: T;
  engine: Engine;
  model: string;
  usage: TokenUsage;
  /** The engine did not count. */
  estimated: boolean;
}

/** Says that credits are set aside: whoever calls a provider asks for it. */
export interface HeldCredits {
  readonly reservationId: number;
}

export interface Spent<T> extends Worked<T> {
  creditsUsed: number;
  creditsRemaining: number;
}

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
   * Sets aside `most` credits, works, and keeps what the work took, at most that; all come back when it fails, or when this process ends
   * in the middle. 402 `insufficient_credits` before anything is begun.
   */
  async spend<T>(
    purpose: CreditPurpose,
    most: number,
    work: (held: HeldCredits) => Promise<Worked<T>>,
  ): Promise<Spent<T>> {
    const { credits } = this.store.read;
    const balance = await this.balance(purpose.organizationId);
    const reservationId = await credits.reserve(purpose, most, LEASE_SECONDS);
    if (reservationId === null) throw insufficient(most, balance);
    // One that fails is made up for by the next.
    const renewing = setInterval(
      () => void credits.extend(reservationId, LEASE_SECONDS).catch(() => undefined),
      RENEWED_EVERY_MS,
    );
    try {
      const worked = await work({ reservationId });
      const { engine, model, usage, estimated } = worked;
      const kept = await credits.settle(reservationId, {
        engine,
        model,
        inputTokens: usage.input_tokens,
        outputTokens: usage.output_tokens,
        tokensEstimated: estimated,
        credits: creditsFor(engine, model, usage),
      });
      // null: so long without a sign of life that they were given back; then it was for nothing.
      return {
        ...worked,
        creditsUsed: kept ?? 0,
        creditsRemaining: await this.balance(purpose.organizationId),
      };
    } catch (error) {
      await credits.release(reservationId);
      throw error;
    } finally {
      clearInterval(renewing);
    }
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

const insufficient = (needed: number, balance: number) =>
  new AppError(
    'payment_required',
    'insufficient_credits',
    `This may take up to ${needed} credits, and the organization has ${balance}`,
  );
