import { chiSquareUpperTail } from '../statistics/probability.ts';
import { computeQuantile } from '../statistics/quantile.ts';
import { type Tally, tallyNumbers } from '../statistics/tally.ts';

/** Location and spread, robust against outliers. */
export interface RobustSummary {
  count: number;
  median: number;
  /**
   * Comparable to a standard deviation: 1.4826 times the median absolute deviation, or 1.2533 times the mean absolute deviation if that is
   * 0.
   */
  spread: number;
  p10: number;
  p25: number;
  p75: number;
  p90: number;
}

/** Factors that convert the median absolute deviation, 1/Φ⁻¹(3/4), and the mean one, √(π/2), to a normal standard deviation. */
const MEDIAN_DEVIATION_FACTOR = 1.482602218505602;
const MEAN_DEVIATION_FACTOR = 1.2533141373155001;

/** Larger data are sampled: quantiles do not need all rows, and sorting them would block other work. */
const MAX_SORTED = 50_000;

/** Returns null if there are no values or no variation. `values`: by row, NaN where missing. */
export function summarizeRobustly(values: Float64Array, mask: Uint8Array): RobustSummary | null {
  const step = Math.max(1, Math.ceil(mask.length / MAX_SORTED));
  const sample = new Float64Array(Math.ceil(mask.length / step));
  let [size, count] = [0, 0];
  for (let row = 0; row < mask.length; row++) {
    if (mask[row] === 0 || Number.isNaN(values[row]!)) continue;
    if (count % step === 0) sample[size++] = values[row]!;
    count += 1;
  }
  const present = sample.subarray(0, size);
  const tally = tallyOf(present);
  const median = computeQuantile(tally, 0.5);
  if (median === null) return null;
  const distances = present.map((value) => Math.abs(value - median));
  const medianDeviation = computeQuantile(tallyOf(distances), 0.5)!;
  const meanDeviation = distances.reduce((sum, distance) => sum + distance, 0) / size;
  const spread =
    medianDeviation > 0 ? MEDIAN_DEVIATION_FACTOR * medianDeviation : MEAN_DEVIATION_FACTOR * meanDeviation;
  if (!(spread > 0 && Number.isFinite(spread))) return null;
  const at = (probability: number) => computeQuantile(tally, probability)!;
  return { count, median, spread, p10: at(0.1), p25: at(0.25), p75: at(0.75), p90: at(0.9) };
}

const tallyOf = (values: Float64Array): Tally =>
  tallyNumbers(values, { mask: new Uint8Array(values.length).fill(1), weights: null, withoutWeight: 0 });

/** Modified z-score: B. Iglewicz, D. C. Hoaglin, "How to detect and handle outliers" (1993); values beyond 3.5 are outliers. */
export const modifiedZ = (value: number, { median, spread }: RobustSummary): number =>
  (value - median) / spread;

/** Whether a value is more than three interquartile ranges from the quartiles. J. W. Tukey, "Exploratory data analysis" (1977). */
export function isOutsideOuterFences(value: number, { p25, p75 }: RobustSummary): boolean {
  const fence = 3 * (p75 - p25);
  return value < p25 - fence || value > p75 + fence;
}

/** Two-sided tail probability of a standard normal value. */
export const normalTwoSided = (z: number): number => chiSquareUpperTail(z * z, 1);

/** Poisson probability of at least `count` with the given mean. */
export const poissonAtLeast = (count: number, mean: number): number =>
  count <= 0 ? 1 : Math.max(0, 1 - chiSquareUpperTail(2 * mean, 2 * count));

/** Poisson probability of at most `count` with the given mean. */
export const poissonAtMost = (count: number, mean: number): number =>
  count < 0 ? 0 : chiSquareUpperTail(2 * mean, 2 * (count + 1));
