import { z } from 'zod';
import { invalidCursor, mutuallyExclusive } from '../lib/error-messages.ts';
import type { ListPage } from './reply.ts';

/** An identifier in a path or query: digits only, as the database can hold. */
export const idParam = z
  .string()
  .regex(/^[1-9]\d{0,14}$/, 'must be a positive whole number')
  .transform(Number)
  .meta({ override: { type: 'integer', minimum: 1 } });

/** An identifier in a body. */
export const idNumber = z.int('must be a positive whole number').positive('must be a positive whole number');

const MAX_LIMIT = 1_000;

/** A whole number within bounds, in a query. */
export const integerParam = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`)
    .meta({ override: { type: 'integer', minimum: min, maximum: max } });

/** The paging part of a list's query. */
export const pagingQuery = {
  limit: integerParam(1, MAX_LIMIT)
    .optional()
    .describe(`Maximum number of items, at most ${MAX_LIMIT}. Default: ${MAX_LIMIT}`),
  cursor: z.string().max(500).optional().describe('`meta.next_cursor` of the previous page'),
  page: integerParam(1, 1_000_000).optional().describe('Page number, from 1. A cursor is faster'),
};

interface PagingInput {
  limit?: number | undefined;
  cursor?: string | undefined;
  page?: number | undefined;
}

/**
 * Cuts a page out of the whole list, for lists that are short by nature (an organization's workspaces, a survey's links).
 * The cursor names the last item's key, so that inserted and deleted items cause neither repeated nor missing items.
 */
export function paginateItems<T>(
  items: readonly T[],
  keyOf: (item: T) => number | string,
  input: PagingInput,
): ListPage<T> {
  const limit = input.limit ?? MAX_LIMIT;
  if (input.cursor !== undefined && input.page !== undefined) throw mutuallyExclusive('page', 'cursor');
  let start = ((input.page ?? 1) - 1) * limit;
  if (input.cursor !== undefined) {
    const key = decodeCursor(input.cursor);
    const index = items.findIndex((item) => String(keyOf(item)) === key);
    if (index < 0) throw invalidCursor();
    start = index + 1;
  }
  const page = items.slice(start, start + limit);
  const last = page.at(-1);
  const hasMore = start + limit < items.length && last !== undefined;
  return {
    items: page,
    limit,
    total: items.length,
    nextCursor: hasMore ? encodeCursor(String(keyOf(last))) : null,
  };
}

export function encodeCursor(key: string): string {
  return Buffer.from(key).toString('base64url');
}

export function decodeCursor(cursor: string): string {
  return Buffer.from(cursor, 'base64url').toString();
}

/** Parses `sort=field` or `-field` against a closed list. */
export function sortParam<F extends string>(fields: readonly F[]) {
  const allowed = fields.flatMap((field) => [field, `-${field}`]);
  return z
    .string()
    .refine((value) => allowed.includes(value), `must be one of ${allowed.join(', ')}`)
    .transform((value) => ({
      field: value.replace(/^-/, '') as F,
      descending: value.startsWith('-'),
    }))
    .meta({ override: { type: 'string', enum: allowed } });
}

/** Paging of long lists that are sorted by an id, which grows with time. A cursor is the id of the last item of a page. */

const DEFAULT_LIMIT = 1_000;

/** A page of a list that is sorted by descending id: the items with an id below `beforeId`, without the first `skip`. */
interface DescendingPage {
  beforeId: number | null;
  skip: number;
  limit: number;
}

/** A page of a list that is sorted by ascending id: the items with an id above `afterId`, without the first `skip`. */
interface AscendingPage {
  afterId: number | null;
  skip: number;
  limit: number;
}

export function parseDescendingPage(query: PagingInput): DescendingPage {
  if (query.cursor !== undefined && query.page !== undefined) throw mutuallyExclusive('page', 'cursor');
  const limit = query.limit ?? DEFAULT_LIMIT;
  return {
    beforeId: query.cursor === undefined ? null : decodeIdCursor(query.cursor),
    skip: ((query.page ?? 1) - 1) * limit,
    limit,
  };
}

export function parseAscendingPage(query: PagingInput): AscendingPage {
  const { beforeId: afterId, ...page } = parseDescendingPage(query);
  return { afterId, ...page };
}

/** Converts the rows of a page to a list reply. `fetched`: up to `limit` + 1 rows; the extra row shows that another page follows. */
export function toListPage<Row, T>(
  fetched: readonly Row[],
  { limit, total }: { limit: number; total: number },
  idOf: (row: Row) => number,
  present: (row: Row) => T,
): ListPage<T> {
  const rows = fetched.slice(0, limit);
  const last = rows.at(-1);
  const nextCursor = fetched.length > limit && last !== undefined ? encodeCursor(String(idOf(last))) : null;
  return { items: rows.map(present), limit, total, nextCursor };
}

function decodeIdCursor(cursor: string): number {
  const id = decodeCursor(cursor);
  if (!/^\d{1,15}$/.test(id)) throw invalidCursor();
  return Number(id);
}
