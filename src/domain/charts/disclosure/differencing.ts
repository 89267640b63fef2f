import type { CatalogColumn } from '../../dataset/column-catalog.ts';
import type { Dataset } from '../../dataset/dataset.ts';
import { type Axis, type AxisCategory, emptyAxis, MAX_CODING_SIZE } from '../../statistics/crosstab/axis.ts';
import { countCells } from '../../statistics/crosstab/category-table.ts';
import { MAX_CELLS } from '../../statistics/crosstab/table.ts';
import { createVariableAxis, nestAxes } from '../../statistics/crosstab/variable-axis.ts';
import type { ChartAxes, ChartCell, ChartTable, MeasuredValues } from '../chart-table.ts';
import type { Count } from '../../statistics/base.ts';
import type { Measure } from '../figures/measure.ts';
import type { Protection } from './protection.ts';

/** The values that a viewer selected in a filter element. */
export interface ViewerChoice {
  /** Null: not a column with one value per response. */
  entry: CatalogColumn | null;
  values: ReadonlySet<string>;
  /** By row: 1 if the response has a selected value. */
  matches: Uint8Array;
}

/** How a viewer filtered a chart. */
export interface ViewerFilters {
  /** By row: 1 if the chart includes the response without the viewer's filters. */
  mask: Uint8Array;
  choices: readonly ViewerChoice[];
}

interface DifferencingSettings {
  measured: MeasuredValues;
  /** Creates the axes for a mask. */
  unfiltered: (mask: Uint8Array) => ChartAxes;
  viewer: ViewerFilters | null;
  protection: Protection | null;
}

/** Marks the cells that must not be shown with the viewer's filters. */
export function* markDisclosiveCells(
  dataset: Dataset,
  table: ChartTable,
  { measured: { measure, values }, unfiltered, viewer, protection }: DifferencingSettings,
): Generator<void, ChartTable> {
  if (viewer === null || protection === null || !DIFFERENCEABLE_MEASURES.has(measure.name)) return table;
  const settings = { values, viewer, minBase: protection.minBase };
  const isDisclosiveCell = yield* findDisclosiveCells(dataset, unfiltered(viewer.mask), settings);
  const marked = (cell: ChartCell, row: AxisCategory, series: AxisCategory | null): ChartCell => {
    return { ...cell, isDisclosive: isDisclosiveCell(row, series) };
  };
  return {
    ...table,
    rows: table.rows.map(({ category, total, cells }) => ({
      category,
      total: marked(total, category, null),
      cells: cells.map((cell, index) => marked(cell, category, table.series?.[index]?.category ?? null)),
    })),
  };
}

/** Measures where subtracting two views gives the value of the respondents by whom they differ. */
const DIFFERENCEABLE_MEASURES: ReadonlySet<Measure['name']> = new Set(['sum', 'mean', 'nps', 'top_box']);

/**
 * Whether the sum or mean of a category, in total or in a series, would reveal the few respondents by whom it differs from another view.
 */
type IsDisclosive = (row: AxisCategory, series: AxisCategory | null) => boolean;

/** With more filters than this, no check is made and every sum or mean is suppressed. */
const MAX_CHOICES = 6;

/** The unweighted numbers of a row of counts. */
const numbersOf = (counts: readonly Count[] = []): number[] => counts.map(({ count }) => count);

const categoryKey = ({ steps, isNet }: AxisCategory): string =>
  JSON.stringify([isNet, steps.map(({ columnCode, value, label }) => [columnCode, value, label])]);

/** Creates an axis with one group per slot. */
function groupAxis(indices: Int16Array, size: number): Axis {
  const all = Array.from({ length: size }, (_, slot) => slot);
  return {
    ...emptyAxis(0),
    codings: [{ indices, offset: 0, size }],
    categories: all.map((slot): AxisCategory => ({
      steps: [],
      region: { coding: 0, slots: [slot] },
      missing: false,
      isNet: false,
      family: null,
    })),
    base: { coding: 0, slots: all },
  };
}

interface CheckedValues {
  /** By row, NaN where missing. */
  values: Float64Array;
  viewer: ViewerFilters;
  minBase: number;
}

/**
 * Finds the cells whose sum or mean must not be shown with the viewer's filters, because another choice gives a view that differs by
 * fewer than `minBase` respondents with a value: the difference of the two would reveal them. Two rules, cell by cell:
 *
 * 1. Every combination of matching and not matching the filters has either no respondents or at least `minBase`.
 *
 * 2. In each filter's column, the values with fewer than `minBase` respondents are merged with the next smallest ones until the group has
 * `minBase`. A filter must select all of that group or none of it, so that every combination of views of that column consists of such
 * groups.
 *
 * `rows` and `series` are those without the viewer's filters. Yields after each pass over the responses.
 */
