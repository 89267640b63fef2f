import { type UserRole, userTypeOf } from './caller.ts';

/** The roles that an admin can grant. Only the command line creates superadmins. */
export const GRANTABLE_ROLES = ['admin', 'member', 'client'] as const;
export type GrantableRole = (typeof GRANTABLE_ROLES)[number];

const ROLES = new Map<number, GrantableRole>([
  [1, 'admin'],
  [2, 'member'],
  [3, 'client'],
  // Some API clients send 6 for Client; 6 has no other meaning.
  [6, 'client'],
]);

/** Returns the role of an API number; null if there is no such number. Inverse of userTypeOf. */
export const roleFromType = (type: number): GrantableRole | null => ROLES.get(type) ?? null;

/**
 * Returns the role that a change requests by number, by name, or by both. A client can send back the stored value of one together with a
 * new value of the other. undefined: the role does not change; null: the two values contradict each other.
 */
export function requestedRole(
  stored: UserRole,
  { byType, byWord }: { byType: GrantableRole | undefined; byWord: UserRole | undefined },
): UserRole | undefined | null {
  const type = byType === undefined || userTypeOf(byType) === userTypeOf(stored) ? undefined : byType;
  const word = byWord === stored ? undefined : byWord;
  return type === undefined || word === undefined || type === word ? (type ?? word) : null;
}

const RANKS: Readonly<Record<UserRole, number>> = { client: 0, member: 1, admin: 2, superadmin: 3 };

/** Whether a user can grant a role: only roles up to their own. */
export const canGrantRole = (own: UserRole, granted: UserRole): boolean => RANKS[granted] <= RANKS[own];
