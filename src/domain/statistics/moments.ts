import { computeQuantile } from './quantile.ts';
import type { Tally } from './tally.ts';
import type { Count } from './base.ts';

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
}

export const NO_VALUES: Readonly<ValueMoments> = {
  count: 0,
  weight: 0,
  squaredWeight: 0,
  mean: 0,
  squares: 0,
};

/**
 * Moments of a group from Σwd and Σwd² of the distances d = x - center. `center` must be near the mean of this group. The second term
 * corrects the rounding of the center: T. F. Chan, G. H. Golub, R. J. LeVeque, "Algorithms for computing the sample variance", The
 * American Statistician 37 (1983), the corrected two-pass algorithm.
 */
export function momentsAround(
  center: number,
  { count, weight, squaredWeight }: Pick<ValueMoments, 'count' | 'weight' | 'squaredWeight'>,
  sum: number,
  squaredSum: number,
): ValueMoments {
  if (!(weight > 0)) return NO_VALUES;
  const correction = sum / weight;
  const squares = Math.max(0, squaredSum - sum * correction);
  return { count, weight, squaredWeight, mean: center + correction, squares };
}

/** Moments of two groups together, without cancellation even for distant groups (Chan, Golub and LeVeque, equation 2.1). */
export function mergeMoments(first: ValueMoments, second: ValueMoments): ValueMoments {
  if (first.count === 0) return second;
  if (second.count === 0) return first;
  const weight = first.weight + second.weight;
  const delta = second.mean - first.mean;
  return {
    count: first.count + second.count,
    weight,
    squaredWeight: first.squaredWeight + second.squaredWeight,
    mean: first.mean + (delta * second.weight) / weight,
    squares: first.squares + second.squares + delta * delta * ((first.weight * second.weight) / weight),
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
  let [sum, squaredSum] = [0, 0];
  for (let index = 0; index < values.length; index++) {
    const added = weights[index]!;
    if (added <= 0) continue;
    const distance = values[index]! - center;
    sum += added * distance;
    squaredSum += added * distance * distance;
  }
  return momentsAround(center, { count, weight, squaredWeight }, sum, squaredSum);
}

/** Moments of coded answers from the count of each code. Options whose code is null have no value. */
export function codedMoments(codes: readonly (number | null)[], counts: readonly Count[]): ValueMoments {
  const used = counts.flatMap((count, index) => {
    const code = codes[index] ?? null;
    return code === null ? [] : [{ code, ...count }];
  });
  return tallyMoments({
    values: Float64Array.from(used, ({ code }) => code),
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
