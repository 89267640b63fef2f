import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { connectReplica, type Database } from './connect.ts';

/** A position in the primary's write-ahead log (WAL). */
export interface LogPosition {
  /** The snapshot: which transactions were committed. */
  snapshot: string;
  /** The end of the log, after the commits of all these transactions. */
  lsn: string;
  /** False if part of the log is only in memory. That part reaches replicas with the next commit. */
  isFlushed: boolean;
  serverIdentity: string;
}

/** System identifier, timeline and database. A replica holds the same data only if all three are equal. */
export const SERVER_IDENTITY = `concat_ws('/', (SELECT system_identifier FROM pg_control_system()),
  (SELECT timeline_id FROM pg_control_checkpoint()), (SELECT oid FROM pg_database WHERE datname = current_database()))`;

/** The server answers, but holds other data. */
export class NotAReplicaError extends Error {}

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
export class Replica {
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
    if (result !== null) return result.rows[0]!;
    asking.catch(() => undefined);
    // The connection must not be reused.
    connection.end().catch(() => undefined);
    throw new Error('it does not answer');
  } finally {
    timer.abort();
  }
}
