import type { Column } from '../dataset/columns/columns.ts';
import { readNumbers } from '../dataset/read-numbers.ts';
import { ROWS_PER_TURN } from './rows-per-turn.ts';

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
  const read = readNumbers(column);
  const values = new Float64Array(Math.min(ROWS_PER_TURN, counted.length));
  let count = 0;
  let [min, max, mean, squares] = [Infinity, -Infinity, 0, 0];
  for (let first = 0; first < counted.length; first += ROWS_PER_TURN) {
    const rows = Math.min(ROWS_PER_TURN, counted.length - first);
    read(first, values.subarray(0, rows));
    for (let row = 0; row < rows; row++) {
      const value = values[row]!;
      if (counted[first + row] === 0 || Number.isNaN(value)) continue;
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
