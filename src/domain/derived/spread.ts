import type { Column } from '../dataset/columns/columns.ts';
import { computeStandardDeviation } from '../statistics/moments.ts';
import { numberChunks } from './number-chunks.ts';

/** Summary statistics of a column's numbers. */
export interface Spread {
  count: number;
  min: number;
  max: number;
  mean: number;
  /** n - 1, weighted as `svyvar` of the R package survey; null for a single value. */
  sd: number | null;
}

/**
 * Summarizes the counted rows (1) that have a number and, with weights, a positive weight; null if there are none. One pass by D. H. D.
 * West, "Updating mean and variance estimates: an improved method", Communications of the ACM 22 (1979), on distances from the first
 * number, which keeps precision for values far from zero.
 */
export function* computeSpread(
  column: Column,
  counted: Uint8Array,
  weights: Float64Array | null,
): Generator<void, Spread | null> {
  let [count, weight, start] = [0, 0, 0];
  let [min, max, mean, squares] = [Infinity, -Infinity, 0, 0];
  for (const { first, numbers } of numberChunks(column, counted.length)) {
    for (let index = 0; index < numbers.length; index++) {
      const value = numbers[index]!;
      const own = weights === null ? 1 : weights[first + index]!;
      if (counted[first + index] === 0 || Number.isNaN(value) || !(own > 0)) continue;
      if (count === 0) start = value;
      count++;
      weight += own;
      if (value < min) min = value;
      if (value > max) max = value;
      const distance = value - start;
      const delta = distance - mean;
      mean += (delta * own) / weight;
      squares += own * delta * (distance - mean);
    }
    yield;
  }
  if (count === 0) return null;
  const sd = computeStandardDeviation({ count, weight, squares });
  return { count, min, max, mean: start + mean, sd };
}
