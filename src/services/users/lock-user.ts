import { type Caller, isAdmin } from '../../domain/access/caller.ts';
import { ACTIVE } from '../../domain/access/users.ts';
import { onlyPermittedTo } from '../../lib/error-messages.ts';
import { conflict, notFound } from '../../lib/errors.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { AccountRow, UserRow } from '../../repositories/users.ts';

/**
 * Locks a user for a change until the transaction ends. Throws 404, or 403 for a superadmin that the caller may not
 * change.
 */
export async function lockUser(repositories: Repositories, by: Caller, userId: number): Promise<AccountRow> {
  const user = await repositories.users.lock(by.organizationId, userId);
  if (user === null) throw notFound('user');
  refuseSuperadmin(by, user);
  return user;
}

/** Throws 403 if an admin tries to change a superadmin. */
export function refuseSuperadmin(by: Caller, user: UserRow): void {
  if (user.user_role === 'superadmin' && by.role !== 'superadmin')
    throw onlyPermittedTo('a superadmin', 'change a superadmin');
}

/**
 * Throws 409 if no other active admin would remain. The caller locks the organization before the user: otherwise two
 * admins who suspend each other at once would both find the other still active.
 */
export async function requireAnotherAdmin(repositories: Repositories, user: UserRow): Promise<void> {
  if (user.user_status !== ACTIVE || !isAdmin({ role: user.user_role })) return;
  if (await repositories.users.hasOtherActiveAdmin(user.organization_id, user.user_id)) return;
  throw conflict(
    'last_admin',
    'This is the last active admin of the organization; make another user an admin first',
  );
}
