import type { ColumnSpec } from '../../columns/column-spec.ts';
import type { NumericColumn } from '../../columns/columns.ts';
import { mergeMoments, momentsAround, NO_VALUES, type ValueMoments } from '../moments.ts';
import type { Coding, Region } from './axis.ts';
import type { TableRows } from './count-crossing.ts';

/** Moments by slot of a coding: `STRIDE` numbers per slot. */
export type SlotMoments = Float64Array;

/** The values of a number, without those flagged as missing. */
export function withoutMissingCodes(
  { values }: NumericColumn,
  spec: ColumnSpec,
  rowCount: number,
): Float64Array {
  const missing = spec.values.filter((each) => each.missing).map(({ number }) => number);
  if (missing.length === 0) return values;
  const kept = values.slice(0, rowCount);
  for (let row = 0; row < rowCount; row++) if (missing.includes(kept[row]!)) kept[row] = NaN;
  return kept;
}

/** Per slot: count, Σw, Σw², the mean of the first pass, and Σwd, Σwd², Σw²d and Σw²d² of the distances from it. */
const STRIDE = 8;

/**
 * Moments of the values (by row, NaN if missing) by column slot, in two passes: each slot has its own center, so that a group far from
 * the others keeps its precision.
 */
export function computeSlotMoments(values: Float64Array, columns: Coding, rows: TableRows): SlotMoments {
  const { mask, weights } = rows;
  const stride = STRIDE;
  const sums = new Float64Array(columns.size * stride);
  if (weights === null) sumUnweighted(values, columns, mask, sums);
  else sumWeighted(values, columns, mask, weights, sums);
  for (let at = 0; at < sums.length; at += stride) {
    const mean = sums[at + 3]! / sums[at + 1]!;
    sums[at + 3] = Number.isFinite(mean) ? mean : 0;
  }
  if (weights === null) sumUnweightedDistances(values, columns, mask, sums);
  else sumWeightedDistances(values, columns, mask, weights, sums);
  return sums;
}

function sumUnweighted(
  values: Float64Array,
  { indices, offset }: Coding,
  mask: Uint8Array,
  sums: Float64Array,
) {
  const stride = STRIDE;
  for (let row = 0; row < mask.length; row++) {
    const value = values[row]!;
    if (mask[row] === 0 || Number.isNaN(value)) continue;
    const at = (indices[row]! + offset) * stride;
    sums[at]! += 1;
    sums[at + 3]! += value;
  }
  for (let at = 0; at < sums.length; at += stride) sums[at + 1] = sums[at + 2] = sums[at]!;
}

function sumUnweightedDistances(
  values: Float64Array,
  { indices, offset }: Coding,
  mask: Uint8Array,
  sums: Float64Array,
) {
  const stride = STRIDE;
  for (let row = 0; row < mask.length; row++) {
    const value = values[row]!;
    if (mask[row] === 0 || Number.isNaN(value)) continue;
    const at = (indices[row]! + offset) * stride;
    const distance = value - sums[at + 3]!;
    sums[at + 4]! += distance;
    sums[at + 5]! += distance * distance;
  }
  for (let at = 0; at < sums.length; at += stride) {
    sums[at + 6] = sums[at + 4]!;
    sums[at + 7] = sums[at + 5]!;
  }
}

function sumWeighted(
  values: Float64Array,
  { indices, offset }: Coding,
  mask: Uint8Array,
  weights: Float64Array,
  sums: Float64Array,
) {
  const stride = STRIDE;
  for (let row = 0; row < mask.length; row++) {
    const value = values[row]!;
    const weight = weights[row]!;
    if (mask[row] === 0 || !(weight > 0) || Number.isNaN(value)) continue;
    const at = (indices[row]! + offset) * stride;
    sums[at]! += 1;
    sums[at + 1]! += weight;
    sums[at + 2]! += weight * weight;
    sums[at + 3]! += weight * value;
  }
}

function sumWeightedDistances(
  values: Float64Array,
  { indices, offset }: Coding,
  mask: Uint8Array,
  weights: Float64Array,
  sums: Float64Array,
) {
  const stride = STRIDE;
  for (let row = 0; row < mask.length; row++) {
    const value = values[row]!;
    const weight = weights[row]!;
    if (mask[row] === 0 || !(weight > 0) || Number.isNaN(value)) continue;
    const at = (indices[row]! + offset) * stride;
    const distance = value - sums[at + 3]!;
    const added = weight * distance;
    sums[at + 4]! += added;
    sums[at + 5]! += added * distance;
    sums[at + 6]! += weight * added;
    sums[at + 7]! += added * added;
  }
}

/** The moments of all slots of a region. */
export function momentsInRegion(sums: SlotMoments, { slots }: Region): ValueMoments {
  return slots
    .map((slot) => {
      const at = slot * STRIDE;
      return momentsAround(
        sums[at + 3]!,
        { count: sums[at]!, weight: sums[at + 1]!, squaredWeight: sums[at + 2]! },
        {
          sum: sums[at + 4]!,
          squaredSum: sums[at + 5]!,
          scores: sums[at + 6]!,
          squaredScores: sums[at + 7]!,
        },
      );
    })
    .reduce(mergeMoments, NO_VALUES);
}
