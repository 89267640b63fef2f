import { invalidCursor, mutuallyExclusive } from '../lib/error-messages.ts';
import { decodeCursor, encodeCursor } from './paging.ts';
import type { ListPage } from './reply.ts';

const DEFAULT_LIMIT = 1_000;

interface PagingInput {
  limit?: number | undefined;
  cursor?: string | undefined;
  page?: number | undefined;
}

/** A part of a long list whose ids grow with time, the newest first: those before `beforeId`, after `skip` of them. */
export interface NewestFirst {
  beforeId: number | null;
  skip: number;
  limit: number;
}

export function newestFirst(query: PagingInput): NewestFirst {
  if (query.cursor !== undefined && query.page !== undefined) throw mutuallyExclusive('page', 'cursor');
  const limit = query.limit ?? DEFAULT_LIMIT;
  return {
    beforeId: query.cursor === undefined ? null : idOfCursor(query.cursor),
    skip: ((query.page ?? 1) - 1) * limit,
    limit,
  };
}

/** `found`: up to one more than `limit`, by which it is known that there is more. */
export function pageOfNewest<Row, T>(
  found: readonly Row[],
  { limit, total }: { limit: number; total: number },
  idOf: (row: Row) => number,
  present: (row: Row) => T,
): ListPage<T> {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  const nextCursor = found.length > limit && last !== undefined ? encodeCursor(String(idOf(last))) : null;
  return { items: rows.map(present), limit, total, nextCursor };
}

function idOfCursor(cursor: string): number {
  const id = decodeCursor(cursor);
  if (!/^\d{1,15}$/.test(id)) throw invalidCursor();
  return Number(id);
}
