const DAY_MS = 86_400_000;

/** Calendar periods for grouping dates; weeks begin on Monday. Times are wall-clock times in milliseconds, as if they were UTC. */
export const PERIODS = ['day', 'week', 'month', 'quarter', 'year'] as const;
export type Period = (typeof PERIODS)[number];

const monthsOf = { month: 1, quarter: 3, year: 12 } as const;

/** The start of the period that contains a time. */
export function periodStart(ms: number, period: Period): number {
  const day = Math.floor(ms / DAY_MS) * DAY_MS;
  if (period === 'day') return day;
  // 1970-01-01 was a Thursday, three days after a Monday.
  if (period === 'week') return day - ((((day / DAY_MS + 3) % 7) + 7) % 7) * DAY_MS;
  const date = new Date(day);
  const months = monthsOf[period];
  const month = Math.floor(date.getUTCMonth() / months) * months;
  return new Date(0).setUTCFullYear(date.getUTCFullYear(), month, 1);
}

/** The start of the period after the one that begins at `start`. */
export function nextPeriod(start: number, period: Period): number {
  if (period === 'day') return start + DAY_MS;
  if (period === 'week') return start + 7 * DAY_MS;
  const date = new Date(start);
  return new Date(0).setUTCFullYear(date.getUTCFullYear(), date.getUTCMonth() + monthsOf[period], 1);
}

/** `2026-03-02` for a day or a week (its Monday), `2026-03`, `2026-Q1`, `2026`. */
export function periodName(start: number, period: Period): string {
  const text = new Date(start).toISOString();
  if (period === 'day' || period === 'week') return text.slice(0, 10);
  if (period === 'month') return text.slice(0, 7);
  const year = text.slice(0, 4);
  return period === 'year' ? year : `${year}-Q${Math.floor(new Date(start).getUTCMonth() / 3) + 1}`;
}
