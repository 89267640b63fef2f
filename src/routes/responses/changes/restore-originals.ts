import { z } from 'zod';
import { idParam } from '../../../http/paging.ts';
import { dataReply } from '../../../http/reply.ts';
import { onSurvey, surveyQuery } from '../../guards.ts';
import { defineRoute } from '../../define-route.ts';
import {
  changeInput,
  changeOf,
  MAX_BODY_BYTES,
  responseSelectionInput,
  responseSelectionOf,
} from './change-input.ts';
import { outcomeSchema, presentOutcome } from './edit-reply.ts';

const MAX_COLUMNS = 2_000;

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
    column_codes: z.array(z.string().min(1).max(120)).min(1).max(MAX_COLUMNS).optional(),
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
