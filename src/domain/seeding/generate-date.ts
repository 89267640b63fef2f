import type { QuestionWithType } from '../survey/definition.ts';
import type { SyntheticRespondent } from './synthetic-respondent.ts';

type Precision = QuestionWithType<'date'>['settings']['precision'];

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Conversion between dates and integers in the precision's unit. */
const UNITS: Record<
  Precision,
  { read: (text: string) => number; write: (units: number) => string; span: number }
> = {
  date: {
    read: (text) => Date.parse(`${text}T00:00Z`) / DAY_MS,
    write: (days) => iso(days * DAY_MS).slice(0, 10),
    span: 365,
  },
  datetime: {
    read: (text) => Date.parse(`${text}Z`) / MINUTE_MS,
    write: (minutes) => iso(minutes * MINUTE_MS).slice(0, 16),
    span: 365 * 24 * 60,
  },
  time: {
    read: (text) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3)),
    write: (minutes) => iso(minutes * MINUTE_MS).slice(11, 16),
    span: 12 * 60,
  },
  month: {
    read: (text) => Number(text.slice(0, 4)) * 12 + Number(text.slice(5)) - 1,
    write: (months) => `${padded(Math.floor(months / 12), 4)}-${padded((months % 12) + 1, 2)}`,
    span: 12,
  },
  year: { read: Number, write: (years) => padded(years, 4), span: 20 },
};

/** The range that each precision can represent. */
const FULL_RANGE: Record<Precision, [string, string]> = {
  date: ['0001-01-01', '9999-12-31'],
  datetime: ['0001-01-01T00:00', '9999-12-31T23:59'],
  time: ['00:00', '23:59'],
  month: ['0001-01', '9999-12'],
  year: ['0001', '9999'],
};

/** Range for questions without bounds. Fixed, so that a seed gives the same dates on any day. */
const DEFAULT_RANGE: Record<Precision, [string, string]> = {
  date: ['2024-01-01', '2025-12-31'],
  datetime: ['2025-01-01T00:00', '2025-12-31T23:59'],
  time: ['07:00', '21:59'],
  month: ['2023-01', '2025-12'],
  year: ['1950', '2025'],
};

/** Generates a date within the bounds; with one bound only, near it. */
export function generateDate(
  { settings }: QuestionWithType<'date'>,
  { random: chance }: SyntheticRespondent,
): string {
  const { precision, min, max } = settings;
  const { read, write, span } = UNITS[precision];
  const usual = DEFAULT_RANGE[precision].map(read) as [number, number];
  const low = min === null ? null : read(min);
  const high = max === null ? null : read(max);
  const isUsual = (low === null || low <= usual[0]) && (high === null || high >= usual[1]);
  const [first, last] = FULL_RANGE[precision].map(read) as [number, number];
  const from = isUsual ? usual[0] : (low ?? Math.max(first, high! - span));
  const to = isUsual ? usual[1] : (high ?? Math.min(last, low! + span));
  return write(from + chance.integer(to - from + 1));
}

const iso = (milliseconds: number): string => {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
};

const padded = (value: number, digits: number): string => String(value).padStart(digits, '0');
