import type { Knex } from 'knex';
import type { Database } from './connect.ts';
import { isAway } from './errors.ts';
import type { Replicas } from './replicas.ts';

export const VIEWING = { isolationLevel: 'repeatable read', readOnly: true } as const;

/** A transaction that sees the database as it was at one moment. */
export interface OpenView {
  db: Database;
  /** null: the view's own snapshot says what it shows. Else this is to be used, and why is told in replicas.ts. */
  watermark: string | null;
  /** Must be called, whatever happened. Once more does nothing. */
  end(): Promise<void>;
  /** Whether what failed is a replica that gave up, in whose place the primary can be read; to be asked once, before the end. */
  brokeOff(error: unknown): boolean;
}

export async function openView(db: Database): Promise<OpenView> {
  const trx = await db.transaction(VIEWING);
  return { db: trx, watermark: null, end: () => ended(trx), brokeOff: () => false };
}

/** On a replica, with everything that was committed before the call; null: the primary is to be read. */
export async function openReplicaView(replicas: Replicas | null): Promise<OpenView | null> {
  const reader = (await replicas?.reader()) ?? null;
  if (reader === null) return null;
  const brokeOff = (error: unknown) => {
    if (!isAway(error)) return false;
    reader.brokeOff();
    return true;
  };
  try {
    const trx = await reader.begin(VIEWING);
    let isOpen = true;
    const end = async () => {
      if (!isOpen) return;
      isOpen = false;
      await ended(trx).finally(() => reader.end());
    };
    return { db: trx, watermark: reader.watermark, end, brokeOff };
  } catch (error) {
    const isAnswered = brokeOff(error);
    reader.end();
    if (!isAnswered) throw error;
    return null;
  }
}

/** Nothing was to be kept, so it is the same if it has ended by itself. */
async function ended(trx: Knex.Transaction): Promise<void> {
  if (!trx.isCompleted()) await trx.rollback().catch(() => undefined);
}
