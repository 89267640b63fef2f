import { z } from 'zod';

const MIN_PASSWORD_CHARACTERS = 8;
const MAX_PASSWORD_BYTES = 1_024;

/** A password that somebody has. bcrypt's work grows with neither, but a bound keeps bodies honest. */
export const givenPassword = z
  .string()
  .min(1, 'is required')
  .refine(
    (value) => Buffer.byteLength(value) <= MAX_PASSWORD_BYTES,
    `must be at most ${MAX_PASSWORD_BYTES} bytes`,
  );

/** A password that somebody is to have. */
export const newPassword = givenPassword
  .refine(
    (value) => [...value.normalize('NFKC')].length >= MIN_PASSWORD_CHARACTERS,
    `must be at least ${MIN_PASSWORD_CHARACTERS} characters`,
  )
  .describe(`At least ${MIN_PASSWORD_CHARACTERS} characters, at most ${MAX_PASSWORD_BYTES} bytes`)
  .meta({ override: { type: 'string', minLength: MIN_PASSWORD_CHARACTERS } });
