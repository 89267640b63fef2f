import { randomBytes, randomUUID } from 'node:crypto';

/** Generates identifiers that cannot be guessed. Passed in so that tests can choose them. */
export interface Ids {
  uuid(): string;
  /** Returns uniformly random characters of [A-Za-z0-9]. */
  token(length: number): string;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** Larger bytes are skipped: they would make some characters more likely. */
const UNBIASED_BELOW = 256 - (256 % ALPHABET.length);

export const randomIds: Ids = {
  uuid: randomUUID,
  token(length) {
    const characters = Buffer.alloc(length);
    for (let filled = 0; filled < length;) {
      // A few more bytes than needed, because some are skipped.
      for (const byte of randomBytes(length + (length >> 2))) {
        if (byte < UNBIASED_BELOW && filled < length) {
          characters[filled] = ALPHABET.charCodeAt(byte % ALPHABET.length);
          filled += 1;
        }
      }
    }
    return characters.toString('latin1');
  },
};
