import { z } from 'zod';
import { type UserRole, userTypeOf } from './caller.ts';

export const MAX_EMAIL_CHARACTERS = 254;
const address = z.email();

/** Whether a new account can have this address. Older accounts can have addresses that fail this check. */
export const isEmailAddress = (text: string): boolean =>
  text.length <= MAX_EMAIL_CHARACTERS && address.safeParse(text).success;

/**
 * Normalizes an address for account lookup and for counting failed sign-ins. Both use this function, because databases fold more
 * characters (some fold İ to i) and each extra spelling would allow extra guesses.
 */
export const normalizeEmail = (email: string): string => email.trim().toLowerCase();

export const EMAIL_ADDRESS_EXPECTED = 'must be an email address such as name@example.org';

/** The status of an invite link that was not revoked; only an active link admits new members. */
export const INVITE_STATUSES = ['active', 'used_up', 'expired'] as const;
type InviteStatus = (typeof INVITE_STATUSES)[number];

/** Returns the status at a given time. An expired link is `expired`, even if it is also used up. */
export function inviteStatusAt(
  link: { invite_max_uses: number | null; invite_uses: number; expires_at: Date | null },
  now: Date,
): InviteStatus {
  if (link.expires_at !== null && link.expires_at <= now) return 'expired';
  if (link.invite_max_uses !== null && link.invite_uses >= link.invite_max_uses) return 'used_up';
  return 'active';
}

/** The codes in the API and the database: 0 Deleted, 1 Active, 2 Pending (needs an admin's approval), 3 Suspended. */
export const USER_STATUSES = [0, 1, 2, 3] as const;
export type UserStatus = (typeof USER_STATUSES)[number];

export const DELETED = 0;
export const ACTIVE = 1;
export const PENDING = 2;
export const SUSPENDED = 3;

export const USER_STATUS_NAMES: Readonly<Record<UserStatus, string>> = {
  [DELETED]: 'Deleted',
  [ACTIVE]: 'Active',
  [PENDING]: 'Pending',
  [SUSPENDED]: 'Suspended',
};

/** An admin's action on an account. */
export type StatusAction = 'approve' | 'reject' | 'suspend' | 'reactivate';

const TRANSITIONS: Readonly<Record<StatusAction, { from: UserStatus; to: UserStatus }>> = {
  approve: { from: PENDING, to: ACTIVE },
  reject: { from: PENDING, to: DELETED },
  suspend: { from: ACTIVE, to: SUSPENDED },
  reactivate: { from: SUSPENDED, to: ACTIVE },
};

/** Returns the status after an action; null if the current status does not allow the action. */
export function statusAfter(action: StatusAction, status: UserStatus): UserStatus | null {
  const { from, to } = TRANSITIONS[action];
  return status === from ? to : null;
}

/** Returns the only status that allows an action. */
export const requiredStatus = (action: StatusAction): UserStatus => TRANSITIONS[action].from;

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
