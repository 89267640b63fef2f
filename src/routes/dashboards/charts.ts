import { z } from 'zod';
import { CHART_TYPES, type ChartType, chartTypeOf } from '../../domain/charts/registry.ts';
import { withDocumentedSchema } from '../../http/openapi.ts';
import { idNumber, idParam } from '../../http/paging.ts';
import { dataReply, emptyReply } from '../../http/reply.ts';
import { notAllowedWith, requiredField } from '../../lib/error-messages.ts';
import { invalid } from '../../lib/errors.ts';
import { jsonObject } from '../../lib/json-value.ts';
import {
  anyChartConfig,
  chartPosition,
  chartType,
  chartUnion,
  dashboardChartSchema,
  dashboardPageSchema,
  presentChart,
  chartBatchSchema,
  chartDataSchema,
  chartQueryFields,
  chartQueryOf,
  MAX_BATCH,
  chartConfigFields,
} from '../dashboard-schemas.ts';
import { defineRoute } from '../define-route.ts';
import { dashboardQuery, onDashboard, readOnly, onSharedDashboard } from '../guards.ts';
import { dashboardParams, dashboardWithPagesSchema, presentDashboardWithPages } from './dashboards.ts';
import { filterInput } from '../../domain/charts/chart-config.ts';
import type { ChartQuery } from '../../services/dashboards/dashboard-content.ts';
import { getChartDataReplyExample } from './charts-examples.ts';

const ofChart = dashboardParams.extend({ chartId: idParam });
const title = z.string().max(500).nullish();
const config = withDocumentedSchema(jsonObject, anyChartConfig);

const CONFIG =
  'The fields of `chart_config` depend on the chart type; unknown fields are rejected. The survey must be visible to you.\n\n' +
  '- charts: `{survey_id, dimension:{question_id|column_code}, series?, aggregation, weight_column?, filter?, nets?, compare?, options?}`. ' +
  'Without `aggregation`, the default for question and chart type is stored: a matrix as percentages of rows, a ranking as shares ranked first ' +
  'and in the top 3 with the mean rank, a number as a histogram, a kpi as mean, NPS or share.\n' +
  '- text: `{text}` in Markdown\n' +
  '- filter: `{survey_id?, filterElement:{question_id|column_code, multiple}}`\n' +
  '- variable: `{survey_id, dimension, variable:{metric: base|count|sum|mean, …}}`';

/** A request that creates the example of a type. */
function exampleOf(type: ChartType) {
  const { example, columnField } = chartTypeOf(type);
  const { title: exampleTitle, config: exampleConfig } = example;
  return {
    page_id: 1,
    chart_type: type,
    ...(exampleTitle !== undefined && { chart_title: exampleTitle }),
    chart_config: { ...(columnField !== null && { survey_id: 1 }), ...exampleConfig },
  };
}

