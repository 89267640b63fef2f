import type { CreditReservation } from '../../../../domain/credits/credit-reservation.ts';

/** Beyond these, one further retry for so many first calls. */
const BASE_RETRIES = 2;
const CALLS_PER_EXTRA_RETRY = 4;

/** Number of retries allowed for so many first calls. */
export const maxRetries = (firstAsks: number): number =>
  BASE_RETRIES + Math.floor(firstAsks / CALLS_PER_EXTRA_RETRY);

/**
 * Limits retries of unusable or incomplete answers per reservation and request kind. Each retry costs as much as the first call, and the
 * reservation must cover them all.
 */
export class RetryBudget {
  private readonly counts = new WeakMap<CreditReservation, Map<string, { first: number; second: number }>>();

  recordCall(reservation: CreditReservation, question: string): void {
    this.findCounts(reservation, question).first += 1;
  }

  /** Returns whether a retry is allowed, and counts it. */
  takeRetry(reservation: CreditReservation, question: string): boolean {
    const count = this.findCounts(reservation, question);
    if (count.second >= maxRetries(count.first)) return false;
    count.second += 1;
    return true;
  }

  private findCounts(reservation: CreditReservation, question: string): { first: number; second: number } {
    const questions = this.counts.get(reservation) ?? new Map<string, { first: number; second: number }>();
    this.counts.set(reservation, questions);
    const count = questions.get(question) ?? { first: 0, second: 0 };
    questions.set(question, count);
    return count;
  }
}
