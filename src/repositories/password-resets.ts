import type { Database } from '../db/connect.ts';
import { queryRow } from '../db/rows.ts';
import type { UserTable } from './tables/users.ts';

type ResetOwner = Pick<UserTable, 'user_id' | 'organization_id'>;

/** The links in mails about a forgotten password. Only their hashes are stored. */
export class PasswordResetRepository {
  constructor(private readonly db: Database) {}

  async create(reset: {
    tokenHash: string;
    userId: number;
    tokenVersion: number;
    lifetimeSeconds: number;
  }): Promise<void> {
    await this.db('password_resets').insert({
      token_hash: reset.tokenHash,
      user_id: reset.userId,
      token_version: reset.tokenVersion,
      expires_at: this.db.raw("now() + ? * interval '1 second'", [reset.lifetimeSeconds]),
    });
  }

  /** How many links of the user still work. */
  async countLive(userId: number): Promise<number> {
    const row = await this.db('password_resets')
      .join('users', 'users.user_id', 'password_resets.user_id')
      .where('password_resets.user_id', userId)
      .whereNull('password_resets.used_at')
      .where('password_resets.expires_at', '>', this.db.fn.now())
      .where('password_resets.token_version', this.db.ref('users.token_version'))
      .count({ count: '*' })
      .first();
    return row?.count ?? 0;
  }

  /** The user whom the link was sent to, whether or not it still works. */
  async holder(tokenHash: string): Promise<ResetOwner | null> {
    const row = await this.db('password_resets')
      .join('users', 'users.user_id', 'password_resets.user_id')
      .first<ResetOwner | undefined>('users.user_id', 'users.organization_id')
      .where('password_resets.token_hash', tokenHash);
    return row ?? null;
  }

  /**
   * Uses the link up. null: no such link, used, expired, the password was changed since, or the user is not active.
   * The caller holds the user's lock; otherwise two links of one user could both work.
   */
  use(tokenHash: string): Promise<ResetOwner | null> {
    // Raw SQL: the builder types an update with a joined table by the columns of the joined one.
    return queryRow(
      this.db,
      `UPDATE password_resets r SET used_at = now() FROM users u
       WHERE r.token_hash = ? AND r.used_at IS NULL AND r.expires_at > now()
         AND u.user_id = r.user_id AND u.user_status = 1 AND u.token_version = r.token_version
       RETURNING u.user_id, u.organization_id`,
      [tokenHash],
    );
  }

  /** Removes links that were sent to a former address of the user. */
  async removeOfUser(userId: number): Promise<void> {
    await this.db('password_resets').where({ user_id: userId }).delete();
  }

  async removeExpired(): Promise<void> {
    await this.db('password_resets').where('expires_at', '<', this.db.fn.now()).delete();
  }
}
