import {
  type Axis,
  type AxisCategory,
  type AxisValue,
  createSingleChoiceAxis,
  type Net,
} from '../../statistics/crosstab/axis.ts';
import type { ChartOptions, Period } from '../chart-config.ts';
import { unprocessable } from '../../../lib/errors.ts';
import { runToCompletion } from '../../../lib/concurrency.ts';
import {
  type DateColumn,
  type NumericColumn,
  PRESENT,
  SKIPPED,
  type TextColumn,
} from '../../columns/columns.ts';
import { wallClockValues } from '../../columns/dates.ts';
import type { Dataset } from '../../dataset/dataset.ts';
import { type Base, selectCountedRows } from '../../statistics/base.ts';
import { withoutMissingCodes } from '../../statistics/crosstab/slot-moments.ts';
import { createVariableAxis, isMeasure } from '../../statistics/crosstab/variable-axis.ts';
import type { TableRows } from '../../statistics/crosstab/count-crossing.ts';
import { computeHistogram, formatBinLabels, type Histogram } from '../../statistics/histogram.ts';
import { type Tally, tallyNumbers } from '../../statistics/tally.ts';
import {
  type Category,
  dateCategories,
  numberCategories,
  textCategories,
} from '../../statistics/value-categories.ts';
import type { Dimension } from './chart-plan.ts';

/** A category with its sort value. */
interface SortableCategory {
  category: AxisCategory;
  /** Null: no value, or suppressed; sorted last. */
  value: number | null;
}

interface IndexedCategory extends SortableCategory {
  index: number;
}

interface CategoryOrder {
  /** Indices of the listed categories, in order; nets are last. */
  listed: number[];
  /** Indices of the categories merged into the rest. */
  rest: number[];
}

interface CategoryOrderSettings {
  options: Pick<ChartOptions, 'sort' | 'limit' | 'show_rest'>;
  /** Ordered by time or size: a limit keeps the last categories, not the largest. */
  isOrdered: boolean;
  /** Indices of categories that must not be listed by name. */
  unlisted: ReadonlySet<number>;
}

const collator = new Intl.Collator('en', { numeric: true });
const labelOf = ({ steps }: AxisCategory) => steps.at(-1)?.label ?? '';

/** Orders the categories and selects those merged into the rest. Ties keep the order of the survey. */
export function orderCategories(
  ranked: readonly SortableCategory[],
  { options, isOrdered, unlisted }: CategoryOrderSettings,
): CategoryOrder {
  const indexed = ranked.map((one, index): IndexedCategory => ({ ...one, index }));
  const nets = indexed.filter(({ category }) => category.isNet);
  const withoutNets = indexed.filter(({ category }) => !category.isNet);
  const listable = withoutNets.filter(({ index }) => !unlisted.has(index));
  const byValue =
    (sign: 1 | -1) =>
    ({ value: first }: IndexedCategory, { value: second }: IndexedCategory) => {
      if (first === null || second === null) return Number(first === null) - Number(second === null);
      return sign * (first - second);
    };
  const { sort, limit, show_rest: showRest } = options;
  const largest = isOrdered ? listable : [...listable].sort(byValue(-1));
  const listed = limit === undefined ? listable : isOrdered ? largest.slice(-limit) : largest.slice(0, limit);
  const listedSet = new Set(listed);
  const cut = withoutNets.filter((one) => !listedSet.has(one));
  const inOrder = (group: readonly IndexedCategory[]): IndexedCategory[] => {
    const original = [...group].sort((a, b) => a.index - b.index);
    if (sort === 'value_desc') return original.sort(byValue(-1));
    if (sort === 'value_asc') return original.sort(byValue(1));
    if (sort === 'label')
      return original.sort((a, b) => collator.compare(labelOf(a.category), labelOf(b.category)));
    return original;
  };
  const indicesOf = (group: readonly IndexedCategory[]) => group.map(({ index }) => index);
  return { listed: indicesOf([...inOrder(listed), ...inOrder(nets)]), rest: showRest ? indicesOf(cut) : [] };
}

/** Merges categories of an axis that has one category per response. */
export function createRestCategory(axis: Axis, rest: readonly number[], label: string): AxisCategory {
  const categories = rest.flatMap((index) => axis.categories[index] ?? []);
  const [first] = categories;
  const spec = axis.specs.at(-1);
  if (first === undefined || spec === undefined) throw new Error('no categories to merge');
  const { columnCode } = spec;
  return {
    steps: [{ columnCode, code: null, value: null, number: null, label, values: null }],
    region: { coding: first.region.coding, slots: categories.flatMap(({ region }) => region.slots) },
    missing: false,
    isNet: false,
    family: null,
  };
}

