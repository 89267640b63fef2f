import { type UserRole, userTypeOf } from './caller.ts';

/** What an admin can make somebody; a superadmin is made by the command line alone. */
export const GRANTABLE_ROLES = ['admin', 'member', 'client'] as const;
export type GrantableRole = (typeof GRANTABLE_ROLES)[number];

const ROLES = new Map<number, GrantableRole>([
  [1, 'admin'],
  [2, 'member'],
  [3, 'client'],
  // Another numbering in use calls a client so, and nothing else by this number.
  [6, 'client'],
]);

/** The role that a number on the wire means; null: none. The way back is userTypeOf. */
export const roleFromType = (type: number): GrantableRole | null => ROLES.get(type) ?? null;

/**
 * The role that a change asks for: by a number, by a word, or by both, of which one may be what is stored and only sent back.
 * undefined: none but the stored one; null: they contradict each other.
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

/** Nobody grants more than they have. */
export const canGrantRole = (own: UserRole, granted: UserRole): boolean => RANKS[granted] <= RANKS[own];
