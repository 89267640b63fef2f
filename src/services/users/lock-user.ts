import { type Caller, isAdmin } from '../../domain/access/caller.ts';
import { ACTIVE } from '../../domain/access/user-status.ts';
import { conflict, forbidden, notFound } from '../../lib/errors.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { AccountRow, UserRow } from '../../repositories/users.ts';

/** The user that somebody is about to change, held until the transaction ends. */
export async function lockUser(repositories: Repositories, by: Caller, userId: number): Promise<AccountRow> {
  const user = await repositories.users.lock(by.organizationId, userId);
  if (user === null) throw notFound('user');
  refuseSuperadmin(by, user);
  return user;
}

/** An admin's reach ends at those who have more. */
export function refuseSuperadmin(by: Caller, user: UserRow): void {
  if (user.user_role === 'superadmin' && by.role !== 'superadmin')
    throw forbidden('Only a superadmin can change a superadmin');
}

/**
 * Before an active admin ceases to be one. The organization must be locked, and before the user is: two admins who suspend
 * each other would both find the other still there.
 */
export async function requireAnotherAdmin(repositories: Repositories, user: UserRow): Promise<void> {
  if (user.user_status !== ACTIVE || !isAdmin({ role: user.user_role })) return;
  if (await repositories.users.hasOtherActiveAdmin(user.organization_id, user.user_id)) return;
  throw conflict(
    'last_admin',
    'This is the last active admin of the organization; make somebody else an admin first',
  );
}
