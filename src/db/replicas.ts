import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Client } from 'pg';
import type { Database } from './connect.ts';
import { SERVER_IDENTITY, type LogPosition, NotAReplicaError, Replica } from './replica.ts';

/** How long a read waits for a replica to have what was committed before it; then the primary is asked. */
const CATCH_UP_TIMEOUT_MS = 1_000;
const CATCH_UP_POLL_MS = 10;
/** Each replica is tried so often, so that no request has to find out that one is back, and few that one is gone. */
const HEALTH_CHECK_INTERVAL_MS = 2_000;

/** Why a read went to the primary: no replica answered, had caught up, had a free connection; or one gave up in the middle. */
type FallbackCause = 'away' | 'behind' | 'busy' | 'broken_off';

/** A moment on a replica at which everything is there that was committed before it was asked for. */
export interface ReplicaReader {
  /** Begins on the connection that was found to be so far. */
  begin(how: Knex.TransactionConfig): Promise<Knex.Transaction>;
  /**
   * What was committed on the primary before; newer things may be seen. Never to be asked of the replica: while PostgreSQL follows a log
   * it keeps the transactions that are under way where `pg_current_snapshot()` does not look, so they would count as seen, and whoever
   * asked for what came since would never get what they wrote.
   */
  readonly watermark: string;
  /** Nothing may be read any more; the primary is asked instead. */
  reportFailure(): void;
  /** To be called once and last, whatever happened. */
  end(): void;
}

export interface ReplicaState {
  name: string;
  isUsable: boolean;
  /** null: it did not say. */
  lagBytes: number | null;
}

/** What is counted of long reads. */
export interface ReplicaCounts {
  fromPrimary: number;
  fromReplica: number;
  waits: number;
  waitedSeconds: number;
  /** Of those from the primary. */
  causes: Record<FallbackCause, number>;
}

/** Told when it changes: null, it is read from again; else why it is passed over. */
export type OnHealthChange = (name: string, trouble: string | null) => void;

/** The replicas of one primary, and which of them may be read from. */
export class Replicas {
  readonly counts: ReplicaCounts = {
    fromPrimary: 0,
    fromReplica: 0,
    waits: 0,
    waitedSeconds: 0,
    causes: { away: 0, behind: 0, busy: 0, broken_off: 0 },
  };
  private readonly primary: Database;
  private readonly replicas: readonly Replica[];
  private readonly onHealthChange: OnHealthChange;
  /** By replica, those that are passed over. */
  private readonly unhealthy = new Map<Replica, FallbackCause>();
  private timer: NodeJS.Timeout | null = null;
  private isChecking = false;
  private isClosed = false;
  private nextIndex = 0;

