import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Client } from 'pg';
import { connectReplica, type Database } from './connect.ts';

/** A position in the primary's write-ahead log (WAL). */
interface LogPosition {
  /** The snapshot: which transactions were committed. */
  snapshot: string;
  /** The end of the log, after the commits of all these transactions. */
  lsn: string;
  /** False if part of the log is only in memory. That part reaches replicas with the next commit. */
  isFlushed: boolean;
  serverIdentity: string;
}

/** System identifier, timeline and database. A replica holds the same data only if all three are equal. */
const SERVER_IDENTITY = `concat_ws('/', (SELECT system_identifier FROM pg_control_system()),
  (SELECT timeline_id FROM pg_control_checkpoint()), (SELECT oid FROM pg_database WHERE datname = current_database()))`;

/** The server answers, but holds other data. */
class NotAReplicaError extends Error {}

const REPLY_TIMEOUT_MS = 2_000;

interface ReplicaStatus {
  is_standby: boolean;
  history: string;
  lag_bytes: number | null;
}

/** Methods of Knex's client that its types do not declare. */
interface Connections {
  acquireConnection(): Promise<Client>;
  releaseConnection(connection: Client): Promise<void>;
}

/** A standby server that follows the primary. */
class Replica {
  /** Host and database, without credentials, for logs. */
  readonly name: string;
  readonly pool: Database;
  /** How far the replica lagged at the last check, or null if it did not answer. */
  lagBytes: number | null = null;

  constructor(url: string, poolSize: number) {
    const { host, pathname } = new URL(url);
    this.name = `${host}${pathname}`;
    this.pool = connectReplica(url, poolSize);
  }

  /**
   * Returns a connection whose next transactions see everything up to `position`, or null if the replica has not caught up. The position
   * is checked on this very connection, because one address may lead to several servers. The caller releases it.
   */
  async acquireCaughtUp(position: LogPosition): Promise<Client | null> {
    this.lagBytes = null;
    const connection = await this.connections.acquireConnection();
    let hasCaughtUp = false;
    try {
      const state = await queryStatus(connection, position);
      if (!state.is_standby) throw new NotAReplicaError('it is not a standby server');
      if (state.history !== position.serverIdentity)
        throw new NotAReplicaError('it follows another server or database');
      this.lagBytes = Math.max(0, state.lag_bytes ?? 0);
      hasCaughtUp = state.lag_bytes !== null && state.lag_bytes <= 0;
      return hasCaughtUp ? connection : null;
    } finally {
      if (!hasCaughtUp) this.release(connection);
    }
  }

  release(connection: Client): void {
    void this.connections.releaseConnection(connection);
  }

  private get connections(): Connections {
    return this.pool.client as Connections;
  }
}

async function queryStatus(connection: Client, { lsn }: LogPosition): Promise<ReplicaStatus> {
  const asking = connection.query<ReplicaStatus>(
    `SELECT pg_is_in_recovery() AS is_standby, ${SERVER_IDENTITY} AS history,
       CASE WHEN pg_is_in_recovery() THEN pg_wal_lsn_diff($1::pg_lsn, pg_last_wal_replay_lsn())::float8 END AS lag_bytes`,
    [lsn],
  );
  const timer = new AbortController();
  const tooLate = sleep(REPLY_TIMEOUT_MS, null, { signal: timer.signal });
  tooLate.catch(() => undefined);
  try {
    const result = await Promise.race([asking, tooLate]);
    const row = result?.rows[0];
    if (row !== undefined) return row;
    asking.catch(() => undefined);
    // The connection must not be reused.
    connection.end().catch(() => undefined);
    throw new Error('it does not answer');
  } finally {
    timer.abort();
  }
}

/** How long a read waits for a replica to catch up before it uses the primary. */
const CATCH_UP_TIMEOUT_MS = 1_000;
const CATCH_UP_POLL_MS = 10;
/** How often each replica is checked, so that hardly any request discovers by itself that one failed or recovered. */
const HEALTH_CHECK_INTERVAL_MS = 2_000;

/**
 * Why a read used the primary: no replica answered, none had caught up, none had a free connection, or a replica failed during the read.
 */
type FallbackCause = 'unreachable' | 'behind' | 'busy' | 'interrupted';