export const chartRoutes = [
  defineRoute({
    method: 'post',
    path: '/api/dashboards/:id/charts',
    operationId: 'createDashboardChart',
    summary: 'Create a chart',
    description: CONFIG,
    access: onDashboard('edit'),
    params: dashboardParams,
    query: dashboardQuery,
    body: withDocumentedSchema(
      z.strictObject({
        page_id: idNumber,
        chart_type: chartType,
        chart_title: title,
        chart_config: config,
        position: chartPosition.nullish(),
      }),
      chartUnion('NewDashboardChart', {
        page_id: idNumber,
        chart_title: title,
        position: chartPosition.nullish(),
      }),
    ),
    examples: Object.fromEntries(CHART_TYPES.map((type) => [type, exampleOf(type)])),
    reply: dataReply(dashboardChartSchema),
    status: 201,
    errors: {
      409: 'The dashboard already has 300 charts',
      422: 'The columns cannot be shown with this chart type',
    },
    handler: async ({ services, caller, scope, body }) =>
      presentChart(
        await services.dashboardCharts.create(caller, scope, {
          pageId: body.page_id,
          type: body.chart_type,
          title: body.chart_title ?? null,
          config: body.chart_config,
          position: body.position ?? null,
        }),
        scope.role,
      ),
  }),
  defineRoute({
    method: 'put',
    path: '/api/dashboards/:id/charts/reorder',
    operationId: 'reorderDashboardCharts',
    summary: 'Reorder charts',
    description:
      'Requires all charts of the dashboard: as `chart_ids`, or as `charts` with page and position where these change.',
    access: onDashboard('edit'),
    params: dashboardParams,
    query: dashboardQuery,
    body: z.strictObject({
      chart_ids: z.array(idNumber).max(1_000).optional(),
      charts: z
        .array(
          z.strictObject({
            chart_id: idNumber,
            page_id: idNumber.optional(),
            position: chartPosition.nullish(),
          }),
        )
        .max(1_000)
        .optional(),
    }),
    // The charts of the examples of createDashboardChart.
    example: { chart_ids: CHART_TYPES.map((_, index) => CHART_TYPES.length - index) },
    reply: dataReply(dashboardWithPagesSchema),
    async handler({ services, scope, body: { chart_ids: ids, charts } }) {
      if ((ids === undefined) === (charts === undefined))
        throw invalid(
          'charts',
          ids === undefined ? requiredField('unless chart_ids is given') : notAllowedWith('chart_ids'),
        );
      const places =
        ids?.map((chartId) => ({ chartId })) ??
        (charts ?? []).map((one) => ({ chartId: one.chart_id, pageId: one.page_id, position: one.position }));
      await services.dashboardCharts.reorder(scope, places, ids === undefined ? 'charts' : 'chart_ids');
      return presentDashboardWithPages(services, scope);
    },
  }),
  defineRoute({
    method: 'put',
    path: '/api/dashboards/:id/charts/:chartId',
    operationId: 'updateDashboardChart',
    summary: 'Update a chart',
    description:
      'Omitted fields keep their values; `chart_config` is replaced as a whole. Users who cannot view the survey can still ' +
      'rename or move the chart.\n\n' +
      `${CONFIG}`,
    access: onDashboard('edit'),
    params: ofChart,
    query: dashboardQuery,
    body: z.strictObject({
      page_id: idNumber.optional(),
      chart_type: chartType.optional(),
      chart_title: title,
      chart_config: config.optional(),
      position: chartPosition.nullish(),
      chart_id: readOnly,
      survey_deleted: readOnly,
    }),
    example: {
      chart_title: 'How satisfied are they?',
      chart_type: 'horizontal-bar',
    },
    reply: dataReply(dashboardChartSchema),
    errors: { 422: 'The columns cannot be shown with this chart type' },
    handler: async ({ services, caller, scope, params, body }) =>
      presentChart(
        await services.dashboardCharts.update({
          by: caller,
          scope,
          chartId: params.chartId,
          changes: {
            pageId: body.page_id,
            type: body.chart_type,
            title: body.chart_title,
            config: body.chart_config,
            position: body.position,
          },
        }),
        scope.role,
      ),
  }),
  defineRoute({
    method: 'delete',
    path: '/api/dashboards/:id/charts/:chartId',
    operationId: 'deleteDashboardChart',
    summary: 'Delete a chart',
    description: 'Deletes the chart. Report slides that follow it show an error in its place.',
    access: onDashboard('edit'),
    params: ofChart,
    query: dashboardQuery,
    reply: emptyReply,
    handler: ({ services, scope, params }) => services.dashboardCharts.delete(scope, params.chartId),
  }),
];

const ofPage = dashboardParams.extend({ pageId: idParam });

