import type { ColumnSpec } from '../../dataset/columns/column-spec.ts';
import type { NumericColumn } from '../../dataset/columns/numeric-column.ts';
import type { Coding, Region } from './coding.ts';
import type { TableRows } from './count-crossing.ts';

/** Values added up: counts, Σw, Σw², and of the distances from a shift, which keeps digits, Σw(x - shift) and Σw(x - shift)². */
export interface MeasureSums {
  shift: number;
  count: number;
  weight: number;
  squaredWeight: number;
  sum: number;
  squaredSum: number;
}

/** The sums by slot of a coding, five for each. */
export interface SlotSums {
  shift: number;
  sums: Float64Array;
}

/** A number's values without those that its codes flag as missing. */
export function measuredValues({ values }: NumericColumn, spec: ColumnSpec, rowCount: number): Float64Array {
  const missing = spec.values.filter((each) => each.missing).map(({ code }) => code);
  if (missing.length === 0) return values;
  const kept = values.slice(0, rowCount);
  for (let row = 0; row < rowCount; row++) if (missing.includes(kept[row]!)) kept[row] = NaN;
  return kept;
}

/** The mean of all that counts; 0 without any. */
function meanOf(values: Float64Array, { mask, weights }: TableRows): number {
  let total = 0;
  let sum = 0;
  for (let row = 0; row < mask.length; row++) {
    const value = values[row]!;
    const weight = weights === null ? 1 : weights[row]!;
    if (mask[row] === 0 || !(weight > 0) || Number.isNaN(value)) continue;
    total += weight;
    sum += weight * value;
  }
  return total > 0 && Number.isFinite(sum) ? sum / total : 0;
}

/** Sums of a slot, in the order of MeasureSums. */
const STRIDE = 5;

/** Sums the values (by row, NaN is missing) by slot of the columns. The distances are from the mean of all. */
export function countMeasure(values: Float64Array, columns: Coding, rows: TableRows): SlotSums {
  const shift = meanOf(values, rows);
  const { mask, weights } = rows;
  const stride = STRIDE;
  const { indices, offset, size } = columns;
  const sums = new Float64Array(size * stride);
  for (let row = 0; row < mask.length; row++) {
    const distance = values[row]! - shift;
    const weight = weights === null ? 1 : weights[row]!;
    if (mask[row] === 0 || !(weight > 0) || Number.isNaN(distance)) continue;
    const at = (indices[row]! + offset) * stride;
    sums[at]! += 1;
    sums[at + 1]! += weight;
    sums[at + 2]! += weight * weight;
    sums[at + 3]! += weight * distance;
    sums[at + 4]! += weight * distance * distance;
  }
  return { shift, sums };
}

/** The sums of the slots of a region, put together. */
export function measureWithin({ shift, sums }: SlotSums, { slots }: Region): MeasureSums {
  const add = (part: number) => slots.reduce((sum, slot) => sum + sums[slot * STRIDE + part]!, 0);
  return {
    shift,
    count: add(0),
    weight: add(1),
    squaredWeight: add(2),
    sum: add(3),
    squaredSum: add(4),
  };
}
