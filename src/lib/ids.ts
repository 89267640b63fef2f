import { randomBytes, randomInt, randomUUID } from 'node:crypto';

/** Generates identifiers that cannot be guessed. Passed in so that tests can choose them. */
export interface Ids {
  uuid(): string;
  /** Returns uniformly random characters of [A-Za-z0-9]. */
  token(length: number): string;
  /** Returns a uniformly random whole number from 0 to before `end`, at most 2^48 - 1. */
  number(end: number): number;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** Larger bytes are skipped: they would make some characters more likely. */
const UNBIASED_BELOW = 256 - (256 % ALPHABET.length);

/** Random bytes are generated in blocks of this size: a call for a few bytes costs as much as one for many. */
const POOL_BYTES = 4_096;
let pool = Buffer.alloc(0);
let used = 0;

/** Returns the next random byte and erases it, so that no token stays in memory. */
function nextRandomByte(): number {
  if (used === pool.length) {
    pool = randomBytes(POOL_BYTES);
    used = 0;
  }
  const byte = pool.readUInt8(used);
  pool[used] = 0;
  used += 1;
  return byte;
}

export const randomIds: Ids = {
  uuid: randomUUID,
  number: (end) => randomInt(end),
  token(length) {
    const characters = Buffer.alloc(length);
    for (let filled = 0; filled < length;) {
      const byte = nextRandomByte();
      if (byte >= UNBIASED_BELOW) continue;
      characters[filled] = ALPHABET.charCodeAt(byte % ALPHABET.length);
      filled += 1;
    }
    return characters.toString('latin1');
  },
};
