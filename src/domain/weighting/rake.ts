import type { WeightingCells } from './cells.ts';
import { type Margin, computeMarginErrors, sumWeightsByCategory } from './margins.ts';
import { type WeightLimits, trimWeights } from './trim.ts';

interface RakeSettings {
  maxIterations: number;
  tolerance: number;
  /** Null: weights are not limited. */
  caps: WeightLimits | null;
}

interface RakeResult {
  /** Per respondent of a cell, with an average of 1. */
  weights: Float64Array;
  converged: boolean;
  iterations: number;
}

function scaleToAverageOne(weights: Float64Array, respondents: Float64Array): void {
  let sum = 0;
  let count = 0;
  for (let cell = 0; cell < weights.length; cell++) {
    sum += respondents[cell]! * weights[cell]!;
    count += respondents[cell]!;
  }
  // Targets of 0 can leave no weighted respondents.
  if (!(sum > 0)) return;
  const factor = count / sum;
  for (let cell = 0; cell < weights.length; cell++) weights[cell]! *= factor;
}

/** Scales each category to its target share. Skips categories whose respondents all have weight 0. */
function fitMargin(
  { categories, shares }: Margin,
  { respondents }: WeightingCells,
  weights: Float64Array,
): void {
  const factors = sumWeightsByCategory(categories, shares.length, { respondents }, weights);
  const total = factors.reduce((sum, added) => sum + added, 0);
  for (let category = 0; category < factors.length; category++) {
    const sum = factors[category]!;
    factors[category] = sum > 0 ? (shares[category]! * total) / sum : 1;
  }
  for (let cell = 0; cell < weights.length; cell++) weights[cell]! *= factors[categories[cell]!]!;
}

function largestChange(before: Float64Array, after: Float64Array): number {
  let change = 0;
  for (let cell = 0; cell < after.length; cell++) {
    change = Math.max(change, Math.abs(after[cell]! - before[cell]!));
  }
  return change;
}

/**
 * Iterative proportional fitting: W. E. Deming, F. F. Stephan, "On a least squares adjustment of a sampled frequency table when the
 * expected marginal totals are known", Annals of Mathematical Statistics 11 (1940). One iteration is a pass over all margins.
 *
 * Without limits, it has converged when every margin is within the tolerance (as a share) of its target, possibly without any iteration.
 * With limits, weights are trimmed after each pass, and it has converged when a pass changes no weight by more than the tolerance;
 * margins can then miss their targets.
 */
export function rakeWeights(
  cells: WeightingCells,
  margins: readonly Margin[],
  { maxIterations, tolerance, caps }: RakeSettings,
): RakeResult {
  const { respondents } = cells;
  const weights = Float64Array.from(cells.baseWeights);
  scaleToAverageOne(weights, respondents);
  if (caps) trimWeights(weights, respondents, caps);
  let converged = !caps && computeMarginErrors(margins, cells, weights).maxError <= tolerance;
  let iterations = 0;
  while (!converged && iterations < maxIterations) {
    const before = caps ? weights.slice() : null;
    for (const margin of margins) fitMargin(margin, cells, weights);
    scaleToAverageOne(weights, respondents);
    iterations++;
    if (caps) trimWeights(weights, respondents, caps);
    converged = before
      ? largestChange(before, weights) <= tolerance
      : computeMarginErrors(margins, cells, weights).maxError <= tolerance;
  }
  return { weights, converged, iterations };
}
