import { randomBytes, randomUUID } from 'node:crypto';

/** Identifiers that nobody can guess, handed in so that tests can name them. */
export interface Ids {
  uuid(): string;
  /** Characters of [A-Za-z0-9], uniformly random. */
  token(length: number): string;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** Bytes from here on would make some characters likelier than others. */
const UNBIASED_BELOW = 256 - (256 % ALPHABET.length);

export const randomIds: Ids = {
  uuid: randomUUID,
  token(length) {
    const characters = Buffer.alloc(length);
    for (let made = 0; made < length;) {
      // A few more than needed: some are skipped.
      for (const byte of randomBytes(length + (length >> 2))) {
        if (byte < UNBIASED_BELOW && made < length) {
          characters[made] = ALPHABET.charCodeAt(byte % ALPHABET.length);
          made += 1;
        }
      }
    }
    return characters.toString('latin1');
  },
};
