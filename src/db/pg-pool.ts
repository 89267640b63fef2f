import type { Knex } from 'knex';
import PostgresDialect from 'knex/lib/dialects/postgres/index.js';
import type { Client } from 'pg';
import { isDatabaseFull } from '../lib/storage-full.ts';
import { NoReplyError, PgConnection } from './pg-connection.ts';

/** When a reply is still missing so long after the server must have ended the statement, the connection is dead. */
const GRACE_MS = 5_000;
const CLOSE_TIMEOUT_MS = 1_000;
const CHECK_INTERVAL_MS = 1_000;

/** What Knex asks of a connection before it hands it out. */
interface Disposable {
  __knex__disposed?: unknown;
}

/**
 * Knex's PostgreSQL client with a time limit for replies. PostgreSQL's own timeouts end a statement only while the network works; a
 * connection on which it does not is closed from here, so it never returns to the pool.
 */
export class PgPool extends PostgresDialect {
  /** Every open connection, those outside the pool included. */
  private readonly connections = new Set<PgConnection>();
  /** When a statement last failed for lack of space, `performance.now()`; null: there is space as far as is known. */
  storageFullAt: number | null = null;
  private isSilent = false;
  private timer: NodeJS.Timeout | null = null;

  constructor(config: Knex.Config) {
    super(config);
    this.on('query-error', (error: unknown) => {
      if (isDatabaseFull(error)) this.storageFullAt = performance.now();
    });
  }

  /** Fails at once while the database is known to be silent, so that requests do not queue for it. */
  override async acquireConnection(): Promise<Client> {
    this.failWhileSilent();
    return super.acquireConnection();
  }

  override releaseConnection(connection: Client): Promise<void> {
    (connection as PgConnection).hasTimeLimit = true;
    return super.releaseConnection(connection);
  }

  /** Says goodbye to the server, and closes the socket when it does not reply. */
  override async destroyRawConnection(connection: PgConnection): Promise<void> {
    const timer = setTimeout(() => connection.closeNow(new NoReplyError()), CLOSE_TIMEOUT_MS);
    await connection.end().finally(() => clearTimeout(timer));
  }

  override async destroy(): Promise<void> {
    await super.destroy();
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
  }

  /** Closes every connection; what waits on one fails with NoReplyError. New ones are refused until `resume`. */
  closeAll(): void {
    this.isSilent = true;
    for (const connection of this.connections) connection.closeNow(new NoReplyError());
  }

  /** Closes the connections on which nothing is outstanding: they may be dead without showing it. */
  closeIdle(): void {
    for (const connection of this.connections)
      if (connection.waitingSince === null) connection.closeNow(new NoReplyError());
  }

  resume(): void {
    this.isSilent = false;
  }

  /** The connections that have waited for a reply for so long without receiving a byte. */
  waitingLonger(thanMs: number): PgConnection[] {
    return [...this.connections].filter((connection) => connection.silentMs() > thanMs);
  }

  /** Opens a connection outside the pool, also while the database is known to be silent. The caller closes it. */
  openProbe(): PgConnection {
    return new PgConnection(this.connectionSettings);
  }

  protected override async _acquireOnlyConnection(): Promise<Client> {
    this.failWhileSilent();
    const connection: PgConnection & Disposable = new PgConnection(this.connectionSettings);
    connection.on('error', (error) => (connection.__knex__disposed = error));
    connection.on('end', () => {
      connection.__knex__disposed ??= 'The connection has ended';
      this.connections.delete(connection);
    });
    this.connections.add(connection);
    this.timer ??= setInterval(() => this.closeOverdue(), CHECK_INTERVAL_MS).unref();
    try {
      await connection.connect();
      return connection;
    } catch (error) {
      this.connections.delete(connection);
      throw error;
    }
  }

  private failWhileSilent(): void {
    if (this.isSilent) throw new NoReplyError();
  }

  private closeOverdue(): void {
    const withinMs = Number(this.connectionSettings.statement_timeout) + GRACE_MS;
    for (const connection of this.connections) {
      connection.silentMs();
      const { waitingSince, hasTimeLimit } = connection;
      if (waitingSince === null || !hasTimeLimit) continue;
      if (performance.now() - waitingSince > withinMs)
        connection.closeNow(new NoReplyError(`The database did not reply within ${withinMs / 1_000} s`));
    }
  }
}

/** The pool below a database that `connect` opened. */
export const poolOf = (db: Knex): PgPool => db.client as PgPool;

/** Whether the pool may hand out the connection again: no reply to an earlier statement can arrive on it. */
export const isReusable = (connection: PgConnection): boolean => connection.waitingSince === null;

/**
 * Lifts the time limits of server and client until the transaction ends: for migrations, backups and other work whose duration grows
 * with the data.
 */
export async function liftTimeLimits(transaction: Knex, lockTimeout = '0'): Promise<void> {
  await transaction.raw('SET LOCAL statement_timeout = 0');
  await transaction.raw('SET LOCAL idle_in_transaction_session_timeout = 0');
  await transaction.raw(`SET LOCAL lock_timeout = '${lockTimeout}'`);
  const connection = await (transaction.client as PgPool).acquireConnection();
  (connection as PgConnection).hasTimeLimit = false;
}
