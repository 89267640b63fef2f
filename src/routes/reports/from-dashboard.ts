import { z } from 'zod';
import type { Caller } from '../../domain/access/caller.ts';
import { memberOn } from '../../http/access.ts';
import { idNumber, idParam } from '../../http/paging.ts';
import { dataReply } from '../../http/reply.ts';
import { contradictingWorkspaceIds } from '../../lib/error-messages.ts';
import type { FromDashboardScope } from '../../services/reports/report-from-dashboard.ts';
import type { Services } from '../../services/services.ts';
import { defineRoute } from '../define-route.ts';
import { presentReportWithSlides } from './report-with-slides.ts';
import { reportName, reportWithSlidesSchema } from './report-fields.ts';

const bodySchema = z.strictObject({
  dashboard_id: idNumber,
  report_name: reportName.optional().describe('Default: the name of the dashboard'),
  workspace_id: idNumber
    .optional()
    .describe('Workspace of the new report. Default: the workspace of the dashboard'),
  linked: z
    .boolean()
    .default(true)
    .describe('Slides follow later changes of the charts; false: slides are independent copies'),
});

interface Context {
  services: Services;
  caller: Caller;
  query: { workspace_id?: number | undefined };
  body: z.output<typeof bodySchema>;
}

/** Requires view access to the dashboard and edit access to the workspace of the new report. */
const fromDashboard = memberOn(
  'workspace: edit; dashboard: view, or shared',
  async ({ services: { access }, caller, query, body }: Context): Promise<FromDashboardScope> => {
    const { workspace_id: inQuery } = query;
    const { workspace_id: inBody, dashboard_id: dashboardId } = body;
    if (inQuery !== undefined && inBody !== undefined && inQuery !== inBody)
      throw contradictingWorkspaceIds(inBody, inQuery);
    const dashboard = await access.dashboard(caller, dashboardId, 'view');
    const own = dashboard.role === null ? undefined : dashboard.workspaceId;
    return { ...(await access.workspaceContext(caller, inQuery ?? inBody ?? own, 'edit')), dashboard };
  },
);

export const fromDashboardRoute = defineRoute({
  method: 'post',
  path: '/api/reports/from-dashboard',
  operationId: 'createReportFromDashboard',
  summary: 'Create a report from a dashboard',
  description:
    'Creates a title slide, a section per page (if there are several), key figures, a slide per chart and text in dashboard ' +
    'order, and a methods appendix. Dashboard filters are not copied.',
  access: fromDashboard,
  query: z.strictObject({
    workspace_id: idParam
      .optional()
      .describe(
        'Default: `workspace_id` of the body, if it has one, otherwise the workspace of the dashboard',
      ),
  }),
  body: bodySchema,
  example: {
    dashboard_id: 1,
    report_name: 'Coffee at work: dashboard',
    linked: true,
  },
  reply: dataReply(reportWithSlidesSchema),
  status: 201,
  async handler({ services, scope, body }) {
    const { report_id: reportId } = await services.reportsFromDashboards.create(scope, {
      name: body.report_name,
      linked: body.linked,
    });
    return presentReportWithSlides(services, { ...scope, reportId });
  },
});
