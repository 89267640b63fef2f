import { fileReply } from '../../http/reply.ts';
import { contentTypeOf } from '../../services/reports/report-files.ts';
import { REPORT_FORMATS, type ReportFormat } from '../../services/reports/report-writer.ts';
import { onReport } from '../guards.ts';
import { reportQuery } from '../in-workspace.ts';
import { defineRoute } from '../define-route.ts';
import { ofReport } from './report-fields.ts';

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
      const reportFile = await services.reportFiles.createFile(caller, scope, format, request.signal);
      return {
        contentType: reportFile.contentType,
        filename: reportFile.fileName,
        chunks: reportFile.chunks,
        isGenerated: true,
      };
    },
  }),
);
