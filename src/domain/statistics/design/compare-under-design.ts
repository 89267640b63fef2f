import { tTwoSided } from '../probability.ts';
import { type Domains, estimateMeans, type EstimateOptions, type Estimates } from './estimates.ts';
import type { SampleDesign } from './sample-design.ts';

export interface DifferenceTest {
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

/** A row of a table in its columns and the total, with what tests need. */
export interface ColumnEstimates {
  /** Of each column and, last, of the total. */
  estimates: Estimates;
  /** Of a column and of the respondents of the total who are not in it. Takes a pass over the rows. */
  estimateRest: (column: number) => Estimates;
}

/** A domain, and the rows of another domain that are not in it. */
function withRest({ forEach }: Domains, domain: number, total: number): Domains {
  return {
    size: 2,
    forEach: (row, visit) => {
      let [isInside, isInTotal] = [false, false];
      forEach(row, (found) => {
        isInside ||= found === domain;
        isInTotal ||= found === total;
      });
      if (isInside) visit(0);
      else if (isInTotal) visit(1);
    },
  };
}

/**
 * Estimates the means of a variable (NaN: missing) in the columns of a table.
 *
 * @param columns the columns and, last, the total, which contains them
 */
export function estimateColumns(
  design: SampleDesign,
  values: Float64Array,
  columns: Domains,
  options: EstimateOptions = {},
): ColumnEstimates {
  return {
    estimates: estimateMeans(design, values, columns, options),
    estimateRest: (column) => estimateMeans(design, values, withRest(columns, column, columns.size - 1)),
  };
}

/**
 * Tests a column against the total, whose respondents it is part of, or against the rest. Returns null if one of them has fewer than `minBase`
 * respondents, without variance or degrees of freedom.
 */
export function testAgainst(
  { estimates, estimateRest }: ColumnEstimates,
  column: number,
  { against, isShare, minBase }: { against: 'total' | 'rest'; isShare: boolean; minBase: number },
): DifferenceTest | null {
  const [compared, pair] =
    against === 'total'
      ? ([estimates, [column, estimates.size - 1]] as const)
      : ([estimateRest(column), [0, 1]] as const);
  if (pair.some((index) => compared.counts[index]! < minBase)) return null;
  return testEstimates(compared, pair, { isShare, isSeparate: against === 'rest' });
}
