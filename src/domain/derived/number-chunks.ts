import type { Column } from '../dataset/columns/columns.ts';
import { createNumberReader } from '../dataset/read-numbers.ts';

/** Column computations yield after this many rows: one millisecond for the simplest kind, ten for texts. */
export const ROWS_PER_YIELD = 65_536;

/**
 * Yields the numbers of a column's first `rowCount` rows in chunks starting at row `first`, NaN where missing. The array is reused for the
 * next chunk.
 */
export function* numberChunks(
  column: Column,
  rowCount: number,
): Generator<{ first: number; numbers: Float64Array }, void> {
  const read = createNumberReader(column);
  const numbers = new Float64Array(Math.min(ROWS_PER_YIELD, rowCount));
  for (let first = 0; first < rowCount; first += ROWS_PER_YIELD) {
    const part = numbers.subarray(0, Math.min(ROWS_PER_YIELD, rowCount - first));
    read(first, part);
    yield { first, numbers: part };
  }
}
