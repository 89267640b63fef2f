import { tQuantileTwoSided, tTwoSided } from '../probability.ts';
import { effectiveBaseOf, type PairSums } from './pair-sums.ts';

export interface Correlation {
  r: number;
  /** Number of responses with both values. */
  base: number;
  /** (Σw)²/Σw² of these responses. */
  effectiveBase: number;
  /** Two-sided. */
  pValue: number;
}

/**
 * Pearson's correlation with t = r √(df / (1 - r²)), df = effective base - 2. Without weights equal to R's `cor.test(x, y)`. null: too few
 * responses, or a column without variance.
 */
export function correlationOf(sums: PairSums): Correlation | null {
  const { count, xx, yy, xy } = sums;
  const effectiveBase = effectiveBaseOf(sums);
  const df = effectiveBase - 2;
  if (!(df > 0 && xx > 0 && yy > 0)) return null;
  const r = Math.max(-1, Math.min(1, xy / Math.sqrt(xx * yy)));
  const t = r * Math.sqrt(df / Math.max(Number.EPSILON, 1 - r * r));
  return { r, base: count, effectiveBase, pValue: tTwoSided(t, df) };
}

/** Error probability of the intervals: 95 % confidence. */
const ALPHA = 0.05;

/**
 * The 95 % interval of Pearson's correlation by Fisher's z on the effective base: R's `cor.test(x, y)$conf.int`. null: three responses or fewer.
 */
export function fisherInterval({
  r,
  effectiveBase,
}: Pick<Correlation, 'r' | 'effectiveBase'>): { low: number; high: number } | null {
  if (!(effectiveBase > 3)) return null;
  const half = tQuantileTwoSided(ALPHA, Infinity) / Math.sqrt(effectiveBase - 3);
  const z = Math.atanh(r);
  return { low: Math.tanh(z - half), high: Math.tanh(z + half) };
}
