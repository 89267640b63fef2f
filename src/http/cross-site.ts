import type { Request } from 'express';
import { forbidden } from '../lib/errors.ts';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses what another site's page makes a browser send with our cookie. Browsers say where a request comes from
 * in Sec-Fetch-Site or Origin; a client that sends neither is no browser.
 */
export function refuseCrossSite(
  request: Request,
  ownOrigin: string,
  allowedOrigins: readonly string[],
): void {
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
