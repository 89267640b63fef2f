import { invalidCursor, mutuallyExclusive } from '../lib/error-messages.ts';
import { decodeCursor, encodeCursor } from './paging.ts';
import type { ListPage } from './reply.ts';

/** Paging of long lists that are sorted by an id, which grows with time. A cursor is the id of the last item of a page. */

const DEFAULT_LIMIT = 1_000;

interface PagingInput {
  limit?: number | undefined;
  cursor?: string | undefined;
  page?: number | undefined;
}

/** A page of a list that is sorted by descending id: the items with an id below `beforeId`, without the first `skip`. */
export interface DescendingPage {
  beforeId: number | null;
  skip: number;
  limit: number;
}

/** A page of a list that is sorted by ascending id: the items with an id above `afterId`, without the first `skip`. */
export interface AscendingPage {
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
