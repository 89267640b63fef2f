import cookieParser from 'cookie-parser';
import type { Request, RequestHandler } from 'express';
import type { Caller } from '../domain/access/caller.ts';
import type { RequestMetadata } from '../http/define-route.ts';
import { forbidden } from '../lib/errors.ts';

export const AUTH_COOKIE = 'auth_token';

const NO_COOKIES: unknown = Object.freeze(Object.create(null));

/** `request.cookies`, by name. Integrations send none, and most requests are theirs: nothing is parsed then. */
export function parseCookies(): RequestHandler {
  const parse = cookieParser();
  return (request, response, next) => {
    if (request.headers.cookie !== undefined) return parse(request, response, next);
    request.cookies = NO_COOKIES;
    next();
  };
}

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

/**
 * Finds the caller by API key, access token or cookie. A request without a valid credential continues without a caller: the rate limit
 * counts it by its address before require-role refuses it.
 */
export function authenticate(findCaller: Authenticate): RequestHandler {
  return async (request, response, next) => {
    const caller = await callerOf(request, response.locals.facts, findCaller);
    response.locals.caller = caller;
    if (caller !== null) response.setHeader('Cache-Control', 'no-store');
    next();
  };
}

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

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Refuses what another site's page makes a browser send with our cookie. Other credentials are never sent by a browser on its own. */
export function requireSameSite(allowedOrigins: readonly string[]): RequestHandler {
  return (request, response, next) => {
    const { caller, facts } = response.locals;
    if (caller?.viaCookie === true) checkSameSite(request, facts.baseUrl, allowedOrigins);
    next();
  };
}

/**
 * Throws 403 for a request from a page of another site. Browsers send the origin of a request in Sec-Fetch-Site or Origin; a
 * client that sends neither is not a browser.
 */
export function checkSameSite(request: Request, ownOrigin: string, allowedOrigins: readonly string[]): void {
  if (SAFE.has(request.method)) return;
  const origin = request.headers.origin;
  if (origin !== undefined && allowedOrigins.includes(origin)) return;
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) {
    if (site !== 'same-origin' && site !== 'none') throw crossSite();
  } else if (origin !== undefined && origin !== ownOrigin) {
    throw crossSite();
  }
}

const crossSite = () =>
  forbidden('Another site may not make this request with your cookie', 'cross_site_request');
