import { z } from 'zod';
import { filterInput } from '../../domain/charts/chart-config.ts';
import { withDocumentedSchema } from '../../http/openapi.ts';
import { dataReply } from '../../http/reply.ts';
import { invalid } from '../../lib/errors.ts';
import type { ChartQuery } from '../../services/dashboards/dashboard-content.ts';
import {
  chartBatchSchema,
  chartDataSchema,
  chartQueryFields,
  chartQueryOf,
  MAX_BATCH,
} from '../chart-data-schemas.ts';
import { anyChartConfig, chartConfigFields } from '../dashboard-schemas.ts';
import { dashboardQuery, onSharedDashboard } from '../guards.ts';
import { defineRoute } from '../define-route.ts';
import { dashboardParams } from './dashboards.ts';
import { jsonObject } from '../../lib/json-value.ts';

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
    replyExample: {
      chart_type: 'bar',
      dimension: { column_code: 'Q8', label: 'In which region do you work?', measure: 'nominal' },
      series_by: { column_code: 'Q1', label: 'What is your gender?', measure: 'nominal' },
      aggregation: { function: 'percent', label: 'Percent' },
      categories: [
        { code: 1, value: 'north', label: 'North' },
        { code: 2, value: 'south', label: 'South' },
      ],
      series: [
        {
          name: 'Female',
          value: 'female',
          values: [25, 75],
          counts: [2, 6],
          percents: [25, 75],
          base: { unweighted: 8, weighted: 8, effective: 8 },
        },
        {
          name: 'Male',
          value: 'male',
          values: [31.25, 68.75],
          counts: [5, 11],
          percents: [31.25, 68.75],
          base: { unweighted: 16, weighted: 16, effective: 16 },
        },
        {
          name: 'Non-binary',
          value: 'non_binary',
          values: [37.037037, 62.962963],
          counts: [10, 17],
          percents: [37.037037, 62.962963],
          base: { unweighted: 27, weighted: 27, effective: 27 },
        },
      ],
      base: { unweighted: 51, weighted: 51, effective: 51 },
      notes: [{ code: 'responses_counted', message: 'Not counted: 20 test responses.' }],
      filters_applied: [],
      data_version: 'raov7zXef_jM9DCY',
      counted: {
        responses: 51,
        test_responses_included: 0,
        test_responses_excluded: 20,
        quality_included: 0,
        quality_excluded: 0,
      },
    },
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
      return services.dashboardFigures.computeBatch(caller, scope, asks, body.filters);
    },
  }),
];
