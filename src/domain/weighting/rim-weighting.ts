import type { ErrorDetail } from '../../lib/errors.ts';
import { quote } from '../../lib/error-messages.ts';
import {
  type Dimension,
  findRequestProblems,
  findWeightingWarnings,
  groupIntoCells,
  type MissingRule,
  type WeightingCells,
  type WeightingRequest,
  type WeightingWarning,
} from './weighting-cells.ts';

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
 * With limits, weights are trimmed after each pass, and they are stable when a pass changes no weight by more than the tolerance; margins
 * can then miss their targets.
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
  /** Respondents by weight, in bins of equal width from the smallest to the largest weight; one bin if all are equal. */
  histogram: WeightBin[];
  /** Of the same targets without limits: what the limits save, and what the margins lose. Null: there are no limits. */
  withoutLimits: Pick<Weighting, 'weightingEfficiency' | 'maxWeight' | 'minWeight' | 'maxError'> | null;
  warnings: WeightingWarning[];
}

interface WeightBin {
  from: number;
  /** Exclusive, except in the last bin. */
  to: number;
  count: number;
}

const HISTOGRAM_BINS = 20;

function countByWeight(
  weights: Float64Array,
  { respondents }: Pick<WeightingCells, 'respondents'>,
  { min, max, scale }: { min: number; max: number; scale: number },
): WeightBin[] {
  const width = (max - min) / HISTOGRAM_BINS;
  // Weights that differ by rounding errors only are equal.
  const size = width > max * AT_LIMIT ? HISTOGRAM_BINS : 1;
  const counts = new Float64Array(size);
  for (let cell = 0; cell < weights.length; cell++) {
    const bin = size === 1 ? 0 : Math.min(size - 1, Math.floor((weights[cell]! - min) / width));
    counts[bin]! += respondents[cell]!;
  }
  return Array.from(counts, (count, bin) => ({
    from: (min + bin * width) * scale,
    to: (bin === size - 1 ? max : min + (bin + 1) * width) * scale,
    count,
  }));
}

export type WeightingOutcome = { ok: true; weighting: Weighting } | { ok: false; problems: ErrorDetail[] };

/** A margin that limits keep further from its target than this (a share) is not weighted, however stable the weights are. */
const MAX_TRIMMED_ERROR = 0.01;

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
  // Kish; see computeEffectiveBase.
  const effective = squares > 0 ? (sum * sum) / squares : 0;
  const errors = computeMarginErrors(margins, cells, weights);
  const outcome = {
    converged: converged && errors.maxError <= Math.max(tolerance, MAX_TRIMMED_ERROR),
    iterations,
    ...errors,
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
      buildMarginTable(dimension, margins[index]!, { cells, weights }),
    ),
    histogram: countByWeight(weights, cells, { min, max, scale }),
    withoutLimits: caps && describeWithoutLimits(request, cells, margins),
    warnings: findWeightingWarnings(request, cells, { ...outcome, isStable: converged }),
  };
  return { ok: true, weighting };
}

function describeWithoutLimits(
  request: WeightingRequest,
  cells: WeightingCells,
  margins: readonly Margin[],
): Weighting['withoutLimits'] {
  const outcome = rakeCells({ ...request, minWeight: null, maxWeight: null }, cells, margins);
  if (!outcome.ok) return null;
  const { weightingEfficiency, minWeight, maxWeight, maxError } = outcome.weighting;
  return { weightingEfficiency, minWeight, maxWeight, maxError };
}

/**
 * Computes rim weights by raking, so that the sample has the target share in every category of every dimension (without
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
    resolveMargin(dimension, { position, cells, rule: request.missing }),
  );
  const problems = resolved.flatMap((each) => each.problems);
  if (problems.length > 0) return { ok: false, problems };
  return rakeCells(
    request,
    cells,
    resolved.map(({ margin }) => margin),
  );
}

/** A dimension for raking. */
interface Margin {
  /** Per cell. */
  categories: Int32Array;
  /** Target share per category (0 to 1); they add up to 1. The last category is missing. */
  shares: Float64Array;
}

