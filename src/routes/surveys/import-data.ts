import { z } from 'zod';
import type { Caller } from '../../domain/access/caller.ts';
import { memberOn } from '../../http/access.ts';
import { multipart } from '../../http/multipart.ts';
import { data, withReply } from '../../http/reply.ts';
import type { DataFileOutcome } from '../../services/responses/import/data-file-surveys.ts';
import type { Services } from '../../services/services.ts';
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
import { workspaceNamed } from '../guards.ts';
import { defineRoute } from '../define-route.ts';
import { narrowedQuery } from '../in-workspace.ts';

const fields = z.strictObject({
  ...responseFileFields,
  survey_name: z
    .string()
    .trim()
    .min(1)
    .max(500)
    .optional()
    .describe("Absent: the file's own label, else its name"),
  publish: flagField('true').describe(
    'Responses need a published survey: without it only the questions are made',
  ),
  dry_run: flagField('false'),
});

const replySchema = z
  .strictObject({
    dry_run: z.boolean(),
    survey_id: z.int().nullable(),
    survey_name: z.string(),
    published_version: z.int().nullable(),
    format: z.enum(['csv', 'xlsx', 'sav']),
    delimiter: z.string().nullable(),
    questions: z.int(),
    rows: z.int(),
    created: z.int(),
    failed: z.int(),
    cells: cellCountsSchema,
    recognised: recognisedSchema,
    variables: z
      .array(
        z.strictObject({
          header: z.string(),
          label: z.string().nullable(),
          used_as: z
            .enum(['question', 'option', 'row', 'cell', 'answer', 'metadata', 'nothing'])
            .describe(
              '`option` of a multiple choice or a ranking; `row` or `cell` (row by option) of a matrix; `answer`: one of the answers to a multiple ' +
                'choice, from a set of categories; `metadata` of the response',
            ),
          question_code: z.string().nullable(),
          question_type: z.string().nullable(),
          column_code: z.string().nullable(),
          options: z.int(),
          read: z.int(),
          empty: z.int(),
          unreadable: z.int(),
          left_out: z.int().describe('Cells with a value that is not imported; the notes say why'),
          notes: z.array(z.string()).describe('What was decided, and what was lost'),
        }),
      )
      .describe('In the order of the file'),
    errors: z
      .array(
        z.strictObject({
          row: z.int(),
          details: z.array(z.strictObject({ column: z.string(), message: z.string() })),
        }),
      )
      .describe('The first 100'),
    notes: z.array(z.string()),
  })
  .meta({ id: 'SurveyFromData' });

function present(outcome: DataFileOutcome, dryRun: boolean): z.input<typeof replySchema> {
  return {
    dry_run: dryRun,
    survey_id: outcome.surveyId,
    survey_name: outcome.surveyName,
    published_version: outcome.publishedVersion,
    format: outcome.file.format,
    delimiter: outcome.file.delimiter,
    questions: outcome.questions,
    rows: outcome.rows,
    created: outcome.created,
    failed: outcome.failed,
    cells: presentCellCounts(outcome.cells),
    recognised: presentRecognised(
      outcome.file.layout,
      outcome.timeZone,
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
        read: variable.read,
        empty: variable.empty,
        unreadable: variable.unreadable,
        left_out: variable.leftOut,
        notes: variable.notes,
      };
    }),
    errors: outcome.errors,
    notes: outcome.notes,
  };
}

/** The workspace that the query or the form names; naming none, the current one. */
const inNamedWorkspace = memberOn(
  'workspace: edit',
  (context: {
    services: Services;
    caller: Caller;
    query: { workspace_id?: number | undefined };
    body: { fields: { workspace_id?: number | undefined } };
  }) => {
    return context.services.access.workspaceContext(context.caller, workspaceNamed(context), 'edit');
  },
);

export const importDataRoute = defineRoute({
  method: 'post',
  path: '/api/surveys/import-data',
  operationId: 'importSurveyData',
  summary: 'Create a survey from data',
  description:
    'multipart/form-data, the fields first and then `file`: .sav, CSV or .xlsx, up to 100 MB, 200,000 rows and 5,000 columns. Creates a survey ' +
    'with a question for each variable, publishes it and adds its rows as responses, all in one transaction; `dry_run` gives the same reply ' +
    'and stores nothing.\n\n' +
    '**.sav**: variables with value labels become single_choice (the value is the option_value; user-missing values are option_missing; the ' +
    'measure is that of the variable, nominal where the file has none), numbers without labels number, texts text, dates and times date. Multiple-response sets become multiple_choice, those of dichotomies ' +
    'with an option for each variable, those of categories with an option for each category. Variable labels are the question texts, names ' +
    'the codes. `question_settings.variable` keeps what the variable was, and exports write it again.\n\n' +
    '**CSV and .xlsx**: few different values become single_choice, numbers number, ISO dates date, cells that hold several recurring answers ' +
    '("Red, Green") multiple_choice, all else text. Exports of Qualtrics, SurveyMonkey and LimeSurvey are recognised by their header rows: ' +
    'columns of one question become multiple_choice, ranking or matrix where their values leave no doubt, and start, end, duration, language, ' +
    'status and identifier of the response become its metadata. IP addresses are not stored. `recognised` says what was recognised, ' +
    '`variables` what each column became and why. A column with values but no header gets a name, a label and a note.\n\n' +
    '`cells` accounts for every cell with a value: it is imported, counted as `left_out` of its column with a reason, or in a row listed in ' +
    '`errors`. A questionnaire (REDCap dictionary, LimeSurvey structure, XLSForm, QSF, Triple-S definition and others) is refused with ' +
    '422 `questionnaire_not_data`.',
  access: inNamedWorkspace,
  query: narrowedQuery,
  needsFreeDisk: 'files',
  body: multipart('file', fields),
  maxBodyBytes: MAX_DATA_FILE_BODY_BYTES,
  reply: data(replySchema),
  status: 201,
  alternateStatuses: { 200: 'A dry run: what would have been made' },
  errors: {
    409: 'What the file makes cannot be published',
    413: 'More than 100 MB, 200,000 rows or 100,000,000 cells; a workbook that unpacks to more than 200 MB',
    422: 'More questions than a survey may have; a questionnaire in place of data; a layout that is not read; a workbook that cannot be read within the limits',
    503: 'Other workbooks are being read',
  },
  async handler({ services, scope, body }) {
    const given = body.fields;
    const outcome = await services.dataFileSurveys.create(scope, {
      fileName: body.fileName,
      chunks: body.chunks,
      ...readingOf(given),
      surveyName: given.survey_name ?? null,
      timeZone: given.timezone ?? null,
      publish: given.publish,
      dryRun: given.dry_run,
    });
    return withReply(present(outcome, given.dry_run), { status: given.dry_run ? 200 : 201 });
  },
});
