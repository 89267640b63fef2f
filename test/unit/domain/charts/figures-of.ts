import { runToCompletion } from '../../../../src/lib/concurrency.ts';
import { type ChartFigures } from '../../../../src/domain/charts/chart-data.ts';
import { chartConfigSchema, type FigureChart, figureTypeOf } from '../../../../src/domain/charts/registry.ts';
import type { ViewerFilters } from '../../../../src/domain/charts/disclosure/differencing.ts';
import type { Protection } from '../../../../src/domain/charts/disclosure/protection.ts';
import { selectRows } from '../../../../src/domain/dataset/filter/select-rows.ts';
import type { Dataset } from '../../../../src/domain/dataset/dataset.ts';

export interface Looking {
  type?: FigureChart;
  mask?: Uint8Array;
  weights?: Float64Array | null;
  /** The minimum base of a confidential survey. */
  minBase?: number;
  /** The minimum base of a public dashboard. */
  publicMinBase?: number;
  dominancePercent?: number;
  viewer?: ViewerFilters;
}

/** The figures of a chart (a bar chart by default) as a client would request them. */
export function figuresOf(dataset: Dataset, config: object, looking: Looking = {}): ChartFigures {
  const type = looking.type ?? 'bar';
  const read = chartConfigSchema(type).parse({ survey_id: 1, ...config });
  const chartType = figureTypeOf({ chart_type: type });
  const plan = chartType.plan(read, dataset.catalog);
  const counting = { mask: looking.mask ?? selectRows(dataset), weights: looking.weights ?? null };
  const { minBase, publicMinBase } = looking;
  const protection: Protection | null =
    minBase !== undefined
      ? { minBase, isRounded: true, dominancePercent: looking.dominancePercent ?? null }
      : publicMinBase !== undefined
        ? { minBase: publicMinBase, isRounded: false, dominancePercent: null }
        : null;
  return runToCompletion(
    chartType.figures(dataset, plan, { counting, protection, viewer: looking.viewer ?? null }),
  );
}