/** How to build the axis of a dimension. */
export interface DimensionSettings {
  base: Base;
  nets: readonly Net[];
  /** The counted rows. */
  counting: TableRows;
  /** How a number with many values is binned. */
  bins: 'auto' | 'none' | number | Histogram;
  /** Whether the axis will be nested with another one. */
  isNested: boolean;
}

export interface DimensionAxis {
  axis: Axis;
  /** Whether the categories were found in the data, and are not defined by the questionnaire. */
  isObserved: boolean;
  /** Whether the categories are ordered by time or size. */
  isOrdered: boolean;
  /** The bins of a number; null if the axis is not binned. */
  histogram: Histogram | null;
}

/** With more periods than this the request is rejected. */
const MAX_PERIODS = 1_000;

/** Builds the axis of a chart from a column, with the categories that `distribution` lists. Throws 422 if the column has none. */
export function createDimensionAxis(
  dataset: Dataset,
  dimension: Dimension,
  { isNested, ...settings }: DimensionSettings,
): DimensionAxis {
  const { entry, field } = dimension;
  const column = dataset.column(entry);
  const { spec } = entry;
  if (column.kind === 'date') return dateAxis(column, dimension, settings);
  if (column.kind === 'numeric' && isMeasure(entry)) return numberAxis(column, settings);
  if (column.kind === 'text' && spec.source !== 'metadata') return textAxis(column, settings);
  const { base, nets, counting } = settings;
  const axis = createVariableAxis(dataset, entry, isNested, { base, nets, mask: counting.mask, field });
  return { axis, isObserved: spec.values.length === 0, isOrdered: false, histogram: null };
}

type ColumnAxisSettings = Omit<DimensionSettings, 'isNested'>;
const toAxisValue = ({ code, value, number, label, missing }: Category): AxisValue => ({
  code,
  value,
  number,
  label,
  missing,
});
const unweightedRows = (mask: Uint8Array) => ({ mask, weights: null, withoutWeight: 0 });

function netsOf({ nets }: ColumnAxisSettings, columnCode: string): readonly Net[] {
  return nets.filter((net) => net.columnCode === columnCode);
}

/** The first value of each category. The categories partition the tally in order. */
function categoryStarts({ values, counts }: Tally, categories: readonly Category[]): number[] {
  let index = 0;
  return categories.map(({ count }) => {
    const start = values[index] ?? NaN;
    for (let reached = 0; reached < count && index < counts.length; index++) reached += counts[index] ?? 0;
    return start;
  });
}

/** The index of each row's value among ranges that begin at `starts`. Negative: the reason why the value is missing. */
function indexByStarts(
  values: Float64Array,
  { states }: Pick<NumericColumn, 'states'>,
  { starts, rowCount }: { starts: readonly number[]; rowCount: number },
): Int16Array {
  const indices = new Int16Array(rowCount);
  const [present, skipped] = [PRESENT, SKIPPED];
  /** The start of each range and the end of the last one. */
  const bounds = Float64Array.from([...starts, Infinity]);
  let last = 0;
  for (let row = 0; row < rowCount; row++) {
    const value = values[row] ?? NaN;
    if (Number.isNaN(value) || starts.length === 0) {
      const state = states[row] ?? present;
      // A value flagged as missing is not a category.
      indices[row] = state === present ? -skipped : -state;
      continue;
    }
    // Adjacent rows often have similar values: dates are nearly in order.
    if (!(value >= (bounds[last] ?? Infinity) && value < (bounds[last + 1] ?? Infinity))) {
      let [low, high] = [0, starts.length - 1];
      while (low < high) {
        const middle = (low + high + 1) >>> 1;
        if ((bounds[middle] ?? Infinity) <= value) low = middle;
        else high = middle - 1;
      }
      last = low;
    }
    indices[row] = last;
  }
  return indices;
}

function numberAxis(column: NumericColumn, settings: ColumnAxisSettings): DimensionAxis {
  const { spec } = column;
  const { mask, weights } = settings.counting;
  const values = withoutMissingCodes(column, spec, mask.length);
  const tally = tallyNumbers(values, unweightedRows(mask));
  const { bins } = settings;
  const histogram =
    typeof bins === 'object'
      ? bins
      : computeHistogram(
          weights === null ? tally : tallyNumbers(values, selectCountedRows(mask, weights)),
          bins,
        );
  const { starts, listed } = histogram === null ? distinctNumbers(spec, tally) : histogramClasses(histogram);
  const indices = indexByStarts(values, column, { starts, rowCount: mask.length });
  const nets = netsOf(settings, spec.columnCode);
  const axis = createSingleChoiceAxis(spec, listed, { indices }, { base: settings.base, nets });
  return { axis, isObserved: true, isOrdered: true, histogram };
}