  constructor(primary: Database, urls: readonly string[], poolSize: number, onReplica: OnHealthChange) {
    this.primary = primary;
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

  /** Looks at each from time to time, from now on. */
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

  /** null: the primary is to be read, because no replica can be, or has everything in time. */
  async openReader(): Promise<ReplicaReader | null> {
    const usable = this.replicas.filter((replica) => !this.unhealthy.has(replica));
    if (usable.length === 0) return this.countFallback(this.unhealthy.values().next().value ?? 'away');
    const mark = await this.tryReadLogPosition();
    if (mark === null) return this.countFallback('away');
    this.nextIndex = (this.nextIndex + 1) % usable.length;
    const inTurn = [...usable.slice(this.nextIndex), ...usable.slice(0, this.nextIndex)];
    const found = await this.acquireFirstCaughtUp(mark, inTurn);
    if (found.waitedMs > 0) this.counts.waits += 1;
    this.counts.waitedSeconds += found.waitedMs / 1_000;
    if ('cause' in found) return this.countFallback(found.cause);
    const { replica, connection } = found;
    let isWhole = true;
    return {
      begin: (how) => replica.pool.transaction({ ...how, connection }),
      watermark: mark.snapshot,
      end: () => {
        replica.release(connection);
        if (isWhole) this.counts.fromReplica += 1;
      },
      reportFailure: () => {
        isWhole = false;
        this.countFallback('broken_off');
        // It may have ended, or only have cancelled who stood in the way of what it follows.
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
   * Of one statement: what its snapshot shows was committed before it began, and the end of the log is looked up after that. A commit is in
   * the log before any snapshot shows it, so a replica that has come to that end has all that the snapshot shows.
   */
  private async readLogPosition(): Promise<LogPosition> {
    const { rows } = await this.primary.raw<{
      rows: (Omit<LogPosition, 'isFlushed'> & { is_flushed: boolean })[];
    }>(
      `SELECT pg_current_snapshot()::text AS snapshot, pg_current_wal_insert_lsn()::text AS lsn,
         pg_current_wal_insert_lsn() <= pg_current_wal_flush_lsn() AS is_flushed, ${SERVER_IDENTITY} AS history`,
    );
    const { is_flushed: isFlushed, ...mark } = rows[0]!;
    return { ...mark, isFlushed };
  }

  /** null: the primary cannot say where it is. If it is away, whoever reads from it will hear. */
  private async tryReadLogPosition(): Promise<LogPosition | null> {
    try {
      return await this.readLogPosition();
    } catch (error) {
      const text = `the primary does not say what it should have: ${describeError(error)}`;
      for (const replica of this.replicas) this.markUnhealthy(replica, 'away', text);
      return null;
    }
  }

  /** Rows of a transaction that is still open, or what reading tidied up: a small commit of our own takes them along. */
  private async flushLog(): Promise<void> {
    await this.primary.raw(
      `SELECT set_config('synchronous_commit', 'local', true), pg_logical_emit_message(true, 'canvass', '')`,
    );
  }

  /** The first that has come so far, while none is waited for longer than the limit. Those that are found unfit are passed over. */
  private async acquireFirstCaughtUp(
    mark: LogPosition,
    candidates: readonly Replica[],
  ): Promise<({ replica: Replica; connection: Client } | { cause: FallbackCause }) & { waitedMs: number }> {
    let begun: number | null = null;
    const waitedMs = () => (begun === null ? 0 : performance.now() - begun);
    let cause: FallbackCause = 'away';
    let left = [...candidates];
    for (;;) {
      for (const replica of left) {
        try {
          const connection = await replica.acquireCaughtUp(mark);
          if (connection !== null) return { replica, connection, waitedMs: waitedMs() };
        } catch (error) {
          left = left.filter((one) => one !== replica);
          if (isPoolExhausted(error)) cause = 'busy';
          else this.markUnhealthy(replica, 'away', describeError(error));
        }
      }
      if (left.length === 0) return { cause, waitedMs: waitedMs() };
      if (waitedMs() >= CATCH_UP_TIMEOUT_MS) {
        for (const replica of left)
          this.markUnhealthy(replica, 'behind', `it is ${replica.lagBytes} bytes of the log behind`);
        return { cause: 'behind', waitedMs: waitedMs() };
      }
      if (begun === null) {
        begun = performance.now();
        if (!mark.isFlushed) await this.flushLog().catch(() => undefined);
      }
      await sleep(CATCH_UP_POLL_MS);
    }
  }

  /** Does what a read does, with each replica, and nobody waits for it. */
  private async checkHealth(): Promise<void> {
    if (this.isChecking || this.isClosed) return;
    this.isChecking = true;
    try {
      const mark = await this.tryReadLogPosition();
      if (mark === null) return;
      await Promise.all(
        this.replicas.map(async (replica) => {
          const found = await this.acquireFirstCaughtUp(mark, [replica]);
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
    // What is looked at while it is closed is no trouble of its own.
    if (isNew && !this.isClosed) this.onHealthChange(replica.name, text);
  }
}

/** All its connections are in use: no reason to pass it over next time. */
const isPoolExhausted = (error: unknown): boolean =>
  error instanceof Error && error.name === 'KnexTimeoutError';

function describeError(error: unknown): string {
  if (error instanceof NotAReplicaError) return error.message;
  const { code, message } = error as { code?: unknown; message?: unknown };
  // A connection refused at all addresses of a host has a code and no message.
  return [code, message].filter((part) => typeof part === 'string' && part !== '').join(' ');
}
