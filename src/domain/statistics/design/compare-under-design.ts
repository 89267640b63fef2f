import { adjustPValues, type Correction } from '../adjust-p-values.ts';
import { tTwoSided } from '../probability.ts';
import { type Domains, estimateMeans, type Estimates } from './estimates.ts';
import { computeMeanInterval, type Interval } from './intervals.ts';
import type { SampleDesign } from './sample-design.ts';

interface DifferenceTest {
  /** First minus second. */
  difference: number;
  se: number;
  /** Positive if the first is higher. */
  t: number;
  df: number;
  /** Two-sided. */
  pValue: number;
}

/** The two estimates with their covariance. */
function pairOf(
  { values, covariance, variances, weights, ofPairs, size }: Estimates,
  first: number,
  second: number,
) {
  const at = first * size + second;
  if (covariance === null || ofPairs === null) throw new Error('The estimates have no covariances');
  return {
    values: [values[first]!, values[second]!] as const,
    variances: [variances[first]!, variances[second]!] as const,
    weights: [weights[first]!, weights[second]!] as const,
    covariance: covariance[at]!,
    degreesOfFreedom: ofPairs[at]!,
  };
}

/** Below this fraction of the variances, only rounding error is left of the variance of a difference. */
const ROUNDING = 1e-12;

/**
 * Tests whether two means or shares are equal by their linearized difference; they may share respondents. Of separate groups it is
 * `svyttest(x ~ group, subset(design, …))` of the R package survey: t with the degrees of freedom of both groups minus 1. Returns null without
 * variance or degrees of freedom.
 */
function testDifference(estimates: Estimates, first: number, second: number): DifferenceTest | null {
  const { values, variances, covariance, degreesOfFreedom } = pairOf(estimates, first, second);
  const variance = variances[0] + variances[1] - 2 * covariance;
  const df = degreesOfFreedom - 1;
  if (!(variance > ROUNDING * (variances[0] + variances[1]) && df > 0)) return null;
  const [difference, se] = [values[0] - values[1], Math.sqrt(variance)];
  const t = difference / se;
  return { difference, se, t, df, pValue: tTwoSided(t, df) };
}

/**
 * Tests whether the shares of two groups without common respondents are equal: `svychisq(~row + column, subset(design, …))` of their
 * two-by-two table, as the test of the whole table. t is the signed root of F; the degrees of freedom are those of both groups.
 *
 * Of the four cells p of the table, F is X²/n divided by Var(log odds ratio) / Σ(1/p), where the log odds ratio is linearized in the two
 * shares. If a share is 0 or 1, there is no odds ratio, and the test is that of the difference.
 */
function testShares(estimates: Estimates, first: number, second: number): DifferenceTest | null {
  const linear = testDifference(estimates, first, second);
  const { values, variances, weights, covariance, degreesOfFreedom: df } = pairOf(estimates, first, second);
  const [a, b] = values;
  const [spreadA, spreadB] = [a * (1 - a), b * (1 - b)];
  if (linear === null || !(spreadA > 0 && spreadB > 0)) return linear;
  const [partA, partB] = weights.map((weight) => weight / (weights[0] + weights[1])) as [number, number];
  const pooled = partA * a + partB * b;
  const pearson = (partA * partB * (a - b) ** 2) / (pooled * (1 - pooled));
  const variance =
    variances[0] / spreadA ** 2 + variances[1] / spreadB ** 2 - (2 * covariance) / (spreadA * spreadB);
  const reciprocals = 1 / (partA * spreadA) + 1 / (partB * spreadB);
  if (!(variance > 0)) return linear;
  const t = Math.sign(a - b) * Math.sqrt((pearson * reciprocals) / variance);
  return { ...linear, t, df, pValue: tTwoSided(t, df) };
}

/**
 * Tests two estimates: shares (0 to 1) of groups without common respondents by `testShares`, all others by `testDifference`. Returns null without
 * variance or degrees of freedom.
 */