/** Σw per category; `weights` are per respondent of a cell. */
function sumWeightsByCategory(
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
function computeMarginErrors(
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

interface MarginRow {
  /** Null: respondents for whom the dimension is missing. */
  value: string | null;
  label: string | null;
  count: number;
  /** Percentages: of the respondents, the target, of the weights, and weighted minus target. */
  unweighted: number;
  target: number;
  weighted: number;
  difference: number;
}

interface MarginTable {
  columnCode: string;
  categories: MarginRow[];
}

/** A dimension before and after weighting; `weights` are by cell. Omits categories with neither a target nor respondents. */
function buildMarginTable(
  { spec, targets }: Dimension,
  { categories, shares }: Margin,
  { cells, weights }: { cells: WeightingCells; weights: Float64Array },
): MarginTable {
  const size = shares.length;
  const counts = sumWeightsByCategory(categories, size, cells, new Float64Array(weights.length).fill(1));
  const sums = sumWeightsByCategory(categories, size, cells, weights);
  const count = counts.reduce((sum, added) => sum + added, 0);
  const total = sums.reduce((sum, added) => sum + added, 0);
  const targeted = new Set(targets.map(({ value }) => value));
  const rows: MarginRow[] = [];
  for (let category = 0; category < size; category++) {
    const columnValue = spec.values[category];
    if (counts[category] === 0 && !(columnValue && targeted.has(columnValue.value))) continue;
    const target = 100 * shares[category]!;
    const weighted = (100 * sums[category]!) / total;
    rows.push({
      value: columnValue?.value ?? null,
      label: columnValue?.label ?? null,
      count: counts[category]!,
      unweighted: (100 * counts[category]!) / count,
      target,
      weighted,
      difference: weighted - target,
    });
  }
  return { columnCode: spec.columnCode, categories: rows };
}

interface ResolvedMargin {
  margin: Margin;
  problems: ErrorDetail[];
}

function respondents(count: number): string {
  return count === 1 ? '1 respondent' : `${count} respondents`;
}

/** Returns the targets of a dimension as shares of all weighted respondents, with problems such as targets without respondents. */
function resolveMargin(
  dimension: Dimension,
  { position, cells, rule }: { position: number; cells: WeightingCells; rule: MissingRule },
): ResolvedMargin {
  const { spec, targets } = dimension;
  const at = `dimensions[${position}]`;
  const categories = cells.categories[position]!;
  const missing = spec.values.length;
  const size = missing + 1;
  const counts = sumWeightsByCategory(categories, size, cells, new Float64Array(categories.length).fill(1));
  const sums = sumWeightsByCategory(categories, size, cells, cells.baseWeights);
  const total = sums.reduce((sum, added) => sum + added, 0);
  const targetTotal = targets.reduce((sum, { target }) => sum + target, 0);
  const left = total > 0 ? 1 - sums[missing]! / total : 1;

  const problems: ErrorDetail[] = [];
  const shares = new Float64Array(size);
  shares[missing] = 1 - left;
  const indexOfValue = new Map(spec.values.map(({ value }, index) => [value, index]));
  const targeted = new Set<number>();
  for (const [index, { value, target }] of targets.entries()) {
    const category = indexOfValue.get(value)!;
    targeted.add(category);
    shares[category] = (target / targetTotal) * left;
    if (target > 0 && counts[category] === 0) {
      const message = `no respondent has ${quote(value)} in ${spec.columnCode}; its target can only be 0`;
      problems.push({ field: `${at}.targets[${index}].target`, message });
    }
  }
  for (const [category, { value }] of spec.values.entries()) {
    if (targeted.has(category) || counts[category] === 0) continue;
    const message = `${respondents(counts[category]!)} with ${quote(value)} in ${spec.columnCode}, which has no target`;
    problems.push({ field: `${at}.targets`, message });
  }
  if (rule === 'error' && counts[missing]! > 0) {
    const message = `${respondents(counts[missing]!)} without a value in ${spec.columnCode}`;
    problems.push({ field: `${at}.column_code`, message });
  }
  return { margin: { categories, shares }, problems };
}
