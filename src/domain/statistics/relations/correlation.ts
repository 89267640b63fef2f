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

/** Returns the rows of a column that have a value, in the order of the values. */
export function sortRowsByValue(values: Float64Array): Uint32Array {
  const rows = new Uint32Array(values.length);
  let count = 0;
  for (let row = 0; row < values.length; row++) if (!Number.isNaN(values[row]!)) rows[count++] = row;
  return rows.subarray(0, count).sort((one, other) => values[one]! - values[other]!);
}

/**
 * Fills `into` with ranks for Spearman's correlation, NaN in rows that are not used: the weight of the rows with lower values and half of
 * that of the rows with the same value. Without weights these are the average ranks of R's `rank(x)` minus ½. `order` is that of `sortRowsByValue`.
 */
export function rankRows(
  { values, order }: { values: Float64Array; order: Uint32Array },
  isUsed: (row: number) => boolean,
  weights: Float64Array | null,
  into: Float64Array,
): void {
  into.fill(NaN);
  const used = order.filter(isUsed);
  let below = 0;
  let start = 0;
  while (start < used.length) {
    const value = values[used[start]!]!;
    let end = start;
    let tied = 0;
    while (end < used.length && values[used[end]!] === value) {
      tied += weights === null ? 1 : weights[used[end]!]!;
      end++;
    }
    for (let index = start; index < end; index++) into[used[index]!] = below + tied / 2;
    below += tied;
    start = end;
  }
}
