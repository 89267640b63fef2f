import { z } from 'zod';
import { RESPONSE_STATUSES } from '../../domain/responses/response-row.ts';
import { idNumber, idParam } from '../../http/paging.ts';
import { dataReply } from '../../http/reply.ts';
import { mutuallyExclusive, requiredField } from '../../lib/error-messages.ts';
import { invalid } from '../../lib/errors.ts';
import type { BulkAction } from '../../services/responses/changes/bulk-changes.ts';
import type { EditOutcome } from '../../services/responses/changes/response-edits.ts';
import { defineRoute } from '../define-route.ts';
import { onSurvey, surveyQuery } from '../guards.ts';
import { filterBody, filterOf } from '../selection-query.ts';
import { changeInput, changeOf } from './changes.ts';
import { rowPresenter, rowSchema } from './grid.ts';

const MAX_RESPONSE_IDS = 100_000;
const MAX_BODY_BYTES = 10_000_000;

/** Values by column code. The service validates them, because a body can have a million and validation must yield to other requests. */
const valuesInput = z
  .custom<Record<string, unknown>>(
    (value) =>
      typeof value === 'object' &&
      value !== null &&
      !Array.isArray(value) &&
      Object.keys(value).length > 0 &&
      Object.keys(value).length <= 2_000,
    'must be an object of 1 to 2000 values by column code',
  )
  .meta({
    override: { type: 'object', additionalProperties: true },
    description:
      'By column code: an option value, 0 or 1, a rank, number, text or date; for a multiple-response set, a list of option values (`[]`: none selected). null clears the cell',
  });

/** Selects responses; `whichOf` reads it. */
const responseSelectionInput = {
  response_ids: z
    .array(idNumber)
    .min(1)
    .max(MAX_RESPONSE_IDS)
    .optional()
    .describe('Responses to change, instead of `filter`'),
  filter: filterBody.optional().describe('Matches responses of every status. `filters` is an alias'),
  filters: filterBody.optional(),
};

function responseSelectionOf(input: {
  response_ids?: number[] | undefined;
  filter?: unknown;
  filters?: unknown;
}): {
  responseIds: number[] | null;
  filter: unknown;
} {
  return { responseIds: input.response_ids ?? null, filter: filterOf(input) };
}

/** Maximum number of listed errors; `failed` counts all. */
const MAX_ERRORS = 10_000;

const errorSchema = z.strictObject({
  response_id: z.int(),
  details: z.array(z.strictObject({ field: z.string(), message: z.string() })),
});

const outcomeSchema = z
  .strictObject({
    change_id: z.int().nullable().describe('For undo; null: nothing changed'),
    dry_run: z.boolean(),
    processed: z.int().describe('Selected responses'),
    updated: z.int(),
    cells_updated: z.int().describe('Cells whose value changed'),
    unchanged: z.int(),
    failed: z.int(),
    errors: z.array(errorSchema).describe(`The first ${MAX_ERRORS} errors`),
  })
  .meta({
    id: 'EditOutcome',
    examples: [
      {
        change_id: 18,
        dry_run: false,
        processed: 2,
        updated: 2,
        cells_updated: 2,
        unchanged: 0,
        failed: 0,
        errors: [],
      },
    ],
  });

function presentOutcome(outcome: EditOutcome, dryRun: boolean): z.input<typeof outcomeSchema> {
  return {
    change_id: outcome.changeId,
    dry_run: dryRun,
    processed: outcome.processed,
    updated: outcome.updated,
    cells_updated: outcome.cellsUpdated,
    unchanged: outcome.unchanged,
    failed: outcome.failed,
    errors: outcome.errors.slice(0, MAX_ERRORS),
  };
}

const bodySchema = z.strictObject({
  action: z.enum(['delete', 'set_status', 'flag', 'leave_out', 'unflag']),
  ...responseSelectionInput,
  status: z.enum(RESPONSE_STATUSES).optional().describe('Required with set_status'),
  ...changeInput,
});

