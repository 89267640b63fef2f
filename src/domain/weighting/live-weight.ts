import type { CatalogColumn } from '../dataset/columns/column-catalog.ts';
import { type Column, createColumn } from '../dataset/columns/columns.ts';
import type { Dataset } from '../dataset/dataset.ts';
import { resolveScheme, computeSchemeWeights, readWeightingInput } from './resolve-scheme.ts';
import type { WeightScheme } from './weight-scheme.ts';

/**
 * A weight over the responses as they are now; null when the data do not allow it any more (a category that has no target, a
 * target that nobody has, a column that is gone), or it does not converge and was not to be taken so.
 */
export function computeLiveWeight(
  dataset: Dataset,
  entry: CatalogColumn,
  scheme: WeightScheme,
): Column | null {
  const resolved = resolveScheme(scheme, dataset.catalog);
  if (!resolved.ok) return null;
  const read = readWeightingInput(resolved.resolved, dataset);
  if (!read.ok) return null;
  const outcome = computeSchemeWeights(scheme, read.input);
  if (!outcome.ok || !(outcome.weighting.converged || scheme.allowUnconverged)) return null;
  const { weights } = outcome.weighting;
  const column = createColumn(entry.spec, dataset.capacity);
  for (let row = 0; row < weights.length; row++) {
    const weight = weights[row]!;
    if (!Number.isNaN(weight)) column.set(row, weight);
  }
  return column;
}