export const pageRoutes = [
  defineRoute({
    method: 'post',
    path: '/api/dashboards/:id/pages',
    operationId: 'createDashboardPage',
    summary: 'Create a dashboard page',
    description: 'Adds the page at the end of the dashboard.',
    access: onDashboard('edit'),
    params: dashboardParams,
    query: dashboardQuery,
    body: z.strictObject({ page_title: title }),
    example: {
      page_title: 'Satisfaction',
    },
    reply: dataReply(dashboardPageSchema),
    status: 201,
    errors: { 409: 'The dashboard already has 50 pages' },
    handler: async ({ services, scope, body }) => ({
      ...(await services.dashboardPages.create(scope, body.page_title ?? null)),
      chart_ids: [],
    }),
  }),
  defineRoute({
    method: 'put',
    path: '/api/dashboards/:id/pages/reorder',
    operationId: 'reorderDashboardPages',
    summary: 'Reorder dashboard pages',
    description: 'Requires the ids of all pages. Charts stay on their pages.',
    access: onDashboard('edit'),
    params: dashboardParams,
    query: dashboardQuery,
    body: z.strictObject({ page_ids: z.array(idNumber).max(1_000) }),
    example: {
      page_ids: [1, 2],
    },
    reply: dataReply(dashboardWithPagesSchema),
    async handler({ services, scope, body }) {
      await services.dashboardPages.reorder(scope, body.page_ids);
      return presentDashboardWithPages(services, scope);
    },
  }),
  defineRoute({
    method: 'put',
    path: '/api/dashboards/:id/pages/:pageId',
    operationId: 'updateDashboardPage',
    summary: 'Update a dashboard page',
    description: 'An omitted title is kept; null clears it.',
    access: onDashboard('edit'),
    params: ofPage,
    query: dashboardQuery,
    body: z.strictObject({ page_title: title, page_id: readOnly, chart_ids: readOnly }),
    example: {
      page_title: 'Satisfaction and recommendation',
    },
    reply: dataReply(dashboardPageSchema),
    async handler({ services, scope, params, body }) {
      const { chartIds, ...page } = await services.dashboardPages.update(
        scope,
        params.pageId,
        body.page_title,
      );
      return { ...page, chart_ids: chartIds };
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/api/dashboards/:id/pages/:pageId',
    operationId: 'deleteDashboardPage',
    summary: 'Delete a dashboard page',
    description: 'Deletes the page with its charts.',
    access: onDashboard('edit'),
    params: ofPage,
    query: dashboardQuery,
    reply: emptyReply,
    handler: ({ services, scope, params }) => services.dashboardPages.delete(scope, params.pageId),
  }),
];

const BATCH_MAX_BYTES = 10_000_000;

/** Fields of a configuration. The service parses them with the schema of the chart type (chartConfigSchema). */
const configFields = {
  dimension: z.unknown().optional(),
  series: z.unknown().optional(),
  aggregation: z.unknown().optional(),
  line_aggregation: z.unknown().optional(),
  weight_column: z.unknown().optional(),
  weight: z.unknown().optional(),
  filter: z.unknown().optional(),
  include_test: z.unknown().optional(),
  quality: z.unknown().optional(),
  compare: z.unknown().optional(),
  nets: z.unknown().optional(),
  options: z.unknown().optional(),
  variable: z.unknown().optional(),
  filterElement: z.unknown().optional(),
  text: z.unknown().optional(),
};

const fields = { ...chartQueryFields, chart_config: jsonObject.optional(), filters: filterInput.nullish() };
const request = z.strictObject({ ...fields, ...configFields });

const chart = withDocumentedSchema(
  request,
  z
    .strictObject({
      ...fields,
      chart_config: anyChartConfig.optional().describe('Its fields can also be sent on the top level'),
      ...chartConfigFields,
      weight: z.string().optional().describe('Alias of `weight_column`'),
    })
    .meta({
      id: 'ChartQuery',
      description:
        'Either `chart_id`, for a chart of the dashboard, or `survey_id`, `question_id` and `chart_type` with the fields of ' +
        'a `chart_config`',
    }),
);

/** `at`: path prefix in the body for errors, such as `charts[0].`. */
function readChartQuery(input: z.output<typeof request>, at = ''): ChartQuery {
  const { chart_id, survey_id, question_id, chart_type, chart_config, filters, ...topLevel } = input;
  const { weight, ...members } = topLevel;
  const config = {
    ...chart_config,
    ...Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)),
    ...(weight === undefined ? {} : { weight_column: weight }),
  };
  const hasConfig = Object.keys(config).length > 0;
  if (chart_id !== undefined && hasConfig) {
    const field =
      Object.keys(topLevel).find((name) => topLevel[name as keyof typeof topLevel] !== undefined) ??
      'chart_config';
    throw invalid(`${at}${field}`, 'cannot be used with chart_id, which already decides the chart');
  }
  return chartQueryOf({ chart_id, survey_id, question_id, chart_type, filters }, hasConfig ? config : null);
}

