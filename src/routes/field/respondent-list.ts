import { z } from 'zod';
import { decodeCursor, encodeCursor, idParam, pagingQuery, sortParam } from '../../http/paging.ts';
import { dataReply, listReply } from '../../http/reply.ts';
import { invalidCursor, mutuallyExclusive } from '../../lib/error-messages.ts';
import {
  isRespondentSortKey,
  type ListedRespondentRow,
  RESPONDENT_SORT_FIELDS,
  type RespondentListing,
  type RespondentSearch,
} from '../../repositories/respondents.ts';
import { defineRoute } from '../define-route.ts';
import { inWorkspace } from '../in-workspace.ts';
import { presentRespondent, respondentSchema } from './respondent-reply.ts';

const MAX_LIMIT = 1_000;
const NEWEST_FIRST = { field: 'respondent_id', descending: true } as const;

type Sort = RespondentListing['sort'];

const searchQuery = {
  workspace_id: idParam.optional().describe('Default: the current workspace'),
  search: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe('Part of the name, email or external_id, ignoring case'),
  opted_out: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional()
    .describe('true: only respondents who opted out; false: only the others')
    .meta({ override: { type: 'boolean' } }),
  attribute: z
    .string()
    .max(1_100)
    .regex(/^[^:]+:/, 'must be an attribute name, a colon and a value, such as segment:A')
    .transform((text) => {
      const colon = text.indexOf(':');
      return { name: text.slice(0, colon), value: text.slice(colon + 1) };
    })
    .optional()
    .describe(
      '`name:value`: only respondents whose attribute has exactly this value. `age:42` matches the number and the text',
    )
    .meta({ override: { type: 'string', pattern: '^[^:]+:' } }),
};

type SearchInput = {
  search?: string | undefined;
  opted_out?: boolean | undefined;
  attribute?: RespondentSearch['attribute'] | undefined;
};

const searchOf = (query: SearchInput): RespondentSearch => ({
  text: query.search ?? null,
  optedOut: query.opted_out ?? null,
  attribute: query.attribute ?? null,
});

const sortName = (sort: Sort): string => (sort.descending ? '-' : '') + sort.field;

/** The cursor after a row of a sorted list: the sort, the row's sort value and its id. */
function cursorOf(sort: Sort, row: ListedRespondentRow): string {
  return encodeCursor(JSON.stringify([sortName(sort), row.sort_key, row.respondent_id]));
}

function positionOfCursor(cursor: string, sort: Sort): NonNullable<RespondentListing['after']> {
  let parts: unknown;
  try {
    parts = JSON.parse(decodeCursor(cursor));
  } catch {
    parts = null;
  }
  if (Array.isArray(parts) && parts.length === 3) {
    const [name, key, id] = parts as unknown[];
    const isText = typeof key !== 'string' || (key.isWellFormed() && !key.includes('\0'));
    if (name === sortName(sort) && isRespondentSortKey(sort.field, key) && isText && Number.isSafeInteger(id))
      return { key, id: id as number };
  }
  throw invalidCursor();
}

export const respondentListRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/surveys/respondents',
    operationId: 'listRespondents',
    summary: 'List respondents',
    description:
      'Returns the newest respondent first unless `sort` is given. `meta.total` is the number of all matches.',
    access: inWorkspace('view'),
    query: z.strictObject({
      ...searchQuery,
      sort: sortParam(RESPONDENT_SORT_FIELDS).optional().describe('Default: -respondent_id'),
      ...pagingQuery,
    }),
    reply: listReply(respondentSchema),
    async handler({ services, scope, query }) {
      if (query.cursor !== undefined && query.page !== undefined) throw mutuallyExclusive('page', 'cursor');
      const limit = query.limit ?? MAX_LIMIT;
      const sort = query.sort ?? NEWEST_FIRST;
      const { rows, total } = await services.respondents.list(scope, {
        search: searchOf(query),
        sort,
        // One extra row shows whether there is a next page.
        limit: limit + 1,
        offset: ((query.page ?? 1) - 1) * limit,
        after: query.cursor === undefined ? null : positionOfCursor(query.cursor, sort),
      });
      const items = rows.slice(0, limit);
      const last = items.at(-1);
      const nextCursor = rows.length > limit && last !== undefined ? cursorOf(sort, last) : null;
      return { items: items.map(presentRespondent), limit, total, nextCursor };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/surveys/respondents/count',
    operationId: 'countRespondents',
    summary: 'Count respondents',
    description: 'Counts the respondents that match the filters.',
    access: inWorkspace('view'),
    query: z.strictObject(searchQuery),
    reply: dataReply(z.strictObject({ count: z.int() }).meta({ id: 'RespondentCount' })),
    handler: async ({ services, scope, query }) => ({
      count: await services.respondents.count(scope, searchOf(query)),
    }),
  }),
];
