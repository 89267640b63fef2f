import { addCounts, type Count } from './base.ts';
import { computeRaoScott } from './rao-scott.ts';
import { chiSquareUpperTail, fUpperTail } from './probability.ts';

/** Pearson's chi-square of a table. */
interface ChiSquare {
  /** Proportional to the total of the table. */
  statistic: number;
  df: number;
  /** √(χ² / n / (min(rows, columns) - 1)), which does not depend on the scale of the table. */
  cramersV: number;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/**
 * Expected cell counts under independence, by row, then column: row total times column total divided by the total. Zeros for an empty
 * table.
 */
export function expectedCounts(table: readonly (readonly number[])[]): number[][] {
  const rowSums = table.map(sum);
  const columnSums = (table[0] ?? []).map((_, column) => sum(table.map((row) => row[column]!)));
  const total = sum(rowSums);
  return rowSums.map((row) => columnSums.map((column) => (total > 0 ? (row * column) / total : 0)));
}

/**
 * Pearson's chi-square without continuity correction: R's `chisq.test(table, correct = FALSE)`. The table holds counts or Σw by row, then
 * column. Empty rows and columns are ignored. Returns null with fewer than two rows or columns.
 */
export function computeChiSquare(table: readonly (readonly number[])[]): ChiSquare | null {
  const expected = expectedCounts(table);
  const rows = expected.filter((row) => row.some((cell) => cell > 0)).length;
  const columns = (expected[0] ?? []).filter((_, column) => expected.some((row) => row[column]! > 0)).length;
  if (rows < 2 || columns < 2) return null;
  let statistic = 0;
  let total = 0;
  for (const [row, cells] of table.entries()) {
    for (const [column, observed] of cells.entries()) {
      const wanted = expected[row]![column]!;
      total += observed;
      if (wanted > 0) statistic += (observed - wanted) ** 2 / wanted;
    }
  }
  return {
    statistic,
    df: (rows - 1) * (columns - 1),
    cramersV: Math.sqrt(statistic / total / (Math.min(rows, columns) - 1)),
  };
}

/** R treats tables as no more likely than the observed one up to this factor, which covers rounding. */
const TOLERANCE = 1 + 1e-7;

/**
 * Fisher's exact test of a two-by-two table: the probability, given both margins, of all tables that are no more likely than this one.
 * R's `fisher.test(table)$p.value`.
 */
export function computeFisherExactPValue(
  [a, b]: readonly [number, number],
  [c, d]: readonly [number, number],
): number {
  const [row, column, total] = [a + b, a + c, a + b + c + d];
  const lowest = Math.max(0, row + column - total);
  const highest = Math.min(row, column);
  // Likelihoods relative to the most likely table, so that no relevant one underflows to 0.
  const mode = Math.min(highest, Math.max(lowest, Math.floor(((row + 1) * (column + 1)) / (total + 2))));
  const likelihoods = new Float64Array(highest - lowest + 1);
  likelihoods[mode - lowest] = 1;
  /** The likelihood of the table with one more in the first cell, relative to this one. */
  const step = (cell: number) =>
    ((row - cell) * (column - cell)) / ((cell + 1) * (total - row - column + cell + 1));
  for (let cell = mode; cell < highest; cell++)
    likelihoods[cell + 1 - lowest] = likelihoods[cell - lowest]! * step(cell);
  for (let cell = mode; cell > lowest; cell--)
    likelihoods[cell - 1 - lowest] = likelihoods[cell - lowest]! / step(cell - 1);
  const own = likelihoods[a - lowest]!;
  let [all, unlikely] = [0, 0];
  for (const likelihood of likelihoods) {
    all += likelihood;
    if (likelihood <= own * TOLERANCE) unlikely += likelihood;
  }
  return Math.min(1, unlikely / all);
}

export const INDEPENDENCE_TESTS = ['pearson', 'rao_scott_f'] as const;

/** A test of independence between the rows and the columns of a table. */
export interface IndependenceTest {
  test: (typeof INDEPENDENCE_TESTS)[number];
  /** Chi-square, or the F of Rao and Scott. */
  statistic: number;
  df: number;
  /** Denominator degrees of freedom of an F. */
  df2: number | null;
  pValue: number;
  cramersV: number;
  /** For a weighted table: Pearson's chi-square, scaled to the respondents in the table, before the correction. */
  uncorrected: { statistic: number; df: number } | null;
}

/** The test with a check for sparse tables, and the exact test. */
export interface TableIndependence extends IndependenceTest {
  /** Expected unweighted counts under independence. */
  expected: {
    smallest: number;
    /** Cells with an expected count below MIN_EXPECTED. */
    cellsBelow: number;
    cells: number;
  };
  /** For an unweighted two-by-two table: the p value of Fisher's exact test. */
  fisherPValue: number | null;
}

/** With lower expected counts, the chi-square and F approximations are poor. */
export const MIN_EXPECTED = 5;

/**
 * Tests a table, by row, then column: without weights by Pearson's chi-square, with weights by the second-order correction of Rao and
 * Scott with its F. Empty rows and columns are ignored. Returns null with fewer than two rows or columns.
 *
 * @param designSize with weights: the number of counted responses, in the table or not (missing answers are a domain, as in R); null:
 * unweighted
 * @param domainSize of a part of a larger table: the counted responses without those in its other columns, as `subset` of a design has
 */
export function testIndependence(
  cells: readonly (readonly Count[])[],
  designSize: number | null,
  domainSize: number | null = designSize,
): IndependenceTest | null {
  const table = withoutEmpty(cells);
  const pearson = computeChiSquare(table.map((row) => row.map(({ weight }) => weight)));
  if (pearson === null) return null;
  const { df, cramersV } = pearson;
  if (designSize === null) {
    const { statistic } = pearson;
    return {
      cramersV,
      test: 'pearson',
      statistic,
      df,
      df2: null,
      pValue: chiSquareUpperTail(statistic, df),
      uncorrected: null,
    };
  }
  const { count, weight } = addCounts(...table.flat());
  const scaled = (pearson.statistic * count) / weight;
  const { designEffects, df: ndf } = computeRaoScott(table, designSize);
  const [statistic, ddf] = [scaled / designEffects, ndf * ((domainSize ?? designSize) - 1)];
  return {
    cramersV,
    test: 'rao_scott_f',
    statistic,
    df: ndf,
    df2: ddf,
    pValue: fUpperTail(statistic, ndf, ddf),
    uncorrected: { statistic: scaled, df },
  };
}

/** Adds the expected counts and Fisher's exact test, whose time grows with the number of respondents. */
export function testTableIndependence(
  cells: readonly (readonly Count[])[],
  designSize: number | null,
): TableIndependence | null {
  const test = testIndependence(cells, designSize);
  if (test === null) return null;
  const counts = withoutEmpty(cells).map((row) => row.map(({ count }) => count));
  return {
    ...test,
    expected: summarizeExpected(counts),
    fisherPValue: designSize === null ? computeFisherPValue(counts) : null,
  };
}

function withoutEmpty(cells: readonly (readonly Count[])[]): Count[][] {
  const isUsed = ({ weight }: Count) => weight > 0;
  const rows = cells.filter((row) => row.some(isUsed));
  return rows.map((row) => row.filter((_, column) => rows.some((each) => isUsed(each[column]!))));
}

function summarizeExpected(counts: readonly (readonly number[])[]): TableIndependence['expected'] {
  const each = expectedCounts(counts).flat();
  return {
    smallest: each.reduce((least, expected) => Math.min(least, expected), Infinity),
    cellsBelow: each.filter((expected) => expected < MIN_EXPECTED).length,
    cells: each.length,
  };
}

function computeFisherPValue(counts: readonly (readonly number[])[]): number | null {
  const [first, second, ...others] = counts;
  if (first?.length !== 2 || second === undefined || others.length > 0) return null;
  return computeFisherExactPValue([first[0]!, first[1]!], [second[0]!, second[1]!]);
}
