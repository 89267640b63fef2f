import { z } from 'zod';
import type { Caller } from '../../domain/access/caller.ts';
import type { DashboardScope, WorkspaceScope } from '../../domain/access/scopes.ts';
import {
  dashboardSettingsChangesSchema,
  dashboardSettingsSchema,
  resolveDashboardSettings,
} from '../../domain/dashboards/dashboard.ts';
import { userOn } from '../../http/access.ts';
import { idNumber, idParam, pagingQuery, parseIdPage, toListPage } from '../../http/paging.ts';
import { dataReply, emptyReply, listReply } from '../../http/reply.ts';
import { notFound } from '../../lib/errors.ts';
import type { DashboardRow, ListedDashboardRow } from '../../repositories/dashboards.ts';
import { MAX_NAME } from '../../services/dashboards/dashboards.ts';
import type { Services } from '../../services/services.ts';
import {
  DASHBOARD_CHART_EXAMPLE,
  DASHBOARD_PAGE_EXAMPLE,
  dashboardChartSchema,
  dashboardPageSchema,
  presentChart,
  presentPage,
} from '../dashboard-schemas.ts';
import { slugSchema } from '../../lib/slugs.ts';
import { defineRoute } from '../define-route.ts';
import {
  dashboardQuery,
  deletedParam,
  inWorkspace,
  listRestorable,
  onDashboard,
  onDeletedDashboard,
  onSharedDashboard,
  readOnly,
  targetWorkspaceQuery,
} from '../guards.ts';

export const dashboardParams = z.strictObject({ id: idParam });

const dashboardName = z.string().trim().min(1, 'is required').max(MAX_NAME);

/** Fields of create and update. */
const dashboardFields = {
  dashboard_description: z.string().max(10_000).nullish(),
  dashboard_settings: dashboardSettingsChangesSchema
    .nullish()
    .describe(
      'Settings are merged by key: an omitted key keeps its value, null resets it to its default, and null for the whole ' +
        'object resets all keys',
    ),
};

const shape = {
  dashboard_id: z.int(),
  workspace_id: z.int(),
  dashboard_name: z.string(),
  dashboard_description: z.string().nullable(),
  dashboard_slug: z.string(),
  organization_slug: z.string(),
  dashboard_settings: dashboardSettingsSchema,
  open_to: z
    .enum(['members', 'public', 'password'])
    .describe(
      'Who can view the dashboard: `members` only users who are signed in, `public` anyone with the address, `password` ' +
        'anyone with the address and the password',
    ),
  public_url: z
    .string()
    .nullable()
    .describe('Public address; null: only users who are signed in can view the dashboard'),
  revision: z.int().describe('Increases with every change of the dashboard, its pages or its charts'),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
};

const DASHBOARD_EXAMPLE = {
  dashboard_id: 1,
  workspace_id: 1,
  dashboard_name: 'Coffee at work',
  dashboard_description: 'Results of the yearly study',
  dashboard_slug: 'coffee-at-work',
  organization_slug: 'meridian-research',
  dashboard_settings: resolveDashboardSettings({ color: '#7c3aed' }),
  open_to: 'public',
  public_url: 'https://canvass.example.org/d/meridian-research/coffee-at-work',
  revision: 12,
  created_at: '2026-10-01T08:00:00.000Z',
  updated_at: '2026-10-06T08:05:00.000Z',
};

const dashboardSchema = z.strictObject(shape).meta({ id: 'Dashboard', examples: [DASHBOARD_EXAMPLE] });

const listedDashboardSchema = z
  .strictObject({
    ...shape,
    page_count: z.int(),
    chart_count: z.int(),
    deleted_at: z.iso.datetime().nullable().describe('With `deleted=true`'),
  })
  .meta({
    id: 'ListedDashboard',
    examples: [{ ...DASHBOARD_EXAMPLE, page_count: 1, chart_count: 1, deleted_at: null }],
  });

export const dashboardWithPagesSchema = z
  .strictObject({
    ...shape,
    my_role: z
      .enum(['viewer', 'editor', 'owner'])
      .nullable()
      .describe(
        'Your role in the workspace; null: the dashboard was shared with you, without access to the workspace',
      ),
    pages: z.array(dashboardPageSchema),
    charts: z.array(dashboardChartSchema).describe('All charts in the order of pages and positions'),
  })
  .meta({
    id: 'DashboardWithPages',
    examples: [
      {
        ...DASHBOARD_EXAMPLE,
        my_role: 'editor',
        pages: [DASHBOARD_PAGE_EXAMPLE],
        charts: [DASHBOARD_CHART_EXAMPLE],
      },
    ],
  });

