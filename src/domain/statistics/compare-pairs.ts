import { adjustPValues, type Correction } from './adjust-p-values.ts';
import { tTwoSided } from './probability.ts';
import { type Count, effectiveCount } from './base.ts';
import { requireItem } from '../../lib/require-value.ts';
import type { MeanFigure } from './moments.ts';
import { testIndependence } from './independence.ts';

/** A t test of two columns. */
interface PairTest {
  /** Positive if the first column is higher. */
  t: number;
  df: number;
  /** Two-sided. */
  pValue: number;
}

/** `pValue` is adjusted for multiple tests. */
export interface TestedPair extends PairTest {
  first: number;
  second: number;
}

/** One or two levels of significance in percent, the higher one first. */
export type TestLevels = readonly [number] | readonly [number, number];
export const DEFAULT_TEST_LEVELS: TestLevels = [95, 90];

/** The index of the highest level at which a difference is significant; -1: at none. */
export const significantLevel = (pValue: number, levels: TestLevels): number =>
  levels.findIndex((level) => pValue < (100 - level) / 100);

export interface Comparison {
  /** Every tested pair of columns. */
  pairs: TestedPair[];
  /** For each column, the letters of the columns it exceeds: upper case at the first level, lower case at the second. */
  letters: string[][];
}

export interface CompareSettings {
  /** Columns with a smaller unweighted base are not tested. */
  minBase: number;
  /** Adjustment over all pairs tested together. */
  correction: Correction;
  /** Default: 95 and 90. */
  levels?: TestLevels;
  /** By column. Only columns of the same family are compared; null: never compared. Absent: all columns are one family. */
  families?: readonly (number | null)[];
  /** Absent: all pairs of columns of the same family. */
  pairs?: readonly ColumnPair[];
  /** Absent: unweighted. */
  design?: WeightedDesign;
  /**
   * Weighted means are significant only if both the linearized test and the one by effective bases are: for searches through many
   * comparisons, where the tails of the linearized test are too thin.
   */
  isConservative?: boolean;
}

/** The respondents that a weighted table describes. */
interface WeightedDesign {
  /** All counted respondents, in the table or not. */
  size: number;
  /** The respondents in each column, with an answer in the rows or not. */
  columnSizes: readonly number[];
}

/**
 * Linearized tests of weighted columns need this effective base in both. With a smaller one, they are too often significant, and the tests
 * use effective bases as numbers of respondents instead.
 */
export const MIN_LINEARIZED_BASE = 20;

/** A to Z, then AA, AB, … */
export function columnLetter(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : columnLetter(Math.floor(index / 26) - 1) + last;
}

/** Two columns by their indices. */
export type ColumnPair = readonly [first: number, second: number];

/** The pairs of columns in the same family. */
export function pairsOfFamilies(families: readonly (number | null)[]): ColumnPair[] {
  return families.flatMap((family, first) =>
    family === null
      ? []
      : families.flatMap((other, second): ColumnPair[] =>
          second > first && other === family ? [[first, second]] : [],
        ),
  );
}

/**
 * Tests the pairs of columns whose unweighted bases are large enough. `test` returns null if it is not possible. The adjustment is over all
 * tests performed.
 */
export function testPairs(
  pairs: readonly ColumnPair[],
  { countOf, test }: { countOf: (column: number) => number; test: (pair: ColumnPair) => PairTest | null },
  { minBase, correction }: Pick<CompareSettings, 'minBase' | 'correction'>,
): TestedPair[] {
  const tested = pairs.flatMap(([first, second]) => {
    if (countOf(first) < minBase || countOf(second) < minBase) return [];
    const result = test([first, second]);
    return result === null ? [] : [{ first, second, ...result }];
  });
  const adjusted = adjustPValues(
    tested.map(({ pValue }) => pValue),
    correction,
  );
  return tested.map((pair, index) => ({ ...pair, pValue: adjusted[index] ?? pair.pValue }));
}

