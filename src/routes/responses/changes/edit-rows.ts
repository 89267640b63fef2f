import { z } from 'zod';
import { idNumber, idText } from '../../../http/paging.ts';
import { data } from '../../../http/reply.ts';
import { onSurvey } from '../../guards.ts';
import { defineRoute } from '../../define-route.ts';
import { changeInput, changeOf, MAX_BODY_BYTES, valuesInput } from './change-input.ts';
import { outcomeSchema, presentOutcome } from './edit-reply.ts';
import { rowPresenter, rowSchema } from '../grid/row-reply.ts';
import { narrowedQuery } from '../../in-workspace.ts';

const MAX_ROWS = 10_000;

const params = z.strictObject({ surveyId: idText });
const query = narrowedQuery;

const RULES =
  'A value is checked as an answer is, but an answer may be less complete, and retired options and columns may be used. ' +
  'What a respondent gave is kept: `restore-originals` brings it back, and writing it again makes the response unedited. ' +
  'A question that was not shown is answered by a value and stays not shown with null. ' +
  'A multiple choice whose last option is unticked with 0 (or `[]` for the set) is answered with none ticked; with null it is skipped. ' +
  'A respondent who is still at it is not stopped: what they hand in later for the same question replaces the edit.';

export const editRowRoutes = [
  defineRoute({
    method: 'patch',
    path: '/api/responses/:surveyId/rows/:responseId',
    operationId: 'editResponse',
    summary: 'Update a response',
    description: `${RULES} Replies with the row as the grid shows it; derived columns are told as they stand when nothing is stored.`,
    access: onSurvey('edit'),
    params: params.extend({ responseId: idText }),
    query,
    body: z.strictObject({ values: valuesInput, ...changeInput }),
    example: {
      values: { Q2: 35 },
      reason: 'Typing error, confirmed by the respondent',
    },
    reply: data(
      rowSchema
        .extend({
          change_id: z.int().nullable().describe('By which it can be undone; null: nothing changed'),
          dry_run: z.boolean(),
        })
        .meta({ id: 'EditedResponse' }),
    ),
    errors: { 422: 'A column that nobody edits: metadata, files, derived columns' },
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
      `Up to ${MAX_ROWS} responses, each once. \`atomic\` (the default): one bad row refuses all, with the first hundred problems. ` +
      `Else the good ones are written together, as one change, and the bad ones reported. ${RULES}`,
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
    reply: data(outcomeSchema),
    errors: { 422: 'A column that nobody edits: metadata, files, derived columns' },
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
