import { z } from 'zod';
import { resolveDashboardSettings, dashboardSettingsSchema } from '../../domain/charts/dashboard-settings.ts';
import { anyone } from '../../http/access.ts';
import { hasAlready } from '../../http/etag.ts';
import { data, JsonText, notModified, withReply } from '../../http/reply.ts';
import type { RequestFacts } from '../../http/define-route.ts';
import { invalid } from '../../lib/errors.ts';
import type { Services } from '../../services/services.ts';
import type { WriteView } from '../../services/dashboards/public-dashboards.ts';
import { UNLOCK_COOKIE } from '../../services/dashboards/unlock-tokens.ts';
import { askOf, chosenValues, elementFields, MAX_BATCH } from '../chart-asks.ts';
import { chartBatchSchema, chartDataSchema } from '../chart-reply.ts';
import { dashboardChartSchema, dashboardPageSchema, presentChart, presentPage } from '../dashboard-reply.ts';
import { givenPassword } from '../password-fields.ts';
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
      .describe(
        'All elements, in the order of the pages and on each of them; without their filters and weights',
      ),
    figures: chartBatchSchema
      .optional()
      .describe('With `figures=true`: of each element of `charts`, in their order'),
    updated_at: z.iso.datetime().describe('When the dashboard was changed'),
    as_of: z.iso.datetime().describe('When the data were first seen as they are now'),
  })
  .meta({ id: 'PublicDashboard' });

/** What of it changes with the viewer is nothing: it is written once for all. */
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

/** In a query as JSON. */
const filtersText = z
  .string()
  .max(MAX_FILTER_CHARACTERS)
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue({ code: 'custom', message: 'must be JSON such as {"Q1":["1","2"]}' });
      return z.NEVER;
    }
  })
  .pipe(chosenValues.nullable())
  .transform((filters) => filters ?? undefined);

const addressOf = ({ orgSlug, dashboardSlug }: Address) => ({ orgSlug, slug: dashboardSlug });

const enter = ({ publicDashboards }: Services, address: Address, request: RequestFacts) =>
  publicDashboards.openDashboard(addressOf(address), request.cookie(UNLOCK_COOKIE));

const element = z.strictObject({ ...elementFields, filters: chosenValues.nullish() });

/** By its id, or by all three that tell it from others. */
function readAsk(body: z.output<typeof element>, field = '') {
  if (body.chart_id === undefined && (body.question_id === undefined || body.chart_type === undefined))
    throw invalid(`${field}chart_id`, 'is required, or survey_id, question_id and chart_type');
  return askOf(body);
}

const LOCKED = 'Shared with a password: 401 `password_required` until it is unlocked. ';
const locked = { 401: '`password_required`: it is shared with a password, which was not given' } as const;
const errors = { ...locked, 410: 'The survey of the element was deleted' } as const;
const noStore = { 'Cache-Control': 'no-store' };

/** What everybody may call who has the address of a dashboard that is shared with everybody. */
export const publicDashboardRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/public/d/:orgSlug/:dashboardSlug',
    operationId: 'getPublicDashboard',
    summary: 'Get a public dashboard',
    description:
      `${LOCKED}With \`figures=true\` the figures come with it, narrowed by \`filters\`. The ETag differs whenever anything in the reply does; ` +
      'with If-None-Match an unchanged one is 304. Caches may keep it, and must ask each time. Groups of fewer respondents than ' +
      '`dashboard_settings.min_base` are hidden (null, `suppressed`, note `small_groups_hidden`). Labels are those of the latest published version of ' +
      'each survey; a question that was never published is the error `not_published`, an option is left out.',
    access: anyone,
    rateLimit: 'public',
    params,
    query: z.strictObject({
      figures: z
        .enum(['true', 'false'])
        .transform((value) => value === 'true')
        .optional()
        .meta({ override: { type: 'boolean' } }),
      filters: filtersText.optional().describe('As JSON: `{"Q1":["1","2"]}`'),
    }),
    reply: data(viewSchema),
    replyHeaders: ['ETag'],
    errors: locked,
    async handler({ services, params: address, query, request }) {
      const { publicDashboards } = services;
      const open = await enter(services, address, request);
      const withFigures = query.figures ?? false;
      const etag = publicDashboards.etagOf(open, query.filters, withFigures);
      const headers = {
        ETag: etag,
        'Cache-Control': open.isLocked ? 'private, no-cache' : 'public, no-cache',
        ...(open.isLocked ? { Vary: 'Cookie' } : {}),
      };
      if (hasAlready(request.ifNoneMatch, etag)) return notModified(headers);
      const bytes = await publicDashboards.renderView(open, query.filters, withFigures, writeView);
      return withReply(new JsonText(bytes), { headers });
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/public/d/:orgSlug/:dashboardSlug/unlock',
    operationId: 'unlockPublicDashboard',
    summary: 'Unlock a public dashboard',
    description:
      'Sets a cookie that opens this dashboard alone, for eight hours, as long as the password stays the same. Only wrong passwords are ' +
      'limited: `RATE_LIMIT_AUTH` in 15 minutes per dashboard and network together, 5 times as many per network, 10 times per dashboard.',
    access: anyone,
    rateLimit: 'public',
    params,
    body: z.strictObject({ password: givenPassword }),
    example: {
      password: 'open-the-coffee-figures',
    },
    reply: data(z.strictObject({ unlocked: z.literal(true) })),
    errors: { 401: '`wrong_password`: the password is not right' },
    async handler({ services, params: address, body, request }) {
      const made = await services.publicDashboards.unlock(addressOf(address), body.password, request.address);
      const place = `/d/${address.orgSlug}/${address.dashboardSlug}`;
      const cookies = (made === null ? [] : [place, `/api/public${place}`]).map((path) => ({
        name: UNLOCK_COOKIE,
        value: made!.token,
        maxAgeSeconds: made!.maxAgeSeconds,
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
    description: `${LOCKED}What is on the dashboard (else 404), through its filter elements (else 400). Test responses are never counted, small groups are hidden, labels are the published ones, as in the whole dashboard.`,
    access: anyone,
    rateLimit: 'public',
    params,
    body: element,
    example: {
      chart_id: 1,
      filters: { Q1: ['female'] },
    },
    reply: data(chartDataSchema),
    errors: { ...errors, 422: 'The element cannot be shown as it is' },
    async handler({ services, params: address, body, request }) {
      const open = await enter(services, address, request);
      const text = await services.publicDashboards.figureJson(open, readAsk(body));
      return withReply(new JsonText(text), { headers: noStore });
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/public/d/:orgSlug/:dashboardSlug/chart-data-batch',
    operationId: 'getPublicChartDataBatch',
    summary: 'Get data of public charts',
    description:
      `${LOCKED}In the order of \`charts\`, at most ${MAX_BATCH}; what is wrong with one is told in its place. \`filters\` hold for all, each for ` +
      'the elements of its survey.',
    access: anyone,
    rateLimit: 'public',
    params,
    body: z.strictObject({
      charts: z.array(element).min(1).max(MAX_BATCH),
      filters: chosenValues.nullish(),
    }),
    example: {
      charts: [{ chart_id: 1 }],
      filters: { Q1: ['female'] },
    },
    reply: data(chartBatchSchema),
    errors: locked,
    async handler({ services, params: address, body, request }) {
      const open = await enter(services, address, request);
      const asks = body.charts.map((one, index) => readAsk(one, `charts[${index}].`));
      const text = await services.publicDashboards.figuresJson(open, asks, body.filters ?? undefined);
      return withReply(new JsonText(text), { headers: noStore });
    },
  }),
];
