/** How often a key was counted in the window that is open for it. */
export interface WindowCount {
  totalHits: number;
  /** When it begins anew. */
  resetTime: Date | undefined;
}

/** Counts by key in fixed windows of time: the first count of a key opens its window. */
export interface WindowCounter {
  increment(key: string): Promise<WindowCount>;
}

/** Makes a counter of its own for each name; `windowMs`: how long a window is. */
export type WindowCounters = (name: string, windowMs: number) => WindowCounter;
