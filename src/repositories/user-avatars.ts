import type { Database } from '../db/connect.ts';
import type { UserAvatarTable } from './tables/users.ts';

export type AvatarRow = Pick<UserAvatarTable, 'content_type' | 'picture'> & { avatar_version: string };

export class UserAvatarRepository {
  constructor(private readonly db: Database) {}

  /** null: the organization has no such user, or the user has no picture. */
  async one(organizationId: number, userId: number): Promise<AvatarRow | null> {
    const row = await this.db('user_avatars')
      .join('users', 'users.user_id', 'user_avatars.user_id')
      .first<AvatarRow | undefined>(
        'user_avatars.content_type',
        'user_avatars.picture',
        'users.avatar_version',
      )
      .where('users.organization_id', organizationId)
      .where('users.user_id', userId)
      .whereNot('users.user_status', 0)
      .whereNotNull('users.avatar_version');
    return row ?? null;
  }

  async put(userId: number, contentType: AvatarRow['content_type'], picture: Buffer): Promise<void> {
    await this.db('user_avatars')
      .insert({ user_id: userId, content_type: contentType, picture })
      .onConflict('user_id')
      .merge(['content_type', 'picture']);
  }

  /** False: the user had no picture. */
  async remove(userId: number): Promise<boolean> {
    return (await this.db('user_avatars').where({ user_id: userId }).delete()) > 0;
  }
}
