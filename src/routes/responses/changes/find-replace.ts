import { z } from 'zod';
import { idText } from '../../../http/paging.ts';
import { data } from '../../../http/reply.ts';
import { invalid } from '../../../lib/errors.ts';
import { onSurvey } from '../../guards.ts';
import { defineRoute } from '../../define-route.ts';
import { changeInput, changeOf, MAX_BODY_BYTES, whichInput, whichOf } from './change-input.ts';
import { outcomeSchema, presentOutcome } from './edit-reply.ts';
import { narrowedQuery } from '../../in-workspace.ts';

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
    'Literal: no character of `find` or `replace` has another meaning. In texts, dates and the digits of numbers a part is found; in a column with values (choices, 0/1, scales) a value, whole, ' +
    'and `replace` must be one of its values, else 400. Without `match_case` letters that differ by case alone are the same (Unicode simple case folding). ' +
    'An empty `find` with `match_entire_cell` finds cells left empty, not those of questions that were not shown; an empty `replace` takes what was found out. ' +
    'All or nothing: one cell that may not hold the result refuses everything. Of all responses unless `response_ids` or `filter` says which; what comes in while it runs is left alone.',
  access: onSurvey('edit'),
  params: z.strictObject({ surveyId: idText }),
  query: narrowedQuery,
  body: z.strictObject({
    column_code: columnCode.optional(),
    column_codes: z.array(columnCode).min(1).max(MAX_COLUMNS).optional(),
    find: z.string().max(MAX_FIND_CHARACTERS),
    replace: z.string().max(MAX_REPLACE_CHARACTERS),
    match_case: z.boolean().default(false),
    match_entire_cell: z.boolean().default(false),
    ...whichInput,
    ...changeInput,
  }),
  example: {
    column_code: 'Q7',
    find: 'oat milk',
    replace: 'oat drink',
  },
  maxBodyBytes: MAX_BODY_BYTES,
  reply: data(outcomeSchema),
  errors: { 422: 'A column that nobody edits: metadata, files, derived columns' },
  async handler({ services, scope, body }) {
    const outcome = await services.findReplace.run(scope, {
      columnCodes: columnCodesOf(body),
      isSingleColumn: body.column_code !== undefined,
      find: body.find,
      replace: body.replace,
      matchCase: body.match_case,
      matchEntireCell: body.match_entire_cell,
      ...whichOf(body),
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
    throw invalid('column_codes', 'cannot be used with column_code; give one of them');
  if (body.column_code !== undefined) return [body.column_code];
  if (body.column_codes === undefined) throw invalid('column_code', 'is missing: say in which column');
  return body.column_codes;
}
