import {
  type Axis,
  type AxisCategory,
  type Coding,
  emptyAxis,
  type Region,
} from '../statistics/crosstab/axis.ts';
import { countCrossing, sumRegionRows, type TableRows } from '../statistics/crosstab/count-crossing.ts';
import { addCounts, type Count, selectCountedRows } from '../statistics/base.ts';
import { type Tally, tallyNumbers } from '../statistics/tally.ts';
import {
  computeMeasure,
  countInBox,
  findTwoValues,
  type Measure,
  toComparableMean,
  type TwoValues,
} from './measure.ts';
import { ColumnComparer, countCells } from '../statistics/crosstab/category-table.ts';
import { nestAxes } from '../statistics/crosstab/variable-axis.ts';
import { collectTableNotes, type TableNote, type TableSettings } from '../statistics/crosstab/table.ts';

/** Whole numbers within a range this wide are counted by crossing; other values are sorted. */
const MAX_RANGE = 512;

/** Tallies the values (by row, NaN if missing) of the counted rows in a region. */
type RegionTally = (region: Region) => Tally;

/**
 * Tallies the values in each category. Passes over the responses once per coding, whatever the number of categories. Yields after each
 * pass.
 */
function* tallyCategories(
  values: Float64Array,
  codings: readonly Coding[],
  regions: readonly Region[],
  counting: TableRows,
): Generator<void, Tally[]> {
  if (codings.every(({ size }) => size === 1)) {
    const { mask, weights } = counting;
    const all = tallyNumbers(values, selectCountedRows(mask, weights));
    return regions.map(() => all);
  }
  const coded = codeValues(values, counting.mask);
  yield;
  const within = new Map<number, RegionTally>();
  for (const { coding } of regions) {
    if (within.has(coding)) continue;
    const slots = codings[coding]!;
    within.set(
      coding,
      coded === null ? tallyBySorting(values, slots, counting) : tallyByCrossing(coded, slots, counting),
    );
    yield;
  }
  return regions.map((region) => within.get(region.coding)!(region));
}

interface CodedValues {
  coding: Coding;
  /** The value that slot 1 represents; slot 0 is missing. */
  least: number;
}

/** Returns null if the values are not whole numbers or their range is too wide. */
function codeValues(values: Float64Array, mask: Uint8Array): CodedValues | null {
  let [least, greatest] = [Infinity, -Infinity];
  for (let row = 0; row < mask.length; row++) {
    const value = values[row]!;
    if (mask[row] === 0 || Number.isNaN(value)) continue;
    if ((value | 0) !== value) return null;
    if (value < least) least = value;
    if (value > greatest) greatest = value;
  }
  if (greatest < least)
    return { coding: { indices: new Int16Array(mask.length), offset: 0, size: 1 }, least: 0 };
  if (greatest - least >= MAX_RANGE) return null;
  const indices = new Int16Array(mask.length);
  for (let row = 0; row < mask.length; row++) {
    const value = values[row]!;
    // Rows that are not counted may hold any value.
    indices[row] = value >= least && value <= greatest && (value | 0) === value ? value - least + 1 : 0;
  }
  return { coding: { indices, offset: 0, size: greatest - least + 2 }, least };
}

function tallyByCrossing({ coding, least }: CodedValues, slots: Coding, counting: TableRows): RegionTally {
  const crossing = countCrossing(slots, coding, counting);
  return (region) => {
    const { counts, weights, squares } = sumRegionRows(crossing, region);
    const found: number[] = [];
    for (let slot = 1; slot < counts.length; slot++) if (counts[slot]! > 0) found.push(slot);
    const pick = (from: Float64Array) => Float64Array.from(found, (slot) => from[slot]!);
    return {
      values: Float64Array.from(found, (slot) => least + slot - 1),
      counts: pick(counts),
      weights: pick(weights),
      squaredWeights: pick(squares),
    };
  };
}

/** Sorts the values by slot and tallies the slots of a region. */
function tallyBySorting(
  values: Float64Array,
  { indices, offset, size }: Coding,
  { mask, weights }: TableRows,
): RegionTally {
  const counts = (row: number) =>
    mask[row] !== 0 && !Number.isNaN(values[row]!) && (weights === null || weights[row]! > 0);
  const ends = new Uint32Array(size + 1);
  for (let row = 0; row < mask.length; row++) if (counts(row)) ends[indices[row]! + offset + 1]!++;
  for (let slot = 0; slot < size; slot++) ends[slot + 1]! += ends[slot]!;
  const next = ends.slice(0, size);
  const sorted = new Float64Array(ends[size]!);
  const sortedWeights = weights === null ? null : new Float64Array(ends[size]!);
  for (let row = 0; row < mask.length; row++) {
    if (!counts(row)) continue;
    const index = next[indices[row]! + offset]!++;
    sorted[index] = values[row]!;
    if (sortedWeights) sortedWeights[index] = weights![row]!;
  }
  return ({ slots }) => {
    const join = (from: Float64Array) => {
      const parts = slots.map((slot) => from.subarray(ends[slot], ends[slot + 1]));
      const joined = new Float64Array(parts.reduce((length, part) => length + part.length, 0));
      let at = 0;
      for (const part of parts) {
        joined.set(part, at);
        at += part.length;
      }
      return joined;
    };
    const all = join(sorted);
    const rows = { mask: new Uint8Array(all.length).fill(1), withoutWeight: 0 };
    return tallyNumbers(all, { ...rows, weights: sortedWeights && join(sortedWeights) });
  };
}