const WHO =
  'Callers who can view the survey can request any chart with any filter. Others (clients, members without access to the survey) can only ' +
  'request charts of the dashboard (otherwise 404), with its filter elements (otherwise 400).\n\n';

export const chartDataRoutes = [
  defineRoute({
    method: 'post',
    path: '/api/dashboards/:id/chart-data',
    operationId: 'getChartData',
    summary: 'Get the data of a chart',
    description:
      `${WHO}Counts complete responses without test responses (once real ones exist) and without responses with confirmed ` +
      'quality flags; `counted` has the counts.\n\n' +
      '`{survey_id, question_id, chart_type}` alone is sufficient for every question and chart type: options and points are ' +
      'counted, numbers are binned, a matrix is shown as percentages within rows, a ranking as shares ranked first and in the ' +
      'top 3 with the mean rank. A gauge or kpi shows a mean, the NPS, the share of the first option, or the number of answers. ' +
      '422 only for files, and for texts with chart types that cannot show them. Percentages of a stacked-bar with a series are ' +
      'within the bar; see `options`.',
    access: onSharedDashboard,
    params: dashboardParams,
    query: dashboardQuery,
    body: chart,
    examples: {
      element: { chart_id: 1, filters: { Q1: ['female'] } },
      configuration: {
        survey_id: 1,
        chart_type: 'bar',
        chart_config: { dimension: 'Q4', series: 'Q1', aggregation: 'percent' },
      },
    },
    idempotent: false,
    reply: dataReply(chartDataSchema),
    replyExample: getChartDataReplyExample,
    errors: {
      410: 'The survey of the chart was deleted',
      422: 'The columns cannot be shown with this chart type',
    },
    async handler({ services, caller, scope, body }) {
      return services.dashboardFigures.computeOne(caller, scope, readChartQuery(body));
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/dashboards/:id/chart-data-batch',
    operationId: 'getChartDataBatch',
    summary: 'Get the data of several charts',
    description:
      `${WHO}Results are in the order of \`charts\`, at most 100; an error of one chart is reported in its place. \`filters\` apply ` +
      'to all charts of their survey; a chart can have further filters.',
    access: onSharedDashboard,
    params: dashboardParams,
    query: dashboardQuery,
    body: z.strictObject({ charts: z.array(chart).min(1).max(MAX_BATCH), filters: filterInput.nullish() }),
    example: {
      charts: [{ chart_id: 1 }, { chart_id: 2 }],
      filters: { Q1: ['female'] },
    },
    maxBodyBytes: BATCH_MAX_BYTES,
    idempotent: false,
    reply: dataReply(chartBatchSchema),
    async handler({ services, caller, scope, body }) {
      const asks = body.charts.map((one, index) => readChartQuery(one, `charts[${index}].`));
      return services.dashboardFigures.computeBatch({
        by: caller,
        scope,
        queries: asks,
        filters: body.filters,
      });
    },
  }),
];
