import { chiSquareUpperTail } from '../statistics/probability.ts';
import { computeQuantile } from '../statistics/moments.ts';
import { type Tally, tallyNumbers } from '../statistics/tally.ts';
import {
  type Candidate,
  type Finding,
  formatCount,
  MAX_LISTED,
  pluralize,
  quoteLabel,
  roundSignificant,
  roundTo,
} from './finding.ts';

/** Location and spread, robust against outliers. */
interface RobustSummary {
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
    const value = values[row] ?? NaN;
    if (mask[row] === 0 || Number.isNaN(value)) continue;
    if (count % step === 0) sample[size++] = value;
    count += 1;
  }
  const present = sample.subarray(0, size);
  const tally = tallyOf(present);
  const median = computeQuantile(tally, 0.5);
  if (median === null) return null;
  const distances = present.map((value) => Math.abs(value - median));
  const medianDeviation = computeQuantile(tallyOf(distances), 0.5) ?? 0;
  const meanDeviation = distances.reduce((sum, distance) => sum + distance, 0) / size;
  const spread =
    medianDeviation > 0 ? MEDIAN_DEVIATION_FACTOR * medianDeviation : MEAN_DEVIATION_FACTOR * meanDeviation;
  if (!(spread > 0 && Number.isFinite(spread))) return null;
  const at = (probability: number) => computeQuantile(tally, probability) ?? median;
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

/** Minimum number of values for assessing their distribution. */
const MIN_VALUES = 30;
/** The threshold of Iglewicz and Hoaglin. */
const MIN_MODIFIED_Z = 3.5;
/** Maximum number of outliers expected by chance among all values of a column. */
const EXPECTED_BY_CHANCE = 0.05;
/** With a larger share, the distribution is heavy-tailed rather than having outliers. */
const MAX_SHARE = 0.05;

/** Values by row with their labels. */
export interface OutlierInput {
  kind: Extract<Finding['kind'], 'outliers' | 'unusual_durations'>;
  columnCode: string;
  label: string;
  questionIds: readonly number[];
  values: Float64Array;
  /** `always`: durations. `where_skewed`: if it makes the distribution more symmetric. */
  logarithm: 'always' | 'where_skewed';
}

interface Scale {
  name: 'log' | 'linear';
  summary: RobustSummary;
  values: Float64Array;
}

/**
 * Finds outliers by the modified z-score, which must also be improbable among this many values, and outside Tukey's outer fences. `pValue`:
 * of the most extreme value, corrected for their number. null: not enough data.
 */
export function findOutliers(
  amounts: OutlierInput,
  mask: Uint8Array,
  responseIds: Float64Array,
): { pValue: number; candidate: Candidate | null } | null {
  const scale = chooseScale(amounts, mask);
  if (scale === null || scale.summary.count < MIN_VALUES) return null;
  const { values } = amounts;
  const { count } = scale.summary;
  const found: FoundOutlier[] = [];
  let highest = 0;
  for (let row = 0; row < mask.length; row++) {
    const value = scale.values[row] ?? NaN;
    if (mask[row] === 0 || Number.isNaN(value)) continue;
    const z = modifiedZ(value, scale.summary);
    const distance = Math.abs(z);
    if (!(distance > MIN_MODIFIED_Z) || !isOutsideOuterFences(value, scale.summary)) continue;
    if (distance > highest) highest = distance;
    if (normalTwoSided(z) * count <= EXPECTED_BY_CHANCE) found.push({ row, z, value: values[row] ?? NaN });
  }
  const pValue = highest === 0 ? 1 : Math.min(1, normalTwoSided(highest) * count);
  found.sort((a, b) => Math.abs(b.z) - Math.abs(a.z) || a.row - b.row);
  const [extreme] = found;
  if (extreme === undefined || found.length > Math.max(1, MAX_SHARE * count))
    return { pValue, candidate: null };
  const finding = outlierFinding(amounts, { found, extreme, scale, pValue }, responseIds);
  return {
    pValue,
    candidate: { finding, topic: finding.id, strength: Math.min(4, Math.log2(highest / MIN_MODIFIED_Z) + 1) },
  };
}

