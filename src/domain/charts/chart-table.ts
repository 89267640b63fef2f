import { type AnswerRegion, type Axis, type AxisCategory, emptyAxis } from '../statistics/crosstab/axis.ts';
import { countTableRows, type TableRows } from '../statistics/crosstab/count-crossing.ts';
import { type Count, NO_RESPONSES } from '../statistics/base.ts';
import type { Tally } from '../statistics/tally.ts';
import { largestContribution, tallyCategories } from './figures/category-tallies.ts';
import {
  computeMeasure,
  countInBox,
  findTwoValues,
  type Measure,
  toComparableMean,
  type TwoValues,
} from './figures/measure.ts';
import { countCells } from '../statistics/crosstab/category-table.ts';
import { ColumnComparer } from '../statistics/crosstab/column-comparer.ts';
import { nestAxes } from '../statistics/crosstab/variable-axis.ts';
import { collectTableNotes, type TableNote, type TableSettings } from '../statistics/crosstab/table.ts';

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

/** Answers with the number of each slot, of which a figure shows the average or the sum. */
export interface AveragedAnswers extends AnswerRegion {
  numbers: readonly number[];
}

/** The responses that the figures of a table count. */
interface TableRegions extends ChartAxes {
  mask: Uint8Array;
  /** Each cell also reveals its number of responses in each of these; empty: only the whole cell. */
  parts: readonly AnswerRegion[];
  /** The answers that a mean averages. */
  averaged: AveragedAnswers | null;
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
  /** What its figures count, for figures that other elements reveal. Absent: unknown. */
  regions?: TableRegions;
  notes: TableNote[];
}

/** The axes of a chart. */
export interface ChartAxes {
  rows: Axis;
  /** Null: no series. */
  series: Axis | null;
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

function tableNotes(
  columns: Axis,
  { compares, counting }: ChartTableOptions,
  bases: readonly Count[],
): TableNote[] {
  return collectTableNotes({
    rows: null,
    columns,
    compares,
    independence: undefined,
    minBase: MIN_COMPARED_BASE,
    bases,
    isWeighted: counting.weights !== null,
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
  const seriesBase = (position: number): Count => counts.columns[position] ?? NO_RESPONSES;
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
      const parts = counts.cells[row] ?? [];
      const total = counts.rows[row] ?? NO_RESPONSES;
      const compared = parts.map((): { count: number; weighted_count: null; letters?: string[] } => {
        return { count: 0, weighted_count: null };
      });
      comparer.compareShares(compared, { counts: parts, bases: counts.columns });
      return {
        category,
        total: cell(total, counts.base),
        cells: parts.map((part, position) => {
          const letters = compared[position]?.letters ?? [];
          return { ...cell(part, isStacked ? total : seriesBase(position)), letters };
        }),
      };
    }),
    series:
      series?.categories.map((category, position) => ({ category, base: seriesBase(position) })) ?? null,
    base: counts.base,
    seriesOverlap: columns.overlaps,
    rowsOverlap: rows.overlaps,
    regions: { rows, series, mask: counting.mask, parts: [], averaged: null },
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
  const sum = (numbers: Float64Array) => numbers.reduce((total, number) => total + number, 0);
  return { count: sum(counts), weight: sum(weights), squaredWeight: sum(squaredWeights) };
}

/** A measure and the values that it is computed from. */
export interface MeasuredValues {
  measure: Measure;
  /** By row, NaN if missing. */
  values: Float64Array;
  /** See TableRegions. */
  parts?: readonly AnswerRegion[];
  averaged?: AveragedAnswers | null;
}

/** Whether the measure reveals the sum of the respondents' values. */
const isAdditive = ({ name }: Pick<Measure, 'name'>): boolean => name === 'sum' || name === 'mean';

/** Computes a measure for each category, in total and by series. Bases are the respondents with a value. */
export function* buildMeasureTable(
  { rows, series }: ChartAxes,
  { measure, values, parts = [], averaged = null }: MeasuredValues,
  needs: ChartTableOptions,
): Generator<void, ChartTable> {
  const { counting } = needs;
  const designSize = counting.weights === null ? null : countTableRows(counting);
  const rowsWithTotal = withTotal(rows);
  const columnsWithTotal = series === null ? null : withTotal(series);
  const nested =
    columnsWithTotal === null
      ? rowsWithTotal
      : nestAxes(rowsWithTotal, columnsWithTotal, counting.mask.length);
  const width = columnsWithTotal?.categories.length ?? 1;
  const regions = nested.categories.map(({ region }) => region);
  const tallies = yield* tallyCategories(values, nested.codings, regions, counting);
  const tallyAt = (row: number, position: number): Tally => {
    const tally = tallies[row * width + position];
    if (tally === undefined) throw new Error(`no values were tallied in row ${row}, column ${position}`);
    return tally;
  };
  const baseRow = rows.categories.length;
  const base = tallyCount(tallyAt(baseRow, width - 1));
  const bases = Array.from({ length: width - 1 }, (_, position) => tallyCount(tallyAt(baseRow, position)));
  const seriesBase = (position: number): Count => bases[position] ?? NO_RESPONSES;
  const cell = (tally: Tally, percentBase: Count): ChartCell => {
    const count = tallyCount(tally);
    const { se } = toComparableMean(tally, measure, designSize);
    const extremeCount = { min: tally.counts[0], max: tally.counts.at(-1) }[measure.name as string] ?? null;
    return {
      value: computeMeasure(tally, measure),
      count,
      percent: percentOf(count, percentBase),
      letters: [],
      se,
      extremeCount,
      share: findTwoValues(tally, measure),
      largestContribution: isAdditive(measure) ? largestContribution(tally) : null,
      isDisclosive: false,
    };
  };
  const tableRows = rows.categories.map((category, row) => {
    const total = cell(tallyAt(row, width - 1), base);
    const cells = Array.from({ length: width - 1 }, (_, position) =>
      cell(tallyAt(row, position), needs.isStacked ? total.count : seriesBase(position)),
    );
    return { category, total, cells };
  });
  const compared = series ?? rows;
  if (needs.compares) {
    const comparer = createComparer(compared, needs);
    const letter = (cells: readonly ChartCell[], tallyAtPosition: (position: number) => Tally) => {
      const figures = cells.map((_, position) =>
        toComparableMean(tallyAtPosition(position), measure, designSize),
      );
      const shares = cells.flatMap((_, position) => countInBox(tallyAtPosition(position), measure) ?? []);
      if (measure.box === null) comparer.compareMeans(figures);
      else comparer.compareShares(figures, { counts: shares, bases: cells.map(({ count }) => count) });
      for (const [position, one] of cells.entries()) one.letters = figures[position]?.letters ?? [];
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
      series?.categories.map((category, position) => ({ category, base: seriesBase(position) })) ?? null,
    base,
    seriesOverlap: series?.overlaps ?? false,
    rowsOverlap: rows.overlaps,
    regions: { rows, series, mask: counting.mask, parts, averaged },
    notes: tableNotes(compared, needs, series === null ? tableRows.map(({ total }) => total.count) : bases),
  };
}
