import { z } from 'zod';
import { RESPONSE_STATUSES } from '../../domain/dataset/response-row.ts';
import { isTimeZone, TIME_ZONE_EXPECTED } from '../../lib/time-zone.ts';
import { idText } from '../../http/paging.ts';
import { file, withReply } from '../../http/reply.ts';
import {
  EXPORT_CONTENT_TYPES,
  EXPORT_FORMATS,
  type ExportFileRequest,
  CELL_CONTENTS,
} from '../../services/responses/export/export-files.ts';
import { onSurvey } from '../guards.ts';
import { defineRoute } from '../define-route.ts';
import { narrowedQuery } from '../in-workspace.ts';
import {
  countedHeader,
  countingBody,
  filterBody,
  selectionOf,
  SYNC_DESCRIPTION,
  updatedSince,
  weightOf,
} from '../selection-query.ts';

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
        else context.addIssue({ code: 'custom', path: [index], message: `is also columns[${before}]` });
      }
    })
    .optional()
    .describe('Each once. Absent: every column. A multiple-response set may be named too'),
  values: shown.default('code').describe('`code` is the option_value; `both` adds a column `<code>_label`'),
  headers: shown.default('code'),
  multiple: z.enum(['columns', 'set', 'both']).default('columns'),
  status: z.array(z.enum(RESPONSE_STATUSES)).min(1).optional(),
  ...countingBody,
  updated_since: updatedSince.describe(
    'Only responses written since; the header `Canvass-Updated-Until` of the file before',
  ),
  include_deleted: z
    .boolean()
    .default(false)
    .describe(
      'Deleted responses too, without their answers: the column `deleted`, the last but a weight, is 1',
    ),
  weight_column: columnCode
    .optional()
    .describe('Is in the file, last, whether `columns` names it or not. `weight` means the same'),
  weight: columnCode.optional(),
  timezone: z
    .string()
    .refine(isTimeZone, TIME_ZONE_EXPECTED)
    .optional()
    .describe(
      'Of moments such as started_at: its IANA name; default that of the survey. Answers are exported as they were given',
    ),
  string_width: z
    .enum(['data', 'settings'])
    .default('data')
    .describe('spss: `settings` takes what questions allow, for a layout that no answer changes'),
  delimiter: z.enum([',', ';', '\t', '|']).default(','),
  bom: z.boolean().default(false),
  escape_formulas: z.boolean().default(true),
});

function requestOf(body: z.output<typeof bodySchema>): ExportFileRequest {
  const { status, filter, includeTest, includeConfirmed } = selectionOf(body, ['complete']);
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
  };
}

export const exportRoute = defineRoute({
  method: 'post',
  path: '/api/responses/:surveyId/export',
  operationId: 'exportResponses',
  summary: 'Export responses',
  description:
    'The reply is the file itself, streamed; with `Prefer: respond-async`, and by itself where there are more responses than an installation ' +
    'makes one wait for (500,000 unless set otherwise), it is 202 and a job, unless the client says `Prefer: wait`. The result of the job has ' +
    'the `download_url`, its progress is the responses written, its `counted` and `notes` are those of the headers below. Complete responses unless `status` says otherwise, ' +
    'without test responses (once there are real ones) and without responses whose quality flags were confirmed, unless `include_test` and `quality` say otherwise: the header ' +
    '`Canvass-Counted` says how many there are (`responses=120, test_responses_included=0, test_responses_excluded=30, quality_included=0, quality_excluded=2`), and so do the ' +
    'sheet Notes of xlsx and the documents of spss. A multiple choice is one 0/1 column per option ' +
    'unless `multiple` says otherwise: 0 in all of them is none ticked, which a set writes as `[]`, and empty cells are no answer.\n\n' +
    'Moments are shown in `timezone`: csv writes its offset beside them, xlsx and spss have the wall clock only, which an import with the same ' +
    '`timezone` reads as the same moment. Of an hour that clocks show twice spss marks the second occurrence with half a millisecond more; ' +
    'xlsx cannot, and an import takes the first. In an anonymous survey moments are days of the ' +
    'time zone of the survey, and `timezone` changes nothing.\n\n' +
    '**csv** UTF-8 with CRLF (RFC 4180); a text that a spreadsheet may run as a formula (it begins with a tab, a line break, or `=`, `+`, `-` or `@`, also full-width ' +
    "or after spaces or invisible characters) gets a `'` unless `escape_formulas` is false.\n\n" +
    '**xlsx** Sheets Data, Variables, Values, Notes. Numbers are numbers (also option_values that are whole numbers), dates dates, and a text stays a ' +
    'text, whatever it begins with; one over 32,767 characters is cut, and Variables says so. 422 beyond 1,048,575 responses.\n\n' +
    '**spss** A system file (.sav, UTF-8). A category is its option_code, with labels; options marked missing are user-missing (of more than ' +
    'three, the longest run as a range); no answer is system-missing. 0/1 columns of a multiple choice are a multiple-response set as well; ' +
    '`values`, `headers` and `multiple` change nothing. Dates, times and moments are those of SPSS, a month is the first of it shown as MMM YYYY, ' +
    'a year a number. `weight_column` weights the file. Texts are as wide as the longest of the survey asks for: 16, 64, 255, 1024, 4096 or ' +
    '32767 bytes. A label over 255 bytes keeps the option and the row, and the text of the question before them ends in an ellipsis; ' +
    'labels of values over 120 bytes are shortened so that they differ. What does not fit (such a label, a name against the rules) is described in the documents of the file, ' +
    'and counted in the header `Canvass-Export-Notes`: `variable_label_cut=2, name_changed=1`.\n\n' +
    `${SYNC_DESCRIPTION} Of a file it is in the header \`Canvass-Updated-Until\`, of a job in its result.`,
  access: onSurvey('view'),
  params: z.strictObject({ surveyId: idText }),
  query: narrowedQuery,
  body: bodySchema,
  example: {
    format: 'csv',
    columns: ['Q1', 'Q2', 'Q4'],
    values: 'label',
    headers: 'code',
    status: ['complete'],
  },
  reply: file(...EXPORT_CONTENT_TYPES),
  replyHeaders: ['Canvass-Counted'],
  errors: { 422: 'The weight is no numeric column, or it is too much for that format' },
  background: {
    isLong: ({ services, scope, body }) => services.exportFiles.needsJob(scope, requestOf(body)),
    start: ({ services, scope, body, request }) =>
      services.exportFiles.startJob(scope, requestOf(body), request.id),
  },
  async handler({ services, scope, body }) {
    const made = await services.exportFiles.createFile(scope, requestOf(body));
    const notes = [...made.notes].map(([what, count]) => `${what}=${count}`).join(', ');
    const headers = {
      ...countedHeader(made.counted),
      'Canvass-Updated-Until': made.updatedUntil.toISOString(),
      ...(notes === '' ? {} : { 'Canvass-Export-Notes': notes }),
    };
    return withReply(
      { contentType: made.contentType, filename: made.fileName, chunks: made.chunks, isMade: true },
      { headers },
    );
  },
});
