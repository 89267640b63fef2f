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
