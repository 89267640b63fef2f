import type { Column } from '../dataset/columns/columns.ts';
import { NOT_APPLICABLE, PRESENT } from '../dataset/columns/missing.ts';
import type { NumericColumn } from '../dataset/columns/numeric-column.ts';
import type { OutsideRange } from './definition.ts';
import { numberChunks } from './number-chunks.ts';
import type { Spread } from './spread.ts';

/** What becomes of a number: (x - shift) / width, or 0 where the width is 0. Of numbers outside `range` what `outside` says. */
interface Scale {
  shift: number;
  width: number;
  range: { min: number; max: number };
  outside: OutsideRange;
}

/** Min-max scaling: 0 to 1; where all are alike 0. */
export function minMaxScale({ min, max }: Pick<Spread, 'min' | 'max'>, outside: OutsideRange): Scale {
  return { shift: min, width: max - min, range: { min, max }, outside };
}

/** z-scores, standard deviations (n - 1) from the mean as `scale` of R; null where there is none to measure by. */
export function zScoreScale({ mean, sd }: Pick<Spread, 'mean' | 'sd'>): Scale | null {
  if (sd === null || sd === 0) return null;
  return { shift: mean, width: sd, range: { min: -Infinity, max: Infinity }, outside: 'clip' };
}

/** Scaled numbers of the rows that are wanted (1), by row of the target. What has none keeps its reason; `by` null: all are missing. */
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

/** How many of the rows (1) have a number outside a range. */
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
