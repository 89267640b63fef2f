import type { Database } from '../db/connect.ts';
import { countOf, rowOf } from '../db/rows.ts';
import type { FirstReply, IdempotentRequest, StoredReply } from '../lib/idempotency-store.ts';

const RETENTION = "interval '24 hours'";

/** The replies to requests with an Idempotency-Key. A row is written with its reply, in the transaction of the work. */
export class IdempotencyKeyRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  async find(keyHash: string): Promise<FirstReply | null> {
    const row = await rowOf<{ body_hash: string; status: number; reply: string }>(
      this.db,
      `SELECT body_hash, status, reply FROM idempotency_keys WHERE key_hash = ? AND created_at > now() - ${RETENTION}`,
      [keyHash],
    );
    return row === null ? null : { bodyHash: row.body_hash, reply: { status: row.status, body: row.reply } };
  }

  /** Locks the key until the end of the transaction, or of the connection; false: another transaction has it. */
  async lock(keyHash: string): Promise<boolean> {
    const row = await rowOf<{ locked: boolean }>(
      this.db,
      'SELECT pg_try_advisory_xact_lock(hashtextextended(?, 0)) AS locked',
      [`idempotency ${keyHash}`],
    );
    return row!.locked;
  }

  /** Stores the reply; false: the key has one already. */
  async add({ keyHash, bodyHash }: IdempotentRequest, { status, body }: StoredReply): Promise<boolean> {
    const stored = await countOf(
      this.db,
      `INSERT INTO idempotency_keys AS k (key_hash, body_hash, status, reply) VALUES (?, ?, ?, ?)
       ON CONFLICT (key_hash) DO UPDATE SET body_hash = excluded.body_hash, status = excluded.status,
         reply = excluded.reply, created_at = excluded.created_at
       WHERE k.created_at <= now() - ${RETENTION}`,
      [keyHash, bodyHash, status, body],
    );
    return stored === 1;
  }

  /** Deletes up to `limit` replies that are too old to be found; returns how many. */
  deleteExpired(limit: number): Promise<number> {
    return countOf(
      this.db,
      `DELETE FROM idempotency_keys WHERE key_hash IN
         (SELECT key_hash FROM idempotency_keys WHERE created_at <= now() - ${RETENTION} LIMIT ?)`,
      [limit],
    );
  }
}
