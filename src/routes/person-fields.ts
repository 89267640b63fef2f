import { z } from 'zod';
import type { UserRole } from '../domain/access/caller.ts';
import { EMAIL_ADDRESS_EXPECTED, MAX_EMAIL_CHARACTERS, roleFromType } from '../domain/access/users.ts';
import { contradicts } from '../lib/error-messages.ts';

const MAX_KEPT_EMAIL_CHARACTERS = 320;

/** A login email address. Addresses that differ only in case are the same. */
export const emailField = z
  .string()
  .trim()
  .min(1, 'is required')
  .max(MAX_EMAIL_CHARACTERS)
  .pipe(z.email(EMAIL_ADDRESS_EXPECTED));

/** An email address that may be the stored one, sent back; the service validates it only if it changed. */
export const storedEmailField = z
  .string()
  .trim()
  .min(1, 'is required')
  .max(MAX_KEPT_EMAIL_CHARACTERS)
  .meta({ format: 'email' });

/** The name of a user. Control characters are rejected, because names appear in email headers. */
export const personName = z
  .string()
  .trim()
  .min(1, 'is required')
  .max(200)
  .refine((name) => !/\p{Cc}/u.test(name), 'must not contain control characters such as line breaks');

/** The numbers of user types: in `user_type` and `invite_role`. */
export const typeNumber = z
  .union([z.literal(1), z.literal(2), z.literal(3), z.literal(6)], {
    error: 'must be 1 (Admin), 2 (Member) or 3 (Client)',
  })
  .describe('1 Admin, 2 Member, 3 Client; 6 is read as Client')
  .meta({ override: { type: 'integer', enum: [1, 2, 3, 6] } });

/** The role as a word. */
export const roleWord = z
  .enum(['superadmin', 'admin', 'member', 'client'], { error: 'must be admin, member or client' })
  .describe('The role as a word: admin, member or client');

/**
 * The role in a body, given as a number (the field `typeField`), as a word (`user_role`) or as both; undefined if neither is given. A
 * superadmin has the number 1, so both fields of a reply can be sent back.
 */
export function requestedRole(
  typeField: string,
  type: number | undefined,
  role: UserRole | undefined,
): UserRole | undefined {
  if (type === undefined) return role;
  const byType = roleFromType(type) ?? undefined;
  if (role === undefined || role === byType) return byType;
  if (role === 'superadmin' && byType === 'admin') return role;
  throw contradicts('user_role', role, `${typeField} ${type} means ${byType}`);
}
