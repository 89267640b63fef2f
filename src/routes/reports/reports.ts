import { z } from 'zod';
import { idNumber, idParam, pagingQuery, parseDescendingPage, toListPage } from '../../http/paging.ts';
import { dataReply, emptyReply, listReply } from '../../http/reply.ts';
import { onReport } from '../guards.ts';
import { inWorkspace, reportQuery, readOnly, targetWorkspaceQuery } from '../in-workspace.ts';
import { defineRoute } from '../define-route.ts';
import { presentReportWithSlides } from './report-with-slides.ts';
import {
  ofReport,
  presentReport,
  reportFields,
  reportName,
  reportSchema,
  reportWithSlidesSchema,
} from './report-fields.ts';

export const reportRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/reports',
    operationId: 'listReports',
    summary: 'List reports',
    description: 'Returns the newest report first.',
    access: inWorkspace('view'),
    query: z.strictObject({
      workspace_id: idParam.optional().describe('Default: the current workspace'),
      search: z
        .string()
        .trim()
        .min(1)
        .max(200)
        .optional()
        .describe('Part of the name or description, ignoring case'),
      ...pagingQuery,
    }),
    reply: listReply(reportSchema),
    async handler({ services, scope, query }) {
      const part = parseDescendingPage(query);
      const listing = { ...part, search: query.search ?? null };
      const { found, total } = await services.reports.listByWorkspace(scope, listing);
      return toListPage(found, { limit: part.limit, total }, (row) => row.report_id, presentReport);
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/reports',
    operationId: 'createReport',
    summary: 'Create a report',
    description:
      'Creates an empty report in the workspace of the body or query, otherwise in the current workspace.',
    access: inWorkspace('edit'),
    query: targetWorkspaceQuery,
    body: z.strictObject({
      report_name: reportName,
      workspace_id: idNumber.optional(),
      ...reportFields,
    }),
    example: {
      report_name: 'Coffee at work 2026',
      report_description: 'For the facility managers',
      report_settings: { page_size: '16:9', color: '#7c3aed', footer: 'Meridian Research' },
    },
    reply: dataReply(reportSchema),
    status: 201,
    handler: async ({ services, scope, body }) =>
      presentReport(
        await services.reports.create(scope, {
          name: body.report_name,
          description: body.report_description ?? null,
          settings: body.report_settings,
        }),
      ),
  }),
  defineRoute({
    method: 'get',
    path: '/api/reports/:reportId',
    operationId: 'getReport',
    summary: 'Get a report',
    description: 'Returns the report with all slides.',
    access: onReport('view'),
    params: ofReport,
    query: reportQuery,
    reply: dataReply(reportWithSlidesSchema),
    handler: ({ services, scope }) => presentReportWithSlides(services, scope),
  }),
  defineRoute({
    method: 'put',
    path: '/api/reports/:reportId',
    operationId: 'updateReport',
    summary: 'Update a report',
    description:
      'Omitted fields keep their values. `workspace_id` moves the report. It requires edit permission in both workspaces; the ' +
      'caller must also own the current workspace, be an admin, or everyone who can view the current workspace must be able to ' +
      'view the new one. Otherwise 403. An admin can undo the move with `POST /api/audit/:auditId/undo-move`. `slides` is ' +
      'ignored; slides have operations of their own.',
    access: onReport('edit'),
    params: ofReport,
    query: reportQuery,
    body: z.strictObject({
      report_name: reportName.optional(),
      workspace_id: idNumber.optional(),
      ...reportFields,
      report_id: readOnly,
      revision: readOnly,
      slide_count: readOnly,
      created_at: readOnly,
      updated_at: readOnly,
      my_role: readOnly,
      slides: readOnly,
    }),
    example: {
      report_name: 'Coffee at work 2026: results',
    },
    reply: dataReply(reportSchema),
    handler: async ({ services, caller, scope, body }) =>
      presentReport(
        await services.reports.update(caller, scope, {
          name: body.report_name,
          description: body.report_description,
          workspaceId: body.workspace_id,
          settings: body.report_settings,
        }),
      ),
  }),
  defineRoute({
    method: 'delete',
    path: '/api/reports/:reportId',
    operationId: 'deleteReport',
    summary: 'Delete a report',
    description: 'The report is hidden immediately, but not erased.',
    access: onReport('edit'),
    params: ofReport,
    query: reportQuery,
    reply: emptyReply,
    handler: ({ services, scope }) => services.reports.delete(scope),
  }),
  defineRoute({
    method: 'post',
    path: '/api/reports/:reportId/duplicate',
    operationId: 'duplicateReport',
    summary: 'Duplicate a report',
    description: 'Creates a copy with slides and images in the same workspace.',
    access: onReport('edit'),
    params: ofReport,
    query: reportQuery,
    body: z.strictObject({ report_name: reportName.optional() }),
    example: {
      report_name: 'Coffee at work 2027',
    },
    reply: dataReply(reportSchema),
    status: 201,
    handler: async ({ services, scope, body }) =>
      presentReport(await services.reports.duplicate(scope, body.report_name)),
  }),
];
