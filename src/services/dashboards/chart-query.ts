import { type ChartConfig, type ChartType, chartTypeOf } from '../../domain/charts/registry.ts';
import { required } from '../../lib/error-messages.ts';
import { AppError, invalid, notFound } from '../../lib/errors.ts';
import type { DashboardChartRow } from '../../repositories/dashboards.ts';
import type { ChartRequest } from './chart-figures.ts';

/** A request for figures: of an element (by id or by what it shows), or of a configuration sent by the client. */
export interface ChartQuery {
  chartId: number | null;
  surveyId: number | null;
  questionId: number | null;
  type: ChartType | null;
  /** Further members of the configuration; null if none were sent. */
  config: Readonly<Record<string, unknown>> | null;
  filters: unknown;
}

/**
 * Finds the requested element; null if the query is not about an element. Throws 404 for an id that is not on this dashboard, even if it
 * exists elsewhere.
 */
export function findElement(
  charts: readonly DashboardChartRow[],
  query: ChartQuery,
): DashboardChartRow | null {
  if (query.chartId !== null) {
    const chart = charts.find(({ chart_id }) => chart_id === query.chartId);
    if (chart === undefined) throw notFound('chart');
    return chart;
  }
  if (query.config !== null || query.questionId === null) return null;
  return (
    charts.find(
      (chart) =>
        chart.chart_type === query.type &&
        (query.surveyId === null || chart.survey_id === query.surveyId) &&
        questionIdOf(chart) === query.questionId,
    ) ?? null
  );
}

export const surveyDeletedError = () =>
  new AppError('gone', 'survey_deleted', 'The survey of this element was deleted');

/** Whether the filters of a dashboard narrow the element. */
export const takesFilters = (type: ChartType): boolean => chartTypeOf(type).view !== 'filter';

/** Throws 410 if the survey of the element was deleted. */
export function toChartRequest(chart: DashboardChartRow, filters: unknown): ChartRequest {
  if (chart.survey_gone) throw surveyDeletedError();
  return {
    chartType: chart.chart_type,
    config: chart.chart_config as unknown as ChartConfig,
    surveyId: chart.survey_id,
    // Filter choices do not depend on the chosen values.
    ...(takesFilters(chart.chart_type) && { filters }),
  };
}

/** Builds a configuration from the members of the query. */
export function buildConfig(query: ChartQuery): { type: ChartType; input: Record<string, unknown> } {
  const { type, surveyId, questionId, config } = query;
  if (type === null) throw invalid('chart_type', required('unless chart_id is given'));
  const { columnField } = chartTypeOf(type);
  const named =
    config?.[columnField ?? ''] ?? (questionId === null ? undefined : { question_id: questionId });
  return {
    type,
    input: {
      ...config,
      ...(surveyId === null ? {} : { survey_id: surveyId }),
      ...(named === undefined || columnField === null ? {} : { [columnField]: named }),
    },
  };
}

function questionIdOf({ chart_config }: DashboardChartRow): unknown {
  const choice = (chart_config.dimension ?? chart_config.filterElement) as
    { question_id?: unknown } | undefined;
  return choice?.question_id;
}
