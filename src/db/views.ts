import type { Knex } from 'knex';
import type { Database } from './connect.ts';
import { isDatabaseUnavailable } from './errors.ts';
import type { Replicas } from './replicas.ts';

export const READ_ONLY_SNAPSHOT = { isolationLevel: 'repeatable read', readOnly: true } as const;

/** A transaction that sees the database as it was at one moment. */
export interface SnapshotTransaction {
  db: Database;
  /** null: the view's own snapshot says what it shows. Else this is to be used, and why is told in replicas.ts. */
  watermark: string | null;
  /** Must be called, whatever happened. Once more does nothing. */
  end(): Promise<void>;
  /** Whether what failed is a replica that gave up, in whose place the primary can be read; to be asked once, before the end. */
  isReplicaFailure(error: unknown): boolean;
}

export async function openSnapshot(db: Database): Promise<SnapshotTransaction> {
  const trx = await db.transaction(READ_ONLY_SNAPSHOT);
  return { db: trx, watermark: null, end: () => rollBackIfOpen(trx), isReplicaFailure: () => false };
}

/** On a replica, with everything that was committed before the call; null: the primary is to be read. */
export async function openReplicaSnapshot(replicas: Replicas | null): Promise<SnapshotTransaction | null> {
  const reader = (await replicas?.openReader()) ?? null;
  if (reader === null) return null;
  const brokeOff = (error: unknown) => {
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
    return { db: trx, watermark: reader.watermark, end, isReplicaFailure: brokeOff };
  } catch (error) {
    const isAnswered = brokeOff(error);
    reader.end();
    if (!isAnswered) throw error;
    return null;
  }
}

/** Nothing was to be kept, so it is the same if it has ended by itself. */
async function rollBackIfOpen(trx: Knex.Transaction): Promise<void> {
  if (!trx.isCompleted()) await trx.rollback().catch(() => undefined);
}
