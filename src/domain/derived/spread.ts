import type { Column } from '../dataset/columns/columns.ts';
import { standardDeviation } from '../statistics/moments.ts';
import { numberChunks } from './number-chunks.ts';

/** How the numbers of a column lie. */
export interface Spread {
  count: number;
  min: number;
  max: number;
  mean: number;
  /** n - 1, weighted as `svyvar` of the R package survey; null of a single value. */
  sd: number | null;
}

/**
 * Of the rows that count (1 in the mask), have a number and, where there are weights, one above 0; null when there is none. One pass: D. H. D.
 * West, "Updating mean and variance estimates: an improved method", Communications of the ACM 22 (1979), on the distances from the
 * first number, which keep their digits far from zero.
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
  const sd = standardDeviation({ count, weight, squares });
  return { count, min, max, mean: start + mean, sd };
}
