import { z } from 'zod';
import { RESPONSE_STATUSES } from '../../domain/responses/response-row.ts';
import { duplicateOf, invalidCursor } from '../../lib/error-messages.ts';
import { isTimeZone, TIME_ZONE_EXPECTED } from '../../lib/time-zone.ts';
import { decodeCursor, idParam, pagingQuery, parsePage, toListPage } from '../../http/paging.ts';
import { fileReply, withReply, listReply } from '../../http/reply.ts';
import {
  EXPORT_CONTENT_TYPES,
  EXPORT_FORMATS,
  type ExportFileRequest,
  CELL_CONTENTS,
} from '../../services/responses/export/export-files.ts';
import { onSurvey, surveyQuery } from '../guards.ts';
import { defineRoute } from '../define-route.ts';
import {
  inclusionCountsHeader,
  countingBody,
  filterBody,
  toSelection,
  SYNC_DESCRIPTION,
  updatedSince,
  weightOf,
  selectionQuery,
} from '../selection-query.ts';
import type { FilePlace, FileRow } from '../../repositories/response-files.ts';

const shown = z.enum(CELL_CONTENTS);
const columnCode = z.string().min(1).max(120);

const bodySchema = z.strictObject({
  format: z.enum(EXPORT_FORMATS).default('csv'),
  filters: filterBody.optional(),
  filter: filterBody.optional(),
  columns: z
    .array(columnCode)
    .min(1)
    .max(5_000)
    .superRefine((codes, context) => {
      const first = new Map<string, number>();
      for (const [index, code] of codes.entries()) {
        const before = first.get(code.toLowerCase());
        if (before === undefined) first.set(code.toLowerCase(), index);
        else context.addIssue({ code: 'custom', path: [index], message: duplicateOf(`columns[${before}]`) });
      }
    })
    .optional()
    .describe('Column codes, each once; also codes of multiple-response sets. Default: all columns'),
  values: shown.default('code').describe('`code`: option_value; `both`: adds a column `<code>_label`'),
  headers: shown.default('code'),
  multiple: z.enum(['columns', 'set', 'both']).default('columns'),
  status: z.array(z.enum(RESPONSE_STATUSES)).min(1).optional(),
  ...countingBody,
  updated_since: updatedSince.describe(
    'Only responses changed since this time: the header `Canvass-Updated-Until` of the previous file',
  ),
  stack: z
    .string()
    .max(48)
    .optional()
    .describe(
      'The `block_code` of a loop: a row for each response and item that the respondent was shown, with the item in `<block_code>_item` and the questions of the loop once. Default: a row for each response',
    ),
  include_deleted: z
    .boolean()
    .default(false)
    .describe(
      'Include deleted responses without their answers; adds the column `deleted` (1) at the end, before a weight',
    ),
  weight_column: columnCode
    .optional()
    .describe('Weight column, always included as the last column. `weight` is an alias'),
  weight: columnCode.optional(),
  timezone: z
    .string()
    .refine(isTimeZone, TIME_ZONE_EXPECTED)
    .optional()
    .describe(
      'IANA time zone of times such as started_at. Default: that of the survey. Answers are not converted',
    ),
  string_width: z
    .enum(['data', 'settings'])
    .default('data')
    .describe(
      'spss: `data`: as wide as the longest text; `settings`: as wide as the question allows, and wider only for longer texts',
    ),
  delimiter: z.enum([',', ';', '\t', '|']).default(','),
  bom: z.boolean().default(false),
  escape_formulas: z.boolean().default(true),
});

function requestOf(body: z.output<typeof bodySchema>): ExportFileRequest {
  const { status, filter, includeTest, includeConfirmed } = toSelection(body, ['complete']);
  return {
    format: body.format,
    status: [...status],
    filter,
    includeTest,
    includeConfirmed,
    columns: body.columns ?? null,
    values: body.values,
    headers: body.headers,
    multiple: body.multiple,
    weightColumn: weightOf(body),
    timeZone: body.timezone ?? null,
    stringWidth: body.string_width,
    delimiter: body.delimiter,
    bom: body.bom,
    escapeFormulas: body.escape_formulas,
    sinceMs: body.updated_since ?? null,
    includeDeleted: body.include_deleted,
    stack: body.stack ?? null,
  };
}