/** A connection to a replica that has everything committed before it was requested. */
interface ReplicaReader {
  /** Begins a transaction on this connection. */
  begin(how: Knex.TransactionConfig): Promise<Knex.Transaction>;
  /**
   * The primary's snapshot from before the read; the replica may show newer rows. Never read the snapshot on the replica: during recovery
   * `pg_current_snapshot()` does not list running transactions, so they would count as visible and their changes would be missed later.
   */
  readonly watermark: string;
  /** Reports that the replica failed during the read. The caller repeats the read on the primary. */
  reportFailure(): void;
  /** Must be called exactly once, at the end. */
  end(): void;
}

interface ReplicaState {
  name: string;
  isUsable: boolean;
  /** null: unknown, because the replica did not answer. */
  lagBytes: number | null;
}

/** Counters of long reads. */
interface ReplicaCounts {
  fromPrimary: number;
  fromReplica: number;
  waits: number;
  waitedSeconds: number;
  /** Counts the reads from the primary by cause. */
  causes: Record<FallbackCause, number>;
}

/** Called when the health of a replica changes: null means healthy, otherwise the problem. */
type OnHealthChange = (name: string, problem: string | null) => void;

/** The replicas of one primary and their health. */
export class Replicas {
  readonly counts: ReplicaCounts = {
    fromPrimary: 0,
    fromReplica: 0,
    waits: 0,
    waitedSeconds: 0,
    causes: { unreachable: 0, behind: 0, busy: 0, interrupted: 0 },
  };
  private readonly replicas: readonly Replica[];
  private readonly onHealthChange: OnHealthChange;
  /** Unhealthy replicas, with the cause. */
  private readonly unhealthy = new Map<Replica, FallbackCause>();
  private timer: NodeJS.Timeout | null = null;
  private isChecking = false;
  private isClosed = false;
  private nextIndex = 0;

  constructor(
    private readonly primary: Database,
    urls: readonly string[],
    poolSize: number,
    onReplica: OnHealthChange,
  ) {
    this.replicas = urls.map((url) => new Replica(url, poolSize));
    this.onHealthChange = onReplica;
  }

  get states(): ReplicaState[] {
    return this.replicas.map((replica) => ({
      name: replica.name,
      isUsable: !this.unhealthy.has(replica),
      lagBytes: replica.lagBytes,
    }));
  }

  /** Starts checking each replica periodically. */
  startHealthChecks(): void {
    if (this.timer !== null) return;
    this.timer = setInterval(() => void this.checkHealth(), HEALTH_CHECK_INTERVAL_MS);
    this.timer.unref();
    void this.checkHealth();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    if (this.timer !== null) clearInterval(this.timer);
    await Promise.all(this.replicas.map(({ pool }) => pool.destroy()));
  }

  /** Returns null if the primary must be used, because no replica is healthy and caught up in time. */
  async openReader(): Promise<ReplicaReader | null> {
    const usable = this.replicas.filter((replica) => !this.unhealthy.has(replica));
    if (usable.length === 0) return this.countFallback(this.unhealthy.values().next().value ?? 'unreachable');
    const position = await this.tryReadLogPosition();
    if (position === null) return this.countFallback('unreachable');
    this.nextIndex = (this.nextIndex + 1) % usable.length;
    const inTurn = [...usable.slice(this.nextIndex), ...usable.slice(0, this.nextIndex)];
    const found = await this.acquireFirstCaughtUp(position, inTurn);
    if (found.waitedMs > 0) this.counts.waits += 1;
    this.counts.waitedSeconds += found.waitedMs / 1_000;
    if ('cause' in found) return this.countFallback(found.cause);
    const { replica, connection } = found;
    let isComplete = true;
    return {
      begin: (how) => replica.pool.transaction({ ...how, connection }),
      watermark: position.snapshot,
      end: () => {
        replica.release(connection);
        if (isComplete) this.counts.fromReplica += 1;
      },
      reportFailure: () => {
        isComplete = false;
        this.countFallback('interrupted');
        // The replica may have failed, or only have cancelled this query because it conflicted with recovery.
        void this.checkHealth();
      },
    };
  }

  private countFallback(cause: FallbackCause): null {
    this.counts.fromPrimary += 1;
    this.counts.causes[cause] += 1;
    return null;
  }

