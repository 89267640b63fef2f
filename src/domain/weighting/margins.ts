import type { WeightingCells } from './cells.ts';
import type { Dimension, MissingRule } from './weighting-request.ts';
import type { ErrorDetail } from '../../lib/errors.ts';
import { quote } from '../../lib/quote.ts';

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

export interface MarginTable {
  columnCode: string;
  categories: MarginRow[];
}

/** A dimension before and after weighting; `weights` are by cell. Omits categories with neither a target nor respondents. */
export function buildMarginTable(
  { spec, targets }: Dimension,
  { categories, shares }: Margin,
  cells: WeightingCells,
  weights: Float64Array,
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
export function resolveMargin(
  dimension: Dimension,
  position: number,
  cells: WeightingCells,
  rule: MissingRule,
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
