import type { Database } from './connect.ts';

type Binding =
  string | number | boolean | Date | Buffer | null | readonly (string | number | boolean | Date | null)[];

/** Runs one statement with bound values and gives its rows. `?` marks a value; an array is bound as one value. */
export async function queryRows<Row>(
  db: Database,
  sql: string,
  bindings: readonly Binding[] = [],
): Promise<Row[]> {
  const result: { rows: Row[] } = await db.raw(sql, bindings as never);
  return result.rows;
}

/**
 * The same, planned once for each connection: for a statement that is always the same text and takes longer to plan than to run. `name`
 * is its own alone.
 */
export async function queryPreparedRows<Row>(
  db: Database,
  name: string,
  sql: string,
  bindings: readonly Binding[] = [],
): Promise<Row[]> {
  const result = (await db.raw(sql, bindings as never).options({ name })) as { rows: Row[] };
  return result.rows;
}

/** The first row, or null. */
export async function queryRow<Row>(
  db: Database,
  sql: string,
  bindings: readonly Binding[] = [],
): Promise<Row | null> {
  return (await queryRows<Row>(db, sql, bindings))[0] ?? null;
}

/** How many rows the statement touched. */
export async function queryCount(
  db: Database,
  sql: string,
  bindings: readonly Binding[] = [],
): Promise<number> {
  const result: { rowCount: number | null } = await db.raw(sql, bindings as never);
  return result.rowCount ?? 0;
}
