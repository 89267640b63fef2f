import type { ColumnSpec } from '../columns/column-spec.ts';
import { type DatePrecision, dateSpan, dateToText } from '../columns/dates.ts';
import type { TextColumn } from '../columns/columns.ts';
import { addCounts, type Count, type CountedRows, NO_RESPONSES } from './base.ts';
import type { Tally } from './tally.ts';

const WANTED_INTERVALS = 20;

/** The smallest of 1, 2, 5 times a power of ten that covers the range in about twenty steps. */
function niceStep(min: number, max: number): number {
  const raw = max / WANTED_INTERVALS - min / WANTED_INTERVALS;
  const power = 10 ** Math.floor(Math.log10(raw));
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= raw) ?? 10;
  return factor * power;
}

/** The names of an interval, and where the next one begins. */
interface Interval {
  value: string;
  label: string;
  end: number;
}

/**
 * Divides a range into equal intervals `[a, b)` with round edges. Returns a function that names the interval of a value: value `a..b`,
 * label `a to under b`.
 */
function createIntervals(min: number, max: number): (value: number) => Interval {
  const step = niceStep(min, max);
  // Multiples of 0.1 are not exact in binary; rounding to twelve digits hides that in names and comparisons.
  const edge = (index: number) => Number((index * step).toPrecision(12));
  return (value) => {
    const quotient = Math.floor(value / step);
    const index =
      edge(quotient + 1) <= value ? quotient + 1 : edge(quotient) > value ? quotient - 1 : quotient;
    const [from, to] = [edge(index), edge(index + 1)];
    return { value: `${from}..${to}`, label: `${from} to under ${to}`, end: to };
  };
}

/** One line of a distribution. */
export interface Category extends Count {
  /** The permanent option_code; null if there is none. */
  code: number | null;
  value: string;
  /** What means use; null for texts and periods. */
  number: number | null;
  label: string;
  /** Chosen, but missing in statistics. */
  missing: boolean;
}

/** How values are grouped; null: not grouped. */
export type Grouping = 'interval' | 'hour' | 'datetime' | 'date' | 'month' | 'year' | null;

export interface ValueCategories {
  categories: Category[];
  /** The number of distinct values, listed or not. */
  distinct: number;
  groupedBy: Grouping;
}

/** Up to this many distinct values are listed individually. */
const MAX_LISTED = 1_000;

/** The name of a category and the value where the next one begins. */
interface CategoryName {
  value: string;
  /** Of a category with one number. */
  number?: number;
  label: string;
  end: number;
}

/** Groups values with the same name. A tally is ascending, so each name is created once. */
function groupByName(tally: Tally, name: (value: number) => CategoryName): Category[] {
  const categories: Category[] = [];
  let end = -Infinity;
  let last: Category | undefined;
  for (let index = 0; index < tally.values.length; index++) {
    const number = tally.values[index]!;
    if (!last || number >= end) {
      const named = name(number);
      end = named.end;
      const { value, number: exact = null, label } = named;
      last = { code: null, value, number: exact, label, missing: false, ...NO_RESPONSES };
      categories.push(last);
    }
    last.count += tally.counts[index]!;
    last.weight += tally.weights[index]!;
    last.squaredWeight += tally.squaredWeights[index]!;
  }
  return categories;
}

const nameNumber = (number: number): CategoryName => ({
  value: String(number),
  number,
  label: String(number),
  end: number,
});

/** Labelled values are all listed, chosen or not. Other values are listed individually, or in intervals if there are many. */
export function numberCategories(spec: ColumnSpec, tally: Tally): ValueCategories {
  const distinct = tally.values.length;
  const points = new Map(spec.values.map((point) => [point.code, point]));
  if (distinct > MAX_LISTED) {
    const intervals = createIntervals(tally.values[0] ?? 0, tally.values.at(-1) ?? 0);
    return { categories: groupByName(tally, intervals), distinct, groupedBy: 'interval' };
  }
  const listed = groupByName(tally, nameNumber);
  if (points.size === 0) return { categories: listed, distinct, groupedBy: null };
  const byValue = new Map(listed.map((category) => [category.value, category]));
  const labeled = spec.values.map(({ code, value, number, label, missing }) => {
    return { ...addCounts(byValue.get(value) ?? NO_RESPONSES), code, value, number, label, missing };
  });
  const known = new Set(spec.values.map(({ value }) => value));
  return {
    categories: [...labeled, ...listed.filter(({ value }) => !known.has(value))],
    distinct,
    groupedBy: null,
  };
}

