import { z } from 'zod';
import { RESPONSE_STATUSES } from '../../domain/responses/response-row.ts';
import { multipart } from '../../http/multipart.ts';
import { idParam } from '../../http/paging.ts';
import { dataReply, withReply } from '../../http/reply.ts';
import type { ImportOutcome } from '../../services/responses/import/response-import.ts';
import {
  columnCountFields,
  flagField,
  importReportFields,
  MAX_DATA_FILE_BODY_BYTES,
  presentColumnCounts,
  presentImportReport,
  responseFileFields,
  toReadOptions,
} from '../data-file-fields.ts';
import { onSurveyWithForm, surveyQuery } from '../guards.ts';
import { defineRoute } from '../define-route.ts';
import { importResponsesReplyExample } from './import-examples.ts';

const fields = z.strictObject({
  ...responseFileFields,
  dry_run: flagField('false'),
  values: z
    .enum(['code', 'label', 'auto'])
    .default('auto')
    .describe(
      'What cells of coded columns contain: `code`: option values or codes; `label`: labels; `auto`: either, values first',
    ),
  atomic: flagField('true').describe(
    'true: one invalid row rejects the whole file. false: the valid rows are imported',
  ),
  invalid_cells: z
    .enum(['error', 'empty'])
    .default('error')
    .describe(
      'What to do with cells that are no valid answer, such as 2024-02-30: `error`: their row has an error (see `atomic`); `empty`: they are left ' +
        'empty and counted as unreadable',
    ),
  on_existing: z
    .enum(['skip', 'update', 'error'])
    .default('skip')
    .describe('What to do with rows whose submission_id or response_id already exists'),
  status: z.enum(RESPONSE_STATUSES).default('complete').describe('Status of rows without response_status'),
});

const columnSchema = z.strictObject({
  header: z.string(),
  column_code: z.string().nullable().describe('The matching column of the survey'),
  matched_by: z
    .enum(['code', 'label', 'code_and_label', 'variable_label', 'layout'])
    .nullable()
    .describe('`layout`: by the detected layout'),
  imported: z.boolean(),
  reason: z.string().nullable().describe('Why the column was not imported'),
  nearest: z.array(z.string()),
  ...columnCountFields,
});

const replySchema = z
  .strictObject({
    ...importReportFields,
    existing: z.int().describe('Existing responses that were skipped'),
    updated: z.int(),
    unchanged: z.int(),
    change_id: z.int().nullable().describe('The entry in the change log, for undo'),
    columns: z.array(columnSchema).describe('In file order'),
    missing_columns: z
      .array(z.string())
      .describe('Columns of the survey that are not in the file, at most 200'),
  })
  .meta({ id: 'ImportedResponses' });

function present(outcome: ImportOutcome, dryRun: boolean): z.input<typeof replySchema> {
  const { columns, missingColumns, changeId } = outcome;
  return {
    ...presentImportReport(
      outcome,
      dryRun,
      columns.map(({ header, columnCode, entry, role, reason, leftOut }) => {
        const isMetadata = entry?.origin.kind === 'metadata' || role !== undefined;
        return { header, columnCode, isMetadata, reason, leftOut };
      }),
    ),
    existing: outcome.existing,
    updated: outcome.updated,
    unchanged: outcome.unchanged,
    change_id: changeId,
    columns: columns.map((column) => ({
      header: column.header,
      column_code: column.columnCode,
      matched_by: column.matchedBy,
      imported: column.entry !== null,
      reason: column.reason,
      nearest: column.nearest,
      ...presentColumnCounts(column),
    })),
    missing_columns: missingColumns,
  };
}

export const importRoute = defineRoute({
  method: 'post',
  path: '/api/responses/:surveyId/import',
  operationId: 'importResponses',
  summary: 'Import responses',
  description:
    'Send multipart/form-data with the fields before `file`: CSV, .xlsx (the sheet "Data", otherwise the first) or .sav, at ' +
    'most 100 MB, 200,000 rows and 5,000 columns.\n\n' +
    '**Columns** are matched by code, by whole label or by `code: label`, ignoring case. Files written by the export are read ' +
    'back as the same data. `submission_id`, `external_id`, `started_at`, `completed_at`, `duration_seconds`, `language`, ' +
    '`response_status`, `status_reason`, `end_reason` and `is_test` fill metadata; unknown columns are reported and ignored. ' +
    'Exports of Qualtrics, SurveyMonkey and LimeSurvey are recognized by their header rows (`recognized`): start, end, ' +
    'duration, language, status and identifier become metadata, and option and row columns are also matched by the codes and ' +
    'labels of that layout. IP addresses are not imported.\n\n' +
    '**Values** are checked like edits: nothing is required, and answers that the logic would have hidden are kept. An empty ' +
    'cell means skipped if the logic shows the question, otherwise not shown; questions without a column are not shown. In ' +
    'the 0/1 columns of a multiple choice, 0 in all columns (`[]` in its set) means no option selected, empty in all columns ' +
    'means skipped, and a single empty cell counts as 0. Marks of missing values such as NA mean skipped in columns of numbers and dates, and ' +
    '`missing_values` in all; a mark before three digits groups in whole-number questions, elsewhere the column decides, or `decimal`.\n\n' +
    '**Times** without an offset use `timezone`, otherwise the zone named in the file, otherwise that of the survey. For the ' +
    'hour that is repeated when clocks go back, the first occurrence is used (the second if `completed_at` would be before ' +
    '`started_at`). An hour skipped when clocks go forward is read with the offset before it (02:30 becomes 03:30).\n\n' +
    '**Writing**: everything is checked before anything is written. The import is one change that can be undone. With ' +
    '`on_existing=update`, the questions in the file are overwritten, also with empty cells, and deleted responses are ' +
    'restored. `cells` counts every cell with a value. `dry_run` returns the same reply and stores nothing.',
  access: onSurveyWithForm('edit'),
  params: z.strictObject({ surveyId: idParam }),
  query: surveyQuery,
  needsFreeDisk: 'files',
  body: multipart('file', fields, {
    fileName: 'phone-interviews.csv',
    fields: { on_existing: 'update', dry_run: 'true' },
  }),
  maxBodyBytes: MAX_DATA_FILE_BODY_BYTES,
  reply: dataReply(replySchema),
  status: 201,
  alternateStatuses: { 200: 'Dry run: what the import would change' },
  errors: {
    409: 'The survey is not published or is closed',
    413: 'More than 100 MB, 200,000 rows or 100,000,000 cells, or a workbook larger than 200 MB when unpacked',
    422: 'A questionnaire instead of data; an unsupported layout; or a workbook that exceeds the reading limits',
    503: 'Other workbooks are being processed',
  },
  replyExample: importResponsesReplyExample,
  async handler({ services, scope, body }) {
    const given = body.fields;
    const outcome = await services.responseImport.import(scope, {
      fileName: body.fileName,
      chunks: body.chunks,
      ...toReadOptions(given),
      values: given.values,
      status: given.status,
      timeZone: given.timezone ?? null,
      onExisting: given.on_existing,
      invalidCells: given.invalid_cells,
      atomic: given.atomic,
      dryRun: given.dry_run,
    });
    return withReply(present(outcome, given.dry_run), { status: given.dry_run ? 200 : 201 });
  },
});