  /**
   * Reads the snapshot before the end of the log, in one statement. Commits are logged before a snapshot shows them, so a replica that has
   * replayed the log up to that end has everything that the snapshot shows.
   */
  private async readLogPosition(): Promise<LogPosition> {
    const { rows } = await this.primary.raw<{
      rows: (Omit<LogPosition, 'isFlushed'> & { is_flushed: boolean })[];
    }>(
      `SELECT pg_current_snapshot()::text AS snapshot, pg_current_wal_insert_lsn()::text AS lsn,
         pg_current_wal_insert_lsn() <= pg_current_wal_flush_lsn() AS is_flushed, ${SERVER_IDENTITY} AS "serverIdentity"`,
    );
    const [row] = rows;
    if (row === undefined) throw new Error('the primary has no log position');
    const { is_flushed: isFlushed, ...position } = row;
    return { ...position, isFlushed };
  }

  /** Returns null if the primary does not answer. The read on the primary then fails with its own error. */
  private async tryReadLogPosition(): Promise<LogPosition | null> {
    try {
      return await this.readLogPosition();
    } catch (error) {
      const text = `the primary does not say what it should have: ${describeError(error)}`;
      for (const replica of this.replicas) this.markUnhealthy(replica, 'unreachable', text);
      return null;
    }
  }

  /** Flushes the log with a small commit. Without it, the log of open transactions and of page pruning may stay in memory. */
  private async flushLog(): Promise<void> {
    await this.primary.raw(
      `SELECT set_config('synchronous_commit', 'local', true), pg_logical_emit_message(true, 'canvass', '')`,
    );
  }

  /** Returns the first replica that caught up within the time limit. Marks replicas that failed or lag as unhealthy. */
  private async acquireFirstCaughtUp(
    position: LogPosition,
    candidates: readonly Replica[],
  ): Promise<({ replica: Replica; connection: Client } | { cause: FallbackCause }) & { waitedMs: number }> {
    let waitingSince: number | null = null;
    const waitedMs = () => (waitingSince === null ? 0 : performance.now() - waitingSince);
    let cause: FallbackCause = 'unreachable';
    let remaining = [...candidates];
    for (;;) {
      for (const replica of remaining) {
        try {
          const connection = await replica.acquireCaughtUp(position);
          if (connection !== null) return { replica, connection, waitedMs: waitedMs() };
        } catch (error) {
          remaining = remaining.filter((one) => one !== replica);
          if (isPoolExhausted(error)) cause = 'busy';
          else this.markUnhealthy(replica, 'unreachable', describeError(error));
        }
      }
      if (remaining.length === 0) return { cause, waitedMs: waitedMs() };
      if (waitedMs() >= CATCH_UP_TIMEOUT_MS) {
        for (const replica of remaining)
          this.markUnhealthy(replica, 'behind', `it is ${replica.lagBytes} bytes of the log behind`);
        return { cause: 'behind', waitedMs: waitedMs() };
      }
      if (waitingSince === null) {
        waitingSince = performance.now();
        if (!position.isFlushed) await this.flushLog().catch(() => undefined);
      }
      await sleep(CATCH_UP_POLL_MS);
    }
  }

  /** Checks each replica in the same way as a read, in the background. */
  private async checkHealth(): Promise<void> {
    if (this.isChecking || this.isClosed) return;
    this.isChecking = true;
    try {
      const position = await this.tryReadLogPosition();
      if (position === null) return;
      await Promise.all(
        this.replicas.map(async (replica) => {
          const found = await this.acquireFirstCaughtUp(position, [replica]);
          if ('cause' in found) return;
          replica.release(found.connection);
          if (this.unhealthy.delete(replica)) this.onHealthChange(replica.name, null);
        }),
      );
    } finally {
      this.isChecking = false;
    }
  }

  private markUnhealthy(replica: Replica, cause: FallbackCause, text: string): void {
    const isNew = !this.unhealthy.has(replica);
    this.unhealthy.set(replica, cause);
    // Errors of connections that close during shutdown are not reported.
    if (isNew && !this.isClosed) this.onHealthChange(replica.name, text);
  }
}

/** Whether all connections of the pool are in use, which does not make a replica unhealthy. */
const isPoolExhausted = (error: unknown): boolean =>
  error instanceof Error && error.name === 'KnexTimeoutError';

function describeError(error: unknown): string {
  if (error instanceof NotAReplicaError) return error.message;
  const { code, message } = error as { code?: unknown; message?: unknown };
  // An error of a host with several addresses has a code and no message.
  return [code, message].filter((part) => typeof part === 'string' && part !== '').join(' ');
}