export const exportRoute = defineRoute({
  method: 'post',
  path: '/api/responses/:surveyId/export',
  operationId: 'exportResponses',
  summary: 'Export responses',
  description:
    'Streams a file. With `Prefer: respond-async`, or for many responses (500,000 by default) unless `Prefer: wait` is sent, ' +
    'the reply is 202 with a job; its result has the `download_url`, and `counted` and `notes` like the headers below.\n\n' +
    '**Which responses**: complete responses unless `status` is given; without test responses (once real ones exist) and ' +
    'without responses with confirmed quality flags, unless `include_test` and `quality` include them. The header ' +
    '`Canvass-Counted` has the counts (`responses=120, test_responses_included=0, test_responses_excluded=30, ' +
    'quality_included=0, quality_excluded=2`), as do the sheet Notes of xlsx and the documents of spss.\n\n' +
    '**Multiple choice**: one 0/1 column per option unless `multiple` is given. 0 in all columns means shown, no option ' +
    'selected (`[]` in a set); empty cells mean no answer.\n\n' +
    '**Times** are in `timezone`. csv includes the offset; xlsx and spss have local time only, which an import with the same ' +
    '`timezone` reads as the same time. For the hour that is repeated when clocks go back, spss marks the second occurrence ' +
    'with an extra half millisecond; xlsx cannot, and an import reads the first occurrence. In an anonymous survey, times are ' +
    'days in the time zone of the survey.\n\n' +
    '**csv**: UTF-8 with CRLF (RFC 4180). Text that a spreadsheet could run as a formula (starting with a tab, a line break ' +
    "or `=`, `+`, `-`, `@`, also full-width or after spaces or invisible characters) is prefixed with `'` unless " +
    '`escape_formulas` is false.\n\n' +
    '**xlsx**: sheets Data, Variables, Values and Notes. Numbers (including option values that are integers) and dates have ' +
    'their types; text is always text. Text over 32,767 characters is cut, which the sheet Variables notes. More than ' +
    '1,048,575 responses are 422.\n\n' +
    '**spss**: a system file (.sav, UTF-8). Categories are option codes with value labels; options marked as missing are ' +
    'user-missing (of more than three, the longest range); no answer is system-missing. The 0/1 columns of a multiple choice ' +
    'are also a multiple-response set. `values`, `headers` and `multiple` have no effect. Dates and times are SPSS dates; a ' +
    'month is its first day in the format MMM YYYY, a year a number. `weight_column` weights the file. String widths are 16, ' +
    '64, 255, 1024, 4096 or 32767 bytes, as the longest text requires. Variable labels over 255 bytes keep the option and row ' +
    'and shorten the question text; value labels over 120 bytes are shortened but remain distinct. Changes are described in ' +
    'the documents of the file and counted in the header `Canvass-Export-Notes`: `variable_label_cut=2, name_changed=1`.\n\n' +
    `**Synchronization**: ${SYNC_DESCRIPTION} For a file, the value is in the header \`Canvass-Updated-Until\`; for a job, in ` +
    'its result.',
  access: onSurvey('view'),
  params: z.strictObject({ surveyId: idParam }),
  query: surveyQuery,
  body: bodySchema,
  example: {
    format: 'csv',
    columns: ['Q1', 'Q2', 'Q4'],
    values: 'label',
    headers: 'code',
    status: ['complete'],
  },
  reply: fileReply(...EXPORT_CONTENT_TYPES),
  replyHeaders: ['Canvass-Counted'],
  errors: { 422: 'The weight is not a numeric column, or the data exceed the limits of the format' },
  background: {
    isLong: ({ services, scope, body }) => services.exportFiles.needsJob(scope, requestOf(body)),
    start: ({ services, scope, body, request }) =>
      services.exportFiles.startJob(scope, requestOf(body), request.id),
  },
  async handler({ services, scope, body }) {
    const exported = await services.exportFiles.createFile(scope, requestOf(body));
    const notes = [...exported.notes].map(([what, count]) => `${what}=${count}`).join(', ');
    const headers = {
      ...inclusionCountsHeader(exported.counted),
      'Canvass-Updated-Until': exported.updatedUntil.toISOString(),
      ...(notes === '' ? {} : { 'Canvass-Export-Notes': notes }),
    };
    return withReply(
      {
        contentType: exported.contentType,
        filename: exported.fileName,
        chunks: exported.chunks,
        isGenerated: true,
      },
      { headers },
    );
  },
});

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

function presentFile(row: FileRow): z.input<typeof fileSchema> {
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
      const { found, total } = await services.responseFiles.list({ scope, selection, after, limit });
      return toListPage({ found, limit, total, positionOf, present: presentFile });
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
      const { chunks, counted } = await services.responseFiles.openArchive(
        scope,
        toSelection(query, ['complete']),
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
