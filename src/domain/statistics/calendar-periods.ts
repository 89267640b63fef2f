const DAY_MS = 86_400_000;
const MONTHS = { month: 1, quarter: 3, year: 12, decade: 120 } as const;

export type CalendarPeriod = 'day' | 'week' | keyof typeof MONTHS;

/** The start of the period that contains a time: a wall-clock time in milliseconds, as if it were UTC. */
function periodStart(ms: number, period: CalendarPeriod): number {
  const day = Math.floor(ms / DAY_MS) * DAY_MS;
  if (period === 'day') return day;
  // 1970-01-01 was a Thursday, three days after a Monday.
  if (period === 'week') return day - ((((day / DAY_MS + 3) % 7) + 7) % 7) * DAY_MS;
  const date = new Date(day);
  const months = date.getUTCFullYear() * MONTHS.year + date.getUTCMonth();
  return new Date(0).setUTCFullYear(0, Math.floor(months / MONTHS[period]) * MONTHS[period], 1);
}

/** The start of the period after the one that begins at `start`. */
function nextPeriod(start: number, period: CalendarPeriod): number {
  if (period === 'day') return start + DAY_MS;
  if (period === 'week') return start + 7 * DAY_MS;
  const date = new Date(start);
  return new Date(0).setUTCFullYear(date.getUTCFullYear(), date.getUTCMonth() + MONTHS[period], 1);
}

/**
 * Returns the start of every period from that of `first` to that of `last`, including empty ones, so that a line does not skip a week
 * without responses. Returns null if there are more than `max`.
 */
export function listPeriods(
  first: number,
  last: number,
  period: CalendarPeriod,
  max: number,
): number[] | null {
  const starts: number[] = [];
  for (let start = periodStart(first, period); start <= last; start = nextPeriod(start, period)) {
    if (starts.push(start) > max) return null;
  }
  return starts;
}

/** `2026-03-02` for a day or a week (its Monday), `2026-03`, `2026-Q1`, `2026`, `2020s`. */
export function periodName(start: number, period: CalendarPeriod): string {
  const text = new Date(start).toISOString();
  const year = text.slice(0, 4);
  switch (period) {
    case 'day':
    case 'week':
      return text.slice(0, 10);
    case 'month':
      return text.slice(0, 7);
    case 'quarter':
      return `${year}-Q${Math.floor(new Date(start).getUTCMonth() / MONTHS.quarter) + 1}`;
    case 'year':
      return year;
    case 'decade':
      return `${year}s`;
  }
}
