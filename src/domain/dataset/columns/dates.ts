import { getTimeZone, UTC } from '../../../lib/time-zone.ts';
import type { ColumnSpec } from './column-spec.ts';

export type DatePrecision = NonNullable<ColumnSpec['precision']>;

const MINUTE_MS = 60_000;

const DAY = String.raw`(\d{4})-(\d{2})-(\d{2})`;
const PATTERNS: Record<DatePrecision, RegExp> = {
  year: /^(\d{4})$/,
  month: /^(\d{4})-(\d{2})$/,
  date: new RegExp(`^${DAY}$`),
  datetime: new RegExp(`^${DAY}T(\\d{2}):(\\d{2})$`),
  time: /^(\d{2}):(\d{2})$/,
};

/** A timestamp with offset; seconds and fractions are optional. */
const MOMENT = new RegExp(`^${DAY}T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,9})?)?(Z|[+-]\\d{2}:\\d{2})$`);

/** Returns milliseconds, or NaN for a date or time that does not exist. */
function utcTime(year: number, month: number, day: number, hour: number, minute: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const inCalendar = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return inCalendar && hour < 24 && minute < 60 ? date.setUTCHours(hour, minute) : NaN;
}

/** Returns milliseconds since 1970 UTC of the start of the period in `text` (minutes for a time), or NaN if it does not match. */
export function textToDate(text: string, precision: DatePrecision): number {
  const match = PATTERNS[precision].exec(text);
  if (!match) return NaN;
  const [a, b = 1, c = 1, hour = 0, minute = 0] = match.slice(1).map(Number) as [number, ...number[]];
  if (precision === 'time') return a < 24 && b < 60 ? a * 60 + b : NaN;
  return utcTime(a, b, c, hour, minute);
}

/** Formats milliseconds since 1970 UTC (minutes for a time) by precision. */
export function dateToText(value: number, precision: DatePrecision): string {
  if (precision === 'time') {
    const pad = (part: number) => String(part).padStart(2, '0');
    return `${pad(Math.floor(value / 60))}:${pad(value % 60)}`;
  }
  const length = { year: 4, month: 7, date: 10, datetime: 16 }[precision];
  return new Date(value).toISOString().slice(0, length);
}

/** First and last value of the period in a text: a plain date compared with a datetime is the whole day. */
export interface DateSpan {
  first: number;
  last: number;
}

const NEXT_PERIOD: Record<Exclude<DatePrecision, 'time'>, (start: Date) => number> = {
  year: (date) => date.setUTCFullYear(date.getUTCFullYear() + 1),
  month: (date) => date.setUTCMonth(date.getUTCMonth() + 1),
  date: (date) => date.setUTCDate(date.getUTCDate() + 1),
  datetime: (date) => date.setTime(date.getTime() + MINUTE_MS),
};

/**
 * Returns the span that a text denotes for a column of that precision, or null if none. Timestamps (metadata) are written with an offset,
 * datetime answers without.
 */
export function dateSpan(text: string, precision: DatePrecision, isMoment: boolean): DateSpan | null {
  if (precision === 'time') {
    const minutes = textToDate(text, 'time');
    return Number.isNaN(minutes) ? null : { first: minutes, last: minutes };
  }
  for (const form of ['date', 'month', 'year', 'datetime'] as const) {
    if (isMoment && form === 'datetime') continue;
    const first = textToDate(text, form);
    if (!Number.isNaN(first)) return { first, last: NEXT_PERIOD[form](new Date(first)) - 1 };
  }
  const moment = isMoment ? MOMENT.exec(text) : null;
  if (!moment || Number.isNaN(utcTime(Number(moment[1]), Number(moment[2]), Number(moment[3]), 0, 0)))
    return null;
  const first = Date.parse(text);
  return Number.isNaN(first) ? null : { first, last: first };
}

/**
 * Returns a date column's values in local time, as milliseconds as if in UTC: timestamps converted to the time zone of the spec, answers
 * unchanged. Use these to count by day, week or month.
 */
export function wallClockValues({ timeZone = UTC }: ColumnSpec, values: Float64Array): Float64Array {
  const zone = getTimeZone(timeZone);
  return zone.isUtc ? values : values.map((ms) => zone.wallClockMs(ms));
}
