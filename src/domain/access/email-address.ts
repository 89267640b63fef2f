import { z } from 'zod';

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
