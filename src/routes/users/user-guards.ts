import { inHomeOrganization, type Caller, isAdmin, type UserRole } from '../../domain/access/caller.ts';
import { userOn } from '../../http/access.ts';
import { forbidden } from '../../lib/errors.ts';
import type { UserScope } from '../../services/users/users.ts';

interface Context {
  caller: Caller;
  params: { id: number };
}

/** Access to the user with the :id of the path. Other callers are rejected before any query, so that they cannot find out whether the user exists. */
function onUser(
  resource: string,
  others: (caller: Caller) => boolean,
  credential: 'any' | 'session' = 'any',
) {
  return userOn(
    resource,
    ({ caller, params: { id: userId } }: Context): UserScope => {
      if (userId === caller.userId) return { userId, by: inHomeOrganization(caller), isSelf: true };
      if (!others(caller)) throw forbidden();
      return { userId, by: caller, isSelf: false };
    },
    credential,
  );
}

const MEMBERS: readonly UserRole[] = ['superadmin', 'admin', 'member'];

export const onSelfOrAdmin = onUser('user: own, or admin', isAdmin);
export const onSelfOrMember = onUser('user: own, or member or admin', ({ role }) => MEMBERS.includes(role));
export const onSelfInSession = onUser('user: own', () => false, 'session');
