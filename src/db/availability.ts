import type { Database } from './connect.ts';
import { NoReplyError, type PgConnection, poolOf, type PgPool } from './pg-pool.ts';
import { isDatabaseFull, isStorageFull } from '../lib/errors.ts';

const INTERVAL_MS = 1_000;
/** Time limit for each of the two attempts: on the open connection, then on a new one. */
const REPLY_TIMEOUT_MS = 2_000;
/** A statement is checked with the server after this time without a byte of its reply. */
const SUSPECT_AFTER_MS = 4_000;

/**
 * Queries the database on a separate connection, to distinguish a silent network from a slow statement.
 *
 * If neither the open nor a new connection gets an answer, the pool closes all its connections and refuses new ones until the database
 * answers. If there is an answer, connections that wait for a reply to a statement which the server does not run are closed.
 */
export class Heartbeat {
  private readonly pool: PgPool;
  private connection: PgConnection | null = null;
  private runningBeat: Promise<void> | null = null;
  private timer: NodeJS.Timeout | null = null;
  private isSilent = false;
  /** Connections found lost at the previous check, with the statement that each was waiting for. */
  private suspects = new Map<PgConnection, number | null>();

  constructor(
    db: Database,
    private readonly onChange: (isSilent: boolean) => void,
  ) {
    this.pool = poolOf(db);
  }

  /** Checks the database every second until `stop`. */
  start(): void {
    // `check` reports this error, and the pool already knows that the database is silent.
    this.timer ??= setInterval(() => void this.check().catch(() => undefined), INTERVAL_MS).unref();
  }

  stop(): void {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
    this.close();
  }

  /** Resolves when the database answers. Rejects within about 4 s: with NoReplyError when it is silent, otherwise with its error. */
  check(): Promise<void> {
    this.runningBeat ??= this.beat().finally(() => {
      this.runningBeat = null;
      // One-off checks leave no connection open.
      if (this.timer === null) this.close();
    });
    return this.runningBeat;
  }

  private async beat(): Promise<void> {
    const wasOpen = this.connection !== null;
    try {
      await this.query().catch(async (error: unknown) => {
        if (!wasOpen) throw error;
        await this.query();
        // Only the connection was lost, not the database. Other connections may have been lost with it.
        this.pool.closeIdle();
      });
      await this.closeLostConnections();
    } catch (error) {
      if (error instanceof NoReplyError) this.setSilent(true);
      throw error;
    }
    this.setSilent(false);
  }

  private setSilent(isSilent: boolean): void {
    if (isSilent) this.pool.closeAll();
    else this.pool.resume();
    if (isSilent === this.isSilent) return;
    this.isSilent = isSilent;
    this.onChange(isSilent);
  }

  private async query(): Promise<void> {
    await this.runOnConnection(async (connection) => {
      await connection.query('SELECT 1');
    });
  }

  /** Runs `work` on the open connection, or on a new one. The connection is closed when it fails or takes too long. */
  private async runOnConnection<T>(work: (connection: PgConnection) => Promise<T>): Promise<T> {
    const connection = this.connection ?? this.pool.openProbe();
    const isNew = this.connection === null;
    const late = setTimeout(() => {
      // A reply that arrived while the event loop was busy is read before this runs.
      setImmediate(() => isOver || connection.closeNow(new NoReplyError()));
    }, REPLY_TIMEOUT_MS);
    let isOver = false;
    try {
      if (isNew) {
        connection.on('error', () => {
          if (this.connection === connection) this.connection = null;
        });
        await connection.connect();
        this.connection = connection;
      }
      return await work(connection);
    } catch (error) {
      if (this.connection === connection) this.connection = null;
      connection.closeNow(new NoReplyError());
      throw error;
    } finally {
      isOver = true;
      clearTimeout(late);
    }
  }

  /**
   * Closes connections whose statement the server does not run, because the request or the reply was lost. A connection must be found
   * twice, since a reply may be on its way.
   */
  private async closeLostConnections(): Promise<void> {
    const waiting = this.pool.waitingLonger(SUSPECT_AFTER_MS);
    const before = this.suspects;
    this.suspects = new Map();
    if (waiting.length === 0) return;
    const { rows } = await this.runOnConnection((connection) =>
      connection.query<{ own: number; busy: number[] }>(
        `SELECT pg_backend_pid() AS own, ARRAY(SELECT pid FROM pg_stat_activity
           WHERE pid = ANY ($1::int[]) AND coalesce(state, '') NOT LIKE 'idle%') AS busy`,
        [waiting.map(({ backendId }) => backendId)],
      ),
    );
    const [found] = rows;
    // Behind a pooler the server knows the processes under other numbers.
    if (found === undefined || found.own !== this.connection?.backendId) return;
    for (const connection of waiting) {
      if (connection.backendId === null || found.busy.includes(connection.backendId)) continue;
      const { waitingSince } = connection;
      if (before.get(connection) === waitingSince) connection.closeNow(new NoReplyError());
      else this.suspects.set(connection, waitingSince);
    }
  }

  private close(): void {
    const { connection } = this;
    this.connection = null;
    connection?.closeNow(new NoReplyError());
  }
}

const CHECK_INTERVAL_MS = 5_000;
/** Nothing retries a failed write of a file, so the failure expires after this time. */
const FILE_FAILURE_TTL_MS = 60_000;
/** About 1 MB in rows that PostgreSQL does not compress. */
const PROBE = `CREATE TEMP TABLE storage_probe ON COMMIT DROP AS
  SELECT repeat(md5(n::text), 60) AS filler FROM generate_series(1, 540) AS n`;

/**
 * Whether writes fail because the disk is full, known from failed statements and files. A full database is checked again by writing to it.
 */
export class StorageState {
  private filesFailedAt = -Infinity;
  private checkedAt = -Infinity;
  private checking: Promise<void> | null = null;

  constructor(private readonly db: Database) {}

  /** Records an error of a full disk; ignores all others. The pool records errors of the database itself. */
  recordError(error: unknown): void {
    if (isStorageFull(error) && !isDatabaseFull(error)) this.filesFailedAt = performance.now();
  }

  /** The state of the last check. */
  get isKnownFull(): boolean {
    return (
      poolOf(this.db).storageFullAt !== null || performance.now() - this.filesFailedAt < FILE_FAILURE_TTL_MS
    );
  }

  /** Checks a full database again 5 s after the last failure or check. Rejects with other errors of the database. */
  async isFull(): Promise<boolean> {
    const { storageFullAt } = poolOf(this.db);
    if (
      storageFullAt !== null &&
      performance.now() - Math.max(storageFullAt, this.checkedAt) > CHECK_INTERVAL_MS
    )
      await (this.checking ??= this.check().finally(() => (this.checking = null)));
    return this.isKnownFull;
  }

  private async check(): Promise<void> {
    this.checkedAt = performance.now();
    try {
      await this.db.transaction((transaction) => transaction.raw(PROBE));
      poolOf(this.db).storageFullAt = null;
    } catch (error) {
      if (!isStorageFull(error)) throw error;
    }
  }
}
