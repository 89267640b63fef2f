import type { DateColumn, NumericColumn } from '../../../domain/dataset/columns/numeric-column.ts';
import type { ColumnTraits, DistributionOptions } from '../../../domain/statistics/distribution.ts';

/** What a thread is to make a distribution of. Arrays on shared memory are not copied when it is handed over. */
export interface ScanRequest {
  traits: ColumnTraits;
  kind: 'numeric' | 'date';
  values: Float64Array;
  states: Uint8Array;
  options: DistributionOptions;
}

/** Walking over fewer rows takes no longer than handing them over. */
const MIN_ROWS = 200_000;
/** So many values show whether a column has few different ones. */
const SAMPLE_SIZE = 1_000;
const MAX_INT16 = 32_767;

/** Whether its distribution takes so long that others should not wait for it: many numbers that have to be sorted. */
export function isLongScan({ values }: NumericColumn | DateColumn, rows: Uint8Array): boolean {
  if (rows.length < MIN_ROWS) return false;
  let looked = 0;
  for (let row = 0; row < rows.length && looked < SAMPLE_SIZE; row++) {
    const value = values[row]!;
    if (rows[row] === 0 || Number.isNaN(value)) continue;
    looked++;
    // Small integers are counted, not sorted.
    if (!Number.isInteger(value) || Math.abs(value) > MAX_INT16) return true;
  }
  return false;
}