function chooseScale({ values, logarithm }: OutlierInput, mask: Uint8Array): Scale | null {
  const linear = summarizeRobustly(values, mask);
  const plain: Scale | null = linear === null ? null : { name: 'linear', summary: linear, values };
  if (logarithm === 'where_skewed') {
    if (linear === null) return null;
    for (let row = 0; row < mask.length; row++) if (mask[row] === 1 && (values[row] ?? NaN) < 0) return plain;
  }
  // log(1 + x) is defined for all values from 0 and nearly the same for seconds and amounts.
  const logarithms = values.slice(0, mask.length).map((value) => (value < 0 ? NaN : Math.log1p(value)));
  const logged = summarizeRobustly(logarithms, mask);
  if (logged === null) return plain;
  const isMoreSkewed = linear !== null && Math.abs(quantileSkew(logged)) >= Math.abs(quantileSkew(linear));
  if (logarithm === 'where_skewed' && isMoreSkewed) return plain;
  return { name: 'log', summary: logged, values: logarithms };
}

/** Quantile skewness by the 10 % and 90 % quantiles: asymmetry regardless of the tails. D. V. Hinkley, Biometrika 62 (1975). */
const quantileSkew = ({ p10, median, p90 }: RobustSummary): number =>
  p90 > p10 ? (p10 + p90 - 2 * median) / (p90 - p10) : 0;

interface FoundOutlier {
  row: number;
  z: number;
  value: number;
}

interface FoundOutliers {
  /** In descending order of |z|. */
  found: readonly FoundOutlier[];
  extreme: FoundOutlier;
  scale: Scale;
  pValue: number;
}

function outlierFinding(
  { kind, columnCode, label, questionIds }: OutlierInput,
  { found, extreme, scale, pValue }: FoundOutliers,
  responseIds: Float64Array,
): Finding {
  const outlierValues = found.map(({ value }) => value);
  const [lowest, highest] = [Math.min(...minMax(outlierValues)), Math.max(...minMax(outlierValues))];
  const median = scale.name === 'log' ? Math.expm1(scale.summary.median) : scale.summary.median;
  const subject = kind === 'outliers' ? `answers to ${quoteLabel(label)}` : 'durations in seconds';
  const one = found.length === 1;
  return {
    id: `${kind}:${columnCode}`,
    kind,
    headline:
      kind === 'outliers' ? `Unusual values of ${quoteLabel(label)}` : 'Unusually short or long responses',
    statement:
      `${pluralize(found.length, 'response')} of ${formatCount(scale.summary.count)} ${one ? 'has' : 'have'} unusual ${subject}: the most extreme is ` +
      `${roundTo(extreme.value, 2)}, the median ${roundTo(median, 2)} (modified z ${roundTo(extreme.z, 1)} on a ` +
      `${scale.name === 'log' ? 'logarithmic' : 'linear'} scale; all are outside Tukey's outer fences).`,
    figures: {
      outliers: found.length,
      values: scale.summary.count,
      median: roundSignificant(median),
      lowest_outlier: roundSignificant(lowest),
      highest_outlier: roundSignificant(highest),
      largest_modified_z: roundSignificant(extreme.z),
      scale: scale.name,
      p_value: roundSignificant(pValue),
    },
    evidence: {
      questionIds,
      responseIds: found.slice(0, MAX_LISTED).flatMap(({ row }) => responseIds[row] ?? []),
      responseCount: found.length,
      base: scale.summary.count,
      pValue,
      qValue: null,
      effect: { measure: 'share', value: roundSignificant(found.length / scale.summary.count) },
    },
  };
}

/** Returns minimum and maximum, for any number of values. */
const minMax = (values: readonly number[]): [number, number] =>
  values.reduce<[number, number]>(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [Infinity, -Infinity],
  );
