import type { Knex } from 'knex';
import type { Database } from './connect.ts';
import { isDatabaseUnavailable } from './errors.ts';
import type { Replicas } from './replicas.ts';

export const READ_ONLY_SNAPSHOT = { isolationLevel: 'repeatable read', readOnly: true } as const;

/** A read-only transaction on one snapshot of the database. */
export interface SnapshotTransaction {
  db: Database;
  /** The snapshot to use instead of the transaction's own, on a replica (see replicas.ts); null on the primary. */
  watermark: string | null;
  /** Must be called at the end. Calling it again has no effect. */
  end(): Promise<void>;
  /**
   * Whether the error is a failure of the replica, after which the read can be repeated on the primary. Call it at most once, before
   * `end`.
   */
  isReplicaFailure(error: unknown): boolean;
}

export async function openSnapshot(db: Database): Promise<SnapshotTransaction> {
  const trx = await db.transaction(READ_ONLY_SNAPSHOT);
  return { db: trx, watermark: null, end: () => rollBackIfOpen(trx), isReplicaFailure: () => false };
}

/** Opens a snapshot on a replica that has everything committed before the call. Returns null if the primary must be used. */
export async function openReplicaSnapshot(replicas: Replicas | null): Promise<SnapshotTransaction | null> {
  const reader = (await replicas?.openReader()) ?? null;
  if (reader === null) return null;
  const reportReplicaFailure = (error: unknown) => {
    if (!isDatabaseUnavailable(error)) return false;
    reader.reportFailure();
    return true;
  };
  try {
    const trx = await reader.begin(READ_ONLY_SNAPSHOT);
    let isOpen = true;
    const end = async () => {
      if (!isOpen) return;
      isOpen = false;
      await rollBackIfOpen(trx).finally(() => reader.end());
    };
    return { db: trx, watermark: reader.watermark, end, isReplicaFailure: reportReplicaFailure };
  } catch (error) {
    const isReplicaFailure = reportReplicaFailure(error);
    reader.end();
    if (!isReplicaFailure) throw error;
    return null;
  }
}

/** Ends a transaction that wrote nothing. It may already have ended. */
async function rollBackIfOpen(trx: Knex.Transaction): Promise<void> {
  if (!trx.isCompleted()) await trx.rollback().catch(() => undefined);
}
