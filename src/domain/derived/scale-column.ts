import type { Column } from '../dataset/columns/columns.ts';
import { NOT_APPLICABLE, PRESENT } from '../dataset/columns/missing.ts';
import type { NumericColumn } from '../dataset/columns/numeric-column.ts';
import type { OutsideRange } from './definition.ts';
import { numberChunks } from './number-chunks.ts';
import type { Spread } from './spread.ts';

/** Maps x to (x - shift) / width, or 0 if the width is 0. `outside` decides on numbers outside `range`. */
interface Scale {
  shift: number;
  width: number;
  range: { min: number; max: number };
  outside: OutsideRange;
}

/** Returns min-max scaling to 0 to 1; 0 if all numbers are equal. */
export function minMaxScale({ min, max }: Pick<Spread, 'min' | 'max'>, outside: OutsideRange): Scale {
  return { shift: min, width: max - min, range: { min, max }, outside };
}

/** Returns z-score scaling with n - 1, as R `scale`; null if the standard deviation is missing or 0. */
export function zScoreScale({ mean, sd }: Pick<Spread, 'mean' | 'sd'>): Scale | null {
  if (sd === null || sd === 0) return null;
  return { shift: mean, width: sd, range: { min: -Infinity, max: Infinity }, outside: 'clip' };
}

/** Scales the rows selected by `wanted` (1) into the target. Missing values keep their reason; with `by` null all are missing. */
export function* scaleColumn(
  source: Column,
  wanted: Uint8Array,
  by: Scale | null,
  target: NumericColumn,
): Generator<void> {
  const { values, states } = target;
  const { shift, width, range, outside } = by ?? minMaxScale({ min: NaN, max: NaN }, 'clip');
  const { min, max } = range;
  const [below, above] = outside === 'clip' ? [min, max] : [NaN, NaN];
  const present = PRESENT;
  for (const { first, numbers } of numberChunks(source, wanted.length)) {
    for (let index = 0; index < numbers.length; index++) {
      const row = first + index;
      if (wanted[row] === 0) continue;
      let number = numbers[index]!;
      if (number < min) number = below;
      else if (number > max) number = above;
      const value = width === 0 ? number - number : (number - shift) / width;
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
  { min, max }: Pick<Spread, 'min' | 'max'>,
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
