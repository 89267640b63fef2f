import type { Column } from '../dataset/columns/columns.ts';
import { NOT_APPLICABLE, PRESENT } from '../dataset/columns/missing.ts';
import type { NumericColumn } from '../dataset/columns/numeric-column.ts';
import { numberChunks } from './number-chunks.ts';
import type { Spread } from './spread.ts';

/** What becomes of a number: (x - shift) / width. */
interface Scale {
  shift: number;
  width: number;
}

/** Min-max scaling: 0 to 1; where all are alike 0. */
export function normalizing({ min, max }: Pick<Spread, 'min' | 'max'>): Scale {
  return max > min ? { shift: min, width: max - min } : { shift: min, width: Infinity };
}

/** z-scores, standard deviations (n - 1) from the mean as `scale` of R; null where there is none to measure by. */
export function standardizing({ mean, sd }: Pick<Spread, 'mean' | 'sd'>): Scale | null {
  return sd === null || sd === 0 ? null : { shift: mean, width: sd };
}

/** Scaled numbers of the rows that are wanted (1), by row of the target. What has none keeps its reason; `by` null: all are missing. */
export function* scale(
  source: Column,
  wanted: Uint8Array,
  by: Scale | null,
  target: NumericColumn,
): Generator<void> {
  const { values, states } = target;
  const { shift, width } = by ?? { shift: NaN, width: NaN };
  // A constant column: nothing is divided by infinity when later values lie elsewhere.
  const flat = width === Infinity;
  const present = PRESENT;
  for (const { first, numbers } of numberChunks(source, wanted.length)) {
    for (let index = 0; index < numbers.length; index++) {
      const row = first + index;
      if (wanted[row] === 0) continue;
      const value = flat ? numbers[index]! * 0 : (numbers[index]! - shift) / width;
      if (value - value === 0) {
        values[row] = value;
        states[row] = present;
      } else states[row] = source.missing(row) ?? NOT_APPLICABLE;
    }
    yield;
  }
}
