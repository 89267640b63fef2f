import type { WeightingCells } from './cells.ts';
import { type Margin, sumWeightsByCategory } from './margins.ts';
import type { Dimension } from './weighting-request.ts';

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
