import { z } from 'zod';
import { RESPONSE_STATUSES } from '../../../domain/dataset/response-row.ts';
import { idParam } from '../../../http/paging.ts';
import { dataReply } from '../../../http/reply.ts';
import { mutuallyExclusive, required } from '../../../lib/error-messages.ts';
import { invalid } from '../../../lib/errors.ts';
import type { BulkAction } from '../../../services/responses/changes/bulk-changes.ts';
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

const bodySchema = z.strictObject({
  action: z.enum(['delete', 'set_status', 'flag', 'unflag']),
  ...responseSelectionInput,
  status: z.enum(RESPONSE_STATUSES).optional().describe('Required with set_status'),
  ...changeInput,
});

function actionOf({ action, status }: z.output<typeof bodySchema>): BulkAction {
  if (action === 'set_status') {
    if (status === undefined)
      throw invalid('status', `${required('with set_status')}; accepted: ${RESPONSE_STATUSES.join(', ')}`);
    return { action, status };
  }
  if (status !== undefined) throw mutuallyExclusive('status', action);
  return { action };
}

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
    '- `flag` adds the quality flag `manual` with the reason as its value, `unflag` removes it.',
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
  async handler({ services, scope, body }) {
    const outcome = await services.responseBulk.run(scope, {
      action: actionOf(body),
      ...responseSelectionOf(body),
      ...changeOf(body),
    });
    return presentOutcome(outcome, body.dry_run);
  },
});
