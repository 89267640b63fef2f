import { z } from 'zod';
import { idNumber, idParam } from '../../../http/paging.ts';
import { dataReply } from '../../../http/reply.ts';
import { onSurvey, surveyQuery } from '../../guards.ts';
import { defineRoute } from '../../define-route.ts';
import { changeInput, changeOf, MAX_BODY_BYTES, valuesInput } from './change-input.ts';
import { outcomeSchema, presentOutcome } from './edit-reply.ts';
import { rowPresenter, rowSchema } from '../grid.ts';

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
