import { z } from 'zod';
import type { ReportScope } from '../../domain/access/scopes.ts';
import {
  reportSettingsChangesSchema,
  reportSettingsOf,
  reportSettingsSchema,
} from '../../domain/reports/report.ts';
import { SLIDE_TYPES, type SlideType } from '../../domain/charts/slide-type.ts';
import { slideContentShapes } from '../../domain/reports/slide-content.ts';
import { idParam, idNumber, pagingQuery, parseIdPage, toListPage } from '../../http/paging.ts';
import type { ReportRow, ReportSlideRow } from '../../repositories/reports.ts';
import { MAX_NAME } from '../../services/reports/reports.ts';
import type { Services } from '../../services/services.ts';
import { anyChartConfig, figureChartConfig } from '../dashboard-schemas.ts';
import type { Caller } from '../../domain/access/caller.ts';
import { memberOn } from '../../http/access.ts';
import { dataReply, emptyReply, fileReply, listReply } from '../../http/reply.ts';
import { contradictingWorkspaceIds } from '../../lib/error-messages.ts';
import { contentTypeOf } from '../../services/reports/report-files.ts';
import type { FromDashboardScope } from '../../services/reports/report-from-dashboard.ts';
import { REPORT_FORMATS, type ReportFormat } from '../../services/reports/report-writer.ts';
import { defineRoute } from '../define-route.ts';
import {
  deletedParam,
  inWorkspace,
  listRestorable,
  onDeletedReport,
  onReport,
  readOnly,
  reportQuery,
  targetWorkspaceQuery,
} from '../guards.ts';

const contents = slideContentShapes({ figures: figureChartConfig, numbers: anyChartConfig });

/** `key-figures` becomes `KeyFigures` in schema names. */
function pascalCase(type: SlideType): string {
  return type.replace(/(^|-)([a-z])/g, (_match, _dash, letter: string) => letter.toUpperCase());
}

const contentOf = Object.fromEntries(
  SLIDE_TYPES.map((type) => [type, contents[type].meta({ id: `${pascalCase(type)}SlideContent` })]),
) as unknown as Record<SlideType, z.ZodType>;

/** The type for presenters. Only the schema checks that type and content match. */
interface SlideFields {
  slide_type: z.ZodEnum<{ [Type in SlideType]: Type }>;
  slide_content: z.ZodType<Record<string, unknown>, Record<string, unknown>>;
}

/** A slide, discriminated by `slide_type`; the type decides the form of `slide_content`. */
export function slideUnion<Shape extends z.core.$ZodLooseShape>(id: string, shape: Shape, example?: unknown) {
  const members = SLIDE_TYPES.map((type) =>
    z
      .strictObject({ ...shape, slide_type: z.literal(type), slide_content: contentOf[type] })
      .meta({ id: `${pascalCase(type)}${id}` }),
  );
  const meta = { id, ...(example !== undefined && { examples: [example] }) };
  return z.discriminatedUnion('slide_type', members as [never]).meta(meta) as unknown as z.ZodType<
    z.output<z.ZodObject<Shape & SlideFields>>,
    z.input<z.ZodObject<Shape & SlideFields>>
  >;
}

/** The content of a slide without a `slide_type` next to it; for the API document only. */
export const anySlideContent = z
  .union(SLIDE_TYPES.map((type) => contentOf[type]) as [z.ZodType, z.ZodType])
  .meta({ id: 'SlideContent' });

export const ofReport = z.strictObject({ reportId: idParam });
export const ofSlide = ofReport.extend({ slideId: idParam });

const reportName = z.string().trim().min(1, 'is required').max(MAX_NAME);

/** Fields of create and update. */
const reportFields = {
  report_description: z.string().max(10_000).nullish(),
  report_settings: reportSettingsChangesSchema
    .nullish()
    .describe(
      'Settings are merged by key: an omitted key keeps its value, null resets it to its default, and null for the whole ' +
        'object resets all keys',
    ),
};

