import { getTimeZone, UTC } from '../../lib/time-zone.ts';
import type { ColumnSpec } from './column-spec.ts';

export type DatePrecision = NonNullable<ColumnSpec['precision']>;

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

const DAY = String.raw`(\d{4})-(\d{2})-(\d{2})`;
/** Seconds are optional, with up to three decimals. */
const CLOCK = String.raw`(\d{2}):(\d{2})(?::(\d{2}(?:\.\d{1,3})?))?`;
const PATTERNS: Record<DatePrecision, RegExp> = {
  year: /^(\d{4})$/,
  month: /^(\d{4})-(\d{2})$/,
  date: new RegExp(`^${DAY}$`),
  datetime: new RegExp(`^${DAY}T${CLOCK}$`),
  time: new RegExp(`^${CLOCK}$`),
};

/** A timestamp with offset; seconds and fractions are optional. */
const MOMENT = new RegExp(`^${DAY}T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,9})?)?(Z|[+-]\\d{2}:\\d{2})$`);

/** Returns milliseconds, or NaN for a date that does not exist. */
function utcDay(year: number, month: number, day: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const inCalendar = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return inCalendar ? date.getTime() : NaN;
}

/** Returns milliseconds since midnight, or NaN for a time that does not exist. */
function clockMs(hour: number, minute: number, second: number): number {
  return hour < 24 && minute < 60 && second < 60
    ? hour * 60 * MINUTE_MS + minute * MINUTE_MS + Math.round(second * SECOND_MS)
    : NaN;
}

/** Returns milliseconds since 1970 UTC of the start of the period in `text` (minutes, with a fraction, for a time), or NaN if it does not match. */
export function textToDate(text: string, precision: DatePrecision): number {
  const match = PATTERNS[precision].exec(text);
  if (!match) return NaN;
  const parts = match
    .slice(1)
    .map((part: string | undefined) => (part === undefined ? undefined : Number(part)));
  if (precision === 'time') {
    const [hour = 0, minute = 0, second = 0] = parts;
    return clockMs(hour, minute, second) / MINUTE_MS;
  }
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts;
  return utcDay(year, month, day) + clockMs(hour, minute, second);
}

/** Formats milliseconds since 1970 UTC (minutes for a time) by precision; seconds only where they are not zero. */
export function dateToText(value: number, precision: DatePrecision): string {
  if (precision === 'time')
    return withoutZeroSeconds(new Date(Math.round(value * MINUTE_MS)).toISOString().slice(11));
  const text = new Date(value).toISOString();
  if (precision === 'datetime') return withoutZeroSeconds(text);
  return text.slice(0, { year: 4, month: 7, date: 10 }[precision]);
}

/** Removes what is zero at the end of `…HH:mm:ss.sssZ`: the seconds, or their decimals. */
function withoutZeroSeconds(text: string): string {
  return text.replace(/(:00\.000|\.000|(?<=\.\d{0,2})0{1,2})?Z$/, '');
}

/** First and last value of the period in a text: a plain date compared with a datetime is the whole day. */
export interface DateSpan {
  first: number;
  last: number;
}

const NEXT_PERIOD: Record<Exclude<DatePrecision, 'time' | 'datetime'>, (start: Date) => number> = {
  year: (date) => date.setUTCFullYear(date.getUTCFullYear() + 1),
  month: (date) => date.setUTCMonth(date.getUTCMonth() + 1),
  date: (date) => date.setUTCDate(date.getUTCDate() + 1),
};

/** The length of the period in a text with a time: a minute, a second or a millisecond. */
function clockPeriodMs(text: string): number {
  const [, second] = /:\d{2}(:\d{2}(?:\.\d+)?)?$/.exec(text) ?? [];
  if (second === undefined) return MINUTE_MS;
  return second.includes('.') ? 1 : SECOND_MS;
}

/**
 * Returns the span that a text denotes for a column of that precision, or null if none. Timestamps (metadata) are written with an offset,
 * datetime answers without.
 */
export function dateSpan(text: string, precision: DatePrecision, isMoment: boolean): DateSpan | null {
  if (precision === 'time') {
    const first = textToDate(text, 'time');
    if (Number.isNaN(first)) return null;
    return { first, last: (first * MINUTE_MS + clockPeriodMs(text) - 1) / MINUTE_MS };
  }
  for (const form of ['date', 'month', 'year'] as const) {
    const first = textToDate(text, form);
    if (!Number.isNaN(first)) return { first, last: NEXT_PERIOD[form](new Date(first)) - 1 };
  }
  const answer = isMoment ? NaN : textToDate(text, 'datetime');
  if (!Number.isNaN(answer)) return { first: answer, last: answer + clockPeriodMs(text) - 1 };
  const moment = isMoment ? MOMENT.exec(text) : null;
  if (!moment || Number.isNaN(utcDay(Number(moment[1]), Number(moment[2]), Number(moment[3])))) return null;
  const first = Date.parse(text);
  return Number.isNaN(first) ? null : { first, last: first };
}

/** Lengths of the texts of answers by precision. */
const ANSWER_LENGTHS: Record<DatePrecision, number> = {
  year: 4,
  month: 7,
  date: 10,
  datetime: 23,
  time: 12,
};

/**
 * Returns the span that a written date denotes beside a date column, in filters of both notations; null if it is none. Answers are
 * compared by their precision. Beside a timestamp, a date or time without offset is local to the time zone of the column.
 */
export function spanOfWritten(
  { precision, source, timeZone = UTC }: Pick<ColumnSpec, 'precision' | 'source' | 'timeZone'>,
  written: string,
): DateSpan | null {
  const form = precision ?? 'date';
  if (source !== 'metadata') {
    const isDate = dateSpan(written, form, false) !== null;
    return isDate ? dateSpan(written.slice(0, ANSWER_LENGTHS[form]), form, false) : null;
  }
  if (MOMENT.test(written)) return dateSpan(written, form, true);
  const local = dateSpan(written, 'datetime', false);
  if (local === null) return null;
  const zone = getTimeZone(timeZone);
  return { first: zone.instantMs(local.first), last: zone.instantMs(local.last + 1) - 1 };
}

/**
 * Returns a date column's values in local time, as milliseconds as if in UTC: timestamps converted to the time zone of the spec, answers
 * unchanged. Use these to count by day, week or month.
 */
export function wallClockValues({ timeZone = UTC }: ColumnSpec, values: Float64Array): Float64Array {
  const zone = getTimeZone(timeZone);
  return zone.isUtc ? values : values.map((ms) => zone.wallClockMs(ms));
}
