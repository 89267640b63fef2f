import { z } from 'zod';
import { resolveDashboardSettings, dashboardSettingsSchema } from '../../domain/dashboards/dashboard.ts';
import { anyone } from '../../http/access.ts';
import { dataReply, JsonText, matchesEtag, notModified, withReply } from '../../http/reply.ts';
import type { RequestMetadata } from '../../http/define-route.ts';
import { mustBe, requiredField } from '../../lib/error-messages.ts';
import { invalid } from '../../lib/errors.ts';
import type { Services } from '../../services/services.ts';
import { UNLOCK_COOKIE, type WriteView } from '../../services/dashboards/public-dashboards.ts';
import {
  chartBatchSchema,
  chartDataSchema,
  chartQueryFields,
  chartQueryOf,
  filterValues,
  MAX_BATCH,
  dashboardChartSchema,
  dashboardPageSchema,
  presentChart,
  presentPage,
} from '../dashboard-schemas.ts';
import { passwordField } from '../request-fields.ts';
import { defineRoute } from '../define-route.ts';

const MAX_FILTER_CHARACTERS = 20_000;

const slug = z.string().min(1).max(100);
const params = z.strictObject({ orgSlug: slug, dashboardSlug: slug });
type Address = z.output<typeof params>;

const viewSchema = z
  .strictObject({
    dashboard_name: z.string(),
    dashboard_description: z.string().nullable(),
    dashboard_slug: z.string(),
    organization_name: z.string(),
    organization_slug: z.string(),
    dashboard_settings: dashboardSettingsSchema,
    pages: z.array(dashboardPageSchema),
    charts: z
      .array(dashboardChartSchema)
      .describe('All charts in the order of pages and positions, without their filters and weights'),
    figures: chartBatchSchema
      .optional()
      .describe('With `figures=true`: the data of `charts`, in the same order'),
    updated_at: z.iso.datetime().describe('Last change of the dashboard'),
    as_of: z.iso.datetime().describe('Time of the data shown'),
  })
  .meta({ id: 'PublicDashboard' });

/** The view is the same for every viewer, so it is serialized once. */
const writeView: WriteView = ({ organizationName, content, asOf }, figures) => {
  const { dashboard, pages, charts } = content;
  const view: z.input<typeof viewSchema> = {
    dashboard_name: dashboard.dashboard_name,
    dashboard_description: dashboard.dashboard_description,
    dashboard_slug: dashboard.dashboard_slug,
    organization_name: organizationName,
    organization_slug: dashboard.organization_slug,
    dashboard_settings: resolveDashboardSettings(dashboard.dashboard_settings),
    pages: pages.map((page) => presentPage(page, charts)),
    charts: charts.map((chart) => presentChart(chart, null)),
    updated_at: dashboard.updated_at.toISOString(),
    as_of: asOf.toISOString(),
  };
  const text = JSON.stringify(view);
  return figures === null ? text : `${text.slice(0, -1)},"figures":[${figures.join(',')}]}`;
};

/** Filters in a query parameter, as JSON. */
const filtersText = z
  .string()
  .max(MAX_FILTER_CHARACTERS)
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue({ code: 'custom', message: mustBe('JSON such as {"Q1":["1","2"]}', text) });
      return z.NEVER;
    }
  })
  .pipe(filterValues.nullable())
  .transform((filters) => filters ?? undefined);

const addressOf = ({ orgSlug, dashboardSlug }: Address) => ({ orgSlug, slug: dashboardSlug });

const openPublicDashboard = ({ publicDashboards }: Services, address: Address, request: RequestMetadata) =>
  publicDashboards.openDashboard(addressOf(address), request.cookie(UNLOCK_COOKIE));

const element = z.strictObject({ ...chartQueryFields, filters: filterValues.nullish() });

/** A chart is identified by its id, or by survey, question and chart type. */
function readChartQuery(body: z.output<typeof element>, field = '') {
  if (body.chart_id === undefined && (body.question_id === undefined || body.chart_type === undefined))
    throw invalid(
      `${field}chart_id`,
      requiredField('unless survey_id, question_id and chart_type are given'),
    );
  return chartQueryOf(body);
}

const LOCKED = 'A dashboard with a password is 401 `password_required` until it is unlocked.\n\n';
const locked = { 401: '`password_required`: unlock the dashboard with its password first' } as const;
const errors = { ...locked, 410: 'The survey of the chart was deleted' } as const;
const noStore = { 'Cache-Control': 'no-store' };

