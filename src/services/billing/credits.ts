import { CreditReservation, creditsFor, type Engine, type TokenUsage } from '../../domain/credits/credits.ts';
import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import { requireValue } from '../../lib/require-value.ts';
import type { CreditPurpose, UsageRow } from '../../repositories/credits.ts';
import type { Store } from '../../repositories/store.ts';

/** How long credits stay reserved after the last renewal. */
const LEASE_SECONDS = 60;
const RENEW_INTERVAL_MS = 20_000;
const ABANDONED_AT_ONCE = 100;

/** The engine and model, which determine the price of a token. */
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
  /** Maximum tokens of the work, input and output together. */
  maxTokens: number;
  /** SHA-256 of the input: the same work does not run twice at once. */
  workKey?: Buffer;
  /** When it fires, the credits used so far are charged. */
  signal?: AbortSignal;
}

/** Thrown when the same work is already running. */
export class AlreadyRunningError extends Error {}

/** The credits of organizations: each amount is spent once, and the balance is never negative. */
export class CreditService {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly startingCredits: number,
  ) {}

  async getBalance(organizationId: number): Promise<number> {
    const { credits } = this.store.read;
    const known = await credits.findBalance(organizationId);
    if (known !== null) return known;
    await credits.openAccount(organizationId, this.startingCredits);
    return requireValue(await credits.findBalance(organizationId), 'balance');
  }

  /**
   * Reserves credits, runs `work`, and charges what it used, at most the reservation. Everything is released if the
   * work fails or this process ends; work stopped by the signal is charged for what it used. Throws 402
   * `insufficient_credits` before the work starts.
   */
  async spend<T>(
    { purpose, engineModel: worker, maxTokens, workKey, signal }: SpendRequest,
    work: (reservation: CreditReservation) => Promise<T>,
  ): Promise<SpendResult<T>> {
    const { credits } = this.store.read;
    const balance = await this.getBalance(purpose.organizationId);
    const limit = creditsFor({
      engine: worker.engine,
      model: worker.model,
      tokenUsage: { input_tokens: maxTokens, output_tokens: 0 },
    });
    const reserved = await credits.reserve({
      creditPurpose: purpose,
      credits: limit,
      leaseSeconds: LEASE_SECONDS,
      workKey: workKey ?? null,
    });
    if (reserved === 'insufficient') throw insufficientCredits(limit, balance);
    if (reserved === 'already_running') throw new AlreadyRunningError('The same is worked on already');
    const reservation = new CreditReservation(reserved);
    // A failed renewal is made up for by the next one.
    const renewing = setInterval(
      () => void credits.extendLease(reserved, LEASE_SECONDS).catch(() => undefined),
      RENEW_INTERVAL_MS,
    );
    try {
      const result = await work(reservation);
      const creditsUsed = await this.settle(reservation, worker);
      const creditsRemaining = await this.getBalance(purpose.organizationId);
      return { result, usage: reservation.usage, creditsUsed, creditsRemaining };
    } catch (error) {
      const { input_tokens: input, output_tokens: output } = reservation.usage;
      if (signal?.aborted === true && input + output > 0) await this.settle(reservation, worker);
      else await credits.release(reserved);
      throw error;
    } finally {
      clearInterval(renewing);
    }
  }

  /** Charges the used credits. Returns 0 if the reservation expired and was released; then the work was free. */
  private async settle(reservation: CreditReservation, { engine, model }: EngineModel): Promise<number> {
    const { usage } = reservation;
    const settled = await this.store.read.credits.settle(reservation.reservationId, {
      engine,
      model,
      inputTokens: usage.input_tokens,
      outputTokens: usage.output_tokens,
      tokensEstimated: reservation.isEstimated,
      credits: creditsFor({ engine, model, tokenUsage: usage }),
    });
    return settled ?? 0;
  }

  /** Releases reservations of interrupted work. Returns their number. */
  async releaseAbandoned(): Promise<number> {
    const { credits } = this.store.read;
    let released = 0;
    for (const reservationId of await credits.listAbandoned(ABANDONED_AT_ONCE))
      if (await credits.releaseAbandoned(reservationId)) released += 1;
    return released;
  }

  /** Returns sums for `from` <= time < `until`; null: the last 30 days, and until now. */
  async getUsage(
    organizationId: number,
    from: Date | null,
    until: Date | null,
  ): Promise<{ from: Date; until: Date; rows: UsageRow[] }> {
    const end = until ?? this.clock.now();
    const start = from ?? new Date(end.getTime() - 30 * DAY_MS);
    return {
      from: start,
      until: end,
      rows: await this.store.read.credits.summarizeUsage(organizationId, start, end),
    };
  }
}

const DAY_MS = 24 * 60 * 60 * 1_000;

const insufficientCredits = (needed: number, balance: number) =>
  new AppError(
    'payment_required',
    'insufficient_credits',
    `This may take up to ${needed} credits, and the organization has ${balance}`,
  );
