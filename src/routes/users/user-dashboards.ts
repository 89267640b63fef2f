import { z } from 'zod';
import { admin } from '../../http/access.ts';
import { idNumber, idParam, paginateItems, pagingQuery } from '../../http/paging.ts';
import { listReply } from '../../http/reply.ts';
import { defineRoute } from '../define-route.ts';
import { onSelfOrAdmin } from './user-guards.ts';

const dashboardSchema = z
  .strictObject({
    dashboard_id: z.int(),
    dashboard_name: z.string(),
    workspace_id: z.int(),
    granted_directly: z.boolean().describe('Whether the dashboard is shared with the user directly'),
    group_ids: z.array(z.int()).describe('Groups of the user that the dashboard is shared with'),
  })
  .meta({ id: 'UserDashboard' });

const MAX_IDS = 1_000;
const params = z.strictObject({ id: idParam });

export const userDashboardRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/users/:id/dashboards',
    operationId: 'listUserDashboards',
    summary: 'List dashboards of a user',
    description:
      'Returns dashboards shared with the user directly or through groups. Users see all of their own; admins only those in ' +
      'workspaces they can view.',
    access: onSelfOrAdmin,
    params,
    query: z.strictObject(pagingQuery),
    reply: listReply(dashboardSchema),
    async handler({ services, scope, query }) {
      return paginateItems(await services.userDashboards.list(scope), (one) => one.dashboard_id, query);
    },
  }),
  defineRoute({
    method: 'put',
    path: '/api/users/:id/dashboards',
    operationId: 'setUserDashboards',
    summary: 'Replace the dashboards of a user',
    description:
      'Replaces the directly shared dashboards that the caller can view; shares in workspaces invisible to the caller are kept. ' +
      'Removed dashboards are inaccessible immediately, unless a group shares them. Returns the dashboards the user can view ' +
      'afterwards.',
    access: admin,
    params,
    body: z.strictObject({ dashboard_ids: z.array(idNumber).max(MAX_IDS) }),
    example: {
      dashboard_ids: [1],
    },
    reply: listReply(dashboardSchema),
    async handler({ services, caller, params: { id }, body }) {
      const dashboards = await services.userDashboards.set(caller, id, body.dashboard_ids);
      return paginateItems(dashboards, (one) => one.dashboard_id, {});
    },
  }),
];
