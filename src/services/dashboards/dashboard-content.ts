import { isRecord } from '../../domain/questions/answers/read-answer.ts';
import { type ChartConfig, type ChartType, chartTypeOf } from '../../domain/charts/registry.ts';
import { type FilterConfig, resolveFilterElement } from '../../domain/charts/types/filter.ts';
import { resolveDashboardSettings } from '../../domain/dashboards/dashboard.ts';
import { type SurveySettings, surveySettingsOf } from '../../domain/survey/survey-settings.ts';
import { mustBe, requiredField, sizeAtMost, unknownObject } from '../../lib/error-messages.ts';
import { AppError, invalid, invalidFields, notFound } from '../../lib/errors.ts';
import type {
  DashboardChartRow,
  DashboardKey,
  DashboardPageRow,
  DashboardRow,
} from '../../repositories/dashboards.ts';
import type { Store } from '../../repositories/store.ts';
import type { DatasetService } from '../datasets/datasets.ts';
import type { ChartRequest, ChartViewer } from './chart-figures.ts';
import { isChoices } from './resolve-chart.ts';

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
  if (type === null) throw invalid('chart_type', requiredField('unless chart_id is given'));
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

/** A dashboard with its pages and elements. */
export interface DashboardContent {
  dashboard: DashboardRow;
  pages: DashboardPageRow[];
  charts: DashboardChartRow[];
  /** Settings of the existing surveys. */
  settings: ReadonlyMap<number, SurveySettings>;
}

/** The combined options of all filter elements of a column. */
interface FilterColumn {
  /** The surveys whose charts the filter narrows. */
  surveys: ReadonlySet<number>;
  /** Whether several values may be chosen. */
  multiple: boolean;
}

/** Keys are column codes in lower case. */
export type FilterColumns = ReadonlyMap<string, FilterColumn>;

/** The viewer of a dashboard without authentication. */
export function publicViewer({ dashboard, settings, charts }: DashboardContent): ChartViewer {
  const { min_base: publicMinBase } = resolveDashboardSettings(dashboard.dashboard_settings);
  const publishedCharts = (surveyId: number, filters: unknown) =>
    charts.flatMap((chart) =>
      chart.survey_id === surveyId && !chart.survey_gone && takesFilters(chart.chart_type)
        ? [toChartRequest(chart, filters)]
        : [],
    );
  return { audience: 'public', settings, publicMinBase, publishedCharts, isPublishedWording: true };
}

export class DashboardContentReader {
  constructor(
    private readonly store: Store,
    private readonly datasets: DatasetService,
  ) {}

  /** Returns null if the dashboard was deleted. */
  async read(key: DashboardKey): Promise<DashboardContent | null> {
    const { dashboards, surveys } = this.store.read;
    const [dashboard, pages, charts] = await Promise.all([
      dashboards.find(key),
      dashboards.listPages(key),
      dashboards.listCharts(key),
    ]);
    if (dashboard === null) return null;
    const shown = charts.flatMap((chart) =>
      chart.survey_id === null || chart.survey_gone ? [] : [chart.survey_id],
    );
    const states = await surveys.findStates([...new Set(shown)]);
    const settings = new Map(
      [...states].map(([surveyId, state]) => [surveyId, surveySettingsOf(state.survey_settings)]),
    );
    return { dashboard, pages, charts, settings };
  }

  /** The columns of the filter elements. Elements whose column was deleted are ignored. */
  async listFilterColumns({ charts }: DashboardContent): Promise<FilterColumns> {
    const columns = new Map<string, FilterColumn>();
    for (const { chart_type, chart_config, survey_id: surveyId, survey_gone } of charts) {
      if (takesFilters(chart_type) || surveyId === null || survey_gone) continue;
      const config = chart_config as unknown as FilterConfig;
      const code = await this.resolveFilterColumn(surveyId, config);
      if (code === null) continue;
      const others = columns.get(code);
      columns.set(code, {
        surveys: new Set([...(others?.surveys ?? []), surveyId]),
        multiple: config.filterElement.multiple || (others?.multiple ?? false),
      });
    }
    return columns;
  }

  private async resolveFilterColumn(surveyId: number, config: FilterConfig): Promise<string | null> {
    try {
      const { resolved } = await this.datasets.openFor(surveyId, (catalog) => ({
        code: resolveFilterElement(config, catalog).entry.spec.columnCode,
        loadCodes: [],
      }));
      return resolved.code.toLowerCase();
    } catch (error) {
      if (error instanceof AppError) return null;
      throw error;
    }
  }
}

/** The filter of a survey's charts; undefined if nothing narrows them. */
export type SurveyFilters = (surveyId: number) => unknown;

/**
 * Filters for viewers without access to the survey: only values of the dashboard's filter elements; throws 400 that lists the invalid ones.
 * An element that is not `multiple` accepts one value, because every combination reveals more about the same respondents. A filter narrows
 * the charts of its element's survey. An empty choice is no filter.
 */
export function restrictedFilters(chosen: unknown, columns: FilterColumns, isFree = false): SurveyFilters {
  const field = 'filters';
  const isNone = chosen === undefined || chosen === null;
  if (!isNone && !isRecord(chosen))
    throw invalid(field, mustBe('values of the dashboard’s filters, such as {"Q1":["1","2"]}', chosen));
  const entries = isNone ? [] : Object.entries(chosen);
  const problems = entries.flatMap(([code, values]) => {
    const filterField = `${field}.${code.slice(0, 60)}`;
    const column = columns.get(code.toLowerCase());
    if (column === undefined)
      return [
        {
          field: filterField,
          message: unknownObject({ kind: 'filter', idOrCode: code, scope: 'in this dashboard' }),
        },
      ];
    if (!isFree && !column.multiple && new Set([values].flat().map(String)).size > 1)
      return [
        { field: filterField, message: sizeAtMost(1, 'value', new Set([values].flat().map(String)).size) },
      ];
    if (![values].flat().every(isValue))
      return [{ field: filterField, message: 'must be a value of the filter, or a list of them' }];
    return [];
  });
  if (problems.length > 0) throw invalidFields(problems);
  return (surveyId) => {
    const own = entries.filter(
      ([code, values]) =>
        columns.get(code.toLowerCase())?.surveys.has(surveyId) === true &&
        !(Array.isArray(values) && values.length === 0),
    );
    return own.length === 0 ? undefined : Object.fromEntries(own);
  };
}

/**
 * Filters for callers with access to the survey: any condition. Choices of the dashboard's filters only are handled like those of viewers.
 */
export function unrestrictedFilters(chosen: unknown, columns: FilterColumns): SurveyFilters {
  const codes = isRecord(chosen) ? Object.keys(chosen) : [];
  if (codes.length > 0 && codes.every((code) => columns.has(code.toLowerCase())))
    return restrictedFilters(chosen, columns, true);
  return () => chosen;
}

/** Combines the filters of a request with those of one chart. For the same column the chart's filter wins. */
export function mergeFilters(common: unknown, own: unknown): unknown {
  if (common === undefined || common === null) return own;
  if (own === undefined || own === null) return common;
  if (isChoices(common) && isChoices(own)) return { ...common, ...own };
  return { connector: 'and', conditions: [common, own] };
}

const isValue = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number';