function actionOf({ action, status }: z.output<typeof bodySchema>): BulkAction {
  if (action === 'set_status') {
    if (status === undefined)
      throw invalid(
        'status',
        `${requiredField('with set_status')}; accepted: ${RESPONSE_STATUSES.join(', ')}`,
      );
    return { action, status };
  }
  if (status !== undefined) throw mutuallyExclusive('status', action);
  return { action };
}

export const eraseRowRoute = defineRoute({
  method: 'post',
  path: '/api/responses/:surveyId/rows/:responseId/erase',
  operationId: 'eraseResponse',
  summary: 'Delete a response for good',
  description:
    'Erases a response at once, deleted or not: answers, previous answers, comments, uploaded files, the values that its changes ' +
    'stored, and what was derived from it (cached text analyses, jobs and their files, and chat messages and stored replies that ' +
    'contain its texts). Changes of the response can no longer be undone. It leaves all results. **This cannot be undone.** ' +
    'Backups and files that were downloaded before still contain it. Deleting with `…/bulk` can be undone for ' +
    '`DELETED_RETENTION_DAYS` (30 days by default).',
  access: onSurvey('edit'),
  params: z.strictObject({ surveyId: idParam, responseId: idParam }),
  query: surveyQuery,
  body: z.strictObject({}),
  example: {},
  reply: dataReply(
    z
      .strictObject({
        response_id: z.int(),
        erased: z.strictObject({
          changes: z.int().describe('Changes whose previous values of this response were erased'),
          comments: z.int(),
          files: z.int(),
        }),
      })
      .meta({
        id: 'ErasedResponse',
        examples: [{ response_id: 413, erased: { changes: 2, comments: 1, files: 0 } }],
      }),
  ),
  handler: async ({ services, scope, params }) => ({
    response_id: params.responseId,
    erased: await services.responseErasure.erase(scope, params.responseId),
  }),
});

export const bulkRoute = defineRoute({
  method: 'post',
  path: '/api/responses/:surveyId/bulk',
  operationId: 'changeResponses',
  summary: 'Delete or mark several responses',
  description:
    'Requires either `response_ids` or `filter`. Neither, or an empty filter, is 400 and never means all responses. Unknown ' +
    'ids are reported; the others are processed.\n\n' +
    '- `delete` hides responses from statistics, counts and files; undo restores them.\n' +
    '- `set_status` also clears `status_reason`. A response in progress ends now; `partial` has no `completed_at`.\n' +
    '- `flag` adds the quality flag `manual` with the reason as its value, `unflag` removes it.\n' +
    '- `leave_out` adds the flag confirmed, so that figures and exports leave the response out.',
  access: onSurvey('edit'),
  params: z.strictObject({ surveyId: idParam }),
  query: surveyQuery,
  body: bodySchema,
  example: {
    action: 'flag',
    filter: 'Q2 < 18',
    reason: 'Under age',
  },
  maxBodyBytes: MAX_BODY_BYTES,
  reply: dataReply(outcomeSchema),
  replyExample: {
    change_id: 17,
    dry_run: false,
    processed: 2,
    updated: 1,
    cells_updated: 0,
    unchanged: 0,
    failed: 1,
    errors: [
      {
        response_id: 999999,
        details: [{ field: 'response_ids', message: 'response 999999 does not exist in this survey' }],
      },
    ],
  },
  async handler({ services, scope, body }) {
    const outcome = await services.responseBulk.run(scope, {
      action: actionOf(body),
      ...responseSelectionOf(body),
      ...changeOf(body),
    });
    return presentOutcome(outcome, body.dry_run);
  },
});

const MAX_ROWS = 10_000;

const params = z.strictObject({ surveyId: idParam });
const query = surveyQuery;

