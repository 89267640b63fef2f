import { z } from 'zod';
import { idParam } from '../../../http/paging.ts';
import { dataReply } from '../../../http/reply.ts';
import { mutuallyExclusive, required } from '../../../lib/error-messages.ts';
import { invalid } from '../../../lib/errors.ts';
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
  if (body.column_codes === undefined) throw invalid('column_code', required('unless column_codes is given'));
  return body.column_codes;
}
