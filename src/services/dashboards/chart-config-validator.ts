import { type ChartConfig, type ChartType, chartTypeOf } from '../../domain/charts/registry.ts';
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
    const chartType = chartTypeOf(type);
    if (chartType.columnField === null) return config;
    const { definitions, derivedColumns } = this.store.read;
    const catalog = catalogOf(await definitions.draft(surveyId), await derivedColumns.current(surveyId));
    if ('weight_column' in config && config.weight_column !== undefined)
      requireWeightColumn(catalog, config.weight_column, 'weight_column');
    if ('filter' in config && config.filter !== undefined) compileFilter(config.filter, catalog);
    // The type adds members of its own configuration.
    return chartType.resolve(config, catalog).stored() as ChartConfig;
  }
}
