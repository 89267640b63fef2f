import { type Count, effectiveCount } from './base.ts';
import { comparePairs, type CompareSettings, type Comparison, type PairTest } from './compare-pairs.ts';
import { tTwoSided } from './probability.ts';

export interface ComparedColumn {
  base: Count;
  /** Of the base, by weight, 0 to 1. */
  share: number;
}

/** Pooled proportions on the effective bases, df e1 + e2 - 2; null where nothing varies or too few are left. */
function testPair(a: ComparedColumn, b: ComparedColumn): PairTest | null {
  const [e1, e2] = [effectiveCount(a.base), effectiveCount(b.base)];
  const df = e1 + e2 - 2;
  const pooled = (e1 * a.share + e2 * b.share) / (e1 + e2);
  const variance = pooled * (1 - pooled) * (1 / e1 + 1 / e2);
  if (!(df > 0 && variance > 0 && Number.isFinite(variance))) return null;
  const t = (a.share - b.share) / Math.sqrt(variance);
  return { t, df, pValue: tTwoSided(t, df) };
}

/** Which columns differ in one row of a table. Columns of one family must not share respondents. */
export function compareColumns(columns: readonly ComparedColumn[], settings: CompareSettings): Comparison {
  return comparePairs(
    columns.map(({ base }) => base.count),
    (first, second) => testPair(columns[first]!, columns[second]!),
    settings,
  );
}
