import { computeEffectiveBase, type Count } from './base.ts';
import type { Tally } from './tally.ts';

function sum(numbers: Float64Array): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}

/** Relative to the total weight; rounding errors of sums of many weights are smaller. */
const ROUNDING = 1e-9;

/**
 * The quantile at `probability` (0 to 1); null without values.
 *
 * Unweighted: R's `quantile(x, p, type = 7)`. Weighted: `Hmisc::wtd.quantile(x, w, p, normwt = TRUE)`. With the weights scaled to an
 * average of 1 over n values, h = (n-1)p + 1, and Q(k) the smallest value up to which the weights sum to k or more, the quantile is (1-g)
 * Q(⌊h⌋) + g Q(⌊h⌋+1) with g = h - ⌊h⌋. With equal weights that is type 7. It is independent of the scale of the weights and the order of
 * the responses. A sum of weights that misses k only by rounding counts as k.
 */
export function computeQuantile({ values, counts, weights }: Tally, probability: number): number | null {
  const weight = sum(weights);
  if (weight <= 0) return null;
  const count = sum(counts);
  const order = 1 + (count - 1) * probability;
  const below = Math.floor(order);
  const above = Math.min(below + 1, count);
  const average = weight / count;
  const tolerance = ROUNDING * weight;
  let index = 0;
  let reached = weights[0]!;
  const valueAt = (k: number): number => {
    while (reached < k * average - tolerance && index + 1 < values.length) reached += weights[++index]!;
    return values[index]!;
  };
  const [low, high] = [valueAt(below), valueAt(above)];
  const share = order - below;
  return low === high ? low : (1 - share) * low + share * high;
}

/** The inputs for the mean and standard deviation of a group of responses. Disjoint groups can be merged. */
export interface ValueMoments {
  /** Unweighted number of values. */
  count: number;
  weight: number;
  squaredWeight: number;
  /** 0 without values. */
  mean: number;
  /** Σw(x - mean)². */
  squares: number;
  /** Σw²(x - mean) and Σw²(x - mean)², for the linearized variance of the mean. */
  scores: number;
  squaredScores: number;
}

export const NO_VALUES: Readonly<ValueMoments> = {
  count: 0,
  weight: 0,
  squaredWeight: 0,
  mean: 0,
  squares: 0,
  scores: 0,
  squaredScores: 0,
};

/** Sums of the distances d = x - center of a group: Σwd, Σwd², Σw²d and Σw²d². */
interface DistanceSums {
  sum: number;
  squaredSum: number;
  scores: number;
  squaredScores: number;
}

/**
 * Moments of a group from the sums of its distances from a center. `center` must be near the mean of this group. The second term
 * corrects the rounding of the center: T. F. Chan, G. H. Golub, R. J. LeVeque, "Algorithms for computing the sample variance", The
 * American Statistician 37 (1983), the corrected two-pass algorithm.
 */
export function momentsAround(
  center: number,
  { count, weight, squaredWeight }: Pick<ValueMoments, 'count' | 'weight' | 'squaredWeight'>,
  { sum, squaredSum, scores, squaredScores }: DistanceSums,
): ValueMoments {
  if (!(weight > 0)) return NO_VALUES;
  const correction = sum / weight;
  const squares = Math.max(0, squaredSum - sum * correction);
  const moved = moveScores({ squaredWeight, scores, squaredScores }, correction);
  return { count, weight, squaredWeight, mean: center + correction, squares, ...moved };
}

/** The scores around a center that is higher by `shift`. */
function moveScores(
  { squaredWeight, scores, squaredScores }: Pick<ValueMoments, 'squaredWeight' | 'scores' | 'squaredScores'>,
  shift: number,
): Pick<ValueMoments, 'scores' | 'squaredScores'> {
  const moved = squaredScores - 2 * shift * scores + shift * shift * squaredWeight;
  return { scores: scores - shift * squaredWeight, squaredScores: Math.max(0, moved) };
}

/** Moments of two groups together, without cancellation even for distant groups (Chan, Golub and LeVeque, equation 2.1). */
export function mergeMoments(first: ValueMoments, second: ValueMoments): ValueMoments {
  if (first.count === 0) return second;
  if (second.count === 0) return first;
  const weight = first.weight + second.weight;
  const delta = second.mean - first.mean;
  const mean = first.mean + (delta * second.weight) / weight;
  const [ofFirst, ofSecond] = [moveScores(first, mean - first.mean), moveScores(second, mean - second.mean)];
  return {
    count: first.count + second.count,
    weight,
    squaredWeight: first.squaredWeight + second.squaredWeight,
    mean,
    squares: first.squares + second.squares + delta * delta * ((first.weight * second.weight) / weight),
    scores: ofFirst.scores + ofSecond.scores,
    squaredScores: ofFirst.squaredScores + ofSecond.squaredScores,
  };
}

/**
 * Sample standard deviation; null with fewer than two values. Unweighted s² = Σ(x-m)² / (n-1). Weighted s² = n/(n-1) · Σw(x-m)² / Σw, as
 * `svyvar` of the R package survey: the same for equal weights, and independent of the scale of the weights.
 */
export function computeStandardDeviation({
  count,
  weight,
  squares,
}: Pick<ValueMoments, 'count' | 'weight' | 'squares'>): number | null {
  return count > 1 ? Math.sqrt(((squares / weight) * count) / (count - 1)) : null;
}

