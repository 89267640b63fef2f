import type { DateColumn, NumericColumn } from '../../domain/dataset/columns/columns.ts';
import type { ColumnTraits, DistributionOptions } from '../../domain/statistics/distribution.ts';

/** A distribution to compute on a thread. Arrays in shared memory are not copied. */
export interface ScanRequest {
  traits: ColumnTraits;
  kind: 'numeric' | 'date';
  values: Float64Array;
  states: Uint8Array;
  options: DistributionOptions;
}

/** Scanning fewer rows takes no longer than passing them to a thread. */
const MIN_ROWS = 200_000;
/** Values examined to decide whether a column has few distinct values. */
const SAMPLE_SIZE = 1_000;
const MAX_INT16 = 32_767;

/** Whether the distribution must sort so many numbers that it should run on a thread. */
export function isLongScan({ values }: NumericColumn | DateColumn, rows: Uint8Array): boolean {
  if (rows.length < MIN_ROWS) return false;
  let examined = 0;
  for (let row = 0; row < rows.length && examined < SAMPLE_SIZE; row++) {
    const value = values[row] ?? NaN;
    if (rows[row] === 0 || Number.isNaN(value)) continue;
    examined++;
    // Small integers are counted, not sorted.
    if (!Number.isInteger(value) || Math.abs(value) > MAX_INT16) return true;
  }
  return false;
}
