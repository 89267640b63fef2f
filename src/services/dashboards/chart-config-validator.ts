import {
  type ChartConfig,
  type ChartType,
  type ColumnChoice,
  type FigureConfig,
  isFigureChart,
} from '../../domain/charts/chart-config.ts';
import { resolveFilterElement } from '../../domain/charts/filter-choices.ts';
import { resolveColumnChoice, resolveChartPlan } from '../../domain/charts/chart-plan.ts';
import { resolveVariablePlan } from '../../domain/charts/variable.ts';
import type { CatalogColumn } from '../../domain/dataset/columns/column-catalog.ts';
import { catalogOf } from '../../repositories/derived-columns.ts';
import type { Store } from '../../repositories/store.ts';
import { compileFilter, requireWeightColumn } from '../datasets/requested-columns.ts';

/** Validates that a survey has the columns that a configuration names. Does not read responses. */
export class ChartConfigValidator {
  constructor(private readonly store: Store) {}

  /**
   * Returns the configuration with the question id of its column added. Throws 400 or 422 with the path of the wrong column, value or
   * filter, relative to the configuration.
   */
  async validate(surveyId: number, type: ChartType, config: ChartConfig): Promise<ChartConfig> {
    if ('text' in config) return config;
    const { definitions, derivedColumns } = this.store.read;
    const catalog = catalogOf(await definitions.draft(surveyId), await derivedColumns.current(surveyId));
    if ('filterElement' in config) {
      const { entry } = resolveFilterElement(config, catalog);
      return { ...config, filterElement: withQuestion(config.filterElement, entry) };
    }
    if ('variable' in config) resolveVariablePlan(config, catalog);
    if (config.weight_column !== undefined)
      requireWeightColumn(catalog, config.weight_column, 'weight_column');
    if (config.filter !== undefined) compileFilter(config.filter, catalog);
    if (!isFigureChart(type)) {
      const entry = resolveColumnChoice(catalog, config.dimension, 'dimension');
      return { ...config, dimension: withQuestion(config.dimension, entry) };
    }
    const { dimension, config: resolved } = resolveChartPlan(type, config as FigureConfig, catalog);
    // Stores the resolved aggregation, so that the chart does not change when the default of its type does.
    const { aggregation } = resolved;
    return { ...config, aggregation, dimension: withQuestion(config.dimension, dimension.entry) };
  }
}

/** Elements can also be requested by their question id. */
function withQuestion<Choice extends ColumnChoice>(choice: Choice, { spec }: CatalogColumn): Choice {
  return spec.questionId === null ? choice : { ...choice, question_id: spec.questionId };
}
