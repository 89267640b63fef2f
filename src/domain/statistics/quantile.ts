import { effectiveBase } from './effective-base.ts';
import type { Tally } from './tally.ts';

function sum(numbers: Float64Array): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}

/**
 * The quantile at `probability` (0 to 1), R's type 7; null without values.
 *
 * Type 7 averages the ordered values over an interval as long as one of n, that ends at h = (n-1)p + 1. With weights each value
 * is as wide as its weight and n is the effective base: A. Akinshin, "Weighted quantile estimators" (2023, arXiv:2304.07265).
 * With equal weights that is type 7 itself, and no matter to what the weights are scaled.
 */
export function quantile({ values, weights, squaredWeights }: Tally, probability: number): number | null {
  const weight = sum(weights);
  if (weight <= 0) return null;
  const base = effectiveBase(weight, sum(squaredWeights));
  const end = (base - 1) * probability + 1;
  const start = end - 1;
  const width = base / weight;
  let reached = 0;
  let covered = 0;
  let average = 0;
  for (let index = 0; index < values.length && reached < end; index++) {
    const from = Math.max(start, reached);
    reached += weights[index]! * width;
    const share = Math.min(end, reached) - from;
    if (share <= 0) continue;
    covered += share;
    // A running mean: exact when all of the interval lies within one value.
    average += ((values[index]! - average) * share) / covered;
  }
  return average;
}
