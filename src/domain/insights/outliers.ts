import { countCrossing, type TableRows } from '../statistics/crosstab/count-crossing.ts';
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
import type { Grouping } from './variables.ts';

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
const modifiedZ = (value: number, { median, spread }: RobustSummary): number => (value - median) / spread;

/** Whether a value is more than three interquartile ranges from the quartiles. J. W. Tukey, "Exploratory data analysis" (1977). */
function isOutsideOuterFences(value: number, { p25, p75 }: RobustSummary): boolean {
  const fence = 3 * (p75 - p25);
  return value < p25 - fence || value > p75 + fence;
}

/** Two-sided tail probability of a standard normal value. */
const normalTwoSided = (z: number): number => chiSquareUpperTail(z * z, 1);

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

/** Minimum number of closed answers per response. */
const MIN_ANSWERS = 10;
const MIN_RESPONSES = 50;
const MAX_UNLIKELY_SHARE = 0.02;
/** Values of t at which Chernoff's bound is evaluated. */
const EXPONENTS = [0.25, 0.5, 0.75, 1, 1.5] as const;

/**
 * Scores how improbable a response's answers are together: s is the sum of -ln of each answer's share, minus its expectation, in standard
 * deviations under independence. A response is reported if s is an outlier among all responses (which accounts for dependence between
 * answers), and also improbable under independence: P(S ≥ s) ≤ exp(ln E(exp tS) - ts) for every t > 0 (H. Chernoff, Ann. Math. Statist. 23,
 * 1952), because sums of rare answers are skewed. Call `add` for each question.
 */
export class ImprobabilityScore {
  private readonly sums: Float64Array;
  private readonly variances: Float64Array;
  private readonly answers: Uint16Array;
  /** By exponent and row: ln E(exp tS) - ts. */
  private readonly bounds: readonly Float64Array[];

  constructor(private readonly rows: TableRows) {
    const { length } = rows.mask;
    this.sums = new Float64Array(length);
    this.variances = new Float64Array(length);
    this.answers = new Uint16Array(length);
    this.bounds = EXPONENTS.map(() => new Float64Array(length));
  }

  add({ coding, categories }: Grouping): void {
    const { mask } = this.rows;
    const { indices, offset, size } = coding;
    const one = { indices: new Int16Array(mask.length), offset: 0, size: 1 };
    const { weights } = countCrossing(coding, one, this.rows);
    const total = categories.reduce((sum, { slot }) => sum + weights[slot]!, 0);
    if (!(total > 0)) return;
    let mean = 0;
    const surprise = new Float64Array(size).fill(NaN);
    for (const { slot } of categories) {
      const share = weights[slot]! / total;
      if (!(share > 0)) continue;
      surprise[slot] = -Math.log(share);
      mean += share * surprise[slot];
    }
    let variance = 0;
    for (const { slot } of categories) {
      const own = surprise[slot]!;
      if (!Number.isNaN(own)) variance += Math.exp(-own) * (own - mean) ** 2;
    }
    if (!(variance > 1e-9)) return;
    const logMeans = EXPONENTS.map((t) =>
      Math.log(surprise.reduce((sum, own) => (Number.isNaN(own) ? sum : sum + Math.exp((t - 1) * own)), 0)),
    );
    const { sums, variances, answers, bounds } = this;
    EXPONENTS.forEach((t, exponentIndex) => {
      const bound = bounds[exponentIndex]!;
      const logMean = logMeans[exponentIndex]!;
      for (let row = 0; row < mask.length; row++) {
        const own = surprise[indices[row]! + offset]!;
        if (!Number.isNaN(own)) bound[row]! += logMean - t * own;
      }
    });
    for (let row = 0; row < mask.length; row++) {
      const own = surprise[indices[row]! + offset]!;
      if (Number.isNaN(own)) continue;
      sums[row]! += own - mean;
      variances[row]! += variance;
      answers[row]! += 1;
    }
  }

  /** Returns the responses that are more improbable than expected among this many. null: too few responses or answers. */
  findOutliers(responseIds: Float64Array): { pValue: number; candidate: Candidate | null } | null {
    const { sums, variances, answers, bounds } = this;
    const { mask } = this.rows;
    const scores = new Float64Array(mask.length).fill(NaN);
    for (let row = 0; row < mask.length; row++)
      if (mask[row] === 1 && answers[row]! >= MIN_ANSWERS)
        scores[row] = sums[row]! / Math.sqrt(variances[row]!);
    const usual = summarizeRobustly(scores, mask);
    if (usual === null || usual.count < MIN_RESPONSES) return null;
    const found: { row: number; z: number }[] = [];
    let [highest, least] = [0, 1];
    for (let row = 0; row < mask.length; row++) {
      const score = scores[row]!;
      if (Number.isNaN(score)) continue;
      // Only unusually rare answers: answering like most respondents is no anomaly.
      const z = modifiedZ(score, usual);
      if (z < MIN_MODIFIED_Z || !isOutsideOuterFences(score, usual)) continue;
      const chernoff = Math.exp(bounds.reduce((least, bound) => Math.min(least, bound[row]!), 0));
      const probability = Math.max(normalTwoSided(z), chernoff) * usual.count;
      if (probability < least) least = probability;
      if (probability > EXPECTED_BY_CHANCE) continue;
      if (z > highest) highest = z;
      found.push({ row, z });
    }
    const pValue = Math.min(1, least);
    if (found.length === 0 || found.length > Math.max(1, MAX_UNLIKELY_SHARE * usual.count))
      return { pValue, candidate: null };
    found.sort((a, b) => b.z - a.z || a.row - b.row);
    const isOne = found.length === 1;
    return {
      pValue,
      candidate: {
        topic: 'unlikely_responses',
        strength: Math.min(4, Math.log2(highest / MIN_MODIFIED_Z) + 1),
        finding: {
          id: 'unlikely_responses',
          kind: 'unlikely_responses',
          headline: 'Responses with a rare combination of answers',
          statement:
            `${pluralize(found.length, 'response')} of ${formatCount(usual.count)} ${isOne ? 'has' : 'have'} a far rarer combination of answers ` +
            `than the others (highest modified z ${roundTo(highest, 1)}).`,
          figures: {
            responses: found.length,
            of: usual.count,
            largest_modified_z: roundSignificant(highest),
            fewest_answers: MIN_ANSWERS,
            p_value: roundSignificant(pValue),
          },
          evidence: {
            questionIds: [],
            responseIds: found.slice(0, MAX_LISTED).flatMap(({ row }) => responseIds[row] ?? []),
            responseCount: found.length,
            base: usual.count,
            pValue,
            qValue: null,
            effect: { measure: 'share', value: roundSignificant(found.length / usual.count) },
          },
        },
      },
    };
  }
}
