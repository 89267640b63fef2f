import type { DateUnit } from './signatures.ts';

const MINUTE_MS = 60_000;
const UNIT_MS = {
  minutes: MINUTE_MS,
  hours: 60 * MINUTE_MS,
  days: 1_440 * MINUTE_MS,
  weeks: 7 * 1_440 * MINUTE_MS,
};

/** Completed units from one date to another (milliseconds UTC); negative if the second is earlier, NaN if one is missing. */
export function dateDifference(from: number, to: number, unit: DateUnit): number {
  if (Number.isNaN(from) || Number.isNaN(to)) return NaN;
  if (unit === 'months') return completedMonths(from, to);
  if (unit === 'years') return Math.trunc(completedMonths(from, to) / 12);
  return Math.trunc((to - from) / UNIT_MS[unit]);
}

function completedMonths(from: number, to: number): number {
  if (to < from) return -completedMonths(to, from);
  const first = new Date(from);
  const last = new Date(to);
  const months =
    (last.getUTCFullYear() - first.getUTCFullYear()) * 12 + last.getUTCMonth() - first.getUTCMonth();
  return intoMonth(last) < intoMonth(first) ? months - 1 : months;
}

/** Milliseconds since the start of the month. */
function intoMonth(date: Date): number {
  return date.getTime() - Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
}
