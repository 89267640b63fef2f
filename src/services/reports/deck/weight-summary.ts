import type { SurveyScope } from '../../../domain/access/scopes.ts';
import { selectRows } from '../../../domain/dataset/filter/select-rows.ts';
import type { WeightFacts } from '../../../domain/reports/method-weighting.ts';
import { computeEffectiveBase } from '../../../domain/statistics/base.ts';
import type { WeightScheme } from '../../../domain/weighting/weight-scheme.ts';
import { AppError } from '../../../lib/errors.ts';
import type { OpenDataset } from '../../datasets/datasets.ts';
import { readWeights } from '../../datasets/requested-columns.ts';
import type { CrosstabService } from '../../figures/crosstabs.ts';

/** A weight summarized over the counted responses, with its targets. */
export interface WeightSummary {
  facts: Omit<WeightFacts, 'margins'>;
  columnCode: string;
  scheme: WeightScheme | null;
}

/** Runs without a pause, so that no response changes meanwhile. The column must be loaded. Returns null if it does not exist. */
export function summarizeWeight(open: OpenDataset, columnCode: string): WeightSummary | null {
  const entry = open.catalog.find(columnCode) ?? null;
  const weights = readWeights(open, entry);
  if (entry === null || weights === null) return null;
  const mask = selectRows(open.dataset);
  const sums = { responses: 0, weight: 0, squares: 0, min: Infinity, max: 0 };
  for (let row = 0; row < mask.length; row++) {
    const weight = weights[row]!;
    if (mask[row] === 0 || !(weight > 0)) continue;
    sums.responses++;
    sums.weight += weight;
    sums.squares += weight * weight;
    sums.min = Math.min(sums.min, weight);
    sums.max = Math.max(sums.max, weight);
  }
  const derived = entry.origin.kind === 'derived' ? entry.origin.derived.definition : null;
  const weightDefinition = derived?.kind === 'weight' ? derived : null;
  return {
    facts: {
      label: entry.spec.label,
      responses: sums.responses,
      effective: computeEffectiveBase(sums.weight, sums.squares),
      range: sums.responses === 0 ? null : { min: sums.min, max: sums.max },
      isRecalculated: weightDefinition?.autoRefresh ?? false,
    },
    columnCode: entry.spec.columnCode,
    scheme: weightDefinition?.scheme ?? null,
  };
}

/** The margins of each dimension of the scheme: target, unweighted, weighted. Empty if one of its columns was deleted. */
export async function computeMargins(
  scope: SurveyScope,
  { scheme, columnCode: weightColumn }: WeightSummary,
  crosstabs: CrosstabService,
): Promise<WeightFacts['margins']> {
  if (scheme === null) return [];
  try {
    const { tables } = await crosstabs.compute(scope, {
      rows: scheme.dimensions.map(({ columnCode }) => [columnCode]),
      columns: [],
      nets: [],
      weightColumn,
      filter: scheme.filter,
      status: scheme.status,
      includeTest: scheme.includeTest,
      includeConfirmed: scheme.includeConfirmed ?? true,
      base: 'answering',
      statistics: new Set(['column_percent']),
      minBase: 0,
      correction: 'none',
    });
    return tables.map(({ row, rows, base }, index) => {
      const { targets } = scheme.dimensions[index]!;
      const totalTarget = targets.reduce((sum, { target }) => sum + target, 0);
      const shares = new Map(targets.map(({ value, target }) => [value, (100 * target) / totalTarget]));
      return {
        label: row.label,
        categories: rows.map(({ label, categories, total }) => ({
          label,
          target: shares.get(categories.at(-1)?.value ?? '') ?? null,
          unweighted: base.unweighted > 0 ? (100 * total.count) / base.unweighted : null,
          weighted: total.column_percent ?? null,
        })),
      };
    });
  } catch (error) {
    if (error instanceof AppError) return [];
    throw error;
  }
}
