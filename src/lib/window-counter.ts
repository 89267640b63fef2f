/** Length of the windows in which requests and wrong guesses are counted. */
export const LIMIT_WINDOW_MS = 15 * 60 * 1000;

/** How often a key was counted in its current window. */
export interface WindowCount {
  totalHits: number;
  /** When the window ends, on the clock of `performance.now()`: setting the system's clock does not move it. */
  endsAtMs: number;
}

/** Counts by key in fixed windows of time: the first count of a key opens its window. */
export interface WindowCounter {
  increment(key: string): Promise<WindowCount>;
  /** Takes one count back; never below zero. */
  decrement(key: string): Promise<void>;
  /** Forgets the counts of the key. */
  reset(key: string): Promise<void>;
}

/** Makes a counter of its own for each name; `windowMs`: how long a window is. */
export type WindowCounters = (name: string, windowMs: number) => WindowCounter;

/** Whole seconds until the window of a count ends; from 0 to the length of a window. */
export function secondsUntilReset({ endsAtMs }: Pick<WindowCount, 'endsAtMs'>): number {
  const leftMs = Math.min(LIMIT_WINDOW_MS, Math.max(0, endsAtMs - performance.now()));
  return Math.ceil(leftMs / 1000);
}

/** Counts in the memory of this process. Keys that were not counted for one to two windows take no memory. */
class MemoryCounter implements WindowCounter {
  private readonly windowMs: number;
  private recent = new Map<string, WindowCount>();
  /** Counted last before the latest rotation. */
  private older = new Map<string, WindowCount>();
  private rotateAtMs: number;

  constructor(windowMs: number) {
    this.windowMs = windowMs;
    this.rotateAtMs = performance.now() + windowMs;
  }

  increment(key: string): Promise<WindowCount> {
    const nowMs = performance.now();
    if (nowMs >= this.rotateAtMs) {
      // After two windows without a count everything has ended.
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

/** Counts of this process alone. */
export const inProcessCounters: WindowCounters = (_name, windowMs) => new MemoryCounter(windowMs);
