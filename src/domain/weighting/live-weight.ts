import type { CatalogColumn } from '../dataset/columns/column-catalog.ts';
import { type Column, createColumn } from '../dataset/columns/columns.ts';
import type { Dataset } from '../dataset/dataset.ts';
import { resolveScheme, computeSchemeWeights, readWeightingInput } from './resolve-scheme.ts';
import type { WeightScheme } from './weight-scheme.ts';

/**
 * Computes a weight for the current responses. Returns null if the data no longer allow it (a category without target, a target without
 * respondents, a removed column), or if it does not converge and unconverged weights are not allowed.
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
