import { z } from 'zod';
import { idNumber } from '../http/paging.ts';
import type { ChartQuery } from '../services/dashboards/dashboard-content.ts';
import { chartType } from './dashboard-reply.ts';

export const MAX_BATCH = 100;

const filterValue = z.union([z.string().max(1_000), z.number()]);

/** Selected values of filter elements, by column code. */
export const filterValues = z
  .record(z.string().max(120), z.union([filterValue, z.array(filterValue).max(1_000)]))
  .describe(
    'Selected values by column code of a filter element, such as `{"Q1": ["1", "2"]}`. Applies to the charts of the ' +
      'same survey',
  )
  .meta({ id: 'DashboardFilters' });

/** Fields that identify a chart. */
export const chartQueryFields = {
  chart_id: idNumber.optional(),
  survey_id: idNumber.optional(),
  question_id: idNumber.optional(),
  chart_type: chartType.optional(),
};

interface ChartQueryInput {
  chart_id?: number | undefined;
  survey_id?: number | undefined;
  question_id?: number | undefined;
  chart_type?: z.output<typeof chartType> | undefined;
  filters?: unknown;
}

export const chartQueryOf = (fields: ChartQueryInput, config: ChartQuery['config'] = null): ChartQuery => ({
  chartId: fields.chart_id ?? null,
  surveyId: fields.survey_id ?? null,
  questionId: fields.question_id ?? null,
  type: fields.chart_type ?? null,
  config,
  filters: fields.filters,
});
