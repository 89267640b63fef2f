import type { Axis, AxisCategory } from '../statistics/crosstab/axis.ts';
import { emptyAxis } from '../statistics/crosstab/axis.ts';
import { countCells } from '../statistics/crosstab/cell-counts.ts';
import { ColumnComparer } from '../statistics/crosstab/comparer.ts';
import type { TableRows } from '../statistics/crosstab/count-crossing.ts';
import { nestAxes } from '../statistics/crosstab/nest-axes.ts';
import { collectTableNotes, type TableNote } from '../statistics/crosstab/notes.ts';
import type { TableSettings } from '../statistics/crosstab/table-settings.ts';
import { addCounts, type Count } from '../statistics/count.ts';
import type { Tally } from '../statistics/tally.ts';
import { isAdditive, largestContribution } from './dominance.ts';
import { tallyCategories } from './cell-tallies.ts';
import { comparable, inBox, type Measure, measured, type TwoValues, twoValues } from './measure.ts';

/** One figure of a chart. */
export interface ChartCell {
  /** What is drawn; null where there is nothing to tell. */
  value: number | null;
  /** Whom it is of. */
  count: Count;
  /** Of its base. */
  percent: number | null;
  letters: string[];
  /** Of a measure: its standard error. */
  se: number | null;
  /** Of a least or greatest value: how many responses have it. */
  holders: number | null;
  /** Of a measure that has two different values: it tells how many responses have each, as a share does. */
  share: TwoValues | null;
  /** Of a sum or mean: the largest contribution of one respondent in percent of all others together. */
  largestContribution: number | null;
  /** The viewer's filters make it differ from another view by a few respondents. */
  isRevealing: boolean;
}

/** The figures of a chart: categories down, series across. */
export interface ChartTable {
  rows: { category: AxisCategory; total: ChartCell; cells: ChartCell[] }[];
  /** Null: there is no series, and the totals are what is drawn. */
  series: { category: AxisCategory; base: Count }[] | null;
  base: Count;
  /** Of the series proper: does each response belong to one at most? */
  seriesOverlap: boolean;
  rowsOverlap: boolean;
  notes: TableNote[];
}

export interface TableNeeds {
  counting: TableRows;
  /** Responses are counted, and shown as shares. */
  isPercent: boolean;
  /** Percents are of the category, not of the series. */
  isStacked: boolean;
  compares: boolean;
}

/** Columns with fewer respondents are not compared, as in crosstabs. */
const LETTERS_FROM = 30;
const PARTS_NOT_COMPARED: TableNote = {
  code: 'parts_not_compared',
  message: 'No letters: the percents of one bar share their base.',
};
const percentOf = (part: Count, whole: Count) =>
  whole.weight > 0 ? (100 * part.weight) / whole.weight : null;

function comparerOf(columns: Axis, { counting, compares }: TableNeeds): ColumnComparer {
  const settings: TableSettings = {
    statistics: new Set(compares ? (['letters'] as const) : []),
    minBase: LETTERS_FROM,
    correction: 'none',
    counting,
  };
  return new ColumnComparer(columns, settings);
}

function notes(columns: Axis, { compares }: TableNeeds, bases: readonly Count[]): TableNote[] {
  return collectTableNotes({
    rows: null,
    columns,
    compares,
    independence: undefined,
    minBase: LETTERS_FROM,
    bases: bases.map(({ count }) => count),
  });
}

/** How many responses each category has, in all and in each series. Yields after each walk over the responses. */
export function* countedTable(
  rows: Axis,
  series: Axis | null,
  needs: TableNeeds,
): Generator<void, ChartTable> {
  const { isPercent, isStacked, counting } = needs;
  // The parts of one bar share their base, and a test of other percents would not be one of those that are drawn.
  const compares = needs.compares && !isStacked;
  const columns = series ?? emptyAxis(counting.mask.length);
  const counts = yield* countCells(rows, columns, counting);
  const comparer = comparerOf(columns, { ...needs, compares });
  const cell = (count: Count, base: Count): ChartCell => {
    const percent = percentOf(count, base);
    return {
      value: isPercent ? percent : count.weight,
      count,
      percent,
      letters: [],
      se: null,
      holders: null,
      share: null,
      largestContribution: null,
      isRevealing: false,
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
        cells: parts.map((part, place) => {
          const letters = compared[place]!.letters ?? [];
          return { ...cell(part, isStacked ? total : counts.columns[place]!), letters };
        }),
      };
    }),
    series:
      series === null
        ? null
        : series.categories.map((category, place) => ({ category, base: counts.columns[place]! })),
    base: counts.base,
    seriesOverlap: columns.overlaps,
    rowsOverlap: rows.overlaps,
    notes: [
      ...(series === null ? [] : notes(series, { ...needs, compares }, counts.columns)),
      ...(needs.compares && isStacked ? [PARTS_NOT_COMPARED] : []),
    ],
  };
}

