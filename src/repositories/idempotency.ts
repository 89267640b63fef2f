import type { Database } from '../db/connect.ts';
import { countOf, rowOf } from '../db/rows.ts';
import type { IdempotencyStore, StoredReply } from '../lib/idempotency-store.ts';

/** A request that has not answered after this long was cut off; its key may be taken again. */
const ABANDONED = "interval '5 minutes'";
const KEPT = "interval '24 hours'";

export class IdempotencyRepository implements IdempotencyStore {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  async begin(
    keyHash: string,
    bodyHash: string,
  ): Promise<'taken' | { bodyHash: string; reply: StoredReply | null }> {
    await countOf(
      this.db,
      `DELETE FROM idempotency_keys WHERE created_at < now() - ${KEPT} OR (status IS NULL AND created_at < now() - ${ABANDONED})`,
    );
    const taken = await countOf(
      this.db,
      `INSERT INTO idempotency_keys (key_hash, body_hash) VALUES (?, ?) ON CONFLICT DO NOTHING`,
      [keyHash, bodyHash],
    );
    if (taken === 1) return 'taken';
    const row = await rowOf<{ body_hash: string; status: number | null; reply: string | null }>(
      this.db,
      `SELECT body_hash, status, reply FROM idempotency_keys WHERE key_hash = ?`,
      [keyHash],
    );
    // Released in between: the first request failed, so this one may run.
    if (row === null) return this.begin(keyHash, bodyHash);
    const reply = row.status === null ? null : { status: row.status, body: row.reply ?? '' };
    return { bodyHash: row.body_hash, reply };
  }

  async finish(keyHash: string, reply: StoredReply): Promise<void> {
    await countOf(this.db, `UPDATE idempotency_keys SET status = ?, reply = ? WHERE key_hash = ?`, [
      reply.status,
      reply.body,
      keyHash,
    ]);
  }

  async release(keyHash: string): Promise<void> {
    await countOf(this.db, `DELETE FROM idempotency_keys WHERE key_hash = ?`, [keyHash]);
  }
}
