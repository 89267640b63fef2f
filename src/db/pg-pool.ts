import type { Knex } from 'knex';
import PostgresDialect from 'knex/lib/dialects/postgres/index.js';
import pg, { type Client } from 'pg';
import { isDatabaseFull } from '../lib/errors.ts';

/** A connection without a reply this long after the statement timeout is dead. */
const GRACE_MS = 5_000;
const CLOSE_TIMEOUT_MS = 1_000;
const CHECK_INTERVAL_MS = 1_000;

/** The flag by which Knex recognizes unusable connections. */
interface Disposable {
  __knex__disposed?: unknown;
}

/**
 * Knex's PostgreSQL client with a time limit for replies. PostgreSQL's own timeouts only work while the network does; this pool closes a
 * connection that stays silent longer, so it is never reused.
 */
export class PgPool extends PostgresDialect {
  /** All open connections, including those outside the pool. */
  private readonly connections = new Set<PgConnection>();
  /** When a statement last failed because the disk was full (`performance.now()`), or null if none has. */
  storageFullAt: number | null = null;
  private isSilent = false;
  private timer: NodeJS.Timeout | null = null;

  constructor(config: Knex.Config) {
    super(config);
    this.on('query-error', (error: unknown) => {
      if (isDatabaseFull(error)) this.storageFullAt = performance.now();
    });
  }

  /** Fails immediately while the database is known to be silent, so that requests do not queue. */
  override async acquireConnection(): Promise<Client> {
    this.failWhileSilent();
    return super.acquireConnection();
  }

  override releaseConnection(connection: Client): Promise<void> {
    (connection as PgConnection).hasTimeLimit = true;
    return super.releaseConnection(connection);
  }

  /** Ends the session, or closes the socket when the server does not reply in time. */
  override async destroyRawConnection(connection: PgConnection): Promise<void> {
    const timer = setTimeout(() => connection.closeNow(new NoReplyError()), CLOSE_TIMEOUT_MS);
    await connection.end().finally(() => clearTimeout(timer));
  }

  override async destroy(): Promise<void> {
    await super.destroy();
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
  }

  /** Closes every connection; waiting statements fail with NoReplyError. Refuses new connections until `resume`. */
  closeAll(): void {
    this.isSilent = true;
    for (const connection of this.connections) connection.closeNow(new NoReplyError());
  }

  /** Closes connections without outstanding statements: they may be dead without an error. */
  closeIdle(): void {
    for (const connection of this.connections)
      if (connection.waitingSince === null) connection.closeNow(new NoReplyError());
  }

  resume(): void {
    this.isSilent = false;
  }

  /** Returns the connections that have waited longer than this for a reply without receiving a byte. */
  waitingLonger(thanMs: number): PgConnection[] {
    return [...this.connections].filter((connection) => connection.silentMs() > thanMs);
  }

  /** Opens a connection outside the pool, even while the database is known to be silent. The caller closes it. */
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

/** Returns the pool of a database that `connect` opened. */
export const poolOf = (db: Knex): PgPool => db.client as PgPool;

/** Whether the pool may reuse the connection: no reply to an earlier statement can still arrive on it. */
export const isReusable = (connection: PgConnection): boolean => connection.waitingSince === null;

/**
 * Removes the time limits of server and client until the transaction ends, for migrations, backups and other work that takes longer the
 * more data there is.
 */
export async function liftTimeLimits(transaction: Knex, lockTimeout = '0'): Promise<void> {
  await transaction.raw('SET LOCAL statement_timeout = 0');
  await transaction.raw('SET LOCAL idle_in_transaction_session_timeout = 0');
  await transaction.raw(`SET LOCAL lock_timeout = '${lockTimeout}'`);
  const connection = await (transaction.client as PgPool).acquireConnection();
  (connection as PgConnection).hasTimeLimit = false;
}

/** The database did not reply in time. Its connection was closed, so it is unknown whether the statement took effect. */
export class NoReplyError extends Error {
  constructor(message = 'The database does not reply') {
    super(message);
    this.name = 'NoReplyError';
  }
}

/** A connection that tracks whether a reply is outstanding and can be closed without waiting for the server. */
export class PgConnection extends pg.Client {
  /** When the oldest statement without a reply was sent (`performance.now()`), or null if no reply is outstanding. */
  waitingSince: number | null = null;
  /** False while a transaction runs without the server's statement timeout. */
  hasTimeLimit = true;
  private seenBytes = 0;
  private seenAt = 0;

  constructor(config: pg.ClientConfig) {
    super(config);
    const send = this.query.bind(this) as (...given: unknown[]) => unknown;
    this.query = ((...given: unknown[]) => {
      this.waitingSince ??= performance.now();
      return send(...given);
    }) as typeof this.query;
    // Queued statements: each is sent after the reply to the previous one.
    this.connection.on('readyForQuery', () => {
      if (this.waitingSince !== null) this.waitingSince = performance.now();
    });
    this.on('drain', () => (this.waitingSince = null));
  }

  /** The process id that the server reported when the connection opened. A pooler may have reported another one. */
  get backendId(): number | null {
    return (this as unknown as { processID: number | null }).processID;
  }

  /**
   * How long a reply has been outstanding without receiving a byte, in milliseconds; 0 if none is outstanding. Precise to the interval
   * between calls.
   */
  silentMs(): number {
    const now = performance.now();
    const { bytesRead = 0 } = this.connection.stream as { bytesRead?: number };
    if (bytesRead !== this.seenBytes) {
      this.seenBytes = bytesRead;
      this.seenAt = now;
    }
    return this.waitingSince === null ? 0 : now - Math.max(this.waitingSince, this.seenAt);
  }

  /** Closes the socket immediately. Waiting statements fail with `reason`. */
  closeNow(reason: Error): void {
    this.connection.stream.destroy(reason);
  }
}
