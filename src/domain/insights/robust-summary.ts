import { chiSquareUpperTail } from '../statistics/probability.ts';
import { quantile } from '../statistics/quantile.ts';
import { type Tally, tallyNumbers } from '../statistics/tally.ts';

/** Where the middle of values is and how wide they are spread, whatever a few of them are. */
export interface RobustSummary {
  count: number;
  median: number;
  /** In units of a standard deviation: 1.4826 times the median absolute deviation, or where that is 0, 1.2533 times the mean one. */
  spread: number;
  p10: number;
  p25: number;
  p75: number;
  p90: number;
}

/** Makes a median absolute deviation that of a normal distribution's standard deviation, 1/Φ⁻¹(3/4), and a mean one, √(π/2). */
const MEDIAN_DEVIATION_FACTOR = 1.482602218505602;
const MEAN_DEVIATION_FACTOR = 1.2533141373155001;

/** Of more rows every few are taken: where the middle is does not need all, and sorting them would hold up others. */
const MAX_SORTED = 50_000;

/** null: no values, or nothing varies. `values`: by row, NaN where there is none. */
export function summarizeRobustly(values: Float64Array, mask: Uint8Array): RobustSummary | null {
  const step = Math.max(1, Math.ceil(mask.length / MAX_SORTED));
  const taken = new Float64Array(Math.ceil(mask.length / step));
  let [size, count] = [0, 0];
  for (let row = 0; row < mask.length; row++) {
    if (mask[row] === 0 || Number.isNaN(values[row]!)) continue;
    if (count % step === 0) taken[size++] = values[row]!;
    count += 1;
  }
  const present = taken.subarray(0, size);
  const tally = tallyOf(present);
  const median = quantile(tally, 0.5);
  if (median === null) return null;
  const distances = present.map((value) => Math.abs(value - median));
  const medianDeviation = quantile(tallyOf(distances), 0.5)!;
  const meanDeviation = distances.reduce((sum, distance) => sum + distance, 0) / size;
  const spread =
    medianDeviation > 0 ? MEDIAN_DEVIATION_FACTOR * medianDeviation : MEAN_DEVIATION_FACTOR * meanDeviation;
  if (!(spread > 0 && Number.isFinite(spread))) return null;
  const at = (probability: number) => quantile(tally, probability)!;
  return { count, median, spread, p10: at(0.1), p25: at(0.25), p75: at(0.75), p90: at(0.9) };
}

const tallyOf = (values: Float64Array): Tally =>
  tallyNumbers(values, { mask: new Uint8Array(values.length).fill(1), weights: null, withoutWeight: 0 });

/**
 * The modified z score: B. Iglewicz, D. C. Hoaglin, "How to detect and handle outliers" (1993), who call more than 3.5 an outlier.
 */
export const modifiedZ = (value: number, { median, spread }: RobustSummary): number =>
  (value - median) / spread;

/** Is it outside the outer fences, three times the interquartile range from the quartiles? J. W. Tukey, "Exploratory data analysis" (1977). */
export function isOutsideOuterFences(value: number, { p25, p75 }: RobustSummary): boolean {
  const fence = 3 * (p75 - p25);
  return value < p25 - fence || value > p75 + fence;
}

/** The probability of a standard normal value at least as far from 0, on either side. */
export const normalTwoSided = (z: number): number => chiSquareUpperTail(z * z, 1);

/** The probability of at least so many where `mean` are expected, by Poisson. */
export const poissonAtLeast = (count: number, mean: number): number =>
  count <= 0 ? 1 : Math.max(0, 1 - chiSquareUpperTail(2 * mean, 2 * count));

/** The probability of at most so many. */
export const poissonAtMost = (count: number, mean: number): number =>
  count < 0 ? 0 : chiSquareUpperTail(2 * mean, 2 * (count + 1));
