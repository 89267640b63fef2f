import knex, { type Knex } from 'knex';
import pg from 'pg';
import { isReusable, PgPool } from './pg-pool.ts';

/** The connection pool, or a transaction on one of its connections. */
export type Database = Knex;

type ValueParser = (value: string) => unknown;

const INT8_OID = 20;
const INT8_ARRAY_OID = 1016;

const parserOf = (oid: number, format?: string): ValueParser =>
  pg.types.getTypeParser(oid, format as 'text') as ValueParser;

/** bigint as a number, in arrays too: identifiers and counts stay far below 2^53. */
const types = {
  getTypeParser(oid: number, format?: string): ValueParser {
    if (oid === INT8_OID) return Number;
    const parse = parserOf(oid, format);
    return oid === INT8_ARRAY_OID
      ? (value) => (parse(value) as (string | null)[]).map((text) => (text === null ? null : Number(text)))
      : parse;
  },
};

const nothing = () => undefined;

const STATEMENT_TIMEOUT_MS = 60_000;

/** Opens the pool. Every wait has a limit: a statement and its reply, a lock, an idle transaction, a free connection. */
export function connectDatabase(
  url: string,
  poolSize: number,
  statementTimeoutMs = STATEMENT_TIMEOUT_MS,
): Database {
  return knex(poolConfig(url, poolSize, statementTimeoutMs));
}

/** Returns the configuration of that pool, for code that creates the Knex instance itself. */
export function poolConfig(
  url: string,
  poolSize: number,
  statementTimeoutMs = STATEMENT_TIMEOUT_MS,
): Knex.Config {
  const settings = { connectionTimeoutMillis: 5_000, statement_timeout: statementTimeoutMs };
  return configOf({ url, size: poolSize, settings, acquireWithinMs: 10_000 });
}

/**
 * Opens a pool on a replica. Its timeouts are shorter, because another server can take over, and it is read-only, in case the server is no
 * replica.
 */
export function connectReplica(url: string, poolSize: number): Database {
  const settings = {
    connectionTimeoutMillis: 2_000,
    options: '-c lock_timeout=10000 -c default_transaction_read_only=on',
  };
  return knex(configOf({ url, size: poolSize, settings, acquireWithinMs: 2_000 }));
}

function configOf({
  url,
  size,
  settings,
  acquireWithinMs,
}: {
  url: string;
  size: number;
  settings: pg.ClientConfig;
  acquireWithinMs: number;
}): Knex.Config {
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
    // The caller gets the same message as an error and logs it with its request.
    log: { warn: nothing, error: nothing, debug: nothing, deprecate: nothing },
  };
}