const reportShape = {
  report_id: z.int(),
  workspace_id: z.int(),
  report_name: z.string(),
  report_description: z.string().nullable(),
  report_settings: reportSettingsSchema,
  revision: z.int().describe('Increases with every change of the report, its slides or its images'),
  slide_count: z.int(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
};

const REPORT_EXAMPLE = {
  report_id: 1,
  workspace_id: 1,
  report_name: 'Coffee at work 2026',
  report_description: 'For the facility managers',
  report_settings: reportSettingsOf({ color: '#7c3aed', footer: 'Meridian Research' }),
  revision: 4,
  slide_count: 1,
  created_at: '2026-10-01T08:00:00.000Z',
  updated_at: '2026-10-06T08:05:00.000Z',
};

const SLIDE_EXAMPLE = {
  slide_id: 1,
  slide_order: 1,
  slide_type: 'text',
  slide_title: 'Summary',
  slide_content: { text: '- Most are satisfied\n- Taste matters most' },
};

const reportSchema = z.strictObject(reportShape).meta({ id: 'Report', examples: [REPORT_EXAMPLE] });

const listedReportSchema = z
  .strictObject({
    ...reportShape,
    deleted_at: z.iso.datetime().nullable().describe('With `deleted=true`'),
  })
  .meta({ id: 'ListedReport', examples: [{ ...REPORT_EXAMPLE, deleted_at: null }] });

export const slideType = z.enum(SLIDE_TYPES);

const slideShape = {
  slide_id: z.int(),
  slide_order: z.int().describe('From 1'),
  slide_title: z.string().nullable(),
};

export const slideSchema = slideUnion('ReportSlide', slideShape, SLIDE_EXAMPLE);

export const reportWithSlidesSchema = z
  .strictObject({
    ...reportShape,
    my_role: z.enum(['viewer', 'editor', 'owner']).describe('Your role in the workspace'),
    slides: z.array(slideSchema).describe('Slides in order'),
  })
  .meta({
    id: 'ReportWithSlides',
    examples: [{ ...REPORT_EXAMPLE, my_role: 'editor', slides: [SLIDE_EXAMPLE] }],
  });

const presentReport = (row: ReportRow): z.input<typeof reportSchema> => ({
  report_id: row.report_id,
  workspace_id: row.workspace_id,
  report_name: row.report_name,
  report_description: row.report_description,
  report_settings: reportSettingsOf(row.report_settings),
  revision: row.revision,
  slide_count: row.slide_count,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

export const presentSlide = (row: ReportSlideRow): z.input<typeof slideSchema> => ({
  slide_id: row.slide_id,
  slide_order: row.slide_order,
  slide_type: row.slide_type,
  slide_title: row.slide_title,
  slide_content: row.slide_content,
});

/** Returns a report with its slides. */
export async function presentReportWithSlides(
  { reports }: Services,
  scope: ReportScope,
): Promise<z.input<typeof reportWithSlidesSchema>> {
  const { report, slides } = await reports.get(scope);
  return { ...presentReport(report), my_role: scope.role, slides: slides.map(presentSlide) };
}

export const reportRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/reports',
    operationId: 'listReports',
    summary: 'List reports',
    description:
      'Returns the newest report first. With `deleted=true` editors of the workspace get the reports that they can restore; other users ' +
      'get none.',
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
      deleted: deletedParam('reports'),
      ...pagingQuery,
    }),
    reply: listReply(listedReportSchema),
    async handler({ services, scope, query }) {
      const part = parseIdPage(query);
      const listing = { ...part, search: query.search ?? null };
      const { found, total } = query.deleted
        ? await listRestorable(scope, (own) => services.reportTrash.list(own, listing))
        : await services.reports.listByWorkspace(scope, listing);
      return toListPage({
        found,
        limit: part.limit,
        total,
        positionOf: (row) => row.report_id,
        present: (row) => ({ ...presentReport(row), deleted_at: row.deleted_at?.toISOString() ?? null }),
      });
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
      'view the new one. Its author, everyone in a team workspace if another user created it, and everyone in a workspace that an ' +
      'editor moved it from must keep seeing it, unless an admin moves it. Otherwise 403. An admin can undo the move with `POST /api/audit/:auditId/undo-move`. `slides` is ' +
      'ignored; slides have operations of their own.',
    access: onReport('edit'),
    params: ofReport,
    query: reportQuery,
    body: z.strictObject({
      report_name: reportName.optional(),
      workspace_id: idNumber.optional(),
      ...reportFields,
      report_id: readOnly,
      deleted_at: readOnly,
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
    description:
      'The report is hidden immediately, but not erased: `POST /api/reports/:reportId/restore` restores it within ' +
      '`DELETED_RETENTION_DAYS` (30 days by default); then it is erased.',
    access: onReport('edit'),
    params: ofReport,
    query: reportQuery,
    reply: emptyReply,
    handler: ({ services, scope }) => services.reports.delete(scope),
  }),
  defineRoute({
    method: 'post',
    path: '/api/reports/:reportId/restore',
    operationId: 'restoreReport',
    summary: 'Restore a deleted report',
    description:
      'Restores the report with its slides and images, within `DELETED_RETENTION_DAYS` after it was deleted. `GET /api/reports?deleted=true` lists these ' +
      'reports.',
    access: onDeletedReport,
    params: ofReport,
    query: reportQuery,
    reply: dataReply(reportSchema),
    errors: { 404: 'The report is not deleted, or was deleted more than `DELETED_RETENTION_DAYS` ago' },
    handler: async ({ services, scope }) => presentReport(await services.reportTrash.restore(scope)),
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

const ABOUT: Readonly<Record<ReportFormat, { operationId: string; summary: string; description: string }>> = {
  pdf: {
    operationId: 'exportReportPdf',
    summary: 'Export a report as PDF',
    description: 'Creates a tagged PDF with bookmarks and vector charts.',
  },
  pptx: {
    operationId: 'exportReportPptx',
    summary: 'Export a report as PowerPoint',
    description:
      'Charts are native PowerPoint charts with their data; chart types that PowerPoint does not have become tables. The method of each figure is in the notes.',
  },
};

const COMMON =
  'Data are computed now, with the permissions of the caller; a chart that cannot be computed shows the reason. The file is streamed. With ' +
  '`Prefer: respond-async`, or for more than 60 slides unless `Prefer: wait` is sent, the reply is 202 with a job.';

export const exportRoutes = REPORT_FORMATS.map((format) =>
  defineRoute({
    method: 'post',
    path: `/api/reports/:reportId/export/${format}`,
    ...ABOUT[format],
    description: `${ABOUT[format].description} ${COMMON}`,
    access: onReport('view'),
    params: ofReport,
    query: reportQuery,
    reply: fileReply(contentTypeOf(format)),
    background: {
      isLong: ({ services, scope }) => services.reportFiles.needsJob(scope),
      start: ({ services, scope, request }) => services.reportFiles.startJob(scope, format, request.id),
    },
    async handler({ services, caller, scope, request }) {
      const reportFile = await services.reportFiles.createFile({
        by: caller,
        scope,
        format,
        signal: request.signal,
      });
      return {
        contentType: reportFile.contentType,
        filename: reportFile.fileName,
        chunks: reportFile.chunks,
        isGenerated: true,
      };
    },
  }),
);

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
    const dashboard = await access.dashboard({ caller, dashboardId, need: 'view' });
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