/** Moments of tallied values, in two passes: sums of squares around the mean keep their precision for values far from zero. */
export function tallyMoments({ values, counts, weights, squaredWeights }: Tally): ValueMoments {
  let [count, weight, squaredWeight, total] = [0, 0, 0, 0];
  for (let index = 0; index < values.length; index++) {
    const added = weights[index]!;
    if (added <= 0) continue;
    count += counts[index]!;
    weight += added;
    squaredWeight += squaredWeights[index]!;
    total += added * values[index]!;
  }
  const center = weight > 0 ? total / weight : 0;
  let [sum, squaredSum, scores, squaredScores] = [0, 0, 0, 0];
  for (let index = 0; index < values.length; index++) {
    const added = weights[index]!;
    if (added <= 0) continue;
    const distance = values[index]! - center;
    sum += added * distance;
    squaredSum += added * distance * distance;
    scores += squaredWeights[index]! * distance;
    squaredScores += squaredWeights[index]! * distance * distance;
  }
  const sums = { sum, squaredSum, scores, squaredScores };
  return momentsAround(center, { count, weight, squaredWeight }, sums);
}

/** Moments of chosen options from the number and count of each. Options whose number is null have no value. */
export function codedMoments(numbers: readonly (number | null)[], counts: readonly Count[]): ValueMoments {
  const used = counts.flatMap((count, index) => {
    const number = numbers[index] ?? null;
    return number === null ? [] : [{ number, ...count }];
  });
  return tallyMoments({
    values: Float64Array.from(used, ({ number }) => number),
    counts: Float64Array.from(used, ({ count }) => count),
    weights: Float64Array.from(used, ({ weight }) => weight),
    squaredWeights: Float64Array.from(used, ({ squaredWeight }) => squaredWeight),
  });
}

interface Moments {
  /** Unweighted number of values. */
  count: number;
  weight: number;
  /** Null without values. */
  mean: number | null;
  /** See `standardDeviation`. */
  sd: number | null;
}

/** Mean and standard deviation of tallied values. */
export function computeMoments(tally: Tally): Moments {
  const found = tallyMoments(tally);
  const { count, weight, mean } = found;
  return { count, weight, mean: count === 0 ? null : mean, sd: computeStandardDeviation(found) };
}

/**
 * Percent of promoters (9 and 10) minus percent of detractors (0 to 6), by weight, -100 to 100; null without answers. F. F.
 * Reichheld, "The one number you need to grow", Harvard Business Review 81 (2003).
 */
export function computeNetPromoterScore({ values, weights }: Tally): number | null {
  let promoters = 0;
  let detractors = 0;
  let all = 0;
  for (let index = 0; index < values.length; index++) {
    const weight = weights[index]!;
    all += weight;
    if (values[index]! >= 9) promoters += weight;
    else if (values[index]! <= 6) detractors += weight;
  }
  return all > 0 ? (100 * (promoters - detractors)) / all : null;
}

/** Descriptive statistics of a numeric variable; null with too few values. */
export interface Summary {
  mean: number | null;
  median: number | null;
  sd: number | null;
  min: number | null;
  max: number | null;
  p25: number | null;
  p75: number | null;
  /** Only for an NPS question. */
  nps?: number | null;
}

/** Computes descriptive statistics of a tally, weighted if it is. `nps`: adds the Net Promoter Score of answers from 0 to 10. */
export function summarizeNumbers(tally: Tally, { nps = false } = {}): Summary {
  const { mean, sd } = computeMoments(tally);
  const summary: Summary = {
    mean,
    median: computeQuantile(tally, 0.5),
    sd,
    min: tally.values[0] ?? null,
    max: tally.values.at(-1) ?? null,
    p25: computeQuantile(tally, 0.25),
    p75: computeQuantile(tally, 0.75),
  };
  return nps ? { ...summary, nps: computeNetPromoterScore(tally) } : summary;
}

/** The mean of a column's respondents in the form of API replies; null with too few values. */
export interface MeanFigure {
  /** Values, unweighted. */
  count: number;
  weighted_count: number | null;
  effective_base: number;
  mean: number | null;
  /** n-1; weighted as svyvar of the R package survey: n/(n-1) · Σw(x-m)²/Σw. */
  sd: number | null;
  /** sd / √n without a weight, else linearized, under the design if there is one. */
  se: number | null;
  /** The interval and its degrees of freedom, only if intervals were requested. */
  ci_low?: number | null;
  ci_high?: number | null;
  df?: number | null;
  letters?: string[];
}

/**
 * The variance of the weighted mean of a domain by Taylor linearization: n/(n-1) · Σw²(x-m)² / (Σw)², as `svymean` and `svyby` of the R
 * package survey for `svydesign(~1, weights = ~w)` with n respondents (`designSize`), in the domain or not.
 */
function linearizedVariance({ weight, squaredScores }: ValueMoments, designSize: number): number {
  return ((designSize / (designSize - 1)) * squaredScores) / weight ** 2;
}

/** Mean, standard deviation and standard error of a group of respondents. `designSize`: all counted respondents; null: unweighted. */
export function presentMean(moments: ValueMoments, designSize: number | null): MeanFigure {
  const { count, weight, squaredWeight, mean } = moments;
  const effective = computeEffectiveBase(weight, squaredWeight);
  const sd = computeStandardDeviation(moments);
  const se =
    designSize === null
      ? (sd ?? 0) / Math.sqrt(effective)
      : Math.sqrt(linearizedVariance(moments, designSize));
  return {
    count,
    weighted_count: designSize === null ? null : weight,
    effective_base: effective,
    mean: count === 0 ? null : mean,
    sd,
    se: sd === null || effective <= 0 ? null : se,
  };
}
