/** Length of the windows in which requests and wrong guesses are counted. */
export const LIMIT_WINDOW_MS = 15 * 60 * 1000;

/** How often a key was counted in its current window. */
export interface WindowCount {
  totalHits: number;
  /** When the next window begins. */
  resetTime: Date | undefined;
}

/** Counts by key in fixed windows of time: the first count of a key opens its window. */
export interface WindowCounter {
  increment(key: string): Promise<WindowCount>;
  /** Takes one count back; never below zero. */
  decrement(key: string): Promise<void>;
}

/** Makes a counter of its own for each name; `windowMs`: how long a window is. */
export type WindowCounters = (name: string, windowMs: number) => WindowCounter;

/** Whole seconds until the window of a count ends; at least 0. */
export const secondsUntilReset = ({ resetTime }: Pick<WindowCount, 'resetTime'>): number =>
  resetTime === undefined
    ? LIMIT_WINDOW_MS / 1000
    : Math.max(0, Math.ceil((resetTime.getTime() - Date.now()) / 1000));
