import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { connectReplica, type Database } from './connect.ts';

/** What the primary had at one moment. */
export interface LogPosition {
  /** Which transactions were committed. */
  snapshot: string;
  /** The end of its log, behind the commit of each of them. */
  lsn: string;
  /** False: a part of the log is in memory only, and goes to no replica before somebody commits. */
  isFlushed: boolean;
  serverIdentity: string;
}

/** Server, line of its history, and database: the same here and there, or what stands there is something else. */
export const SERVER_IDENTITY = `concat_ws('/', (SELECT system_identifier FROM pg_control_system()),
  (SELECT timeline_id FROM pg_control_checkpoint()), (SELECT oid FROM pg_database WHERE datname = current_database()))`;

/** A server that answers, but holds other data. */
export class NotAReplicaError extends Error {}

const REPLY_TIMEOUT_MS = 2_000;

interface ReplicaStatus {
  is_standby: boolean;
  history: string;
  lag_bytes: number | null;
}

/** What knex's client can do besides what its types say. */
interface Connections {
  acquireConnection(): Promise<Client>;
  releaseConnection(connection: Client): Promise<void>;
}

/** A standby server that follows the primary. */
export class Replica {
  /** Without what nobody needs to see in a log. */
  readonly name: string;
  readonly pool: Database;
  /** How far it was behind when it was last asked; null: it did not say. */
  lagBytes: number | null = null;

  constructor(url: string, poolSize: number) {
    const { host, pathname } = new URL(url);
    this.name = `${host}${pathname}`;
    this.pool = connectReplica(url, poolSize);
  }

  /**
   * A connection on which everything that the mark stands for can be seen, by whatever is begun on it from now on; null: it has not
   * come so far yet. Asked on the connection itself, since an address may lead to several servers. To be released.
   */
  async acquireCaughtUp(mark: LogPosition): Promise<Client | null> {
    this.lagBytes = null;
    const connection = await this.connections.acquireConnection();
    let isThere = false;
    try {
      const state = await queryStatus(connection, mark);
      if (!state.is_standby) throw new NotAReplicaError('it is no standby server');
      if (state.history !== mark.serverIdentity)
        throw new NotAReplicaError('it follows another server or database');
      this.lagBytes = Math.max(0, state.lag_bytes ?? 0);
      isThere = state.lag_bytes !== null && state.lag_bytes <= 0;
      return isThere ? connection : null;
    } finally {
      if (!isThere) this.release(connection);
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
    // Nobody else shall wait on it.
    connection.end().catch(() => undefined);
    throw new Error('it does not answer');
  } finally {
    timer.abort();
  }
}
