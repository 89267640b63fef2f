import knex, { type Knex } from 'knex';
import pg from 'pg';
import { isReusable, PgPool } from './pg-pool.ts';

/** The connection pool, or a transaction on one of its connections. */
export type Database = Knex;

const INT8_OID = 20;

/** bigint as a number: identifiers and counts stay far below 2^53. */
const types = {
  getTypeParser: (oid: number, format?: string): ((value: string) => unknown) =>
    oid === INT8_OID ? Number : (pg.types.getTypeParser(oid, format as 'text') as (value: string) => unknown),
};

const nothing = () => undefined;

const STATEMENT_TIMEOUT_MS = 60_000;

/**
 * Opens the pool. Every wait is bounded: a statement on the server and its reply here, a lock, a forgotten transaction, a connection
 * that cannot be had.
 */
export function connect(url: string, poolSize: number, statementTimeoutMs = STATEMENT_TIMEOUT_MS): Database {
  return knex(poolConfig(url, poolSize, statementTimeoutMs));
}

/** The configuration of such a pool, for those who call Knex themselves. */
export function poolConfig(
  url: string,
  poolSize: number,
  statementTimeoutMs = STATEMENT_TIMEOUT_MS,
): Knex.Config {
  const settings = { connectionTimeoutMillis: 5_000, statement_timeout: statementTimeoutMs };
  return configOf(url, poolSize, settings, 10_000);
}

/**
 * The same for a server that others can stand in for: it is given up sooner, also when it is silent, and what is no replica after all
 * is not written to.
 */
export function connectReplica(url: string, poolSize: number): Database {
  const settings = {
    connectionTimeoutMillis: 2_000,
    options: '-c lock_timeout=10000 -c default_transaction_read_only=on',
  };
  return knex(configOf(url, poolSize, settings, 2_000));
}

function configOf(
  url: string,
  size: number,
  settings: pg.ClientConfig,
  acquireWithinMs: number,
): Knex.Config {
  return {
    client: PgPool,
    // Errors are logged: they must quote the statement without its values.
    compileSqlOnError: false,
    connection: {
      connectionString: url,
      application_name: `canvass ${process.pid}`,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: 60_000,
      options: '-c lock_timeout=10000',
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      types,
      ...settings,
    } as Knex.PgConnectionConfig,
    pool: { min: 0, max: size, acquireTimeoutMillis: acquireWithinMs, validate: isReusable },
    acquireConnectionTimeout: acquireWithinMs,
    // What knex would print reaches the caller as an error as well, and is logged there with its request.
    log: { warn: nothing, error: nothing, debug: nothing, deprecate: nothing },
  };
}
