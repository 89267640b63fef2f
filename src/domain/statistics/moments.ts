import type { Tally } from './tally.ts';

interface Moments {
  /** Values, unweighted. */
  count: number;
  weight: number;
  /** Null without values. */
  mean: number | null;
  /** Sample standard deviation (n-1); null with fewer than two values. */
  sd: number | null;
}

/**
 * Mean and SD in one pass over the distinct values, without the cancellation of a sum of squares: D. H. D. West, "Updating mean
 * and variance estimates: an improved method", Communications of the ACM 22 (1979).
 *
 * Unweighted s² = Σ(x-m)² / (n-1). Weighted s² = n/(n-1) · Σw(x-m)² / Σw, as `svyvar` of the R package survey: the same for
 * equal weights, and no matter to what the weights are scaled.
 */
export function moments({ values, counts, weights }: Tally): Moments {
  let count = 0;
  let weight = 0;
  let mean = 0;
  let squares = 0;
  for (let index = 0; index < values.length; index++) {
    const added = weights[index]!;
    if (added <= 0) continue;
    count += counts[index]!;
    weight += added;
    const delta = values[index]! - mean;
    mean += (delta * added) / weight;
    squares += added * delta * (values[index]! - mean);
  }
  if (count === 0) return { count, weight, mean: null, sd: null };
  const sd = count > 1 ? Math.sqrt(((squares / weight) * count) / (count - 1)) : null;
  return { count, weight, mean, sd };
}
