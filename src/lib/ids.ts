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
    let token = '';
    while (token.length < length) {
      for (const byte of randomBytes(length)) {
        if (byte < UNBIASED_BELOW && token.length < length) token += ALPHABET.charAt(byte % ALPHABET.length);
      }
    }
    return token;
  },
};
