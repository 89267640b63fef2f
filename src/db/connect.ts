import knex, { type Knex } from 'knex';
import pg from 'pg';

/** The connection pool, or a transaction on one of its connections. */
export type Database = Knex;

const INT8_OID = 20;

/** bigint as a number: identifiers and counts stay far below 2^53. */
const types = {
  getTypeParser: (oid: number, format?: string): ((value: string) => unknown) =>
    oid === INT8_OID ? Number : (pg.types.getTypeParser(oid, format as 'text') as (value: string) => unknown),
};

const nothing = () => undefined;

/**
 * Opens the pool. Every wait is bounded: a statement, a lock, a forgotten transaction, a connection that cannot be had.
 */
export function connect(url: string, poolSize: number): Database {
  return knex({
    client: 'pg',
    // Errors are logged: they must quote the statement without its values.
    compileSqlOnError: false,
    connection: {
      connectionString: url,
      application_name: `canvass ${process.pid}`,
      statement_timeout: 60_000,
      idle_in_transaction_session_timeout: 60_000,
      options: '-c lock_timeout=10000',
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      types,
    },
    pool: { min: 0, max: poolSize, acquireTimeoutMillis: 10_000 },
    acquireConnectionTimeout: 10_000,
    // What knex would print reaches the caller as an error as well, and is logged there with its request.
    log: { warn: nothing, error: nothing, debug: nothing, deprecate: nothing },
  });
}
