import { comparePairs, type CompareSettings, type Comparison, type PairTest } from './compare-pairs.ts';
import { tTwoSided } from './probability.ts';

/** The values of a column's respondents. */
interface ComparedMean {
  /** Unweighted. */
  count: number;
  effectiveBase: number;
  mean: number | null;
  sd: number | null;
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
  return comparePairs(
    columns.map(({ count }) => count),
    (first, second) => testMeans(columns[first]!, columns[second]!),
    settings,
  );
}
