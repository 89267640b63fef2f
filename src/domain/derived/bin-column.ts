import type { CategoricalColumn } from '../dataset/columns/categorical-column.ts';
import type { ColumnValue } from '../dataset/columns/column-spec.ts';
import type { Column } from '../dataset/columns/columns.ts';
import { NOT_APPLICABLE, PRESENT } from '../dataset/columns/missing.ts';
import type { NumericColumn } from '../dataset/columns/numeric-column.ts';
import { createNumberReader } from '../dataset/read-numbers.ts';
import { selectCountedRows } from '../statistics/counted-rows.ts';
import { computeQuantile } from '../statistics/quantile.ts';
import { tallyNumbers } from '../statistics/tally.ts';
import { numberChunks } from './number-chunks.ts';
import type { Spread } from './spread.ts';

/** Returns `bins` + 1 breaks of equal-width intervals from minimum to maximum, or null if all numbers are equal. */
export function equalWidthBreaks({ min, max }: Pick<Spread, 'min' | 'max'>, bins: number): number[] | null {
  if (min === max) return null;
  const inner = Array.from({ length: bins - 1 }, (_, index) => min + ((index + 1) * (max - min)) / bins);
  return [min, ...inner, max];
}

/**
 * Returns breaks at the quantiles (R type 7). Equal numbers share a bin, so there can be fewer bins than requested; null if all numbers are
 * equal.
 */
export function equalFrequencyBreaks(source: Column, counted: Uint8Array, bins: number): number[] | null {
  const values = new Float64Array(counted.length);
  createNumberReader(source)(0, values);
  const tally = tallyNumbers(values, selectCountedRows(counted, null));
  const cuts = Array.from({ length: bins + 1 }, (_, index) => computeQuantile(tally, index / bins));
  const breaks = [...new Set(cuts.filter((cut) => cut !== null))];
  return breaks.length < 2 ? null : breaks;
}

/** Formats breaks with just enough digits to distinguish them. */
function formatBreaks(breaks: readonly number[]): string[] {
  for (let digits = 4; digits < 17; digits++) {
    const texts = breaks.map((value) => String(Number(value.toPrecision(digits))));
    if (new Set(texts).size === breaks.length) return texts;
  }
  return breaks.map(String);
}

/** Returns the categories of these bins, labelled by their bounds unless labels are given. */
export function binValues(
  breaks: readonly number[],
  openEnded: boolean,
  labels?: readonly string[],
): ColumnValue[] {
  const texts = formatBreaks(breaks);
  const count = breaks.length - 1;
  return Array.from({ length: count }, (_, index) => {
    const [from, to] = [texts[index]!, texts[index + 1]!];
    const last = index === count - 1;
    const bounds =
      openEnded && count > 1 && (index === 0 || last)
        ? index === 0
          ? `under ${to}`
          : `${from} and more`
        : `${from} to ${last ? '' : 'under '}${to}`;
    return { code: index + 1, value: String(index + 1), label: labels?.[index] ?? bounds, missing: false };
  });
}

/** Counts the breaks that are not above the value. */
function countBreaksUpTo(breaks: Float64Array, value: number): number {
  let [low, high] = [0, breaks.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (breaks[middle]! <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Bins the rows selected by `wanted` (1) into categories, or their codes in a numeric target. A bin is [a, b); the last one is closed.
 * Numbers outside all bins are not applicable.
 */
export function* binColumn(
  source: Column,
  wanted: Uint8Array,
  { breaks: cutBreaks, openEnded }: { breaks: readonly number[]; openEnded: boolean },
  target: CategoricalColumn | NumericColumn,
): Generator<void> {
  const breaks = Float64Array.from(cutBreaks);
  const bins = breaks.length - 1;
  const highest = breaks[bins]!;
  for (const { first, numbers } of numberChunks(source, wanted.length)) {
    for (let index = 0; index < numbers.length; index++) {
      const row = first + index;
      if (wanted[row] === 0) continue;
      const value = numbers[index]!;
      let bin = value === highest ? bins - 1 : countBreaksUpTo(breaks, value) - 1;
      if (openEnded) bin = Math.min(bins - 1, Math.max(0, bin));
      const missing = Number.isNaN(value)
        ? (source.missing(row) ?? NOT_APPLICABLE)
        : bin >= 0 && bin < bins
          ? PRESENT
          : NOT_APPLICABLE;
      if (target.kind === 'categorical') target.indices[row] = missing === PRESENT ? bin : -missing;
      else {
        target.states[row] = missing;
        if (missing === PRESENT) target.values[row] = bin + 1;
      }
    }
    yield;
  }
}
