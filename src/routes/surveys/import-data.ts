import { z } from 'zod';
import type { Caller } from '../../domain/access/caller.ts';
import { memberOn } from '../../http/access.ts';
import { multipart } from '../../http/multipart.ts';
import { data, withReply } from '../../http/reply.ts';
import type { DataFileOutcome } from '../../services/responses/import/data-file-surveys.ts';
import type { Services } from '../../services/services.ts';
import { dataFileFields, flagField, MAX_DATA_FILE_BODY_BYTES, readingOf } from '../data-file-fields.ts';
import { workspaceNamed } from '../guards.ts';
import { defineRoute } from '../route.ts';
import { narrowedQuery } from '../in-workspace.ts';

const fields = z.strictObject({
  ...dataFileFields,
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
    variables: z
      .array(
        z.strictObject({
          header: z.string(),
          label: z.string().nullable(),
          used_as: z.enum(['question', 'option', 'metadata', 'nothing']),
          question_code: z.string().nullable(),
          question_type: z.string().nullable(),
          column_code: z.string().nullable(),
          options: z.int(),
          read: z.int(),
          empty: z.int(),
          unreadable: z.int(),
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
    variables: outcome.variables.map((variable) => {
      const question = variable.use === 'question' ? variable.question : null;
      const type = variable.use === 'option' ? 'multiple_choice' : (question?.question_type ?? null);
      return {
        header: variable.header,
        label: variable.label,
        used_as: variable.use,
        question_code: variable.questionCode,
        question_type: type,
        column_code: variable.columnCode,
        options: question?.options.length ?? 0,
        read: variable.read,
        empty: variable.empty,
        unreadable: variable.unreadable,
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
  summary: 'A data file becomes a new survey with its responses',
  description:
    'multipart/form-data, the fields first and then `file`: .sav, CSV or .xlsx, up to 100 MB, 200,000 rows and 5,000 columns. Of a .sav: ' +
    'variables with value labels become single_choice (the value is the option_value; user-missing ones are option_missing; its measure is that of the variable, ' +
    'nominal where the file has none), numbers ' +
    'without labels number, texts text, dates and times date, multiple dichotomy sets multiple_choice; variable labels are the question ' +
    'texts, names the codes. What a variable was is kept in `question_settings.variable`, for exports to give it back. Of a table: few ' +
    'different values become single_choice, numbers number, ISO dates date, all else text; the reply says what each column became, and why. ' +
    'All of it or nothing; `dry_run` says the same and makes nothing.',
  access: inNamedWorkspace,
  query: narrowedQuery,
  body: multipart('file', fields),
  maxBodyBytes: MAX_DATA_FILE_BODY_BYTES,
  reply: data(replySchema),
  status: 201,
  otherwise: { 200: 'A dry run: what would have been made' },
  errors: {
    409: 'What the file makes cannot be published',
    413: 'Larger than 100 MB, or more than 200,000 rows',
    422: 'More questions than a survey may have',
  },
  async handler({ services, scope, body }) {
    const given = body.fields;
    const outcome = await services.dataFileSurveys.create(scope, {
      fileName: body.fileName,
      chunks: body.chunks,
      ...readingOf(given),
      surveyName: given.survey_name ?? null,
      publish: given.publish,
      dryRun: given.dry_run,
    });
    return withReply(present(outcome, given.dry_run), { status: given.dry_run ? 200 : 201 });
  },
});
