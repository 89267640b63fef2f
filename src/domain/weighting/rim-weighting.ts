import { groupIntoCells, type WeightingCells } from './cells.ts';
import {
  buildMarginTable,
  computeMarginErrors,
  type Margin,
  type MarginTable,
  resolveMargin,
  sumWeightsByCategory,
} from './margins.ts';
import type { ErrorDetail } from '../../lib/errors.ts';
import { computeEffectiveBase } from '../statistics/base.ts';
import { findRequestProblems, findWeightingWarnings, type WeightingWarning } from './weighting-problems.ts';
import type { WeightingRequest } from './weighting-request.ts';

interface WeightLimits {
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
function trimWeights(weights: Float64Array, respondents: Float64Array, caps: WeightLimits): void {
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
function rakeWeights(
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

export interface Weighting {
  /** Per row, as long as the mask; NaN for rows without weight. */
  weights: Float64Array;
  converged: boolean;
  iterations: number;
  /** Distances of the margins from their targets, as shares (0 to 1). */
  maxError: number;
  rms: number;
  unweightedBase: number;
  /** Σw */
  weightedBase: number;
  /** (Σw)² / Σw² */
  effectiveBase: number;
  /** nΣw² / (Σw)², which is 1 + the squared coefficient of variation of the weights: L. Kish, Survey Sampling (1965). */
  designEffect: number;
  /** Effective base / n, 0 to 1. */
  weightingEfficiency: number;
  /** After scaling. */
  minWeight: number;
  maxWeight: number;
  /** Respondents whose weight is at a limit. */
  trimmed: number;
  dimensions: MarginTable[];
  warnings: WeightingWarning[];
}

export type WeightingOutcome = { ok: true; weighting: Weighting } | { ok: false; problems: ErrorDetail[] };

/** The distance at which a weight counts as being at a limit. */
const AT_LIMIT = 1e-9;

function weightLimits({ minWeight, maxWeight }: WeightingRequest): WeightLimits | null {
  return minWeight === null && maxWeight === null
    ? null
    : { min: minWeight ?? 0, max: maxWeight ?? Infinity };
}

function summarizeWeights(weights: Float64Array, { respondents }: WeightingCells, caps: WeightLimits | null) {
  const found = { sum: 0, squares: 0, min: Infinity, max: 0, trimmed: 0 };
  for (let cell = 0; cell < weights.length; cell++) {
    const weight = weights[cell]!;
    const count = respondents[cell]!;
    found.sum += count * weight;
    found.squares += count * weight * weight;
    found.min = Math.min(found.min, weight);
    found.max = Math.max(found.max, weight);
    const cut = caps && weight > 0 && (weight <= caps.min + AT_LIMIT || weight >= caps.max - AT_LIMIT);
    if (cut) found.trimmed += count;
  }
  return found;
}

function weightsByRow({ cellOfRow }: WeightingCells, weights: Float64Array, scale: number): Float64Array {
  return Float64Array.from(cellOfRow, (cell) => (cell < 0 ? NaN : weights[cell]! * scale));
}

function rakeCells(
  request: WeightingRequest,
  cells: WeightingCells,
  margins: readonly Margin[],
): WeightingOutcome {
  const caps = weightLimits(request);
  const { maxIterations, tolerance, scaleTo } = request;
  const { weights, converged, iterations } = rakeWeights(cells, margins, { maxIterations, tolerance, caps });
  const { sum, squares, min, max, trimmed } = summarizeWeights(weights, cells, caps);
  if (!(sum > 0)) {
    return {
      ok: false,
      problems: [{ field: 'dimensions', message: 'at least one respondent must have a target above 0' }],
    };
  }
  const unweightedBase = cells.respondents.reduce((all, count) => all + count, 0);
  const weightedBase = scaleTo === 'sample' ? unweightedBase : scaleTo;
  const scale = weightedBase / sum;
  const effective = computeEffectiveBase(sum, squares);
  const outcome = {
    converged,
    iterations,
    ...computeMarginErrors(margins, cells, weights),
    weightingEfficiency: effective / unweightedBase,
  };
  const weighting: Weighting = {
    ...outcome,
    weights: weightsByRow(cells, weights, scale),
    unweightedBase,
    weightedBase,
    effectiveBase: effective,
    designEffect: unweightedBase / effective,
    minWeight: min * scale,
    maxWeight: max * scale,
    trimmed,
    dimensions: request.dimensions.map((dimension, index) =>
      buildMarginTable(dimension, margins[index]!, cells, weights),
    ),
    warnings: findWeightingWarnings(request, cells, outcome),
  };
  return { ok: true, weighting };
}

/**
 * Computes rim weights by raking, so that the sample has the target share in every category of every dimension (see rake.ts; without
 * limits and missing values it equals `rake` of the R package survey, except for the scale). Returns all problems: impossible targets
 * (negative, wrong total, value without respondents), respondents without a target, and limits that weights with an average of 1 cannot
 * satisfy. Not converging is not a problem here.
 */
export function computeRimWeights(request: WeightingRequest): WeightingOutcome {
  const impossible = findRequestProblems(request);
  if (impossible.length > 0) return { ok: false, problems: impossible };
  const cells = groupIntoCells(request);
  if (cells.respondents.length === 0) {
    return { ok: false, problems: [{ field: 'filter', message: 'at least one respondent is required' }] };
  }
  const resolved = request.dimensions.map((dimension, position) =>
    resolveMargin(dimension, position, cells, request.missing),
  );
  const problems = resolved.flatMap((each) => each.problems);
  if (problems.length > 0) return { ok: false, problems };
  return rakeCells(
    request,
    cells,
    resolved.map(({ margin }) => margin),
  );
}
