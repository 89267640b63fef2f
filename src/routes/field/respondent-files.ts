import { z } from 'zod';
import { SOURCE_FORMATS } from '../../domain/import/source-file.ts';
import type { Caller } from '../../domain/access/caller.ts';
import { plainText } from '../../domain/markdown/parse-markdown.ts';
import { RESPONSE_STATUSES } from '../../domain/responses/response-row.ts';
import { withNamedPipes } from '../../domain/survey/logic/piping.ts';
import { memberOn } from '../../http/access.ts';
import { multipart } from '../../http/multipart.ts';
import { idParam } from '../../http/paging.ts';
import { dataReply, withReply } from '../../http/reply.ts';
import type {
  RespondentExport,
  RespondentImportOutcome,
  RowOutcome,
} from '../../services/field/respondents.ts';
import type { Services } from '../../services/services.ts';
import { dataFileFields, flagField, MAX_DATA_FILE_BODY_BYTES, toReadOptions } from '../data-file-fields.ts';
import { defineRoute } from '../define-route.ts';
import { workspaceOfForm } from '../guards.ts';
import { invitationStatus } from './invitations.ts';
import {
  onRespondent,
  presentRespondent,
  respondentParams,
  respondentQuery,
  respondentSchema,
} from './respondents.ts';

const byCode = z
  .record(z.string(), z.unknown())
  .meta({ override: { type: 'object', additionalProperties: true } });

const responseSchema = z.strictObject({
  response_id: z.int(),
  response_status: z.enum(RESPONSE_STATUSES),
  status_reason: z.string().nullable(),
  is_test: z.boolean(),
  is_deleted: z.boolean().describe('Deleted responses are stored but not counted'),
  external_id: z.string().nullable(),
  language: z.string().nullable(),
  started_at: z.iso.datetime(),
  completed_at: z.iso.datetime().nullable(),
  duration_seconds: z.number().nullable(),
  answers: byCode.describe('By question code. null: shown and skipped; `[]`: shown, no option selected'),
  originals: byCode.nullable().describe('Original values of edited answers'),
  hidden: byCode.nullable().describe('Hidden values from the URL of the link'),
});

const exportSchema = z
  .strictObject({
    respondent: respondentSchema,
    surveys: z.array(
      z.strictObject({
        survey_id: z.int(),
        survey_name: z.string(),
        questions: z.array(z.strictObject({ question_code: z.string(), question_text: z.string() })),
        responses: z.array(responseSchema),
      }),
    ),
    invitations: z.array(
      z.strictObject({
        survey_id: z.int(),
        survey_name: z.string(),
        invitation_status: invitationStatus,
        created_at: z.iso.datetime(),
        sent_at: z.iso.datetime().nullable(),
        opened_at: z.iso.datetime().nullable(),
        started_at: z.iso.datetime().nullable(),
        completed_at: z.iso.datetime().nullable(),
      }),
    ),
    responses_elsewhere: z
      .int()
      .describe('Number of responses to surveys that were moved to other workspaces'),
  })
  .meta({ id: 'RespondentExport' });

type Reply = z.input<typeof exportSchema>;

