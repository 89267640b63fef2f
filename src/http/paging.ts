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

export const MAX_LIMIT = 1_000;

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

/** Paging of long lists. A cursor contains the position of the last item of a page, for example its id. */

const DEFAULT_LIMIT = 1_000;

/** A page of a sorted list: the items after a position, without the first `skip`. */
interface PageAfter<Position> {
  after: Position | null;
  skip: number;
  limit: number;
}

/** `decode` returns the position that a cursor names. */
export function parsePage<Position>(
  { limit: wanted, cursor, page }: PagingInput,
  decode: (cursor: string) => Position,
  defaultLimit = DEFAULT_LIMIT,
): PageAfter<Position> {
  if (cursor !== undefined && page !== undefined) throw mutuallyExclusive('page', 'cursor');
  const limit = wanted ?? defaultLimit;
  return { after: cursor === undefined ? null : decode(cursor), skip: ((page ?? 1) - 1) * limit, limit };
}

/** A page of a list that is sorted by an id, ascending or descending. */
export function parseIdPage(query: PagingInput, defaultLimit = DEFAULT_LIMIT): PageAfter<number> {
  return parsePage(query, decodeIdCursor, defaultLimit);
}

interface FetchedPage<Row, T> {
  /** Up to `limit` + 1 rows; the extra row shows that another page follows. */
  found: readonly Row[];
  limit: number;
  /** The number of all matches. */
  total: number;
  /** Returns what the cursor after a row contains. */
  positionOf: (row: Row) => number | string;
  present: (row: Row) => T;
}

/** Converts the rows of a page to a list reply. */
export function toListPage<Row, T>({
  found,
  limit,
  total,
  positionOf,
  present,
}: FetchedPage<Row, T>): ListPage<T> {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  const nextCursor =
    found.length > limit && last !== undefined ? encodeCursor(String(positionOf(last))) : null;
  return { items: rows.map(present), limit, total, nextCursor };
}

interface Sort<Field extends string> {
  field: Field;
  descending: boolean;
}

const sortName = ({ field, descending }: Sort<string>): string => (descending ? '-' : '') + field;

/** The position of a row in a sorted list: the sort, the row's sort value and its id. */
export const sortedPosition = (sort: Sort<string>, sortKey: unknown, id: number): string =>
  JSON.stringify([sortName(sort), sortKey, id]);

/** Parses the cursor of a sorted list. Throws 400 for another sort or a value that `isSortKey` rejects. */
export function parseSortedCursor<Field extends string, Key>(
  cursor: string,
  sort: Sort<Field>,
  isSortKey: (field: Field, key: unknown) => key is Key,
): { key: Key; id: number } {
  let parts: unknown;
  try {
    parts = JSON.parse(decodeCursor(cursor));
  } catch {
    parts = null;
  }
  if (Array.isArray(parts) && parts.length === 3) {
    const [name, key, id] = parts as unknown[];
    const isText = typeof key !== 'string' || (key.isWellFormed() && !key.includes('\0'));
    if (name === sortName(sort) && isSortKey(sort.field, key) && isText && Number.isSafeInteger(id))
      return { key, id: id as number };
  }
  throw invalidCursor();
}

function decodeIdCursor(cursor: string): number {
  const id = decodeCursor(cursor);
  if (!/^[1-9]\d{0,14}$/.test(id)) throw invalidCursor();
  return Number(id);
}
