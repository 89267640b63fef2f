import type { Column } from '../dataset/columns/columns.ts';
import { SKIPPED } from '../dataset/columns/missing.ts';
import type { NumericColumn } from '../dataset/columns/numeric-column.ts';
import { PRESENT } from '../dataset/columns/missing.ts';
import { readNumbers } from '../dataset/read-numbers.ts';
import { ROWS_PER_TURN } from './rows-per-turn.ts';
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
  const read = readNumbers(source);
  const { values, states } = target;
  const numbers = new Float64Array(Math.min(ROWS_PER_TURN, wanted.length));
  const { shift, width } = by ?? { shift: NaN, width: NaN };
  // A constant column: nothing is divided by infinity when later values lie elsewhere.
  const flat = width === Infinity;
  const present = PRESENT;
  for (let first = 0; first < wanted.length; first += ROWS_PER_TURN) {
    const rows = Math.min(ROWS_PER_TURN, wanted.length - first);
    read(first, numbers.subarray(0, rows));
    for (let index = 0; index < rows; index++) {
      const row = first + index;
      if (wanted[row] === 0) continue;
      const value = flat ? numbers[index]! * 0 : (numbers[index]! - shift) / width;
      if (value - value === 0) {
        values[row] = value;
        states[row] = present;
      } else states[row] = source.missing(row) ?? SKIPPED;
    }
    yield;
  }
}
