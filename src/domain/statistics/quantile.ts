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
