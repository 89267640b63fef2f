import { z } from 'zod';

const MAX_PASSWORD_BYTES = 1_024;
const MIN_CHARACTERS = 8;

/** A current password, compared with the stored hash; too short is reported as wrong. The maximum bounds the hashing work. */
export const passwordField = z
  .string()
  .min(1, 'is required')
  .refine(
    (value) => Buffer.byteLength(value) <= MAX_PASSWORD_BYTES,
    `must be at most ${MAX_PASSWORD_BYTES} bytes`,
  );

/** A new password. Characters are counted after NFKC normalization, as they are hashed. */
export const newPassword = passwordField
  .refine(
    (value) => Array.from(value.normalize('NFKC')).length >= MIN_CHARACTERS,
    `must be at least ${MIN_CHARACTERS} characters`,
  )
  .describe(`At least ${MIN_CHARACTERS} characters, at most ${MAX_PASSWORD_BYTES} bytes`)
  .meta({ override: { type: 'string', minLength: MIN_CHARACTERS } });
