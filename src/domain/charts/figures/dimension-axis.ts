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
import { type DateColumn, type NumericColumn, SKIPPED, type TextColumn } from '../../columns/columns.ts';
import { wallClockValues } from '../../columns/dates.ts';
import type { Dataset } from '../../dataset/dataset.ts';
import { type Base, selectCountedRows } from '../../statistics/base.ts';
import { withoutMissingCodes } from '../../statistics/crosstab/slot-moments.ts';
import { createVariableAxis, isMeasure } from '../../statistics/crosstab/variable-axis.ts';
import type { TableRows } from '../../statistics/crosstab/count-crossing.ts';
import { listPeriods, periodName } from '../../statistics/calendar-periods.ts';
import { computeHistogram, type Histogram } from '../../statistics/histogram.ts';
import {
  histogramGroups,
  histogramOfAtMost,
  indexByStarts,
  toGroupValue,
  type ValueGroup,
} from '../../statistics/value-groups.ts';
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
  /** How a number with many values is binned. `few`: in at most as many bins as a series should have. */
  bins: 'auto' | 'none' | 'few' | number | Histogram;
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

/** More colors cannot be told apart. */
const MAX_SERIES_BINS = 6;
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

function numberAxis(column: NumericColumn, settings: ColumnAxisSettings): DimensionAxis {
  const { spec } = column;
  const { mask, weights } = settings.counting;
  const values = withoutMissingCodes(column, spec, mask.length);
  const tally = tallyNumbers(values, unweightedRows(mask));
  const { bins } = settings;
  const counted = () => (weights === null ? tally : tallyNumbers(values, selectCountedRows(mask, weights)));
  const histogram = typeof bins === 'object' ? bins : chooseBins(counted(), bins);
  const { starts, listed } = histogram === null ? distinctNumbers(spec, tally) : histogramClasses(histogram);
  const indices = indexByStarts(values, column, { starts, rowCount: mask.length });
  const nets = netsOf(settings, spec.columnCode);
  const axis = createSingleChoiceAxis(spec, listed, { indices }, { base: settings.base, nets });
  return { axis, isObserved: true, isOrdered: true, histogram };
}

function chooseBins(tally: Tally, bins: Exclude<DimensionSettings['bins'], Histogram>): Histogram | null {
  if (bins !== 'few') return computeHistogram(tally, bins);
  return tally.values.length <= MAX_SERIES_BINS ? null : histogramOfAtMost(tally, MAX_SERIES_BINS);
}

function distinctNumbers(spec: NumericColumn['spec'], tally: Tally) {
  const { categories } = numberCategories({ ...spec, values: [] }, tally);
  return { starts: categoryStarts(tally, categories), listed: categories.map(toAxisValue) };
}

/** Includes empty bins, so that gaps are visible. */
const histogramClasses = (histogram: Histogram) => toClasses(histogramGroups(histogram));

const toClasses = (groups: readonly ValueGroup[]) => ({
  starts: groups.map(({ start }) => start),
  listed: groups.map(toGroupValue),
});

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
    period === null ? finestDates(column, tally) : calendarPeriods(tally, period, field);
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

/** Throws 422 if there are too many periods. */
function calendarPeriods({ values }: Tally, period: Period, field: string) {
  const [first, last] = [values[0], values.at(-1)];
  if (first === undefined || last === undefined) return { starts: [], listed: [] };
  const starts = listPeriods(first, last, period, MAX_PERIODS);
  if (starts === null) {
    const message = `there are more than ${MAX_PERIODS} periods; choose a longer one`;
    throw unprocessable('too_many_periods', `${field}.period: ${message}`, [
      { field: `${field}.period`, message },
    ]);
  }
  return toClasses(
    starts.map((start) => {
      const name = periodName(start, period);
      return { start, value: name, label: name };
    }),
  );
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