function present({ respondent, responses, questions, invitations, elsewhere }: RespondentExport): Reply {
  const surveys = new Map<number, Reply['surveys'][number]>();
  const textsOf = new Map<number, Map<string, string>>();
  for (const { survey_id: surveyId, question_code: code, question_text: text } of questions)
    textsOf.set(surveyId, (textsOf.get(surveyId) ?? new Map<string, string>()).set(code, text));
  for (const { survey_id: surveyId, survey_name: name, started_at, completed_at, ...response } of responses) {
    const survey = surveys.get(surveyId) ?? {
      survey_id: surveyId,
      survey_name: name,
      questions: questions
        .filter((question) => question.survey_id === surveyId)
        .map(({ question_code, question_text }) => ({
          question_code,
          question_text: withNamedPipes(plainText(question_text, 'inline'), (code) =>
            code === question_code ? undefined : textsOf.get(surveyId)?.get(code),
          ),
        })),
      responses: [],
    };
    surveys.set(surveyId, survey);
    survey.responses.push({
      response_id: response.response_id,
      response_status: response.response_status,
      status_reason: response.status_reason,
      is_test: response.is_test,
      is_deleted: response.is_deleted,
      external_id: response.external_id,
      language: response.language,
      started_at: started_at.toISOString(),
      completed_at: completed_at?.toISOString() ?? null,
      duration_seconds: response.duration_seconds,
      answers: response.answers,
      originals: response.originals,
      hidden: response.hidden,
    });
  }
  return {
    respondent: presentRespondent(respondent),
    surveys: [...surveys.values()],
    invitations: invitations.map((row) => ({
      survey_id: row.survey_id,
      survey_name: row.survey_name,
      invitation_status: row.invitation_status,
      created_at: row.created_at.toISOString(),
      sent_at: row.sent_at?.toISOString() ?? null,
      opened_at: row.opened_at?.toISOString() ?? null,
      started_at: row.started_at?.toISOString() ?? null,
      completed_at: row.completed_at?.toISOString() ?? null,
    })),
    responses_elsewhere: elsewhere,
  };
}

export const respondentExportRoute = defineRoute({
  method: 'get',
  path: '/api/surveys/respondents/:respondentId/export',
  operationId: 'exportRespondent',
  summary: 'Export a respondent',
  description:
    'Returns all data about a respondent: profile, invitations, and responses to surveys of the workspace (including deleted ' +
    'ones) with answers as stored and question texts. Responses to anonymous surveys cannot be linked to a respondent.',
  access: onRespondent('view'),
  params: respondentParams,
  query: respondentQuery,
  reply: dataReply(exportSchema),
  handler: async ({ services, scope }) => present(await services.respondents.export(scope)),
});

const columnNames = z.record(z.string(), z.string().max(200));

function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const fields = z.strictObject({
  ...dataFileFields,
  dry_run: flagField('false'),
  update_existing: flagField('false').describe(
    'Update respondents that already exist; otherwise their rows are skipped as unchanged',
  ),
  column_names: z
    .string()
    .max(50_000)
    .transform((text, context): ReadonlyMap<string, string> => {
      const read = columnNames.safeParse(parseJsonText(text));
      if (read.success)
        return new Map(Object.entries(read.data).map(([header, name]) => [header.trim(), name]));
      context.addIssue({
        code: 'custom',
        message: 'must be a JSON object of headers and names such as {"E-mail address":"email"}',
      });
      return z.NEVER;
    })
    .optional()
    .describe(
      'JSON object: what a column means, by its header, where the header does not say it. A field, an attribute, or an empty text to leave ' +
        'the column out, such as `{"E-mail address":"email","Remarks":""}`',
    )
    .meta({ override: { type: 'string' } }),
  atomic: flagField('true').describe(
    'true: one invalid row rejects the whole file. false: the valid rows are imported',
  ),
});

const query = z.strictObject({ workspace_id: idParam.optional().describe('Default: the current workspace') });

const rowSchema = z.strictObject({
  row: z.int().describe('Row number in the file; the header is row 1'),
  outcome: z.enum(['created', 'updated', 'unchanged', 'failed']),
  respondent_id: z.int().nullable().describe('null: failed, or new in a dry run'),
  details: z
    .array(z.strictObject({ column: z.string(), message: z.string() }))
    .optional()
    .describe('Why it failed'),
});

const replySchema = z
  .strictObject({
    dry_run: z.boolean(),
    format: z.enum(SOURCE_FORMATS),
    delimiter: z.string().nullable(),
    created: z.int(),
    updated: z.int(),
    unchanged: z.int(),
    failed: z.int(),
    columns: z
      .array(
        z.strictObject({
          header: z.string(),
          field: z.enum(['email', 'name', 'external_id', 'language', 'opted_out']).nullable(),
          attribute: z.string().nullable(),
          reason: z.string().nullable().describe('Why it is not imported'),
        }),
      )
      .describe('In the order of the file'),
    rows: z.array(rowSchema).describe('Every row of the file'),
    notes: z.array(z.string()),
  })
  .meta({ id: 'ImportedRespondents' });