/** Operations on publicly shared dashboards; no account is needed. */
export const publicDashboardRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/public/d/:orgSlug/:dashboardSlug',
    operationId: 'getPublicDashboard',
    summary: 'Get a public dashboard',
    description:
      `${LOCKED}With \`figures=true\` the reply includes the data of all charts, filtered by \`filters\`.\n\n` +
      '- Supports conditional requests: with `If-None-Match`, an unchanged dashboard is 304. Caches may store the reply but ' +
      'have to revalidate it.\n' +
      '- Groups of fewer respondents than `dashboard_settings.min_base` are hidden (null, `suppressed`, note `small_groups_hidden`).\n' +
      '- Labels are those of the latest published version of each survey. A question that was never published has the error ' +
      '`not_published`; an option that was never published is left out.',
    access: anyone,
    rateLimit: 'public',
    params,
    query: z.strictObject({
      figures: z
        .enum(['true', 'false'])
        .transform((value) => value === 'true')
        .optional()
        .describe('Whether the reply includes the data of all charts')
        .meta({ override: { type: 'boolean' } }),
      filters: filtersText.optional().describe('JSON, such as `{"Q1":["1","2"]}`'),
    }),
    reply: dataReply(viewSchema),
    replyHeaders: ['ETag'],
    errors: locked,
    async handler({ services, params: address, query, request }) {
      const { publicDashboards } = services;
      const open = await openPublicDashboard(services, address, request);
      const withFigures = query.figures ?? false;
      const etag = publicDashboards.etagOf(open, query.filters, withFigures);
      const headers = {
        ETag: etag,
        'Cache-Control': open.isLocked ? 'private, no-cache' : 'public, no-cache',
        ...(open.isLocked ? { Vary: 'Cookie' } : {}),
      };
      if (matchesEtag(request.ifNoneMatch, etag)) return notModified(headers);
      const bytes = await publicDashboards.renderView({
        openDashboard: open,
        filters: query.filters,
        withFigures,
        write: writeView,
      });
      return withReply(new JsonText(bytes), { headers });
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/public/d/:orgSlug/:dashboardSlug/unlock',
    operationId: 'unlockPublicDashboard',
    summary: 'Unlock a public dashboard',
    description:
      'Checks the password and sets a cookie that gives access to this dashboard for eight hours, or until the password ' +
      'changes. Wrong passwords are limited in 15 minutes: `RATE_LIMIT_AUTH` per dashboard and network together, 5 times as ' +
      'many per network, 10 times as many per dashboard.',
    access: anyone,
    rateLimit: 'public',
    params,
    body: z.strictObject({ password: passwordField }),
    example: {
      password: 'open-the-coffee-figures',
    },
    reply: dataReply(z.strictObject({ unlocked: z.literal(true) })),
    errors: { 401: '`wrong_password`' },
    async handler({ services, params: address, body, request }) {
      const unlockToken = await services.publicDashboards.unlock(
        addressOf(address),
        body.password,
        request.address,
      );
      const publicPath = `/d/${address.orgSlug}/${address.dashboardSlug}`;
      const cookies =
        unlockToken === null
          ? []
          : [publicPath, `/api/public${publicPath}`].map((path) => ({
              name: UNLOCK_COOKIE,
              value: unlockToken.token,
              maxAgeSeconds: unlockToken.maxAgeSeconds,
              path,
            }));
      return withReply({ unlocked: true as const }, { cookies, headers: noStore });
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/public/d/:orgSlug/:dashboardSlug/chart-data',
    operationId: 'getPublicChartData',
    summary: 'Get data of a public chart',
    description:
      `${LOCKED}Returns the data of one chart of the dashboard (otherwise 404), filtered by the filter elements of the ` +
      'dashboard (otherwise 400). Test responses are never counted, and small groups are hidden.',
    access: anyone,
    rateLimit: 'public',
    params,
    body: element,
    example: {
      chart_id: 1,
      filters: { Q1: ['female'] },
    },
    reply: dataReply(chartDataSchema),
    errors: { ...errors, 422: 'The chart cannot be computed with its configuration' },
    async handler({ services, params: address, body, request }) {
      const open = await openPublicDashboard(services, address, request);
      const text = await services.publicDashboards.figureJson(open, readChartQuery(body));
      return withReply(new JsonText(text), { headers: noStore });
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/public/d/:orgSlug/:dashboardSlug/chart-data-batch',
    operationId: 'getPublicChartDataBatch',
    summary: 'Get data of public charts',
    description:
      `${LOCKED}Returns the data of up to ${MAX_BATCH} charts in the order of \`charts\`; an error of one chart is reported in ` +
      'its place. `filters` apply to all charts, each filter to the charts of its survey.',
    access: anyone,
    rateLimit: 'public',
    params,
    body: z.strictObject({
      charts: z.array(element).min(1).max(MAX_BATCH),
      filters: filterValues.nullish(),
    }),
    example: {
      charts: [{ chart_id: 1 }],
      filters: { Q1: ['female'] },
    },
    reply: dataReply(chartBatchSchema),
    errors: locked,
    async handler({ services, params: address, body, request }) {
      const open = await openPublicDashboard(services, address, request);
      const asks = body.charts.map((one, index) => readChartQuery(one, `charts[${index}].`));
      const text = await services.publicDashboards.figuresJson(open, asks, body.filters ?? undefined);
      return withReply(new JsonText(text), { headers: noStore });
    },
  }),
];