/** Whether the measure reveals the sum of the respondents' values. */
const isAdditive = ({ name }: Pick<Measure, 'name'>): boolean => name === 'sum' || name === 'mean';

/**
 * The largest contribution of one respondent to a sum, in percent of all others together. Returns Infinity if the others contribute
 * nothing, and null if there are no contributions. Contributions are absolute values times weights. Among respondents with the same
 * value, the largest weight is bounded by the mean and spread of their weights (P. A. Samuelson, "How deviant can you be?", JASA 63, 1968).
 */
export function largestContribution({ values, counts, weights, squaredWeights }: Tally): number | null {
  let [largest, all] = [0, 0];
  for (let index = 0; index < values.length; index++) {
    const count = counts[index]!;
    if (!(count > 0)) continue;
    const size = Math.abs(values[index]!);
    const mean = weights[index]! / count;
    const spread = Math.max(0, squaredWeights[index]! / count - mean * mean);
    largest = Math.max(largest, size * (mean + Math.sqrt((count - 1) * spread)));
    all += size * weights[index]!;
  }
  if (largest === 0) return null;
  const others = all - largest;
  return others > 0 ? (100 * largest) / others : Infinity;
}

/** A single figure of a chart. */
export interface ChartCell {
  /** The figure that is drawn; null if there is none. */
  value: number | null;
  /** The respondents it is based on. */
  count: Count;
  /** Percent of its base. */
  percent: number | null;
  letters: string[];
  /** Standard error of a measure. */
  se: number | null;
  /** For a minimum or maximum: the number of responses with that value. */
  extremeCount: number | null;
  /** For a measure with exactly two different values, which reveals the number of responses with each value, as a share does. */
  share: TwoValues | null;
  /** For a sum or mean: the largest contribution of one respondent, in percent of all others together. */
  largestContribution: number | null;
  /** Whether the viewer's filters make it differ from another view by only a few respondents. */
  isDisclosive: boolean;
}

/** The figures of a chart: one row per category, one column per series. */
export interface ChartTable {
  rows: { category: AxisCategory; total: ChartCell; cells: ChartCell[] }[];
  /** Null: no series; the totals are drawn. */
  series: { category: AxisCategory; base: Count }[] | null;
  base: Count;
  /** Whether a response can be in several series, nets aside. */
  seriesOverlap: boolean;
  rowsOverlap: boolean;
  notes: TableNote[];
}

export interface ChartTableOptions {
  counting: TableRows;
  /** Counts are shown as percentages. */
  isPercent: boolean;
  /** Percents are of the category, not of the series. */
  isStacked: boolean;
  compares: boolean;
}

/** Columns with a smaller base are not compared, as in crosstabs. */
const MIN_COMPARED_BASE = 30;
const PARTS_NOT_COMPARED: TableNote = {
  code: 'parts_not_compared',
  message: 'No significance letters: the percentages of one bar share their base.',
};
const percentOf = (part: Count, base: Count) => (base.weight > 0 ? (100 * part.weight) / base.weight : null);

function createComparer(columns: Axis, { counting, compares }: ChartTableOptions): ColumnComparer {
  const settings: TableSettings = {
    statistics: new Set(compares ? (['letters'] as const) : []),
    minBase: MIN_COMPARED_BASE,
    correction: 'none',
    counting,
  };
  return new ColumnComparer(columns, settings);
}

function tableNotes(columns: Axis, { compares }: ChartTableOptions, bases: readonly Count[]): TableNote[] {
  return collectTableNotes({
    rows: null,
    columns,
    compares,
    independence: undefined,
    minBase: MIN_COMPARED_BASE,
    bases: bases.map(({ count }) => count),
  });
}