const RULES =
  '- Values are checked like answers, except that answers can be incomplete, and retired options and columns can be used.\n' +
  '- The original answer is stored: `restore-originals` restores it, and writing the original value again makes the response unedited.\n' +
  '- A value for a question that was not shown makes it answered; null keeps it not shown.\n' +
  '- In a multiple choice, 0 in all columns (or `[]` for the set) means no option selected; null means skipped.\n' +
  '- A respondent can continue a response in progress; a later answer to the same question replaces the edit.';

export const editRowRoutes = [
  defineRoute({
    method: 'patch',
    path: '/api/responses/:surveyId/rows/:responseId',
    operationId: 'editResponse',
    summary: 'Update a response',
    description:
      `${RULES}\n\n` +
      'Returns the row as in the grid. With `dry_run`, derived columns keep their current values.',
    access: onSurvey('edit'),
    params: params.extend({ responseId: idParam }),
    query,
    body: z.strictObject({ values: valuesInput, ...changeInput }),
    example: {
      values: { Q2: 35 },
      reason: 'Typing error, confirmed by the respondent',
    },
    reply: dataReply(
      rowSchema
        .extend({
          change_id: z.int().nullable().describe('For undo; null: nothing changed'),
          dry_run: z.boolean(),
        })
        .meta({ id: 'EditedResponse' }),
    ),
    errors: { 422: 'The column cannot be edited: metadata, files and derived columns' },
    async handler({ services, scope, params: { responseId }, body }) {
      const edited = await services.responseEdits.editRow(
        scope,
        { responseId, values: body.values },
        changeOf(body),
      );
      const comments = await (await services.responseComments.createCounter(scope))([responseId]);
      const present = rowPresenter(edited.columns, edited.dataset);
      return {
        ...present(edited.row, comments.get(responseId) ?? 0),
        change_id: edited.changeId,
        dry_run: body.dry_run,
      };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/responses/:surveyId/rows/batch',
    operationId: 'editResponses',
    summary: 'Update several responses',
    description:
      `Edits up to ${MAX_ROWS} responses, each at most once. With \`atomic\` (the default), one invalid row rejects the whole ` +
      'request with the first hundred problems; otherwise valid rows are stored together as one change and invalid rows reported.\n\n' +
      `${RULES}`,
    access: onSurvey('edit'),
    params,
    query,
    body: z.strictObject({
      rows: z
        .array(z.strictObject({ response_id: idNumber, values: valuesInput }))
        .min(1)
        .max(MAX_ROWS),
      atomic: z.boolean().default(true),
      ...changeInput,
    }),
    example: {
      rows: [
        { response_id: 1, values: { Q8: 'south' } },
        { response_id: 2, values: { Q4: null } },
      ],
      reason: 'Corrected after a call',
    },
    maxBodyBytes: MAX_BODY_BYTES,
    reply: dataReply(outcomeSchema),
    errors: { 422: 'The column cannot be edited: metadata, files and derived columns' },
    async handler({ services, scope, body }) {
      const outcome = await services.responseEdits.editRows(
        scope,
        body.rows.map(({ response_id: responseId, values }) => ({ responseId, values })),
        { atomic: body.atomic, ...changeOf(body) },
      );
      return presentOutcome(outcome, body.dry_run);
    },
  }),
];

const MAX_COLUMNS = 200;
const MAX_FIND_CHARACTERS = 1_000;
const MAX_REPLACE_CHARACTERS = 10_000;

const columnCode = z.string().min(1).max(120);

export const findReplaceRoute = defineRoute({
  method: 'post',
  path: '/api/responses/:surveyId/find-replace',
  operationId: 'findAndReplace',
  summary: 'Replace text in answers',
  description:
    '`find` and `replace` are literal text.\n\n' +
    '- In texts, dates and numbers, parts of the value are found. In columns with a list of values (choices, 0/1, scales) ' +
    'only a whole value is found, and `replace` has to be one of the values (otherwise 400).\n' +
    '- Without `match_case`, letters that differ only in case are equal (Unicode simple case folding).\n' +
    '- An empty `find` with `match_entire_cell` finds empty cells, but not those of questions that were not shown. An empty ' +
    '`replace` removes the found text.\n' +
    '- All or nothing: if one cell cannot hold the result, nothing is changed.\n' +
    '- Applies to all responses unless `response_ids` or `filter` is given. Responses that arrive during the operation are ' +
    'not changed.',
  access: onSurvey('edit'),
  params: z.strictObject({ surveyId: idParam }),
  query: surveyQuery,
  body: z.strictObject({
    column_code: columnCode.optional(),
    column_codes: z.array(columnCode).min(1).max(MAX_COLUMNS).optional(),
    find: z.string().max(MAX_FIND_CHARACTERS),
    replace: z.string().max(MAX_REPLACE_CHARACTERS),
    match_case: z.boolean().default(false),
    match_entire_cell: z.boolean().default(false),
    ...responseSelectionInput,
    ...changeInput,
  }),
  example: {
    column_code: 'Q7',
    find: 'oat milk',
    replace: 'oat drink',
  },
  maxBodyBytes: MAX_BODY_BYTES,
  reply: dataReply(outcomeSchema),
  errors: { 422: 'The column cannot be edited: metadata, files and derived columns' },
  replyExample: {
    change_id: null,
    dry_run: true,
    processed: 2800,
    updated: 418,
    cells_updated: 418,
    unchanged: 2382,
    failed: 0,
    errors: [],
  },
  async handler({ services, scope, body }) {
    const outcome = await services.findReplace.run(scope, {
      columnCodes: columnCodesOf(body),
      isSingleColumn: body.column_code !== undefined,
      find: body.find,
      replace: body.replace,
      matchCase: body.match_case,
      matchEntireCell: body.match_entire_cell,
      ...responseSelectionOf(body),
      ...changeOf(body),
    });
    return presentOutcome(outcome, body.dry_run);
  },
});

function columnCodesOf(body: {
  column_code?: string | undefined;
  column_codes?: string[] | undefined;
}): string[] {
  if (body.column_code !== undefined && body.column_codes !== undefined)
    throw mutuallyExclusive('column_codes', 'column_code');
  if (body.column_code !== undefined) return [body.column_code];
  if (body.column_codes === undefined)
    throw invalid('column_code', requiredField('unless column_codes is given'));
  return body.column_codes;
}

const MAX_RESTORED_COLUMNS = 2_000;

export const restoreOriginalsRoute = defineRoute({
  method: 'post',
  path: '/api/responses/:surveyId/restore-originals',
  operationId: 'restoreOriginals',
  summary: 'Restore original answers',
  description:
    'Restores the answers that respondents gave, regardless of later edits, for all responses unless `response_ids` or ' +
    '`filter` is given, in all columns unless `column_codes` is given. The code of a question means its whole answer ' +
    'including option texts. The operation is itself a change that can be undone. Deleted responses remain deleted, and a ' +
    'status that was set remains.',
  access: onSurvey('edit'),
  params: z.strictObject({ surveyId: idParam }),
  query: surveyQuery,
  body: z.strictObject({
    ...responseSelectionInput,
    column_codes: z.array(z.string().min(1).max(120)).min(1).max(MAX_RESTORED_COLUMNS).optional(),
    ...changeInput,
  }),
  example: {
    column_codes: ['Q7'],
    reason: 'The original wording is needed',
  },
  maxBodyBytes: MAX_BODY_BYTES,
  reply: dataReply(outcomeSchema),
  errors: { 422: 'The column has no answers' },
  async handler({ services, scope, body }) {
    const outcome = await services.restoreOriginals.restore(scope, {
      ...responseSelectionOf(body),
      columnCodes: body.column_codes ?? null,
      ...changeOf(body),
    });
    return presentOutcome(outcome, body.dry_run);
  },
});
