import type { HeldCredits } from '../../../../domain/credits/held-credits.ts';

/** Beyond these, one more for so many first asks. */
const BASE_RETRIES = 2;
const CALLS_PER_EXTRA_RETRY = 4;

/** At most so often is something asked for again, of so many first asks. */
export const maxRetries = (firstAsks: number): number =>
  BASE_RETRIES + Math.floor(firstAsks / CALLS_PER_EXTRA_RETRY);

/**
 * Models are asked again where an answer is no good, or leaves something out. It costs as much again, so there is a bound to it for
 * each piece of work, and no more has to be set aside than that.
 */
export class RetryBudget {
  private readonly counts = new WeakMap<HeldCredits, Map<string, { first: number; second: number }>>();

  recordCall(held: HeldCredits, question: string): void {
    this.findCounts(held, question).first += 1;
  }

  /** Whether it may be asked again; it then counts as asked. */
  takeRetry(held: HeldCredits, question: string): boolean {
    const count = this.findCounts(held, question);
    if (count.second >= maxRetries(count.first)) return false;
    count.second += 1;
    return true;
  }

  private findCounts(held: HeldCredits, question: string): { first: number; second: number } {
    const questions = this.counts.get(held) ?? new Map<string, { first: number; second: number }>();
    this.counts.set(held, questions);
    const count = questions.get(question) ?? { first: 0, second: 0 };
    questions.set(question, count);
    return count;
  }
}
