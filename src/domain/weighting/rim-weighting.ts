import type { ErrorDetail } from '../../lib/errors.ts';
import { computeEffectiveBase } from '../statistics/effective-base.ts';
import { type WeightingCells, groupIntoCells } from './cells.ts';
import { type MarginTable, buildMarginTable } from './margin-table.ts';
import { type Margin, computeMarginErrors } from './margins.ts';
import { rakeWeights } from './rake.ts';
import { resolveMargin } from './resolve-margin.ts';
import type { WeightLimits } from './trim.ts';
import { findRequestProblems } from './weighting-problems.ts';
import type { WeightingRequest } from './weighting-request.ts';
import { type WeightingWarning, findWeightingWarnings } from './weighting-warnings.ts';

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
