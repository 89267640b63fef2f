import type { Database } from '../db/connect.ts';
import { queryRow } from '../db/rows.ts';
import type { FirstReply, IdempotentRequest, StoredReply } from '../lib/idempotency-store.ts';
import { requireValue } from '../lib/require-value.ts';

const RETENTION = "interval '24 hours'";

/** The replies to requests with an Idempotency-Key. Each row is written with its reply, in the transaction of the request's work. */
export class IdempotencyKeyRepository {
  constructor(private readonly db: Database) {}

  async find(keyHash: string): Promise<FirstReply | null> {
    const row = await this.db('idempotency_keys')
      .first('body_hash', 'status', 'reply')
      .where('key_hash', keyHash)
      .whereRaw(`created_at > now() - ${RETENTION}`);
    if (row === undefined) return null;
    return { bodyHash: row.body_hash, reply: { status: row.status, body: row.reply } };
  }

  /** Locks the key until the end of the transaction, or of the connection. Returns false if another transaction holds it. */
  async lock(keyHash: string): Promise<boolean> {
    // Raw SQL: an advisory lock.
    const row = requireValue(
      await queryRow<{ locked: boolean }>(
        this.db,
        'SELECT pg_try_advisory_xact_lock(hashtextextended(?, 0)) AS locked',
        [`idempotency ${keyHash}`],
      ),
      'advisory lock',
    );
    return row.locked;
  }

  /** Stores the reply. Returns false if the key has a reply already. */
  async add({ keyHash, bodyHash }: IdempotentRequest, { status, body }: StoredReply): Promise<boolean> {
    const stored = await this.db('idempotency_keys')
      .insert({ key_hash: keyHash, body_hash: bodyHash, status, reply: body })
      .onConflict('key_hash')
      .merge({
        body_hash: this.db.raw('excluded.body_hash'),
        status: this.db.raw('excluded.status'),
        reply: this.db.raw('excluded.reply'),
        created_at: this.db.raw('excluded.created_at'),
      })
      .whereRaw(`idempotency_keys.created_at <= now() - ${RETENTION}`)
      .returning('key_hash');
    return stored.length === 1;
  }

  /** Deletes up to `limit` expired replies. Returns how many. */
  async deleteExpired(limit: number): Promise<number> {
    const expired = this.db('idempotency_keys')
      .select('key_hash')
      .whereRaw(`created_at <= now() - ${RETENTION}`)
      .limit(limit);
    return this.db('idempotency_keys').whereIn('key_hash', expired).delete();
  }
}
