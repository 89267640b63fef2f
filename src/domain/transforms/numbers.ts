import type { ColumnSpec } from '../columns/column-spec.ts';
import { type Column, NOT_APPLICABLE, PRESENT } from '../columns/columns.ts';
import { createNumberReader, noMeanReason, nonNumericReason } from '../dataset/read-numbers.ts';
import { selectCountedRows } from '../statistics/base.ts';
import { computeQuantile, computeStandardDeviation } from '../statistics/moments.ts';
import { tallyNumbers } from '../statistics/tally.ts';

/** Column computations yield after this many rows: one millisecond for the simplest kind, ten for texts. */
export const ROWS_PER_YIELD = 65_536;

/** Source rules of transforms of ordered numbers; part of their modules. */
export const numberSource = { problem: nonNumericReason, newColumnProblem: noMeanReason };

/** Part of the descriptions of these transforms. */
export const NOMINAL_SOURCE =
  'A nominal column is rejected (422); set question_settings.measure to ordinal or scale.';

/** Returns why the column cannot hold numbers other than its own, or null if it can. */
export function numberTargetProblem({ columnCode, type }: ColumnSpec): string | null {
  return type === 'number' ? null : `${columnCode} is of type ${type}; only a number can hold the result`;
}

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

/**
 * Writes `valueOf` of the numbers of the rows selected by `wanted` (1) into a numeric target. Missing values keep their reason; results
 * that are not finite are not applicable.
 */
export function* mapNumbers(
  source: Column,
  wanted: Uint8Array,
  target: Column,
  valueOf: (number: number) => number,
): Generator<void> {
  if (target.kind !== 'numeric') return;
  const { values, states } = target;
  const present = PRESENT;
  for (const { first, numbers } of numberChunks(source, wanted.length)) {
    for (let index = 0; index < numbers.length; index++) {
      const row = first + index;
      if (wanted[row] === 0) continue;
      const value = valueOf(numbers[index]!);
      if (value - value === 0) {
        values[row] = value;
        states[row] = present;
      } else states[row] = source.missing(row) ?? NOT_APPLICABLE;
    }
    yield;
  }
}

/** Counts the rows (1) with a number outside a range. */
export function countOutside(
  source: Column,
  rows: Uint8Array,
  { min, max }: { min: number; max: number },
): number {
  let count = 0;
  for (const { first, numbers } of numberChunks(source, rows.length)) {
    for (let index = 0; index < numbers.length; index++) {
      const number = numbers[index]!;
      if (rows[first + index] !== 0 && (number < min || number > max)) count++;
    }
  }
  return count;
}

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

/** Returns unweighted quantiles (R type 7) of the numbers of the counted rows (1) at these shares (0 to 1); empty without numbers. */
export function computeQuantiles(column: Column, counted: Uint8Array, shares: readonly number[]): number[] {
  const values = new Float64Array(counted.length);
  createNumberReader(column)(0, values);
  const tally = tallyNumbers(values, selectCountedRows(counted, null));
  return shares.flatMap((share) => computeQuantile(tally, share) ?? []);
}
