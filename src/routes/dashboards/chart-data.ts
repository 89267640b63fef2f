import { z } from 'zod';
import { filterInput } from '../../domain/charts/config-parts.ts';
import { data } from '../../http/reply.ts';
import { invalid } from '../../lib/errors.ts';
import type { ChartAsk } from '../../services/dashboards/asked-elements.ts';
import { askOf, elementFields, MAX_BATCH } from '../chart-asks.ts';
import { chartBatchSchema, chartDataSchema } from '../chart-reply.ts';
import { onGivenDashboard } from '../guards.ts';
import { narrowedQuery } from '../in-workspace.ts';
import { defineRoute } from '../route.ts';
import { ofDashboard } from './dashboard-fields.ts';

const BATCH_MAX_BYTES = 10_000_000;

const member = z.json().optional();
/** Members of a configuration; what they must be depends on the type. */
const configFields = {
  dimension: member,
  series: member,
  aggregation: member,
  line_aggregation: member,
  weight_column: member,
  weight: member.describe('The same as weight_column'),
  filter: member.describe('Of the element itself, beside the filters of the dashboard'),
  include_test: member,
  quality: member,
  compare: member,
  nets: member,
  options: member,
  variable: member,
  filterElement: member,
  text: member,
};

const chart = z
  .strictObject({
    ...elementFields,
    chart_config: z
      .record(z.string(), z.json())
      .optional()
      .describe('What may also stand beside it: dimension, series, aggregation, …'),
    filters: filterInput.optional(),
    ...configFields,
  })
  .describe(
    'An element by its `chart_id`, or what it is to show: `survey_id`, `question_id` and `chart_type`, and all of a chart_config',
  );

/** `at`: where it stands in the body, `charts[0].`. */
function readAsk(input: z.output<typeof chart>, at = ''): ChartAsk {
  const { chart_id, survey_id, question_id, chart_type, chart_config, filters, ...beside } = input;
  const { weight, ...members } = beside;
  const config = {
    ...chart_config,
    ...Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)),
    ...(weight === undefined ? {} : { weight_column: weight }),
  };
  const hasConfig = Object.keys(config).length > 0;
  if (chart_id !== undefined && hasConfig) {
    const field =
      Object.keys(beside).find((name) => beside[name as keyof typeof beside] !== undefined) ?? 'chart_config';
    throw invalid(`${at}${field}`, 'cannot be given beside chart_id, which says what is shown');
  }
  return askOf({ chart_id, survey_id, question_id, chart_type, filters }, hasConfig ? config : null);
}

const WHO =
  'Whoever may see the survey asks whatever they like of it, with any filter. Everybody else (clients; members who do not see the survey) ' +
  'gets the elements of the dashboard (else 404), through its filter elements (else 400). ';

export const chartDataRoutes = [
  defineRoute({
    method: 'post',
    path: '/api/dashboards/:id/chart-data',
    operationId: 'getChartData',
    summary: 'The figures of one element, or of a configuration that is being tried',
    description: `${WHO}Complete responses are counted, without test responses once there are real ones, and without those whose quality flags were confirmed; \`counted\` says how many.`,
    access: onGivenDashboard,
    params: ofDashboard,
    query: narrowedQuery,
    body: chart,
    idempotent: false,
    reply: data(chartDataSchema),
    errors: { 410: 'The survey of the element was deleted', 422: 'The columns cannot be shown like that' },
    async handler({ services, caller, scope, body }) {
      return services.dashboardFigures.one(caller, scope, readAsk(body));
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/dashboards/:id/chart-data-batch',
    operationId: 'getChartDataBatch',
    summary: 'The figures of several elements at once',
    description:
      `${WHO}In the order of \`charts\`, at most ${MAX_BATCH}; what is wrong with one is told in its place. \`filters\` hold for all, ` +
      'each for the elements of its survey; a chart may have more of its own.',
    access: onGivenDashboard,
    params: ofDashboard,
    query: narrowedQuery,
    body: z.strictObject({ charts: z.array(chart).min(1).max(MAX_BATCH), filters: filterInput.optional() }),
    maxBodyBytes: BATCH_MAX_BYTES,
    idempotent: false,
    reply: data(chartBatchSchema),
    async handler({ services, caller, scope, body }) {
      const asks = body.charts.map((one, index) => readAsk(one, `charts[${index}].`));
      return services.dashboardFigures.batch(caller, scope, asks, body.filters);
    },
  }),
];
