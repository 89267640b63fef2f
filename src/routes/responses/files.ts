import { z } from 'zod';
import { RESPONSE_STATUSES } from '../../domain/dataset/response-row.ts';
import { decodeCursor, idParam, pagingQuery, parsePage, toListPage } from '../../http/paging.ts';
import { fileReply, listReply, withReply } from '../../http/reply.ts';
import { invalidCursor } from '../../lib/error-messages.ts';
import type { FilePlace, FileRow } from '../../repositories/response-files.ts';
import { onSurvey, surveyQuery } from '../guards.ts';
import { defineRoute } from '../define-route.ts';
import { inclusionCountsHeader, selectionOf, selectionQuery } from '../selection-query.ts';

const fileSchema = z
  .strictObject({
    file_id: z.uuid(),
    response_id: z.int(),
    question_code: z.string(),
    file_name: z.string(),
    content_type: z.string(),
    size_bytes: z.int(),
    sha256: z.string(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'ResponseFile' });

function present(row: FileRow): z.input<typeof fileSchema> {
  return {
    file_id: row.file_id,
    response_id: row.response_id,
    question_code: row.question_code,
    file_name: row.original_name,
    content_type: row.content_type,
    size_bytes: row.size_bytes,
    sha256: row.sha256,
    created_at: row.created_at.toISOString(),
  };
}

const positionOf = (row: FileRow): string => `${row.response_id} ${row.file_id}`;

function positionOfCursor(cursor: string): FilePlace {
  const found = /^(\d{1,15}) ([0-9a-f-]{36})$/.exec(decodeCursor(cursor));
  const fileId = z.uuid().safeParse(found?.[2]);
  if (found === null || !fileId.success) throw invalidCursor();
  return { responseId: Number(found[1]), fileId: fileId.data };
}

const params = z.strictObject({ surveyId: idParam });
const access = onSurvey('view');

/** Files that a saved answer refers to; other uploads are visible only to their respondent. */
export const fileRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/responses/:surveyId/files',
    operationId: 'listResponseFiles',
    summary: 'List uploaded files of responses',
    description:
      'Returns the files of submitted responses in response order, for all statuses unless `status` is given.',
    access,
    params,
    query: surveyQuery.extend({
      status: selectionQuery.status,
      include_test: selectionQuery.include_test.describe('Include files of test responses. Default: true'),
      limit: pagingQuery.limit,
      cursor: pagingQuery.cursor,
    }),
    reply: listReply(fileSchema),
    async handler({ services, scope, query }) {
      const { after, limit } = parsePage(query, positionOfCursor);
      const selection = {
        status: query.status ?? RESPONSE_STATUSES,
        includeTest: query.include_test ?? true,
      };
      const { found, total } = await services.responseFiles.list(scope, selection, after, limit);
      return toListPage(found, { limit, total }, positionOf, present);
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/responses/:surveyId/files/archive',
    operationId: 'downloadResponseFiles',
    summary: 'Download all uploaded files',
    description:
      'Streams a ZIP archive. `manifest.csv` lists file_id, response_id, question_code, name_in_archive, file_name, ' +
      'content_type, size_bytes and sha256. Includes files of complete responses unless `status` is given; the header ' +
      '`Canvass-Counted` has the counts.',
    access,
    params,
    query: z.strictObject(selectionQuery),
    reply: fileReply('application/zip'),
    replyHeaders: ['Canvass-Counted'],
    async handler({ services, scope, query }) {
      const { chunks, counted } = await services.responseFiles.archive(
        scope,
        selectionOf(query, ['complete']),
      );
      const filename = `survey-${scope.surveyId}-files.zip`;
      return withReply(
        { contentType: 'application/zip', filename, chunks },
        { headers: inclusionCountsHeader(counted) },
      );
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/responses/:surveyId/files/:fileId',
    operationId: 'downloadResponseFile',
    summary: 'Download an uploaded file',
    description:
      'Returns the file as an attachment, with a content security policy that prevents it from running scripts.',
    access,
    params: params.extend({ fileId: z.uuid() }),
    query: surveyQuery,
    reply: fileReply('*/*'),
    async handler({ services, scope, params: { fileId } }) {
      const { file: row, chunks } = await services.responseFiles.open(scope, fileId.toLowerCase());
      const headers = {
        'Content-Security-Policy': "sandbox; default-src 'none'",
        'Content-Length': String(row.size_bytes),
      };
      return withReply({ contentType: row.content_type, filename: row.original_name, chunks }, { headers });
    },
  }),
];
