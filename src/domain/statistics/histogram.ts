import { tallyMoments, standardDeviation } from './moments.ts';
import { effectiveBase } from './effective-base.ts';
import { quantile } from './quantile.ts';
import type { Tally } from './tally.ts';

/** Classes of equal width that the values of a number are put together in. */
export interface Histogram {
  method: 'freedman_diaconis' | 'fixed';
  /** How many classes the rule, or the request, asks for, before edges are made round. */
  classes: number;
  width: number;
  /** Edges, ascending, one more than there are classes. A class takes its lower edge, the last one both. */
  breaks: number[];
  /** Whether all values are whole numbers: classes are then named by their first and last. */
  isInteger: boolean;
}

/** A histogram has no more bars. */
export const MAX_BINS = 30;
/** Values are listed one by one up to so many different ones. */
const MANY_VALUES = 20;
/** Significant digits of the values that R's nclass.FD takes the quartiles of. */
const DIGITS = 5;
const NICE_WIDTHS = [1, 2, 2.5, 5, 10] as const;

const sum = (numbers: Float64Array) => numbers.reduce((total, number) => total + number, 0);
/** Multiples of 0.1 are no exact numbers: twelve digits hide that. */
const dropRoundingError = (value: number) => Number(value.toPrecision(12));

/**
 * How many classes the rule of Freedman and Diaconis makes: the range over h = 2 IQR n^(-1/3), rounded up, as `nclass.FD` of R (grDevices)
 * with its fall-backs where the quartiles are equal. By weight the quartiles are weighted and n is the effective base, so that the scale
 * of the weights does not matter. 1 where all values are equal.
 */
export function freedmanDiaconis(tally: Tally): number {
  const { values, weights, squaredWeights } = tally;
  const rounded = { ...tally, values: values.map((value) => Number(value.toPrecision(DIGITS))) };
  const between = (tail: number) => (quantile(rounded, 1 - tail) ?? 0) - (quantile(rounded, tail) ?? 0);
  let spread = 2 * between(1 / 4);
  for (let tail = 1 / 8; spread === 0 && tail >= 1 / 512; tail /= 2) spread = between(tail) / (1 - 2 * tail);
  if (spread === 0) spread = 3.5 * (standardDeviation(tallyMoments(tally)) ?? 0);
  if (!(spread > 0)) return 1;
  const range = values.at(-1)! - values[0]!;
  return Math.ceil((range / spread) * effectiveBase(sum(weights), sum(squaredWeights)) ** (1 / 3));
}

/** The next of 1, 2, 2.5 and 5 times a power of ten; whole where the values are. */
function niceWidth(raw: number, isInteger: boolean): number {
  const power = 10 ** Math.floor(Math.log10(raw));
  const widths = NICE_WIDTHS.map((factor) => dropRoundingError(factor * power));
  return widths.find((width) => width >= raw * (1 - 1e-9) && (!isInteger || Number.isInteger(width)))!;
}

/** Round edges from below the least value to above the greatest, for about so many classes. */
function chooseRoundEdges(
  { values }: Tally,
  wanted: number,
): Pick<Histogram, 'width' | 'breaks' | 'isInteger'> {
  const [least, greatest] = [values[0]!, values.at(-1)!];
  const isInteger = values.every((value) => Number.isInteger(value));
  let raw = Math.max((greatest - least) / wanted, isInteger ? 1 : 0);
  for (;;) {
    const width = niceWidth(raw, isInteger);
    const first = Math.floor(dropRoundingError(least / width));
    // The greatest whole number has to be below the last edge, by which its class is named.
    const last = isInteger
      ? Math.floor(dropRoundingError(greatest / width)) + 1
      : Math.ceil(dropRoundingError(greatest / width));
    if (last - first <= MAX_BINS) {
      const breaks = Array.from({ length: last - first + 1 }, (_, index) =>
        dropRoundingError((first + index) * width),
      );
      return { width, breaks, isInteger };
    }
    raw = width * 1.01;
  }
}

/**
 * The classes of a number; null where its values are listed one by one: there are few, or that was asked for. `bins` is 'auto' (by the rule
 * of Freedman and Diaconis where there are more than 20 different values), 'none', or how many are wanted; edges are round, so that there
 * may be a few less or one more.
 */
export function computeHistogram(tally: Tally, bins: 'auto' | 'none' | number): Histogram | null {
  const distinct = tally.values.length;
  if (bins === 'none' || distinct < 2 || (bins === 'auto' && distinct <= MANY_VALUES)) return null;
  const method = bins === 'auto' ? 'freedman_diaconis' : 'fixed';
  const classes = bins === 'auto' ? freedmanDiaconis(tally) : bins;
  return { method, classes, ...chooseRoundEdges(tally, Math.min(classes, MAX_BINS)) };
}

/** What the classes of a histogram are called: `18–22` where the values are whole, else `1.5 to under 2`. */
export function formatBinLabels({ width, breaks, isInteger }: Histogram): { value: string; label: string }[] {
  return breaks.slice(0, -1).map((from, index) => {
    const to = breaks[index + 1]!;
    const value = `${from}..${to}`;
    if (isInteger && width === 1) return { value, label: String(from) };
    if (isInteger) return { value, label: `${from}–${to - 1}` };
    return { value, label: `${from} to ${index === breaks.length - 2 ? '' : 'under '}${to}` };
  });
}