const presentDashboard = (row: DashboardRow, publicUrl: string | null): z.input<typeof dashboardSchema> => ({
  dashboard_id: row.dashboard_id,
  workspace_id: row.workspace_id,
  dashboard_name: row.dashboard_name,
  dashboard_description: row.dashboard_description,
  dashboard_slug: row.dashboard_slug,
  organization_slug: row.organization_slug,
  dashboard_settings: resolveDashboardSettings(row.dashboard_settings),
  open_to: row.open_share ?? 'members',
  public_url: publicUrl,
  revision: row.revision,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

const presentListed = (
  row: ListedDashboardRow,
  publicUrl: string | null,
): z.input<typeof listedDashboardSchema> => ({
  ...presentDashboard(row, publicUrl),
  page_count: row.page_count,
  chart_count: row.chart_count,
  deleted_at: row.deleted_at?.toISOString() ?? null,
});

/** Members list the dashboards of a workspace, clients those shared with them (scope null). */
const onWorkspaceOrShared = userOn(
  'workspace: view; clients: dashboards shared with them',
  ({
    services,
    caller,
    query,
  }: {
    services: Services;
    caller: Caller;
    query: { workspace_id?: number | undefined };
  }): Promise<WorkspaceScope> | null =>
    caller.role === 'client' ? null : services.access.workspaceContext(caller, query.workspace_id, 'view'),
);

export const dashboardRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/dashboards',
    operationId: 'listDashboards',
    summary: 'List dashboards',
    description:
      'Returns the newest dashboard first. Clients get the dashboards shared with them. With `deleted=true` editors of the workspace ' +
      'get the dashboards that they can restore; other users get none.',
    access: onWorkspaceOrShared,
    query: z.strictObject({
      workspace_id: idParam
        .optional()
        .describe('Default: the current workspace; for a client, all dashboards shared with them'),
      search: z
        .string()
        .trim()
        .min(1)
        .max(200)
        .optional()
        .describe('Part of the name or description, ignoring case'),
      deleted: deletedParam('dashboards'),
      ...pagingQuery,
    }),
    reply: listReply(listedDashboardSchema),
    async handler({ services, caller, scope, query }) {
      const part = parseIdPage(query);
      const listing = { ...part, search: query.search ?? null };
      const { found, total } = query.deleted
        ? await listRestorable(scope, (own) => services.dashboardTrash.list(own, listing))
        : scope === null
          ? await services.dashboards.listShared(caller, query.workspace_id ?? null, listing)
          : await services.dashboards.listByWorkspace(scope, listing);
      return toListPage({
        found,
        limit: part.limit,
        total,
        positionOf: (row) => row.dashboard_id,
        present: (row) => presentListed(row, services.dashboards.publicUrl(row)),
      });
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/dashboards/check-slug',
    operationId: 'checkDashboardSlug',
    summary: 'Check a dashboard slug',
    description: 'Returns whether the slug is valid and available in the organization.',
    access: inWorkspace('view'),
    query: z.strictObject({
      slug: slugSchema.describe('The slug to check: lower-case letters, digits and single hyphens'),
      workspace_id: idParam.optional().describe('Default: the current workspace'),
    }),
    reply: dataReply(
      z
        .strictObject({ slug: z.string(), available: z.boolean() })
        .meta({ id: 'SlugCheck', examples: [{ slug: 'coffee-at-work', available: true }] }),
    ),
    handler: async ({ services, caller, query: { slug } }) => ({
      slug,
      available: await services.dashboards.isSlugFree(caller, slug),
    }),
  }),
  defineRoute({
    method: 'post',
    path: '/api/dashboards',
    operationId: 'createDashboard',
    summary: 'Create a dashboard',
    description:
      'Creates an empty dashboard in the workspace of the body or query, otherwise in the current workspace. The default slug ' +
      'is derived from the name.',
    access: inWorkspace('edit'),
    query: targetWorkspaceQuery,
    body: z.strictObject({
      dashboard_name: dashboardName,
      dashboard_slug: slugSchema.optional(),
      workspace_id: idNumber.optional(),
      ...dashboardFields,
    }),
    example: {
      dashboard_name: 'Coffee at work',
      dashboard_slug: 'coffee-at-work',
      dashboard_description: 'Results of the yearly study',
      dashboard_settings: { theme: 'light', color: '#7c3aed' },
    },
    reply: dataReply(dashboardSchema),
    status: 201,
    errors: { 409: '`slug_taken`: the slug is already in use' },
    async handler({ services, scope, body }) {
      const row = await services.dashboards.create(scope, {
        name: body.dashboard_name,
        description: body.dashboard_description ?? null,
        slug: body.dashboard_slug,
        settings: body.dashboard_settings,
      });
      return presentDashboard(row, services.dashboards.publicUrl(row));
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/dashboards/:id',
    operationId: 'getDashboard',
    summary: 'Get a dashboard',
    description:
      'Returns the dashboard with its pages and charts. Users it was shared with do not see the filters and weights of charts.',
    access: onSharedDashboard,
    params: dashboardParams,
    query: dashboardQuery,
    reply: dataReply(dashboardWithPagesSchema),
    handler: ({ services, scope }) => presentDashboardWithPages(services, scope),
  }),
  defineRoute({
    method: 'put',
    path: '/api/dashboards/:id',
    operationId: 'updateDashboard',
    summary: 'Update a dashboard',
    description:
      'Omitted fields keep their values. `workspace_id` moves the dashboard. It requires edit permission in both workspaces; ' +
      'the caller must also own the current workspace, be an admin, or everyone who can view the current workspace must be able ' +
      'to view the new one. Its author, everyone in a team workspace if another user created it, and everyone in a workspace that an ' +
      'editor moved it from must keep seeing it, unless an admin moves it. Otherwise 403. An admin can undo the move with `POST /api/audit/:auditId/undo-move`. Changing the ' +
      'slug invalidates the old address. `pages` and `charts` are ignored; they have operations of their own.',
    access: onDashboard('edit'),
    params: dashboardParams,
    query: dashboardQuery,
    body: z.strictObject({
      dashboard_name: dashboardName.optional(),
      dashboard_slug: slugSchema.optional(),
      workspace_id: idNumber.optional(),
      ...dashboardFields,
      dashboard_id: readOnly,
      organization_slug: readOnly,
      open_to: readOnly,
      public_url: readOnly,
      revision: readOnly,
      created_at: readOnly,
      updated_at: readOnly,
      my_role: readOnly,
      page_count: readOnly,
      chart_count: readOnly,
      deleted_at: readOnly,
      pages: readOnly,
      charts: readOnly,
    }),
    example: {
      dashboard_name: 'Coffee at work 2026',
    },
    reply: dataReply(dashboardSchema),
    errors: { 409: '`slug_taken`: the slug is already in use' },
    async handler({ services, caller, scope, body }) {
      const row = await services.dashboards.update(caller, scope, {
        name: body.dashboard_name,
        description: body.dashboard_description,
        slug: body.dashboard_slug,
        workspaceId: body.workspace_id,
        settings: body.dashboard_settings,
      });
      return presentDashboard(row, services.dashboards.publicUrl(row));
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/api/dashboards/:id',
    operationId: 'deleteDashboard',
    summary: 'Delete a dashboard',
    description:
      'The dashboard and its shares are hidden immediately, but not erased: `POST /api/dashboards/:id/restore` restores them within ' +
      '`DELETED_RETENTION_DAYS` (30 days by default); then they are erased.',
    access: onDashboard('edit'),
    params: dashboardParams,
    query: dashboardQuery,
    reply: emptyReply,
    handler: ({ services, scope }) => services.dashboards.delete(scope),
  }),
  defineRoute({
    method: 'post',
    path: '/api/dashboards/:id/restore',
    operationId: 'restoreDashboard',
    summary: 'Restore a deleted dashboard',
    description:
      'Restores the dashboard with its pages, charts and shares, within `DELETED_RETENTION_DAYS` after it was deleted. ' +
      '`GET /api/dashboards?deleted=true` lists these dashboards. If another dashboard has taken its slug, it gets a new one. Its public ' +
      'or password share is removed if you may not publish dashboards (setting `ADMINS_PUBLISH_DASHBOARDS`). Charts of surveys that were ' +
      'erased meanwhile are missing.',
    access: onDeletedDashboard,
    params: dashboardParams,
    query: dashboardQuery,
    reply: dataReply(dashboardSchema),
    errors: { 404: 'The dashboard is not deleted, or was deleted more than `DELETED_RETENTION_DAYS` ago' },
    async handler({ services, caller, scope }) {
      const row = await services.dashboardTrash.restore(caller, scope);
      return presentDashboard(row, services.dashboards.publicUrl(row));
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/dashboards/:id/duplicate',
    operationId: 'duplicateDashboard',
    summary: 'Duplicate a dashboard',
    description:
      'Creates a copy with pages and charts in the same workspace, with a new slug and without shares.',
    access: onDashboard('edit'),
    params: dashboardParams,
    query: dashboardQuery,
    body: z.strictObject({ dashboard_name: dashboardName.optional() }),
    example: {
      dashboard_name: 'Coffee at work 2027',
    },
    reply: dataReply(dashboardSchema),
    status: 201,
    async handler({ services, scope, body }) {
      const row = await services.dashboards.duplicate(scope, body.dashboard_name);
      return presentDashboard(row, services.dashboards.publicUrl(row));
    },
  }),
];

/** Returns a dashboard with its pages and charts. */
export async function presentDashboardWithPages(
  { dashboards, dashboardContents }: Services,
  scope: DashboardScope,
): Promise<z.input<typeof dashboardWithPagesSchema>> {
  const content = await dashboardContents.read(scope);
  if (content === null) throw notFound('dashboard');
  const { dashboard, pages, charts } = content;
  return {
    ...presentDashboard(dashboard, dashboards.publicUrl(dashboard)),
    my_role: scope.role,
    pages: pages.map((page) => presentPage(page, charts)),
    charts: charts.map((chart) => presentChart(chart, scope.role)),
  };
}
