import knex, { type Knex } from 'knex';
import pg from 'pg';

/** The connection pool, or a transaction on one of its connections. */
export type Database = Knex;

const INT8_OID = 20;
const INT8_ARRAY_OID = 1016;

/**
 * Opens the pool. Every wait is bounded: a statement, a lock, a forgotten transaction, a connection that cannot be had.
 */
export function connect(url: string, poolSize: number): Database {
  const types = pg.types;
  // Identifiers stay far below 2^53.
  types.setTypeParser(INT8_OID, Number);
  types.setTypeParser(
    INT8_ARRAY_OID,
    (value) => JSON.parse(`[${value.slice(1, -1)}]`) as (number | null)[] as never,
  );
  return knex({
    client: 'pg',
    connection: {
      connectionString: url,
      application_name: `canvass ${process.pid}`,
      statement_timeout: 60_000,
      lock_timeout: 10_000,
      idle_in_transaction_session_timeout: 60_000,
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
    },
    pool: { min: 0, max: poolSize, acquireTimeoutMillis: 10_000 },
    acquireConnectionTimeout: 10_000,
  });
}
