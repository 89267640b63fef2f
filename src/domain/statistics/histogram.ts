import { computeQuantile, computeStandardDeviation, tallyMoments } from './moments.ts';
import { computeEffectiveBase } from './base.ts';
import type { Tally } from './tally.ts';

/** Bins of equal width for the values of a number. */
export interface Histogram {
  method: 'freedman_diaconis' | 'fixed';
  /** The number of bins from the rule or the request, before rounding the edges. */
  classes: number;
  width: number;
  /** Edges, ascending, one more than bins. A bin includes its lower edge; the last bin includes both. */
  breaks: number[];
  /** Whether all values are integers: bins are then labeled by their first and last value. */
  isInteger: boolean;
}

/** The largest number of bins of a histogram. */
export const MAX_BINS = 30;
/** Up to this many distinct values are listed individually. */
const MANY_VALUES = 20;
/** Significant digits to which R's nclass.FD rounds the values before computing quartiles. */
const DIGITS = 5;
const NICE_WIDTHS = [1, 2, 2.5, 5, 10] as const;

const sum = (numbers: Float64Array) => numbers.reduce((total, number) => total + number, 0);
/** Multiples of 0.1 are not exact in binary; rounding to twelve digits hides that. */
const dropRoundingError = (value: number) => Number(value.toPrecision(12));

/**
 * The number of bins by the rule of Freedman and Diaconis: the range divided by h = 2 IQR n^(-1/3), rounded up, as R's `nclass.FD`
 * (grDevices) with its fallbacks for equal quartiles. With weights, the quartiles are weighted and n is the effective base, so that the
 * scale of the weights does not matter. Returns 1 if all values are equal.
 */
export function freedmanDiaconis(tally: Tally): number {
  const { values, weights, squaredWeights } = tally;
  const rounded = { ...tally, values: values.map((value) => Number(value.toPrecision(DIGITS))) };
  const between = (tail: number) =>
    (computeQuantile(rounded, 1 - tail) ?? 0) - (computeQuantile(rounded, tail) ?? 0);
  let spread = 2 * between(1 / 4);
  for (let tail = 1 / 8; spread === 0 && tail >= 1 / 512; tail /= 2) spread = between(tail) / (1 - 2 * tail);
  if (spread === 0) spread = 3.5 * (computeStandardDeviation(tallyMoments(tally)) ?? 0);
  if (!(spread > 0)) return 1;
  const range = (values.at(-1) ?? 0) - (values[0] ?? 0);
  return Math.ceil((range / spread) * computeEffectiveBase(sum(weights), sum(squaredWeights)) ** (1 / 3));
}

/** The next of 1, 2, 2.5 and 5 times a power of ten; an integer if the values are integers. */
function niceWidth(raw: number, isInteger: boolean): number {
  const power = 10 ** Math.floor(Math.log10(raw));
  const widths = NICE_WIDTHS.map((factor) => dropRoundingError(factor * power));
  const isFitting = (width: number) => width >= raw * (1 - 1e-9) && (!isInteger || Number.isInteger(width));
  return widths.find(isFitting) ?? dropRoundingError(10 * power);
}

/** Round edges from below the minimum to above the maximum, for approximately the wanted number of bins. */
function chooseRoundEdges(
  { values }: Tally,
  wanted: number,
): Pick<Histogram, 'width' | 'breaks' | 'isInteger'> {
  const [least, greatest] = [values[0] ?? 0, values.at(-1) ?? 0];
  const isInteger = values.every((value) => Number.isInteger(value));
  let raw = Math.max((greatest - least) / wanted, isInteger ? 1 : 0);
  for (;;) {
    const width = niceWidth(raw, isInteger);
    const first = Math.floor(dropRoundingError(least / width));
    // The largest integer must be below the last edge, because labels name the last value of a bin.
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
 * Computes the bins of a number. Returns null if its values are listed individually: because there are few, or by request. `bins` is
 * 'auto' (the rule of Freedman and Diaconis above 20 distinct values), 'none', or the wanted number. Edges are round, so the number of
 * bins can be slightly lower or one higher.
 */
export function computeHistogram(tally: Tally, bins: 'auto' | 'none' | number): Histogram | null {
  const distinct = tally.values.length;
  if (bins === 'none' || distinct < 2 || (bins === 'auto' && distinct <= MANY_VALUES)) return null;
  const method = bins === 'auto' ? 'freedman_diaconis' : 'fixed';
  const classes = bins === 'auto' ? freedmanDiaconis(tally) : bins;
  return { method, classes, ...chooseRoundEdges(tally, Math.min(classes, MAX_BINS)) };
}

/** Labels the bins of a histogram: `18–22` for integers, otherwise `1.5 to under 2`. */
export function formatBinLabels({ width, breaks, isInteger }: Histogram): { value: string; label: string }[] {
  return breaks.slice(0, -1).map((from, index) => {
    const to = breaks[index + 1] ?? from;
    const value = `${from}..${to}`;
    if (isInteger && width === 1) return { value, label: String(from) };
    if (isInteger) return { value, label: `${from}–${to - 1}` };
    return { value, label: `${from} to ${index === breaks.length - 2 ? '' : 'under '}${to}` };
  });
}
