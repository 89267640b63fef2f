import { z } from 'zod';

const MAX_PASSWORD_BYTES = 1_024;
const MIN_CHARACTERS = 8;

/** One to compare with: short ones are wrong rather than too short. A bound keeps bodies honest. */
export const givenPassword = z
  .string()
  .min(1, 'is required')
  .refine(
    (value) => Buffer.byteLength(value) <= MAX_PASSWORD_BYTES,
    `must be at most ${MAX_PASSWORD_BYTES} bytes`,
  );

/** One to sign in with from now on. Characters are counted as they are hashed: composed. */
export const newPassword = givenPassword
  .refine(
    (value) => Array.from(value.normalize('NFKC')).length >= MIN_CHARACTERS,
    `must be at least ${MIN_CHARACTERS} characters`,
  )
  .describe(`At least ${MIN_CHARACTERS} characters, at most ${MAX_PASSWORD_BYTES} bytes`)
  .meta({ override: { type: 'string', minLength: MIN_CHARACTERS } });