/** Counts the responses of each category, in total and by series. Yields after each pass over the responses. */
export function* buildCountTable(
  rows: Axis,
  series: Axis | null,
  needs: ChartTableOptions,
): Generator<void, ChartTable> {
  const { isPercent, isStacked, counting } = needs;
  // The parts of one bar share their base, so a test of column percents would not match the drawn ones.
  const compares = needs.compares && !isStacked;
  const columns = series ?? emptyAxis(counting.mask.length);
  const counts = yield* countCells(rows, columns, counting);
  const comparer = createComparer(columns, { ...needs, compares });
  const cell = (count: Count, base: Count): ChartCell => {
    const percent = percentOf(count, base);
    return {
      value: isPercent ? percent : count.weight,
      count,
      percent,
      letters: [],
      se: null,
      extremeCount: null,
      share: null,
      largestContribution: null,
      isDisclosive: false,
    };
  };
  return {
    rows: rows.categories.map((category, row) => {
      const parts = counts.cells[row]!;
      const total = counts.rows[row]!;
      const compared = parts.map((): { count: number; weighted_count: null; letters?: string[] } => {
        return { count: 0, weighted_count: null };
      });
      comparer.compareShares(compared, parts, counts.columns);
      return {
        category,
        total: cell(total, counts.base),
        cells: parts.map((part, position) => {
          const letters = compared[position]!.letters ?? [];
          return { ...cell(part, isStacked ? total : counts.columns[position]!), letters };
        }),
      };
    }),
    series:
      series === null
        ? null
        : series.categories.map((category, position) => ({ category, base: counts.columns[position]! })),
    base: counts.base,
    seriesOverlap: columns.overlaps,
    rowsOverlap: rows.overlaps,
    notes: [
      ...(series === null ? [] : tableNotes(series, { ...needs, compares }, counts.columns)),
      ...(needs.compares && isStacked ? [PARTS_NOT_COMPARED] : []),
    ],
  };
}

/** Adds a last category for the base of the axis. */
function withTotal(axis: Axis): Axis {
  const total = { steps: [], region: axis.base, missing: false, isNet: true, family: null };
  return { ...axis, categories: [...axis.categories, total] };
}

function tallyCount({ counts, weights, squaredWeights }: Tally): Count {
  const parts = Array.from(counts, (count, index) => {
    return { count, weight: weights[index]!, squaredWeight: squaredWeights[index]! };
  });
  return addCounts(...parts);
}

/** Computes a measure (by row, NaN if missing) for each category, in total and by series. Bases are the respondents with a value. */
export function* buildMeasureTable(
  rows: Axis,
  series: Axis | null,
  values: Float64Array,
  measure: Measure,
  needs: ChartTableOptions,
): Generator<void, ChartTable> {
  const { counting } = needs;
  const rowsWithTotal = withTotal(rows);
  const columnsWithTotal = series === null ? null : withTotal(series);
  const nested =
    columnsWithTotal === null
      ? rowsWithTotal
      : nestAxes(rowsWithTotal, columnsWithTotal, counting.mask.length);
  const width = columnsWithTotal?.categories.length ?? 1;
  const regions = nested.categories.map(({ region }) => region);
  const tallies = yield* tallyCategories(values, nested.codings, regions, counting);
  const tallyAt = (row: number, position: number) => tallies[row * width + position]!;
  const last = rows.categories.length;
  const baseOf = (position: number) => tallyCount(tallyAt(last, position));
  const bases = Array.from({ length: width }, (_, position) => baseOf(position));
  const cell = (tally: Tally, base: Count): ChartCell => {
    const count = tallyCount(tally);
    const { se } = toComparableMean(tally, measure);
    const extremeCount = { min: tally.counts[0], max: tally.counts.at(-1) }[measure.name as string] ?? null;
    return {
      value: computeMeasure(tally, measure),
      count,
      percent: percentOf(count, base),
      letters: [],
      se,
      extremeCount,
      share: findTwoValues(tally, measure),
      largestContribution: isAdditive(measure) ? largestContribution(tally) : null,
      isDisclosive: false,
    };
  };
  const tableRows = rows.categories.map((category, row) => {
    const total = cell(tallyAt(row, width - 1), bases[width - 1]!);
    const cells = Array.from({ length: width - 1 }, (_, position) =>
      cell(tallyAt(row, position), needs.isStacked ? total.count : bases[position]!),
    );
    return { category, total, cells };
  });
  const compared = series ?? rows;
  if (needs.compares) {
    const comparer = createComparer(compared, needs);
    const letter = (cells: readonly ChartCell[], tallyAtPosition: (position: number) => Tally) => {
      const figures = cells.map((_, position) => toComparableMean(tallyAtPosition(position), measure));
      const shares = cells.flatMap((_, position) => countInBox(tallyAtPosition(position), measure) ?? []);
      if (measure.box === null) comparer.compareMeans(figures);
      else
        comparer.compareShares(
          figures,
          shares,
          cells.map(({ count }) => count),
        );
      cells.forEach((one, position) => (one.letters = figures[position]!.letters ?? []));
    };
    if (series === null) {
      letter(
        tableRows.map(({ total }) => total),
        (position) => tallyAt(position, width - 1),
      );
    } else tableRows.forEach(({ cells }, row) => letter(cells, (position) => tallyAt(row, position)));
  }
  return {
    rows: tableRows,
    series:
      series === null
        ? null
        : series.categories.map((category, position) => ({ category, base: bases[position]! })),
    base: bases[width - 1]!,
    seriesOverlap: series?.overlaps ?? false,
    rowsOverlap: rows.overlaps,
    notes: tableNotes(
      compared,
      needs,
      series === null ? tableRows.map(({ total }) => total.count) : bases.slice(0, width - 1),
    ),
  };
}
