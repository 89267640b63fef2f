import type { WeightingCells } from './cells.ts';

/** A dimension for raking. */
export interface Margin {
  /** Per cell. */
  categories: Int32Array;
  /** Target share per category (0 to 1); they add up to 1. The last category is missing. */
  shares: Float64Array;
}

/** Σw per category; `weights` are per respondent of a cell. */
export function sumWeightsByCategory(
  categories: Int32Array,
  size: number,
  { respondents }: Pick<WeightingCells, 'respondents'>,
  weights: Float64Array,
): Float64Array {
  const sums = new Float64Array(size);
  for (let cell = 0; cell < weights.length; cell++) {
    sums[categories[cell]!]! += respondents[cell]! * weights[cell]!;
  }
  return sums;
}

/** Distances of all margins from their targets, as shares. */
export function computeMarginErrors(
  margins: readonly Margin[],
  cells: Pick<WeightingCells, 'respondents'>,
  weights: Float64Array,
): { maxError: number; rms: number } {
  let maxError = 0;
  let squares = 0;
  let count = 0;
  for (const { categories, shares } of margins) {
    const sums = sumWeightsByCategory(categories, shares.length, cells, weights);
    const total = sums.reduce((sum, added) => sum + added, 0);
    for (let category = 0; category < shares.length; category++) {
      // An empty category with target 0 has no error.
      if (sums[category] === 0 && shares[category] === 0) continue;
      const error = Math.abs(sums[category]! / total - shares[category]!);
      maxError = Math.max(maxError, error);
      squares += error * error;
      count++;
    }
  }
  return { maxError, rms: count > 0 ? Math.sqrt(squares / count) : 0 };
}
