import type { Request, RequestHandler } from 'express';
import { forbidden } from '../lib/errors.ts';

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
