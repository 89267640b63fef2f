import { z } from 'zod';

export const MAX_EMAIL_CHARACTERS = 254;
const address = z.email();

/** Whether somebody can get an account under this address. Accounts of before may have others. */
export const isEmailAddress = (text: string): boolean =>
  text.length <= MAX_EMAIL_CHARACTERS && address.safeParse(text).success;

/**
 * The one spelling of an address under which its failed logins are counted. Accounts are looked up by the same: a database folds more (to
 * some, İ is i), and each further spelling would be further guesses.
 */
export const normalizeEmail = (email: string): string => email.trim().toLowerCase();

export const EMAIL_ADDRESS_EXPECTED = 'must be an e-mail address, as name@example.org';
