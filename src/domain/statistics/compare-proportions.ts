import { type Count, effectiveCount } from './count.ts';
import { comparePairs, type CompareSettings, type Comparison, type PairTest } from './compare-pairs.ts';
import { tTwoSided } from './probability.ts';

interface ComparedColumn {
  base: Count;
  /** Weighted share of the base, 0 to 1. */
  share: number;
}

/**
 * Tests whether two proportions are equal. With the effective bases e1 and e2 and the pooled proportion p: t = (p1 - p2) / √(p (1 - p)
 * (1/e1 + 1/e2)), df = e1 + e2 - 2. Without weights t² is the chi-square of R's `prop.test(…, correct = FALSE)`. Returns null without
 * variance or with too few respondents.
 */
function testProportions(a: ComparedColumn, b: ComparedColumn): PairTest | null {
  const [e1, e2] = [effectiveCount(a.base), effectiveCount(b.base)];
  const df = e1 + e2 - 2;
  const pooled = (e1 * a.share + e2 * b.share) / (e1 + e2);
  const variance = pooled * (1 - pooled) * (1 / e1 + 1 / e2);
  if (!(df > 0 && variance > 0 && Number.isFinite(variance))) return null;
  const t = (a.share - b.share) / Math.sqrt(variance);
  return { t, df, pValue: tTwoSided(t, df) };
}

/** Tests which columns of a table have different shares of one row. Columns of one family must not share respondents. */
export function compareProportions(
  columns: readonly ComparedColumn[],
  settings: CompareSettings,
): Comparison {
  return comparePairs(
    columns.map(({ base }) => base.count),
    (first, second) => testProportions(columns[first]!, columns[second]!),
    settings,
  );
}
