import type { Request } from 'express';
import type { Caller } from '../domain/access/caller.ts';
import type { RequestMetadata } from './define-route.ts';

export const AUTH_COOKIE = 'auth_token';

/** An API key or an access token, as a request sent it. */
interface Credential {
  value: string;
  viaCookie: boolean;
}

/** Finds the caller of a credential; null when it is wrong, expired or revoked. */
export type Authenticate = (
  credential: Credential,
  from: Pick<RequestMetadata, 'id' | 'address'>,
) => Promise<Caller | null>;

/** The caller of a request; null without a valid credential. */
export async function callerOf(
  request: Request,
  from: Pick<RequestMetadata, 'id' | 'address'>,
  authenticate: Authenticate,
): Promise<Caller | null> {
  const credential = credentialOf(request);
  return credential === null ? null : authenticate(credential, from);
}

/**
 * X-API-Key, then Authorization, then the cookie. The first one that is sent decides: a wrong header never falls back
 * to the cookie.
 */
function credentialOf(request: Request): Credential | null {
  const apiKey = request.headers['x-api-key'];
  if (apiKey !== undefined) return { value: String(apiKey), viaCookie: false };
  const authorization = request.headers.authorization;
  if (authorization !== undefined) {
    const bearer = /^Bearer ([^\s]+)$/i.exec(authorization);
    return { value: bearer?.[1] ?? '', viaCookie: false };
  }
  const cookie: unknown = (request.cookies as Record<string, unknown> | undefined)?.[AUTH_COOKIE];
  return typeof cookie === 'string' && cookie !== '' ? { value: cookie, viaCookie: true } : null;
}
