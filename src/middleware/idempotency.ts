import { createHash } from 'node:crypto';
import type { RequestHandler } from 'express';
import type { Route } from '../http/define-route.ts';
import { conflict, invalid } from '../lib/errors.ts';
import type { IdempotencyStore, StoredReply } from '../lib/idempotency-store.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * Honors the header Idempotency-Key: the handler then runs in one transaction together with the reply that is stored for the key.
 * Only callers have keys: without one, the first reply could reach a different client.
 */
export function idempotency(route: Pick<Route, 'idempotent'>, store: IdempotencyStore): RequestHandler {
  return (request, response, next) => {
    const key = request.headers['idempotency-key'];
    const { caller, query, body, jobRoute } = response.locals;
    if (key === undefined || caller === null || !(jobRoute ?? route).idempotent) return next();
    // The API key of a superadmin may work in a different organization by now, where an earlier reply is not valid.
    const owner = `${caller.credential} ${caller.credentialId} ${caller.organizationId}`;
    const operation = `POST ${request.baseUrl}${request.path}`;
    response.locals.runOnce = (work) =>
      withIdempotency(store, { key: String(key), owner, operation, input: { query, body } }, work);
    next();
  };
}

interface IdempotentRequest {
  key: string;
  /** The credential and its organization. */
  owner: string;
  operation: string;
  input: unknown;
}

/**
 * Runs `work` exactly once per key: the same key and input get the first reply, another input is 409 `idempotency_clash`, and a key
 * whose first request is still running is 409 `idempotency_in_progress`. When `work` throws, the key stays free.
 */
async function withIdempotency(
  store: IdempotencyStore,
  { key, owner, operation, input }: IdempotentRequest,
  work: () => Promise<StoredReply>,
): Promise<StoredReply> {
  if (key.length > 255 || !/^[\x21-\x7e]+$/.test(key)) {
    throw invalid('Idempotency-Key', 'must be 1 to 255 visible ASCII characters');
  }
  const keyHash = sha256(`${owner}\n${operation}\n${key}`);
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