/** The letters of `size` columns. */
export function assignLetters(
  pairs: readonly TestedPair[],
  size: number,
  levels: TestLevels = DEFAULT_TEST_LEVELS,
): string[][] {
  const letters: string[][] = Array.from({ length: size }, () => []);
  for (const { first, second, t, pValue } of pairs) {
    const level = significantLevel(pValue, levels);
    if (level < 0) continue;
    const [above, below] = t > 0 ? [first, second] : [second, first];
    const letter = columnLetter(below);
    letters[above]?.push(level === 0 ? letter : letter.toLowerCase());
  }
  return letters;
}

/** Tests the columns of each family, or the given pairs. */
function comparePairs<T>(
  columns: readonly T[],
  {
    countOf,
    test,
  }: { countOf: (column: T) => number; test: (first: T, second: T, domainSize: number) => PairTest | null },
  settings: CompareSettings,
): Comparison {
  const { families = columns.map(() => 0), design, levels } = settings;
  /** The design without the respondents of the other columns of both families. */
  const domainSizeOf = ([first, second]: ColumnPair) =>
    (design?.columnSizes ?? []).reduce((size, columnSize, index) => {
      const family = families[index] ?? null;
      const isOther = index !== first && index !== second && family !== null;
      return isOther && (family === families[first] || family === families[second])
        ? size - columnSize
        : size;
    }, design?.size ?? 0);
  const at = (index: number) => requireItem(columns, index, 'column');
  const pairs = testPairs(
    settings.pairs ?? pairsOfFamilies(families),
    {
      countOf: (index) => countOf(at(index)),
      test: (pair) => test(at(pair[0]), at(pair[1]), domainSizeOf(pair)),
    },
    settings,
  );
  return { pairs, letters: assignLetters(pairs, columns.length, levels) };
}

/** The values of a column's respondents. */
interface ComparedMean {
  /** Unweighted. */
  count: number;
  effectiveBase: number;
  mean: number | null;
  sd: number | null;
  se: number | null;
  isWeighted: boolean;
}

export const toComparedMean = (figure: MeanFigure): ComparedMean => {
  const { count, weighted_count, effective_base: effectiveBase, mean, sd, se } = figure;
  return { count, effectiveBase, mean, sd, se, isWeighted: weighted_count !== null };
};

/**
 * Tests whether two weighted means are equal, with linearized standard errors: `svyttest(x ~ g, subset(design, …))` of the R package
 * survey. Returns null without variance.
 */
function testLinearizedMeans(a: ComparedMean, b: ComparedMean): PairTest | null {
  if (a.mean === null || b.mean === null || a.se === null || b.se === null) return null;
  const variance = a.se ** 2 + b.se ** 2;
  const df = a.count + b.count - 2;
  if (!(variance > 0 && df > 0)) return null;
  const t = (a.mean - b.mean) / Math.sqrt(variance);
  return { t, df, pValue: tTwoSided(t, df) };
}

/**
 * Tests whether two means are equal, without assuming equal variances and with effective bases as sample sizes: B. L. Welch, "The
 * generalization of 'Student's' problem when several different population variances are involved", Biometrika 34 (1947). Without weights
 * it equals R's `t.test`. Returns null without variance or with too few respondents.
 */
function testMeans(a: ComparedMean, b: ComparedMean): PairTest | null {
  if (a.mean === null || b.mean === null || a.sd === null || b.sd === null) return null;
  const [v1, v2] = [a.sd ** 2 / a.effectiveBase, b.sd ** 2 / b.effectiveBase];
  const df = (v1 + v2) ** 2 / (v1 ** 2 / (a.effectiveBase - 1) + v2 ** 2 / (b.effectiveBase - 1));
  if (!(df > 0 && v1 + v2 > 0 && a.effectiveBase > 1 && b.effectiveBase > 1)) return null;
  const t = (a.mean - b.mean) / Math.sqrt(v1 + v2);
  return { t, df, pValue: tTwoSided(t, df) };
}

