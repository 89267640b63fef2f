import type { ColumnSpec } from '../columns/column-spec.ts';
import { type DatePrecision, dateSpan, dateToText } from '../columns/dates.ts';
import type { TextColumn } from '../columns/columns.ts';
import { addCounts, type Count, type CountedRows, NO_RESPONSES } from './base.ts';
import type { Tally } from './tally.ts';
import { groupDates, groupNumbers, toGroupValue, type ValueGroups } from './value-groups.ts';

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
export type Grouping = ValueGroups['groupedBy'] | 'datetime' | null;

export interface ValueCategories {
  categories: Category[];
  /** The number of distinct values, listed or not. */
  distinct: number;
  groupedBy: Grouping;
  /** The bounds of the groups of a number, one more than categories; null where the client did not ask for groups. */
  breaks?: number[] | null;
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

/**
 * Labelled values are all listed, chosen or not. Other values are listed individually, or in intervals if there are many: more than
 * `maxGroups` where the client asked for groups.
 */
export function numberCategories(spec: ColumnSpec, tally: Tally, maxGroups?: number): ValueCategories {
  const distinct = tally.values.length;
  const grouped = maxGroups === undefined ? null : groupedNumbers(spec, tally, maxGroups);
  if (grouped !== null) return grouped;
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

/** Groups that end where the next one begins, with the values of an ascending tally. */
function countGroups(tally: Tally, { groups }: ValueGroups): Category[] {
  let index = 0;
  return groups.map((group, position) => {
    const end = groups[position + 1]?.start ?? Infinity;
    const category = { ...toGroupValue(group), ...NO_RESPONSES };
    for (; index < tally.values.length && tally.values[index]! < end; index++) {
      category.count += tally.counts[index]!;
      category.weight += tally.weights[index]!;
      category.squaredWeight += tally.squaredWeights[index]!;
    }
    return category;
  });
}

/** Returns null if the values are few, or the points of a scale. Values flagged as missing are listed after the groups. */
function groupedNumbers(spec: ColumnSpec, tally: Tally, maxGroups: number): ValueCategories | null {
  const { values } = tally;
  if (!spec.values.every(({ missing }) => missing)) return null;
  const codes = new Set(spec.values.map(({ value }) => value));
  const isCode = (value: number) => codes.has(String(value));
  const others = codes.size === 0 ? tally : filterTally(tally, (value) => !isCode(value));
  if (others.values.length <= maxGroups) return null;
  const grouped = groupNumbers(others, maxGroups);
  if (grouped === null) return null;
  const listed = numberCategories(spec, filterTally(tally, isCode));
  const { groupedBy, breaks } = grouped;
  const missing = codes.size === 0 ? [] : listed.categories;
  return {
    categories: [...countGroups(others, grouped), ...missing],
    distinct: values.length,
    groupedBy,
    breaks,
  };
}

function filterTally({ values, counts, weights, squaredWeights }: Tally, isKept: (value: number) => boolean) {
  const keep = (numbers: Float64Array) => numbers.filter((_, index) => isKept(values[index]!));
  return {
    values: keep(values),
    counts: keep(counts),
    weights: keep(weights),
    squaredWeights: keep(squaredWeights),
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

/**
 * By date, ascending; by month or year if there are many, or by a period that gives at most `maxGroups` where the client asked for groups.
 * Metadata timestamps are never listed finer than by day.
 */
export function dateCategories(spec: ColumnSpec, tally: Tally, maxGroups?: number): ValueCategories {
  const precision = spec.precision ?? 'date';
  const distinct = tally.values.length;
  if (maxGroups !== undefined && distinct > maxGroups) {
    const grouped = groupDates(spec, tally, maxGroups);
    return { categories: countGroups(tally, grouped), distinct, groupedBy: grouped.groupedBy };
  }
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
