import { computeChiSquare, expectedCounts } from './chi-square.ts';
import { addCounts, type Count } from './count.ts';
import { computeFisherExactPValue } from './fisher-exact.ts';
import { chiSquareUpperTail, fUpperTail } from './probability.ts';
import { computeRaoScott } from './rao-scott.ts';

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
 */
export function testIndependence(
  cells: readonly (readonly Count[])[],
  designSize: number | null,
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
  const [statistic, ddf] = [scaled / designEffects, ndf * (designSize - 1)];
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