/** Tests which columns have different means. Columns of one family must not share respondents. */
export function compareMeans(columns: readonly ComparedMean[], settings: CompareSettings): Comparison {
  const isLinearized = (...pair: ComparedMean[]) =>
    pair.every(({ isWeighted, effectiveBase }) => isWeighted && effectiveBase >= MIN_LINEARIZED_BASE);
  const test = (a: ComparedMean, b: ComparedMean) => {
    const linearized = isLinearized(a, b) ? testLinearizedMeans(a, b) : null;
    if (linearized === null) return testMeans(a, b);
    const plain = settings.isConservative ? testMeans(a, b) : null;
    return plain !== null && plain.pValue > linearized.pValue ? plain : linearized;
  };
  return comparePairs(columns, { countOf: ({ count }) => count, test }, settings);
}

interface ComparedColumn {
  base: Count;
  /** The part of the base whose share is compared. */
  part: Count;
}

const shareOf = ({ base, part }: ComparedColumn) => (base.weight > 0 ? part.weight / base.weight : 0);

/**
 * Tests whether two weighted proportions are equal: the test of independence of their own two columns, with the second-order correction of
 * Rao and Scott. Its result does not change when the table is transposed. Returns null without variance.
 */
function testWeightedProportions(
  a: ComparedColumn,
  b: ComparedColumn,
  designSize: number,
  domainSize: number,
): PairTest | null {
  const rest = ({ base, part }: ComparedColumn): Count => ({
    count: base.count - part.count,
    weight: Math.max(0, base.weight - part.weight),
    squaredWeight: Math.max(0, base.squaredWeight - part.squaredWeight),
  });
  const test = testIndependence(
    [
      [a.part, b.part],
      [rest(a), rest(b)],
    ],
    designSize,
    domainSize,
  );
  if (test?.df2 == null) return null;
  const { statistic, df2, pValue } = test;
  return { t: Math.sign(shareOf(a) - shareOf(b)) * Math.sqrt(statistic), df: df2, pValue };
}

/**
 * Tests whether two proportions are equal. With the effective bases e1 and e2 and the pooled proportion p: t = (p1 - p2) / √(p (1 - p)
 * (1/e1 + 1/e2)), df = e1 + e2 - 2. Without weights t² is the chi-square of R's `prop.test(…, correct = FALSE)`. Returns null without
 * variance or with too few respondents.
 */
function testProportions(a: ComparedColumn, b: ComparedColumn): PairTest | null {
  const [e1, e2] = [effectiveCount(a.base), effectiveCount(b.base)];
  const df = e1 + e2 - 2;
  const [p1, p2] = [shareOf(a), shareOf(b)];
  const pooled = (e1 * p1 + e2 * p2) / (e1 + e2);
  const variance = pooled * (1 - pooled) * (1 / e1 + 1 / e2);
  if (!(df > 0 && variance > 0 && Number.isFinite(variance))) return null;
  const t = (p1 - p2) / Math.sqrt(variance);
  return { t, df, pValue: tTwoSided(t, df) };
}

/** Tests which columns of a table have different shares of one row. Columns of one family must not share respondents. */
export function compareProportions(
  columns: readonly ComparedColumn[],
  settings: CompareSettings,
): Comparison {
  const { design } = settings;
  const isLinearized = (...pair: ComparedColumn[]) =>
    pair.every(({ base }) => effectiveCount(base) >= MIN_LINEARIZED_BASE);
  const test = (a: ComparedColumn, b: ComparedColumn, domainSize: number) =>
    design !== undefined && isLinearized(a, b)
      ? testWeightedProportions(a, b, design.size, domainSize)
      : testProportions(a, b);
  return comparePairs(columns, { countOf: ({ base }) => base.count, test }, settings);
}
