import { z } from 'zod';
import { RESPONSE_STATUSES } from '../../domain/dataset/response-row.ts';
import { multipart } from '../../http/multipart.ts';
import { idText } from '../../http/paging.ts';
import { data, withReply } from '../../http/reply.ts';
import type { ImportOutcome } from '../../services/responses/import/response-import.ts';
import {
  cellCountsSchema,
  flagField,
  MAX_DATA_FILE_BODY_BYTES,
  presentCellCounts,
  presentRecognised,
  readingOf,
  recognisedSchema,
  responseFileFields,
} from '../data-file-fields.ts';
import { onSurveyOfForm } from '../guards.ts';
import { defineRoute } from '../define-route.ts';
import { narrowedQuery } from '../in-workspace.ts';

const fields = z.strictObject({
  ...responseFileFields,
  dry_run: flagField('false'),
  values: z
    .enum(['code', 'label', 'auto'])
    .default('auto')
    .describe(
      'What cells of coded columns hold: option_values or option_codes, labels, or whichever it is (a value first)',
    ),
  atomic: flagField('true').describe('One bad row refuses all; else the good ones are written together'),
  on_existing: z
    .enum(['skip', 'update', 'error'])
    .default('skip')
    .describe('Of rows whose submission_id or response_id this survey has'),
  status: z.enum(RESPONSE_STATUSES).default('complete').describe('Of rows that do not say'),
});

const columnSchema = z.strictObject({
  header: z.string(),
  column_code: z.string().nullable().describe('The column of the survey that it is'),
  matched_by: z
    .enum(['code', 'label', 'code_and_label', 'variable_label', 'layout'])
    .nullable()
    .describe('`layout`: by what the recognised layout says that the column is'),
  imported: z.boolean(),
  reason: z.string().nullable().describe('Why it is not imported'),
  nearest: z.array(z.string()),
  read: z.int(),
  empty: z.int(),
  unreadable: z.int(),
  left_out: z.int().describe('Cells with a value, of a column that is not imported'),
  examples: z.array(
    z.strictObject({
      row: z.int(),
      value: z.union([z.string(), z.number()]).nullable(),
      message: z.string(),
    }),
  ),
});

const replySchema = z
  .strictObject({
    dry_run: z.boolean(),
    format: z.enum(['csv', 'xlsx', 'sav']),
    delimiter: z.string().nullable(),
    rows: z.int(),
    created: z.int(),
    existing: z.int().describe('Known, and left as they are'),
    updated: z.int(),
    unchanged: z.int(),
    failed: z.int(),
    cells: cellCountsSchema,
    recognised: recognisedSchema,
    change_id: z.int().nullable().describe('In the change log, by which it is undone'),
    columns: z.array(columnSchema).describe('In the order of the file'),
    missing_columns: z.array(z.string()).describe('Of the survey, that the file lacks; 200 at most'),
    errors: z
      .array(
        z.strictObject({
          row: z
            .int()
            .describe('As a reader of the file counts: the header is row 1; of .sav the first case is 1'),
          details: z.array(z.strictObject({ column: z.string(), message: z.string() })),
        }),
      )
      .describe('The first 100'),
    notes: z.array(z.string()),
  })
  .meta({ id: 'ImportedResponses' });

function present(outcome: ImportOutcome, dryRun: boolean): z.input<typeof replySchema> {
  const { file, columns, missingColumns, changeId } = outcome;
  return {
    dry_run: dryRun,
    format: file.format,
    delimiter: file.delimiter,
    rows: outcome.rows,
    created: outcome.created,
    existing: outcome.existing,
    updated: outcome.updated,
    unchanged: outcome.unchanged,
    failed: outcome.failed,
    cells: presentCellCounts(outcome.cells),
    recognised: presentRecognised(
      file.layout,
      outcome.timeZone,
      columns.map(({ header, columnCode, entry, role, reason, leftOut }) => {
        const isMetadata = entry?.origin.kind === 'metadata' || role !== undefined;
        return { header, columnCode, isMetadata, reason, leftOut };
      }),
    ),
    change_id: changeId,
    columns: columns.map((column) => ({
      header: column.header,
      column_code: column.columnCode,
      matched_by: column.matchedBy,
      imported: column.entry !== null,
      reason: column.reason,
      nearest: column.nearest,
      read: column.read,
      empty: column.empty,
      unreadable: column.unreadable,
      left_out: column.leftOut,
      examples: column.examples,
    })),
    missing_columns: missingColumns,
    errors: outcome.errors,
    notes: outcome.notes,
  };
}

export const importRoute = defineRoute({
  method: 'post',
  path: '/api/responses/:surveyId/import',
  operationId: 'importResponses',
  summary: 'Import responses',
  description:
    'multipart/form-data, the fields first and then `file`: CSV, .xlsx (the sheet "Data", else the first) or .sav, up to 100 MB, 200,000 rows ' +
    'and 5,000 columns. A column is recognised by its code, its whole label or `code: label`, ignoring case; what our exports write comes ' +
    'back as the same data. What the file says is taken as data: a cell is checked as an edit would be, but nothing is required, and what ' +
    "the survey's logic would have hidden stays; an empty cell is skipped where the logic shows the question, else not shown, and questions " +
    'without a column are not shown. In the 0/1 columns of a multiple choice, 0 in all of them (`[]` in its set) is none ticked, and empty in ' +
    'all of them skipped; beside others that are filled, an empty one counts as 0. Moments without an offset are in `timezone`, else in the zone ' +
    'that the file names, else in that of the survey: of an hour that clocks show twice the first is taken (the second where `completed_at` would ' +
    'lie before `started_at`), an hour that clocks leave out is read with the offset before it (02:30 is 03:30). `submission_id, external_id, started_at, completed_at, ' +
    'duration_seconds, language, response_status, status_reason, end_reason, is_test` are taken where there; other columns are reported and left. ' +
    'Exports of Qualtrics, SurveyMonkey and LimeSurvey are recognised by their header rows (`recognised`): their start, end, duration, language, status and ' +
    'identifier become metadata, and columns of options and rows are also found by the codes and labels of the layout. IP addresses are not ' +
    'stored. `cells` accounts for every cell with a value. ' +
    '`on_existing=update` makes the questions of the file what the file says, empty cells included, and brings back responses that were ' +
    'deleted. Everything is checked before anything is written, in one change that the log can undo. `dry_run` says the same and writes nothing.',
  access: onSurveyOfForm('edit'),
  params: z.strictObject({ surveyId: idText }),
  query: narrowedQuery,
  needsFreeDisk: 'files',
  body: multipart('file', fields),
  maxBodyBytes: MAX_DATA_FILE_BODY_BYTES,
  reply: data(replySchema),
  status: 201,
  alternateStatuses: { 200: 'A dry run: what would have been made' },
  errors: {
    409: 'The survey is not published, or closed',
    413: 'More than 100 MB, 200,000 rows or 100,000,000 cells; a workbook that unpacks to more than 200 MB',
    422: 'A questionnaire in place of data; a layout that is not read; a workbook that cannot be read within the limits',
    503: 'Other workbooks are being read',
  },
  async handler({ services, scope, body }) {
    const given = body.fields;
    const outcome = await services.responseImport.import(scope, {
      fileName: body.fileName,
      chunks: body.chunks,
      ...readingOf(given),
      values: given.values,
      status: given.status,
      timeZone: given.timezone ?? null,
      onExisting: given.on_existing,
      atomic: given.atomic,
      dryRun: given.dry_run,
    });
    return withReply(present(outcome, given.dry_run), { status: given.dry_run ? 200 : 201 });
  },
});