/** The whole of an axis as one more category, the last. */
function withTotal(axis: Axis): Axis {
  const total = { steps: [], region: axis.base, missing: false, isNet: true, family: null };
  return { ...axis, categories: [...axis.categories, total] };
}

function countOf({ counts, weights, squaredWeights }: Tally): Count {
  const parts = Array.from(counts, (count, index) => {
    return { count, weight: weights[index]!, squaredWeight: squaredWeights[index]! };
  });
  return addCounts(...parts);
}

/** A measure (by row, NaN is missing) of each category, in all and in each series; bases are of those who have a value. */
export function* measuredTable(
  rows: Axis,
  series: Axis | null,
  values: Float64Array,
  measure: Measure,
  needs: TableNeeds,
): Generator<void, ChartTable> {
  const { counting } = needs;
  const down = withTotal(rows);
  const across = series === null ? null : withTotal(series);
  const nested = across === null ? down : nestAxes(down, across, counting.mask.length);
  const width = across?.categories.length ?? 1;
  const regions = nested.categories.map(({ region }) => region);
  const tallies = yield* tallyCategories(values, nested.codings, regions, counting);
  const tallyAt = (row: number, place: number) => tallies[row * width + place]!;
  const last = rows.categories.length;
  const baseOf = (place: number) => countOf(tallyAt(last, place));
  const bases = Array.from({ length: width }, (_, place) => baseOf(place));
  const cell = (tally: Tally, base: Count): ChartCell => {
    const count = countOf(tally);
    const { se } = comparable(tally, measure);
    const holders = { min: tally.counts[0], max: tally.counts.at(-1) }[measure.name as string] ?? null;
    return {
      value: measured(tally, measure),
      count,
      percent: percentOf(count, base),
      letters: [],
      se,
      holders,
      share: twoValues(tally, measure),
      largestContribution: isAdditive(measure) ? largestContribution(tally) : null,
      isRevealing: false,
    };
  };
  const made = rows.categories.map((category, row) => {
    const total = cell(tallyAt(row, width - 1), bases[width - 1]!);
    const cells = Array.from({ length: width - 1 }, (_, place) =>
      cell(tallyAt(row, place), needs.isStacked ? total.count : bases[place]!),
    );
    return { category, total, cells };
  });
  const compared = series ?? rows;
  if (needs.compares) {
    const comparer = comparerOf(compared, needs);
    const letter = (cells: readonly ChartCell[], of: (place: number) => Tally) => {
      const figures = cells.map((_, place) => comparable(of(place), measure));
      const shares = cells.flatMap((_, place) => inBox(of(place), measure) ?? []);
      if (measure.box === null) comparer.compareMeans(figures);
      else
        comparer.compareShares(
          figures,
          shares,
          cells.map(({ count }) => count),
        );
      cells.forEach((one, place) => (one.letters = figures[place]!.letters ?? []));
    };
    if (series === null) {
      letter(
        made.map(({ total }) => total),
        (place) => tallyAt(place, width - 1),
      );
    } else made.forEach(({ cells }, row) => letter(cells, (place) => tallyAt(row, place)));
  }
  return {
    rows: made,
    series:
      series === null
        ? null
        : series.categories.map((category, place) => ({ category, base: bases[place]! })),
    base: bases[width - 1]!,
    seriesOverlap: series?.overlaps ?? false,
    rowsOverlap: rows.overlaps,
    notes: notes(
      compared,
      needs,
      series === null ? made.map(({ total }) => total.count) : bases.slice(0, width - 1),
    ),
  };
}
