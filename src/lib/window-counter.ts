/** Length of the windows for rate limits and failed guesses. */
export const LIMIT_WINDOW_MS = 15 * 60 * 1000;

/** The count of a key in its current window. */
export interface WindowCount {
  totalHits: number;
  /** End of the window on the clock of `performance.now()`, which changes of the system clock do not affect. */
  endsAtMs: number;
}

/** Counts by key in fixed windows. The first count of a key begins its window. */
export interface WindowCounter {
  increment(key: string): Promise<WindowCount>;
  /** Takes one count back, not below zero. */
  decrement(key: string): Promise<void>;
  /** Removes the count of the key. */
  reset(key: string): Promise<void>;
}

/** Creates a separate counter for each name. `windowMs`: length of a window. */
export type WindowCounters = (name: string, windowMs: number) => WindowCounter;

/** Returns the whole seconds until the window ends, from 0 to the length of a window. */
export function secondsUntilReset({ endsAtMs }: Pick<WindowCount, 'endsAtMs'>): number {
  const leftMs = Math.min(LIMIT_WINDOW_MS, Math.max(0, endsAtMs - performance.now()));
  return Math.ceil(leftMs / 1000);
}

/** Counts in the memory of this process. Keys without a count for one to two windows use no memory. */
class MemoryCounter implements WindowCounter {
  private recent = new Map<string, WindowCount>();
  /** Keys whose last count was before the latest rotation. */
  private older = new Map<string, WindowCount>();
  private rotateAtMs: number;

  constructor(private readonly windowMs: number) {
    this.rotateAtMs = performance.now() + windowMs;
  }

  increment(key: string): Promise<WindowCount> {
    const nowMs = performance.now();
    if (nowMs >= this.rotateAtMs) {
      // All windows have ended after two windows without a count.
      this.older = nowMs >= this.rotateAtMs + this.windowMs ? new Map<string, WindowCount>() : this.recent;
      this.recent = new Map();
      this.rotateAtMs = nowMs + this.windowMs;
    }
    const known = this.find(key, nowMs);
    const totalHits = (known?.totalHits ?? 0) + 1;
    const count = { totalHits, endsAtMs: known?.endsAtMs ?? nowMs + this.windowMs };
    this.recent.set(key, count);
    return Promise.resolve(count);
  }

  decrement(key: string): Promise<void> {
    const known = this.find(key, performance.now());
    if (known !== undefined && known.totalHits > 0)
      this.recent.set(key, { ...known, totalHits: known.totalHits - 1 });
    return Promise.resolve();
  }

  reset(key: string): Promise<void> {
    this.recent.delete(key);
    this.older.delete(key);
    return Promise.resolve();
  }

  private find(key: string, nowMs: number): WindowCount | undefined {
    const count = this.recent.get(key) ?? this.older.get(key);
    return count === undefined || nowMs >= count.endsAtMs ? undefined : count;
  }
}

/** Counters of this process only. */
export const inProcessCounters: WindowCounters = (_name, windowMs) => new MemoryCounter(windowMs);
