import { z } from 'zod';
import { decodeCursor, encodeCursor, idParam, pagingQuery, sortParam } from '../../http/paging.ts';
import { listReply } from '../../http/reply.ts';
import { invalidCursor, mutuallyExclusive } from '../../lib/error-messages.ts';
import {
  isSortKey,
  type ListedSurveyRow,
  SURVEY_SORT_FIELDS,
  type SurveyListing,
} from '../../repositories/surveys.ts';
import { defineRoute } from '../define-route.ts';
import { inWorkspace } from '../in-workspace.ts';
import { presentListed, surveySchema } from './survey-reply.ts';

const MAX_LIMIT = 1_000;
const NEWEST_FIRST = { field: 'survey_id', descending: true } as const;

type Sort = SurveyListing['sort'];

const query = z.strictObject({
  workspace_id: idParam.optional().describe('Default: the current workspace'),
  status: z
    .enum(['1', '2', '3'], { error: 'must be 1 (Draft), 2 (Active) or 3 (Closed)' })
    .transform((text) => Number(text) as 1 | 2 | 3)
    .optional()
    .describe('1 Draft, 2 Active, 3 Closed')
    .meta({ override: { type: 'integer', enum: [1, 2, 3] } }),
  search: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe('Part of the name or description, ignoring case'),
  sort: sortParam(SURVEY_SORT_FIELDS).optional().describe('Default: -survey_id (newest first)'),
  ...pagingQuery,
});

const sortName = (sort: Sort): string => (sort.descending ? '-' : '') + sort.field;

/** The cursor after a row of a sorted list: the sort, the row's sort value and its id. */
function cursorOf(sort: Sort, row: ListedSurveyRow): string {
  return encodeCursor(JSON.stringify([sortName(sort), row.sort_key, row.survey_id]));
}

function positionOfCursor(cursor: string, sort: Sort): NonNullable<SurveyListing['after']> {
  let parts: unknown;
  try {
    parts = JSON.parse(decodeCursor(cursor));
  } catch {
    parts = null;
  }
  if (Array.isArray(parts) && parts.length === 3) {
    const [name, key, surveyId] = parts as unknown[];
    const isText = typeof key !== 'string' || (key.isWellFormed() && !key.includes('\0'));
    if (name === sortName(sort) && isSortKey(sort.field, key) && isText && Number.isSafeInteger(surveyId)) {
      return { key, surveyId: surveyId as number };
    }
  }
  throw invalidCursor();
}

export const listSurveysRoute = defineRoute({
  method: 'get',
  path: '/api/surveys',
  operationId: 'listSurveys',
  summary: 'List surveys',
  description:
    'Returns the surveys of the workspace without deleted ones, newest first unless `sort` is given. `meta.total` is the ' +
    'number of all matches.',
  access: inWorkspace('view'),
  query,
  reply: listReply(surveySchema),
  async handler({ services, scope, query: filters }) {
    if (filters.cursor !== undefined && filters.page !== undefined) throw mutuallyExclusive('page', 'cursor');
    const limit = filters.limit ?? MAX_LIMIT;
    const sort = filters.sort ?? NEWEST_FIRST;
    const { rows, total } = await services.surveys.list(scope, {
      sort,
      status: filters.status,
      search: filters.search,
      // One extra row shows whether there is a next page.
      limit: limit + 1,
      offset: ((filters.page ?? 1) - 1) * limit,
      after: filters.cursor === undefined ? undefined : positionOfCursor(filters.cursor, sort),
    });
    const items = rows.slice(0, limit);
    const last = items.at(-1);
    const nextCursor = rows.length > limit && last !== undefined ? cursorOf(sort, last) : null;
    return { items: items.map(presentListed), limit, total, nextCursor };
  },
});