function distinctNumbers(spec: NumericColumn['spec'], tally: Tally) {
  const { categories } = numberCategories({ ...spec, values: [] }, tally);
  return { starts: categoryStarts(tally, categories), listed: categories.map(toAxisValue) };
}

/** Includes empty bins, so that gaps are visible. */
function histogramClasses(histogram: Histogram) {
  const listed = formatBinLabels(histogram).map((name): AxisValue => ({
    ...name,
    code: null,
    number: null,
    missing: false,
  }));
  return { starts: histogram.breaks.slice(0, -1), listed };
}

function dateAxis(
  column: DateColumn,
  { entry, period, field }: Dimension,
  settings: ColumnAxisSettings,
): DimensionAxis {
  const { spec } = entry;
  const values = wallClockValues(spec, column.values);
  const { mask } = settings.counting;
  const tally = tallyNumbers(values, unweightedRows(mask));
  const { starts, listed } =
    period === null ? finestDates(column, tally) : { ...calendarPeriods(tally, period, field) };
  const nets = netsOf(settings, spec.columnCode);
  const indices = indexByStarts(values, column, { starts, rowCount: mask.length });
  return {
    axis: createSingleChoiceAxis(spec, listed, { indices }, { base: settings.base, nets }),
    isObserved: true,
    isOrdered: true,
    histogram: null,
  };
}

function finestDates({ spec }: DateColumn, tally: Tally) {
  const { categories } = dateCategories(spec, tally);
  return { starts: categoryStarts(tally, categories), listed: categories.map(toAxisValue) };
}

/** Every period from the first to the last, including empty ones, so that a line does not skip a week without responses. */
function calendarPeriods({ values }: Tally, period: Period, field: string) {
  const starts: number[] = [];
  const [first, last] = [values[0], values.at(-1)];
  if (first !== undefined && last !== undefined) {
    for (let start = periodStart(first, period); start <= last; start = nextPeriod(start, period)) {
      if (starts.push(start) > MAX_PERIODS) {
        const message = `there are more than ${MAX_PERIODS} periods; choose a longer one`;
        throw unprocessable('too_many_periods', `${field}.period: ${message}`, [
          { field: `${field}.period`, message },
        ]);
      }
    }
  }
  const listed = starts.map((start): AxisValue => {
    const name = periodName(start, period);
    return { code: null, value: name, number: null, label: name, missing: false };
  });
  return { starts, listed };
}

/** Open answers, the most frequent first. Rarer ones count in the base but are not listed. */
function textAxis(column: TextColumn, settings: ColumnAxisSettings): DimensionAxis {
  const { spec, texts, states } = column;
  const { mask } = settings.counting;
  const { categories, distinct } = runToCompletion(textCategories(column, unweightedRows(mask)));
  const positions = new Map(categories.map(({ value }, position) => [value, position]));
  const others = categories.length;
  const indices = new Int16Array(mask.length);
  for (let row = 0; row < mask.length; row++) {
    const text = texts[row];
    indices[row] = typeof text === 'string' ? (positions.get(text) ?? others) : -(states[row] ?? SKIPPED);
  }
  const rare = { code: null, value: '', number: null, label: '', missing: false };
  const listed = categories.map(toAxisValue);
  const nets = netsOf(settings, spec.columnCode);
  const all = distinct > others ? [...listed, rare] : listed;
  const axis = createSingleChoiceAxis(spec, all, { indices }, { base: settings.base, nets });
  const categoriesShown = axis.categories.filter(
    ({ steps, isNet }) => isNet || distinct <= others || steps[0]?.value !== '',
  );
  return {
    axis: { ...axis, categories: categoriesShown, hasMean: false },
    isObserved: true,
    isOrdered: false,
    histogram: null,
  };
}

const DAY_MS = 86_400_000;
const monthsOf = { month: 1, quarter: 3, year: 12 } as const;

/** The start of the period that contains a time: a wall-clock time in milliseconds, as if it were UTC. */
function periodStart(ms: number, period: Period): number {
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
function nextPeriod(start: number, period: Period): number {
  if (period === 'day') return start + DAY_MS;
  if (period === 'week') return start + 7 * DAY_MS;
  const date = new Date(start);
  return new Date(0).setUTCFullYear(date.getUTCFullYear(), date.getUTCMonth() + monthsOf[period], 1);
}

/** `2026-03-02` for a day or a week (its Monday), `2026-03`, `2026-Q1`, `2026`. */
function periodName(start: number, period: Period): string {
  const text = new Date(start).toISOString();
  if (period === 'day' || period === 'week') return text.slice(0, 10);
  if (period === 'month') return text.slice(0, 7);
  const year = text.slice(0, 4);
  return period === 'year' ? year : `${year}-Q${Math.floor(new Date(start).getUTCMonth() / 3) + 1}`;
}
