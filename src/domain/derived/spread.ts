import type { Column } from '../dataset/columns/columns.ts';
import { numberChunks } from './number-chunks.ts';

/** How the numbers of a column lie. */
export interface Spread {
  count: number;
  min: number;
  max: number;
  mean: number;
  /** n - 1; null of a single value. */
  sd: number | null;
}

/**
 * Of the rows that count (1 in the mask) and have a number; null when there is none. One pass: D. H. D. West, "Updating mean and
 * variance estimates: an improved method", Communications of the ACM 22 (1979).
 */
export function* spreadOf(column: Column, counted: Uint8Array): Generator<void, Spread | null> {
  let count = 0;
  let [min, max, mean, squares] = [Infinity, -Infinity, 0, 0];
  for (const { first, numbers } of numberChunks(column, counted.length)) {
    for (let index = 0; index < numbers.length; index++) {
      const value = numbers[index]!;
      if (counted[first + index] === 0 || Number.isNaN(value)) continue;
      count++;
      if (value < min) min = value;
      if (value > max) max = value;
      const delta = value - mean;
      mean += delta / count;
      squares += delta * (value - mean);
    }
    yield;
  }
  return count === 0
    ? null
    : { count, min, max, mean, sd: count > 1 ? Math.sqrt(squares / (count - 1)) : null };
}
