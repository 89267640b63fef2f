import { z } from 'zod';
import { userTypeOf } from '../../domain/access/caller.ts';
import { USER_STATUSES } from '../../domain/access/users.ts';
import type { UserRow } from '../../repositories/users.ts';

export const userSchema = z
  .strictObject({
    user_id: z.int(),
    user_email: z.string(),
    user_name: z.string(),
    user_type: z.literal([1, 2, 3]).describe('1 Admin, 2 Member, 3 Client'),
    user_role: z.enum(['superadmin', 'admin', 'member', 'client']),
    user_status: z.literal(USER_STATUSES).describe('1 Active, 2 Pending, 3 Suspended, 0 Deleted'),
    ai_access: z.boolean(),
    avatar_url: z.url().nullable().describe('Changes with every new picture; null: no picture'),
    last_login_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'User' });

export function presentUser(row: UserRow, baseUrl: string): z.input<typeof userSchema> {
  const isThere = row.avatar_version !== null && row.user_status !== 0;
  return {
    user_id: row.user_id,
    user_email: row.user_email,
    user_name: row.user_name,
    user_type: userTypeOf(row.user_role),
    user_role: row.user_role,
    user_status: row.user_status,
    ai_access: row.ai_access,
    avatar_url: isThere ? `${baseUrl}/api/users/${row.user_id}/avatar?v=${row.avatar_version}` : null,
    last_login_at: row.last_login_at?.toISOString() ?? null,
  };
}
