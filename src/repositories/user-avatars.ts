import type { Database } from '../db/connect.ts';
import { countOf, rowOf } from '../db/rows.ts';

export interface AvatarRow {
  content_type: string;
  picture: Buffer;
  avatar_version: string;
}

export class UserAvatarRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  /** null: there is no such user, or no picture of them. */
  one(organizationId: number, userId: number): Promise<AvatarRow | null> {
    return rowOf(
      this.db,
      `SELECT a.content_type, a.picture, u.avatar_version FROM user_avatars a JOIN users u ON u.user_id = a.user_id
       WHERE u.organization_id = ? AND u.user_id = ? AND u.user_status <> 0 AND u.avatar_version IS NOT NULL`,
      [organizationId, userId],
    );
  }

  async put(userId: number, contentType: string, picture: Buffer): Promise<void> {
    await countOf(
      this.db,
      `INSERT INTO user_avatars (user_id, content_type, picture) VALUES (?, ?, ?)
       ON CONFLICT (user_id) DO UPDATE SET content_type = excluded.content_type, picture = excluded.picture`,
      [userId, contentType, picture],
    );
  }

  /** False: there was none. */
  async remove(userId: number): Promise<boolean> {
    return (await countOf(this.db, `DELETE FROM user_avatars WHERE user_id = ?`, [userId])) > 0;
  }
}