function presentImport(outcome: RespondentImportOutcome, dryRun: boolean): z.input<typeof replySchema> {
  const count = (of: RowOutcome['outcome']) => outcome.rows.filter((one) => one.outcome === of).length;
  return {
    dry_run: dryRun,
    format: outcome.file.format,
    delimiter: outcome.file.delimiter,
    created: count('created'),
    updated: count('updated'),
    unchanged: count('unchanged'),
    failed: count('failed'),
    columns: outcome.columns,
    rows: outcome.rows.map((one) =>
      one.outcome === 'failed'
        ? { row: one.row, outcome: one.outcome, respondent_id: null, details: one.problems }
        : { row: one.row, outcome: one.outcome, respondent_id: one.respondentId },
    ),
    notes: outcome.notes,
  };
}

/** Access to the workspace of the query or form, by default the current one. */
const onFormWorkspace = memberOn(
  'workspace: edit',
  (context: {
    services: Services;
    caller: Caller;
    query: z.output<typeof query>;
    body: { fields: { workspace_id?: number | undefined } };
  }) => context.services.access.workspaceContext(context.caller, workspaceOfForm(context), 'edit'),
);

export const respondentImportRoute = defineRoute({
  method: 'post',
  path: '/api/surveys/respondents/import',
  operationId: 'importRespondents',
  summary: 'Import respondents',
  description:
    'Send multipart/form-data with the fields before `file`: CSV, .xlsx or .sav, at most 100 MB and 100,000 rows.\n\n' +
    '- The columns `email`, `name`, `external_id`, `language` and `opted_out` fill these fields, ignoring case. ' +
    '`respondent_id`, `last_invited_at`, `completed_count` and `created_at` are ignored. Every other column becomes an attribute. `column_names` gives columns another meaning.\n' +
    '- In attributes, plain numbers, true and false become numbers and booleans; everything else, including formulas, remains text.\n' +
    '- Rows are matched to existing respondents by `external_id`, otherwise by `email`. An empty cell keeps the stored value. ' +
    'Attributes without a column are kept. An opt-out is never removed.\n' +
    '- Rows are compared with the data before the import. `dry_run` returns the same reply and stores nothing.\n' +
    '- A file without a column that identifies respondents is refused; the error of a dry run has the headers in `columns`.',
  access: onFormWorkspace,
  query,
  needsFreeDisk: 'files',
  body: multipart('file', fields, { fileName: 'panel.csv', fields: { dry_run: 'true' } }),
  maxBodyBytes: MAX_DATA_FILE_BODY_BYTES,
  reply: dataReply(replySchema),
  status: 201,
  alternateStatuses: { 200: 'Dry run: what the import would change' },
  errors: {
    413: 'More than 100 MB, 100,000 rows or 100,000,000 cells, or a workbook larger than 200 MB when unpacked',
    422: 'A workbook that exceeds the reading limits',
    503: 'Other workbooks are being processed',
  },
  replyExample: {
    dry_run: true,
    format: 'csv',
    delimiter: ',',
    created: 1,
    updated: 0,
    unchanged: 0,
    failed: 1,
    columns: [
      { header: 'email', field: 'email', attribute: null, reason: null },
      { header: 'name', field: 'name', attribute: null, reason: null },
      { header: 'segment', field: null, attribute: 'segment', reason: null },
    ],
    rows: [
      { row: 2, outcome: 'created', respondent_id: null },
      {
        row: 3,
        outcome: 'failed',
        respondent_id: null,
        details: [{ column: 'email', message: '"bad" must be an email address such as name@example.org' }],
      },
    ],
    notes: [],
  },
  async handler({ services, scope, body }) {
    const given = body.fields;
    const outcome = await services.respondentImport.import(scope, {
      chunks: body.chunks,
      ...toReadOptions(given),
      updateExisting: given.update_existing,
      atomic: given.atomic,
      dryRun: given.dry_run,
      columnNames: given.column_names ?? new Map<string, string>(),
    });
    return withReply(presentImport(outcome, given.dry_run), { status: given.dry_run ? 200 : 201 });
  },
});
