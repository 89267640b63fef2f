import type { Request } from 'express';
import type { Caller } from '../domain/access/caller.ts';
import type { RequestFacts } from './route.ts';

export const AUTH_COOKIE = 'auth_token';

/** What a request brought; which kind it is, its form tells. */
export interface Credential {
  value: string;
  viaCookie: boolean;
}

/** Turns a credential into its caller, or null when it is bad, expired or revoked. */
export type Authenticate = (
  credential: Credential,
  from: Pick<RequestFacts, 'id' | 'address'>,
) => Promise<Caller | null>;

/**
 * X-API-Key, then Authorization, then the cookie. The first one that is there decides: a bad header never falls back
 * to the cookie.
 */
export function credentialOf(request: Request): Credential | null {
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
