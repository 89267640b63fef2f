import type { Database } from './connect.ts';

type Binding =
  string | number | boolean | Date | Buffer | null | readonly (string | number | boolean | Date | null)[];

/** Runs one statement and returns its rows. `?` marks a value; an array is bound as one value. */
export async function queryRows<Row>(
  db: Database,
  sql: string,
  bindings: readonly Binding[] = [],
): Promise<Row[]> {
  const result: { rows: Row[] } = await db.raw(sql, bindings as never);
  return result.rows;
}

/**
 * Runs a statement that each connection plans only once, for frequent statements that take longer to plan than to run. `name` must be
 * unique.
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

/** Returns the first row, or null. */
export async function queryRow<Row>(
  db: Database,
  sql: string,
  bindings: readonly Binding[] = [],
): Promise<Row | null> {
  return (await queryRows<Row>(db, sql, bindings))[0] ?? null;
}

/** Returns the number of affected rows. */
export async function queryCount(
  db: Database,
  sql: string,
  bindings: readonly Binding[] = [],
): Promise<number> {
  const result: { rowCount: number | null } = await db.raw(sql, bindings as never);
  return result.rowCount ?? 0;
}
