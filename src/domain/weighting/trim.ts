export interface WeightLimits {
  min: number;
  max: number;
}

const MAX_STEPS = 200;
const PRECISION = 1e-13;

/** A weight of 0 results from a target of 0 and does not change. */
function clampWeight(weight: number, { min, max }: WeightLimits): number {
  return weight > 0 ? Math.min(Math.max(weight, min), max) : 0;
}

/**
 * Trims the weights (per respondent of a cell) to the limits while keeping their average of 1, in place.
 *
 * Rescaling after trimming would push the largest weights over the limit again. Instead, finds the scale at which the trimmed weights
 * average 1. The sum is a piecewise linear, increasing function of the scale; Newton's method within a bracket finds it in a few steps.
 */
export function trimWeights(weights: Float64Array, respondents: Float64Array, caps: WeightLimits): void {
  const wanted = respondents.reduce((sum, count) => sum + count, 0);
  let low = 0;
  let high = Infinity;
  let scale = 1;
  for (let step = 0; step < MAX_STEPS; step++) {
    let sum = 0;
    let slope = 0;
    for (let cell = 0; cell < weights.length; cell++) {
      const scaled = weights[cell]! * scale;
      const cut = clampWeight(scaled, caps);
      sum += respondents[cell]! * cut;
      if (cut === scaled) slope += respondents[cell]! * weights[cell]!;
    }
    const remainder = wanted - sum;
    if (Math.abs(remainder) <= PRECISION * wanted) break;
    if (remainder > 0) low = scale;
    else high = scale;
    const newton = scale + remainder / slope;
    const middle = high === Infinity ? 2 * low : (low + high) / 2;
    const next = newton > low && newton < high ? newton : middle;
    if (next === scale || !Number.isFinite(next)) break;
    scale = next;
  }
  for (let cell = 0; cell < weights.length; cell++) weights[cell] = clampWeight(weights[cell]! * scale, caps);
}