function* findDisclosiveCells(
  dataset: Dataset,
  { rows, series }: ChartAxes,
  { values, viewer: { mask, choices }, minBase }: CheckedValues,
): Generator<void, IsDisclosive> {
  if (choices.length > MAX_CHOICES) return () => true;
  const disclosiveByKey = new Map<string, boolean>();
  const note = (row: AxisCategory, column: AxisCategory | null, isFew: boolean): void => {
    const key = categoryKey(row) + (column === null ? '' : categoryKey(column));
    disclosiveByKey.set(key, isFew || (disclosiveByKey.get(key) ?? false));
  };
  const counted = mask.slice();
  for (let row = 0; row < counted.length; row++) if (Number.isNaN(values[row])) counted[row] = 0;

  /** Marks each cell by the number of its respondents in each group. */
  function* check(
    groups: Axis,
    within: Uint8Array,
    isFew: (counts: number[]) => boolean,
  ): Generator<void, boolean> {
    const size = groups.categories.length;
    const counting = { mask: within, weights: null };
    const { cells } = yield* countCells(rows, groups, counting);
    for (const [index, row] of rows.categories.entries()) note(row, null, isFew(numbersOf(cells[index])));
    if (series === null) return true;
    const isTooLarge =
      series.categories.length * size > MAX_CELLS ||
      series.codings.some((coding) => coding.size * size > MAX_CODING_SIZE);
    if (isTooLarge) return false;
    const nested = yield* countCells(rows, nestAxes(series, groups, within.length), counting);
    for (const [index, row] of rows.categories.entries()) {
      const counts = numbersOf(nested.cells[index]);
      for (const [at, column] of series.categories.entries())
        note(row, column, isFew(counts.slice(at * size, (at + 1) * size)));
    }
    return true;
  }

  const patterns = new Int16Array(mask.length);
  for (const [bit, { matches }] of choices.entries()) {
    for (let row = 0; row < patterns.length; row++)
      if (matches[row] === 0) patterns[row] = (patterns[row] ?? 0) | (1 << bit);
  }
  const isChecked = yield* check(groupAxis(patterns, 1 << choices.length), counted, ([, ...others]) =>
    others.some((count) => count > 0 && count < minBase),
  );
  if (!isChecked) return () => true;
  for (const choice of choices) {
    const groups = choice.entry === null ? null : valueGroups(dataset, choice.entry, mask);
    if (groups === null) continue;
    const within = counted.slice();
    for (const other of choices) {
      if (other === choice) continue;
      for (let row = 0; row < within.length; row++) if (other.matches[row] === 0) within[row] = 0;
    }
    const isChosen = groups.names.map((name) => name !== null && choice.values.has(name));
    const splits = (counts: readonly number[]) => splitsSmallGroup(counts, isChosen, minBase);
    if (!(yield* check(groups.axis, within, splits))) return () => true;
  }
  return (row, column) =>
    disclosiveByKey.get(categoryKey(row) + (column === null ? '' : categoryKey(column))) ?? true;
}

/** Groups the responses by their value of a column; the last group has no value. Returns null if a response may have several values. */
function valueGroups(
  dataset: Dataset,
  entry: CatalogColumn,
  mask: Uint8Array,
): { axis: Axis; names: (string | null)[] } | null {
  const field = entry.spec.columnCode;
  const { codings, categories, overlaps } = createVariableAxis(dataset, entry, false, {
    base: 'all',
    nets: [],
    mask,
    field,
  });
  const [coding] = codings;
  if (overlaps || codings.length !== 1 || coding === undefined) return null;
  const none = categories.length;
  const groupOf = new Int16Array(coding.size).fill(none);
  categories.forEach(({ region }, group) => region.slots.forEach((slot) => (groupOf[slot] = group)));
  const indices = new Int16Array(mask.length);
  for (let row = 0; row < indices.length; row++) {
    const index = coding.indices[row];
    const isCounted = mask[row] !== 0 && index !== undefined;
    indices[row] = isCounted ? (groupOf[index + coding.offset] ?? none) : none;
  }
  const names = categories.map(({ steps }) => steps[0]?.value ?? null);
  return { axis: groupAxis(indices, none + 1), names: [...names, null] };
}

/** Merges small groups with the next smallest ones up to `minBase`. Returns true if a filter selects some of them, but not all. */
export function splitsSmallGroup(
  counts: readonly number[],
  isChosen: readonly boolean[],
  minBase: number,
): boolean {
  const bySize = counts
    .map((count, group) => ({ count, isChosen: isChosen[group] === true }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => a.count - b.count);
  const joined: typeof bySize = [];
  let together = 0;
  for (const group of bySize) {
    if (group.count >= minBase && (together === 0 || together >= minBase)) break;
    joined.push(group);
    together += group.count;
  }
  return joined.some((group) => group.isChosen) && joined.some((group) => !group.isChosen);
}
