import { z } from 'zod';
import { idNumber } from '../../http/paging.ts';
import { documentedAs } from '../../http/openapi.ts';
import { data, empty } from '../../http/reply.ts';
import { invalid } from '../../lib/errors.ts';
import { chartPosition, chartType, dashboardChartSchema, presentChart } from '../dashboard-reply.ts';
import { anyChartConfig, chartUnion } from '../chart-schemas.ts';
import { onDashboard } from '../guards.ts';
import { narrowedQuery, readOnly } from '../in-workspace.ts';
import { defineRoute } from '../define-route.ts';
import { ofDashboard, wholeDashboardSchema } from './dashboard-fields.ts';
import { idText } from '../../http/paging.ts';
import { presentWhole } from './present-whole.ts';
import { jsonObject } from '../../lib/json-value.ts';

const ofChart = ofDashboard.extend({ chartId: idText });
const title = z.string().max(500).nullish();
const config = documentedAs(jsonObject, anyChartConfig);

const CONFIG =
  'Which members `chart_config` has, its type decides; unknown ones are refused at their path. Its survey must be one of the organization that ' +
  'you can see. Figures: `{survey_id, dimension:{question_id|column_code}, series?, aggregation, weight_column?, filter?, nets?, compare?, ' +
  'options?}`; without `aggregation` an element shows what suits question and chart type (a matrix its rows in percent, a ranking the shares ' +
  'ranked first and in the top 3 with the mean rank, a number a histogram; a kpi a mean, NPS or share), and stores that. text: `{text}`, markdown; filter: `{survey_id?, filterElement:{question_id|column_code, multiple}}`; variable: `{survey_id, ' +
  'dimension, variable:{metric: base|count|sum|mean, …}}`.';

export const chartRoutes = [
  defineRoute({
    method: 'post',
    path: '/api/dashboards/:id/charts',
    operationId: 'createDashboardChart',
    summary: 'Create a chart',
    description: CONFIG,
    access: onDashboard('edit'),
    params: ofDashboard,
    query: narrowedQuery,
    body: documentedAs(
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
    examples: {
      bar: {
        page_id: 1,
        chart_type: 'bar',
        chart_title: 'Satisfaction by gender',
        chart_config: { survey_id: 1, dimension: 'Q4', series: 'Q1', aggregation: 'percent' },
        position: { x: 0, y: 0, w: 6, h: 4 },
      },
      variable: {
        page_id: 1,
        chart_type: 'variable',
        chart_title: 'Mean satisfaction',
        chart_config: { survey_id: 1, dimension: 'Q4', variable: 'mean' },
      },
      filter: {
        page_id: 1,
        chart_type: 'filter',
        chart_config: { survey_id: 1, filterElement: { column_code: 'Q1', multiple: true, label: 'Gender' } },
      },
      text: { page_id: 1, chart_type: 'text', chart_config: { text: 'Source: **Coffee at work 2026**' } },
    },
    reply: data(dashboardChartSchema),
    status: 201,
    errors: {
      409: 'The dashboard has 300 elements already',
      422: 'The columns cannot be shown like that',
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
      'Takes exactly the elements that are there, as `chart_ids`, or as `charts` with the page and the position where these change.',
    access: onDashboard('edit'),
    params: ofDashboard,
    query: narrowedQuery,
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
    example: {
      chart_ids: [3, 1, 2, 4],
    },
    reply: data(wholeDashboardSchema),
    async handler({ services, scope, body: { chart_ids: ids, charts } }) {
      if ((ids === undefined) === (charts === undefined))
        throw invalid(
          'charts',
          ids === undefined ? 'is required, or chart_ids' : 'cannot be given beside chart_ids',
        );
      const places =
        ids?.map((chartId) => ({ chartId })) ??
        charts!.map((one) => ({ chartId: one.chart_id, pageId: one.page_id, position: one.position }));
      await services.dashboardCharts.reorder(scope, places, ids === undefined ? 'charts' : 'chart_ids');
      return presentWhole(services, scope);
    },
  }),
  defineRoute({
    method: 'put',
    path: '/api/dashboards/:id/charts/:chartId',
    operationId: 'updateDashboardChart',
    summary: 'Update a chart',
    description: `Absent fields stay; \`chart_config\` is the whole one. ${CONFIG} Who does not see the survey may still name or move the element.`,
    access: onDashboard('edit'),
    params: ofChart,
    query: narrowedQuery,
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
    reply: data(dashboardChartSchema),
    errors: { 422: 'The columns cannot be shown like that' },
    handler: async ({ services, caller, scope, params, body }) =>
      presentChart(
        await services.dashboardCharts.update(caller, scope, params.chartId, {
          pageId: body.page_id,
          type: body.chart_type,
          title: body.chart_title,
          config: body.chart_config,
          position: body.position,
        }),
        scope.role,
      ),
  }),
  defineRoute({
    method: 'delete',
    path: '/api/dashboards/:id/charts/:chartId',
    operationId: 'deleteDashboardChart',
    summary: 'Delete a chart',
    access: onDashboard('edit'),
    params: ofChart,
    query: narrowedQuery,
    reply: empty,
    handler: ({ services, scope, params }) => services.dashboardCharts.delete(scope, params.chartId),
  }),
];
