import { computeEffectiveBase } from '../statistics/effective-base.ts';
import { tTwoSided } from '../statistics/probability.ts';
import type { TableRows } from '../statistics/crosstab/count-crossing.ts';

export interface Correlation {
  r: number;
  /** Number of responses with both values. */
  base: number;
  pValue: number;
}

/**
 * Computes Pearson's correlation of rows with both values, optionally weighted; t = r √(df / (1 - r²)) with df = effective base - 2.
 * Without weights equal to R `cor.test`. One pass by D. H. D. West, "Updating mean and variance estimates: an improved method",
 * Communications of the ACM 22 (1979), on distances from the first row, which keeps precision for values far from zero. null: too few rows,
 * or no variance.
 */
export function computeCorrelation(
  first: Float64Array,
  second: Float64Array,
  { mask, weights }: TableRows,
): Correlation | null {
  let base = 0;
  let [firstX, firstY] = [NaN, NaN];
  let total = 0;
  let squares = 0;
  let meanX = 0;
  let meanY = 0;
  let xx = 0;
  let yy = 0;
  let xy = 0;
  for (let row = 0; row < mask.length; row++) {
    const x = first[row]!;
    const y = second[row]!;
    const weight = weights === null ? 1 : weights[row]!;
    if (mask[row] === 0 || !(weight > 0) || Number.isNaN(x) || Number.isNaN(y)) continue;
    if (base === 0) [firstX, firstY] = [x, y];
    base += 1;
    total += weight;
    squares += weight * weight;
    const [fromX, fromY] = [x - firstX, y - firstY];
    const [dx, dy] = [fromX - meanX, fromY - meanY];
    meanX += (dx * weight) / total;
    meanY += (dy * weight) / total;
    xx += weight * dx * (fromX - meanX);
    yy += weight * dy * (fromY - meanY);
    xy += weight * dx * (fromY - meanY);
  }
  const df = computeEffectiveBase(total, squares) - 2;
  if (!(df > 0 && xx > 0 && yy > 0)) return null;
  const r = Math.max(-1, Math.min(1, xy / Math.sqrt(xx * yy)));
  const t = r * Math.sqrt(df / Math.max(Number.EPSILON, 1 - r * r));
  return { r, base, pValue: tTwoSided(t, df) };
}