export function testEstimates(
  estimates: Estimates,
  [first, second]: readonly [number, number],
  { isShare, isSeparate }: { isShare: boolean; isSeparate: boolean },
): DifferenceTest | null {
  return (isShare && isSeparate ? testShares : testDifference)(estimates, first, second);
}

/** What each column is compared with. */
type ComparedWith = 'columns' | 'total' | 'rest';

export interface DesignComparisonSettings {
  against: ComparedWith;
  /** Whether the values are 0 and 1, so that means are shares (0 to 1). */
  isShare: boolean;
  /** Columns with fewer respondents are not tested, nor rests. */
  minBase: number;
  correction: Correction;
  /** Of the intervals of differences, in percent. */
  level: number;
}

export interface ComparedPair extends DifferenceTest {
  first: number;
  /** The other column; null: the total or the rest. */
  second: number | null;
  /** Of the difference, without the adjustment for several tests. */
  interval: Interval;
}

/** The columns and, behind them, the total, or the rest of each column. */
function withReferences(
  columns: Domains,
  against: ComparedWith,
  isInTotal: (row: number) => boolean,
): Domains {
  const { size } = columns;
  if (against === 'columns') return columns;
  const isInside = new Uint8Array(size);
  const forEach = (row: number, visit: (domain: number) => void) => {
    if (!isInTotal(row)) {
      columns.forEach(row, visit);
      return;
    }
    isInside.fill(0);
    columns.forEach(row, (column) => {
      isInside[column] = 1;
      visit(column);
    });
    if (against === 'total') visit(size);
    else for (let column = 0; column < size; column++) if (isInside[column] === 0) visit(size + column);
  };
  return { size: against === 'total' ? size + 1 : 2 * size, forEach };
}

/**
 * Tests the columns of a table under a design: with each other, with the total, or with all others (the rest). What columns share, also
 * respondents of a multiple choice and each column with the total, counts by the covariance of the estimates. Means and overlapping shares
 * are compared by `testDifference`, shares of separate columns by `testShares`. The adjustment is over all tests made.
 *
 * @param values by row, NaN where missing
 * @param isInTotal the respondents of the total, a superset of the columns; absent: all of the design
 */
export function compareUnderDesign(
  design: SampleDesign,
  {
    values,
    columns,
    isInTotal = () => true,
  }: {
    values: Float64Array;
    columns: Domains;
    isInTotal?: (row: number) => boolean;
  },
  { against, isShare, minBase, correction, level }: DesignComparisonSettings,
): ComparedPair[] {
  const { size } = columns;
  const estimates = estimateMeans(design, values, withReferences(columns, against, isInTotal));
  const overlaps = findOverlaps(design, values, columns);
  const isLarge = (domain: number) => estimates.counts[domain]! >= minBase;
  const pairs: [first: number, second: number][] = [];
  for (let first = 0; first < size; first++) {
    if (against === 'total') pairs.push([first, size]);
    else if (against === 'rest') pairs.push([first, size + first]);
    else for (let second = first + 1; second < size; second++) pairs.push([first, second]);
  }
  const tested = pairs.flatMap(([first, second]) => {
    if (!isLarge(first) || !isLarge(second)) return [];
    const isSeparate = against === 'rest' || (against === 'columns' && !overlaps);
    const found = testEstimates(estimates, [first, second], { isShare, isSeparate });
    if (found === null) return [];
    const interval = computeMeanInterval({ estimate: found.difference, se: found.se, df: found.df }, level);
    return [{ ...found, first, second: second < size ? second : null, interval }];
  });
  const adjusted = adjustPValues(
    tested.map(({ pValue }) => pValue),
    correction,
  );
  return tested.map((pair, index) => ({ ...pair, pValue: adjusted[index]! }));
}

/** Whether a respondent with a value is in several columns. */
function findOverlaps({ rows }: SampleDesign, values: Float64Array, columns: Domains): boolean {
  let found = false;
  for (const row of rows) {
    if (Number.isNaN(values[row]!)) continue;
    let inside = 0;
    columns.forEach(row, () => inside++);
    if (inside > 1) {
      found = true;
      break;
    }
  }
  return found;
}
