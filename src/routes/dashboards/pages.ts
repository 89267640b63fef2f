import { z } from 'zod';
import { idNumber, idParam } from '../../http/paging.ts';
import { dataReply, emptyReply } from '../../http/reply.ts';
import { dashboardPageSchema } from '../dashboard-reply.ts';
import { onDashboard } from '../guards.ts';
import { dashboardQuery, readOnly } from '../in-workspace.ts';
import { defineRoute } from '../define-route.ts';
import { dashboardParams, dashboardWithPagesSchema } from './dashboard-fields.ts';
import { presentDashboardWithPages } from './dashboard-with-pages.ts';

const ofPage = dashboardParams.extend({ pageId: idParam });
const title = z.string().max(500).nullish();

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
