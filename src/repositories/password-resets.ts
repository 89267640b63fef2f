import type { Database } from '../db/connect.ts';
import { countOf, rowOf } from '../db/rows.ts';

/** The links that mails about a forgotten password hold: only their hashes. */
export class PasswordResetRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  async create(reset: {
    tokenHash: string;
    userId: number;
    tokenVersion: number;
    lifetimeSeconds: number;
  }): Promise<void> {
    await countOf(
      this.db,
      `INSERT INTO password_resets (token_hash, user_id, token_version, expires_at)
       VALUES (?, ?, ?, now() + ? * interval '1 second')`,
      [reset.tokenHash, reset.userId, reset.tokenVersion, reset.lifetimeSeconds],
    );
  }

  /** Those of the user that could still be used. */
  async countLive(userId: number): Promise<number> {
    const row = await rowOf<{ count: number }>(
      this.db,
      `SELECT count(*) FROM password_resets r JOIN users u ON u.user_id = r.user_id
       WHERE r.user_id = ? AND r.used_at IS NULL AND r.expires_at > now() AND r.token_version = u.token_version`,
      [userId],
    );
    return row!.count;
  }

  /** Whose it is or was. */
  holder(tokenHash: string): Promise<{ user_id: number; organization_id: number } | null> {
    return rowOf(
      this.db,
      `SELECT u.user_id, u.organization_id FROM password_resets r JOIN users u ON u.user_id = r.user_id
       WHERE r.token_hash = ?`,
      [tokenHash],
    );
  }

  /**
   * Takes it, once; null: there is none, it is over, or the password was changed since, or its user is not active any more.
   * Two links of one user would both do, so the user must be locked.
   */
  use(tokenHash: string): Promise<{ user_id: number; organization_id: number } | null> {
    return rowOf(
      this.db,
      `UPDATE password_resets r SET used_at = now() FROM users u
       WHERE r.token_hash = ? AND r.used_at IS NULL AND r.expires_at > now()
         AND u.user_id = r.user_id AND u.user_status = 1 AND u.token_version = r.token_version
       RETURNING u.user_id, u.organization_id`,
      [tokenHash],
    );
  }

  /** Links that went to an address which is not theirs any more. */
  async removeOfUser(userId: number): Promise<void> {
    await countOf(this.db, `DELETE FROM password_resets WHERE user_id = ?`, [userId]);
  }

  async removeExpired(): Promise<void> {
    await countOf(this.db, `DELETE FROM password_resets WHERE expires_at < now()`);
  }
}
