import { z } from 'zod';
import type { Caller } from '../../domain/access/caller.ts';
import { memberOn } from '../../http/access.ts';
import { multipart } from '../../http/multipart.ts';
import { dataReply, withReply } from '../../http/reply.ts';
import type { DataFileOutcome } from '../../services/responses/import/data-file-surveys.ts';
import type { Services } from '../../services/services.ts';
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
import { surveyQuery, workspaceOfForm } from '../guards.ts';
import { defineRoute } from '../define-route.ts';

const fields = z.strictObject({
  ...responseFileFields,
  survey_name: z
    .string()
    .trim()
    .min(1)
    .max(500)
    .optional()
    .describe('Default: the label in the file, otherwise the file name'),
  publish: flagField('true').describe(
    'Publish the survey and import the responses. false: create only the questions',
  ),
  dry_run: flagField('false'),
});

const replySchema = z
  .strictObject({
    ...importReportFields,
    survey_id: z.int().nullable(),
    survey_name: z.string(),
    published_version: z.int().nullable(),
    questions: z.int(),
    variables: z
      .array(
        z.strictObject({
          header: z.string(),
          label: z.string().nullable(),
          used_as: z
            .enum(['question', 'option', 'row', 'cell', 'answer', 'metadata', 'nothing'])
            .describe(
              '`option`: of a multiple choice or ranking; `row`, `cell` (row by option): of a matrix; `answer`: one answer to a multiple choice, ' +
                'from a set of categories; `metadata`: of the response; `nothing`: not imported',
            ),
          question_code: z.string().nullable(),
          question_type: z.string().nullable(),
          column_code: z.string().nullable(),
          options: z.int(),
          ...columnCountFields,
          notes: z.array(z.string()).describe('How the column was read, and what was lost'),
        }),
      )
      .describe('In file order'),
  })
  .meta({ id: 'SurveyDataImport' });

function present(outcome: DataFileOutcome, dryRun: boolean): z.input<typeof replySchema> {
  return {
    ...presentImportReport(
      outcome,
      dryRun,
      outcome.variables.map(({ header, columnCode, use, notes, leftOut }) => {
        return {
          header,
          columnCode,
          isMetadata: use === 'metadata',
          reason: notes.join('; ') || null,
          leftOut,
        };
      }),
    ),
    survey_id: outcome.surveyId,
    survey_name: outcome.surveyName,
    published_version: outcome.publishedVersion,
    questions: outcome.questions,
    variables: outcome.variables.map((variable) => {
      const question = 'question' in variable ? variable.question : null;
      return {
        header: variable.header,
        label: variable.label,
        used_as: variable.use,
        question_code: variable.questionCode,
        question_type: question?.question_type ?? null,
        column_code: variable.columnCode,
        options: variable.use === 'question' ? variable.question.options.length : 0,
        ...presentColumnCounts(variable),
        notes: variable.notes,
      };
    }),
  };
}

/** Access to the workspace of the query or form, by default the current one. */
const onFormWorkspace = memberOn(
  'workspace: edit',
  (context: {
    services: Services;
    caller: Caller;
    query: { workspace_id?: number | undefined };
    body: { fields: { workspace_id?: number | undefined } };
  }) => {
    return context.services.access.workspaceContext(context.caller, workspaceOfForm(context), 'edit');
  },
);

export const importDataRoute = defineRoute({
  method: 'post',
  path: '/api/surveys/import-data',
  operationId: 'importSurveyData',
  summary: 'Import a data file',
  description:
    'Creates a survey with one question per variable, publishes it and imports the rows as responses, in one transaction. ' +
    'Send multipart/form-data with the fields before `file`: .sav, CSV or .xlsx, at most 100 MB, 200,000 rows and 5,000 ' +
    'columns. `dry_run` returns the same reply and stores nothing.\n\n' +
    '**.sav**\n\n' +
    '- Variables with value labels become single_choice questions: values become `option_value`, user-missing values ' +
    '`option_missing`. The measure is taken from the variable, or nominal if it has none.\n' +
    '- Other numbers become number, strings text, dates and times date.\n' +
    '- Multiple-response sets become multiple_choice: one option per variable (dichotomies) or per category (categories).\n' +
    '- Variable labels become question texts, variable names question codes. `question_settings.variable` stores the ' +
    'properties of the variable; exports write them again.\n\n' +
    '**CSV and .xlsx**\n\n' +
    '- Columns with few different values become single_choice, numbers number, ISO dates date, cells with several recurring ' +
    'answers ("Red, Green") multiple_choice, everything else text.\n' +
    '- Exports of Qualtrics, SurveyMonkey and LimeSurvey are recognized by their header rows. Columns of one question become ' +
    'multiple_choice, ranking or matrix if their values allow only that. Start, end, duration, language, status and ' +
    'identifier become metadata of the response. IP addresses are not imported.\n' +
    '- `recognized` describes the detected layout, `variables` what each column became and why. A column without a header ' +
    'gets a generated name and a note.\n\n' +
    '- In columns of numbers and dates, marks of missing values (NA, N/A, NULL, `.`, #N/A …) are not answered. In columns of texts they stay, ' +
    'unless `missing_values` names them. The marks of numbers (`1,234.50`, `1.234,50`) are inferred per column, or stated by `decimal`. ' +
    'Identifiers stay texts: leading zeros, integers beyond 2^53, telephone numbers.\n\n' +
    '`cells` counts what happened to every cell with a value: imported as it is, `missing`, `changed`, `unreadable` (left empty), `left_out` with a ' +
    'reason, or in a row listed in `errors`. ' +
    'Questionnaire files (REDCap dictionary, LimeSurvey structure, XLSForm, QSF, Triple-S definition and others) are rejected ' +
    'with 422 `questionnaire_not_data`.',
  access: onFormWorkspace,
  query: surveyQuery,
  needsFreeDisk: 'files',
  body: multipart('file', fields, {
    fileName: 'customers-2026.sav',
    fields: { survey_name: 'Customers 2026' },
  }),
  maxBodyBytes: MAX_DATA_FILE_BODY_BYTES,
  reply: dataReply(replySchema),
  status: 201,
  alternateStatuses: { 200: 'Dry run: what the import would create' },
  errors: {
    409: 'The resulting survey cannot be published',
    413: 'More than 100 MB, 200,000 rows or 100,000,000 cells, or a workbook larger than 200 MB when unpacked',
    422:
      'Too many questions for one survey; a questionnaire instead of data; an unsupported layout; or a workbook that exceeds ' +
      'the reading limits',
    503: 'Other workbooks are being processed',
  },
  async handler({ services, scope, body }) {
    const given = body.fields;
    const outcome = await services.dataFileSurveys.create(scope, {
      fileName: body.fileName,
      chunks: body.chunks,
      ...toReadOptions(given),
      surveyName: given.survey_name ?? null,
      timeZone: given.timezone ?? null,
      publish: given.publish,
      dryRun: given.dry_run,
    });
    return withReply(present(outcome, given.dry_run), { status: given.dry_run ? 200 : 201 });
  },
});
