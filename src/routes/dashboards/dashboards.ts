import { z } from 'zod';
import type { Caller } from '../../domain/access/caller.ts';
import type { WorkspaceScope } from '../../domain/access/scopes.ts';
import { userOn } from '../../http/access.ts';
import { idNumber, idParam, pagingQuery, parseDescendingPage, toListPage } from '../../http/paging.ts';
import { dataReply, emptyReply, listReply } from '../../http/reply.ts';
import type { Services } from '../../services/services.ts';
import { onDashboard, onSharedDashboard } from '../guards.ts';
import { inWorkspace, dashboardQuery, readOnly, targetWorkspaceQuery } from '../in-workspace.ts';
import { defineRoute } from '../define-route.ts';
import {
  dashboardFields,
  dashboardName,
  dashboardSchema,
  listedDashboardSchema,
  dashboardParams,
  presentDashboard,
  presentListed,
  slugText,
  dashboardWithPagesSchema,
} from './dashboard-fields.ts';
import { presentDashboardWithPages } from './dashboard-with-pages.ts';

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
    description: 'Returns the newest dashboard first. Clients get the dashboards shared with them.',
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
      ...pagingQuery,
    }),
    reply: listReply(listedDashboardSchema),
    async handler({ services, caller, scope, query }) {
      const part = parseDescendingPage(query);
      const listing = { ...part, search: query.search ?? null };
      const { found, total } =
        scope === null
          ? await services.dashboards.listShared(caller, query.workspace_id ?? null, listing)
          : await services.dashboards.listByWorkspace(scope, listing);
      return toListPage(
        found,
        { limit: part.limit, total },
        (row) => row.dashboard_id,
        (row) => presentListed(row, services.dashboards.publicUrl(row)),
      );
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
      slug: slugText.describe('The slug to check: lower-case letters, digits and single hyphens'),
      workspace_id: idParam.optional().describe('Default: the current workspace'),
    }),
    reply: dataReply(z.strictObject({ slug: z.string(), available: z.boolean() }).meta({ id: 'SlugCheck' })),
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
      dashboard_slug: slugText.optional(),
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
      'to view the new one. Otherwise 403. An admin can undo the move with `POST /api/audit/:auditId/undo-move`. Changing the ' +
      'slug invalidates the old address. `pages` and `charts` are ignored; they have operations of their own.',
    access: onDashboard('edit'),
    params: dashboardParams,
    query: dashboardQuery,
    body: z.strictObject({
      dashboard_name: dashboardName.optional(),
      dashboard_slug: slugText.optional(),
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
    description: 'The dashboard and its shares are hidden immediately, but not erased.',
    access: onDashboard('edit'),
    params: dashboardParams,
    query: dashboardQuery,
    reply: emptyReply,
    handler: ({ services, scope }) => services.dashboards.delete(scope),
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
