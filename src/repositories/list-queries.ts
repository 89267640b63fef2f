import type { Knex } from 'knex';
import type { Tables } from 'knex/types/tables.js';
import type { Database } from '../db/connect.ts';
import { queryCount } from '../db/rows.ts';

/** A page of a list that is sorted by an id: the rows after the one with the id `after`, without the first `skip`. */
export interface IdPage {
  after: number | null;
  skip: number;
  limit: number;
}

export type IdOrder = 'oldest_first' | 'newest_first';

/** Sorts by an id and selects the page, with one row more than `limit` if there are more. Returns the query. */
export function selectIdPage<Query extends Knex.QueryBuilder>(
  query: Query,
  { idColumn, order }: { idColumn: string; order: IdOrder },
  { after, skip, limit }: IdPage,
): Query {
  const [direction, operator] = order === 'oldest_first' ? ['asc', '>'] : ['desc', '<'];
  void query
    .orderBy(idColumn, direction)
    .offset(skip)
    .limit(limit + 1);
  if (after !== null) void query.where(idColumn, operator, after);
  return query;
}

/** Returns the number of rows that the query matches. */
export async function countRows(query: Knex.QueryBuilder): Promise<number> {
  const [row] = await query.count<{ total: number }[]>({ total: '*' });
  return row?.total ?? 0;
}

/** Dashboards or reports to list. */
export interface ContentListing extends IdPage {
  /** A part of the name or description, ignoring case. */
  search: string | null;
}

/** The condition of rows that are not deleted, or of those that were deleted after a time. */
export const deletionCondition =
  (deletedSince: Date | undefined) =>
  (query: Knex.QueryBuilder): void => {
    if (deletedSince === undefined) void query.whereNull('deleted_at');
    else void query.where('deleted_at', '>', deletedSince);
  };

/** Lists rows of dashboards or reports, newest first, one more than `limit` if there are more. `matching`: their table with its conditions. */
export async function listContent<Row>({
  matching,
  type,
  selection,
  contentListing: { search, ...page },
}: {
  matching: Knex.QueryBuilder;
  type: 'dashboard' | 'report';
  selection: readonly (string | Knex.QueryBuilder)[];
  contentListing: ContentListing;
}): Promise<{ found: Row[]; total: number }> {
  if (search !== null)
    void matching.whereRaw(
      `position(lower(?) IN lower(${type}_name || ' ' || coalesce(${type}_description, ''))) > 0`,
      [search],
    );
  const rows = matching.clone().select(...selection);
  const found = (await selectIdPage(rows, { idColumn: `${type}_id`, order: 'newest_first' }, page)) as Row[];
  return { found, total: await countRows(matching) };
}

interface OrderedTable<Name extends keyof Tables> {
  table: Name;
  idColumn: keyof Tables[Name]['base'] & string;
  orderColumn: keyof Tables[Name]['base'] & string;
  /** The key of what the rows belong to. */
  owner: Readonly<Record<string, number>>;
}

/** Numbers the rows of `ids` from 1 in this order. Other rows keep their number. */
export async function updateOrder<Name extends keyof Tables>(
  db: Database,
  { table, idColumn, orderColumn, owner }: OrderedTable<Name>,
  ids: readonly number[],
): Promise<void> {
  const conditions = Object.keys(owner).map((column) => `ordered.${column} = ? AND `);
  // Raw SQL: the builder has no unnest with ordinality.
  await queryCount(
    db,
    `UPDATE ${table} ordered SET ${orderColumn} = given.position
     FROM unnest(?::bigint[]) WITH ORDINALITY AS given (id, position)
     WHERE ${conditions.join('')}ordered.${idColumn} = given.id`,
    [ids, ...Object.values(owner)],
  );
}

/** Splits the keys `first:second` of a batch into the two lists that a query unnests. */
export function splitKeys(
  keys: readonly string[],
  separator: ':' | '/',
): [first: string[], second: string[]] {
  return [
    keys.map((key) => key.slice(0, key.indexOf(separator))),
    keys.map((key) => key.slice(key.indexOf(separator) + 1)),
  ];
}
