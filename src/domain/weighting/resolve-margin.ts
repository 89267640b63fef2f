import type { ErrorDetail } from '../../lib/errors.ts';
import { quote } from '../../lib/quote.ts';
import type { WeightingCells } from './cells.ts';
import { type Margin, sumWeightsByCategory } from './margins.ts';
import type { Dimension, MissingRule } from './weighting-request.ts';

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
