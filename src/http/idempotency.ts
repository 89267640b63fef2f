import { createHash } from 'node:crypto';
import { conflict, invalid } from '../lib/errors.ts';
import type { IdempotencyStore, StoredReply } from '../lib/idempotency-store.ts';

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * Runs `work` exactly once per key: the same key and input get the first reply, another input is 409 `idempotency_clash`, and a key
 * whose first request is still running is 409 `idempotency_in_progress`. When `work` throws, the key stays free.
 */
export async function withIdempotency(
  store: IdempotencyStore,
  key: string,
  caller: string,
  operation: string,
  input: unknown,
  work: () => Promise<StoredReply>,
): Promise<StoredReply> {
  if (key.length > 255 || !/^[\x21-\x7e]+$/.test(key)) {
    throw invalid('Idempotency-Key', 'must be 1 to 255 visible ASCII characters');
  }
  const keyHash = sha256(`${caller}\n${operation}\n${key}`);
  // With the key, which is not stored: a password in the body cannot be tried against the hash.
  const bodyHash = sha256(`${key}\n${JSON.stringify(input)}`);
  const first = await store.run({ keyHash, bodyHash }, work);
  if (first === null) {
    throw conflict(
      'idempotency_in_progress',
      `The first request with Idempotency-Key "${key}" is still running; try again`,
    );
  }
  if (first.bodyHash !== bodyHash) {
    throw conflict('idempotency_clash', `Idempotency-Key "${key}" was already used with another body`);
  }
  return first.reply;
}