const MINUTES_PER_HOUR = 60;

/** From fine to coarse; the first lists each date individually. */
const COARSER_PRECISIONS: Record<DatePrecision, readonly Exclude<DatePrecision | 'hour', 'time'>[]> = {
  year: ['year'],
  month: ['month', 'year'],
  date: ['date', 'month', 'year'],
  datetime: ['datetime', 'date', 'month', 'year'],
  time: ['hour'],
};

function nameHour(minutes: number): CategoryName {
  const hour = Math.floor(minutes / MINUTES_PER_HOUR);
  const text = dateToText(hour * MINUTES_PER_HOUR, 'time');
  return { value: text.slice(0, 2), label: text, end: (hour + 1) * MINUTES_PER_HOUR };
}

function nameDate(date: number, precision: DatePrecision): CategoryName {
  const text = dateToText(date, precision);
  return { value: text, label: text, end: (dateSpan(text, precision, false)?.last ?? date) + 1 };
}

/** By date, ascending; by month or year if there are many. Metadata timestamps are never listed finer than by day. */
export function dateCategories(spec: ColumnSpec, tally: Tally): ValueCategories {
  const precision = spec.precision ?? 'date';
  const distinct = tally.values.length;
  if (precision === 'time' && distinct <= MAX_LISTED) {
    return {
      categories: groupByName(tally, (minutes) => nameDate(minutes, 'time')),
      distinct,
      groupedBy: null,
    };
  }
  const steps = COARSER_PRECISIONS[precision].slice(spec.source === 'metadata' ? 1 : 0);
  let categories: Category[] = [];
  let groupedBy: Grouping = null;
  for (const step of steps) {
    categories = groupByName(tally, (date) => (step === 'hour' ? nameHour(date) : nameDate(date, step)));
    groupedBy = step === precision ? null : step;
    if (categories.length <= MAX_LISTED) break;
  }
  return { categories, distinct, groupedBy };
}

/** Rows or distinct texts that are processed in less than a millisecond. */
const ROWS_PER_STEP = 2_000;

/**
 * Distinct texts by frequency; equal counts in alphabetical order. Lists the most frequent. Yields regularly: a million distinct texts
 * take more than half a second.
 */
export function* textCategories(
  { texts }: TextColumn,
  { mask, weights }: CountedRows,
): Generator<undefined, ValueCategories> {
  const indexOf = new Map<string, number>();
  const found: Count[] = [];
  for (let row = 0; row < mask.length; row++) {
    if (row % ROWS_PER_STEP === 0) yield;
    const text = texts[row];
    if (mask[row] === 0 || text === null || text === undefined) continue;
    const weight = weights ? weights[row]! : 1;
    const position = indexOf.get(text);
    if (position === undefined) {
      indexOf.set(text, found.length);
      found.push({ count: 1, weight, squaredWeight: weight * weight });
    } else {
      const known = found[position]!;
      known.count++;
      known.weight += weight;
      known.squaredWeight += weight * weight;
    }
  }
  // Never sorts more than twice the listed number, because most texts cannot be listed.
  let first: [text: string, count: Count][] = [];
  let last: [text: string, count: Count] | null = null;
  let visitedCount = 0;
  for (const [text, position] of indexOf) {
    if (visitedCount++ % ROWS_PER_STEP === 0) yield;
    const one: [string, Count] = [text, found[position]!];
    if (last !== null && compareByFrequency(last, one) < 0) continue;
    first.push(one);
    if (first.length < 2 * MAX_LISTED) continue;
    first = first.sort(compareByFrequency).slice(0, MAX_LISTED);
    last = first.at(-1)!;
  }
  const categories = first
    .sort(compareByFrequency)
    .slice(0, MAX_LISTED)
    .map(([text, count]): Category => {
      return { code: null, value: text, number: null, label: text, missing: false, ...count };
    });
  return { categories, distinct: indexOf.size, groupedBy: null };
}

const compareByFrequency = (
  [text, { count }]: [string, Count],
  [otherText, other]: [string, Count],
): number => other.count - count || (text < otherText ? -1 : 1);
