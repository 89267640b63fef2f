import type { ColumnSpec } from '../dataset/column-spec.ts';
import { type DatePrecision, dateToText } from '../dataset/date-text.ts';
import type { TextColumn } from '../dataset/text-column.ts';
import { addCounts, type Count, NO_RESPONSES } from './base.ts';
import type { CountedRows } from './counted-rows.ts';
import { intervalsFor } from './intervals.ts';
import type { Tally } from './tally.ts';

/** One line of a distribution. */
export interface Category extends Count {
  /** The permanent option_code; null where there is none. */
  code: number | null;
  value: string;
  label: string;
  /** Chosen but missing in statistics. */
  missing: boolean;
}

/** Into what values were put together; null when each stands for itself. */
export type Grouping = 'interval' | 'hour' | 'date' | 'month' | 'year' | null;

export interface ValueCategories {
  categories: Category[];
  /** How many different values there are, whatever is listed. */
  distinct: number;
  groupedBy: Grouping;
}

/** So many different values are listed one by one. */
export const MAX_LISTED = 1_000;

function countAt(tally: Tally, index: number): Count {
  return {
    count: tally.counts[index] ?? 0,
    weight: tally.weights[index] ?? 0,
    squaredWeight: tally.squaredWeights[index] ?? 0,
  };
}

/** Values that have the same name become one category; a tally is ascending, so they follow each other. */
function gathered(tally: Tally, name: (value: number) => { value: string; label: string }): Category[] {
  const categories: Category[] = [];
  tally.values.forEach((number, index) => {
    const { value, label } = name(number);
    const last = categories.at(-1);
    if (last?.value === value) Object.assign(last, addCounts(last, countAt(tally, index)));
    else categories.push({ code: null, value, label, missing: false, ...countAt(tally, index) });
  });
  return categories;
}

/** Labelled points are all listed, chosen or not; other values each by itself, or in intervals when they are many. */
export function numberCategories(spec: ColumnSpec, tally: Tally): ValueCategories {
  const distinct = tally.values.length;
  const points = new Map(spec.values.map((point) => [point.code, point]));
  if (distinct > MAX_LISTED) {
    const intervals = intervalsFor(tally.values[0] ?? 0, tally.values.at(-1) ?? 0);
    return { categories: gathered(tally, intervals), distinct, groupedBy: 'interval' };
  }
  const listed = gathered(tally, (number) => ({ value: String(number), label: String(number) }));
  if (points.size === 0) return { categories: listed, distinct, groupedBy: null };
  const byValue = new Map(listed.map((category) => [category.value, category]));
  const labelled = spec.values.map(({ code, value, label, missing }) => {
    return {
      ...addCounts(byValue.get(value) ?? NO_RESPONSES),
      code,
      value,
      label,
      missing,
    };
  });
  const known = new Set(spec.values.map(({ value }) => value));
  return {
    categories: [...labelled, ...listed.filter(({ value }) => !known.has(value))],
    distinct,
    groupedBy: null,
  };
}

const COARSER: Record<DatePrecision, readonly { groupedBy: Grouping; characters: number }[]> = {
  year: [{ groupedBy: null, characters: 4 }],
  month: [
    { groupedBy: null, characters: 7 },
    { groupedBy: 'year', characters: 4 },
  ],
  date: [
    { groupedBy: null, characters: 10 },
    { groupedBy: 'month', characters: 7 },
    { groupedBy: 'year', characters: 4 },
  ],
  datetime: [
    { groupedBy: null, characters: 16 },
    { groupedBy: 'date', characters: 10 },
    { groupedBy: 'month', characters: 7 },
    { groupedBy: 'year', characters: 4 },
  ],
  time: [
    { groupedBy: null, characters: 5 },
    { groupedBy: 'hour', characters: 2 },
  ],
};

/** By date, ascending; by month or year when the dates are many. Moments (metadata) are never counted finer than by day. */
export function dateCategories(spec: ColumnSpec, tally: Tally): ValueCategories {
  const precision = spec.precision ?? 'date';
  const steps = COARSER[precision].slice(spec.source === 'metadata' ? 1 : 0);
  let categories: Category[] = [];
  let groupedBy: Grouping = null;
  for (const step of steps) {
    groupedBy = step.groupedBy;
    categories = gathered(tally, (date) => {
      const text = dateToText(date, precision).slice(0, step.characters);
      return { value: text, label: groupedBy === 'hour' ? `${text}:00` : text };
    });
    if (categories.length <= MAX_LISTED) break;
  }
  return { categories, distinct: tally.values.length, groupedBy };
}

/** Different texts by how often they were given; equal counts in alphabetical order. The most frequent are listed. */
export function textCategories({ texts }: TextColumn, { mask, weights }: CountedRows): ValueCategories {
  const found = new Map<string, Category>();
  for (let row = 0; row < mask.length; row++) {
    const text = texts[row];
    if (mask[row] === 0 || text === null || text === undefined) continue;
    const weight = weights ? weights[row]! : 1;
    const category = found.get(text);
    if (category) {
      category.count++;
      category.weight += weight;
      category.squaredWeight += weight * weight;
    } else {
      const first = { count: 1, weight, squaredWeight: weight * weight };
      found.set(text, { code: null, value: text, label: text, missing: false, ...first });
    }
  }
  const categories = [...found.values()].sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
  return { categories: categories.slice(0, MAX_LISTED), distinct: found.size, groupedBy: null };
}
