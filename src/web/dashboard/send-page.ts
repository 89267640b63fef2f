import type { Request, Response } from 'express';
import { type CachedPage, compressPage } from './page-cache.ts';
import type { RenderedPage } from './render/shell.ts';

interface SendOptions {
  status?: number;
  /** Allows conditional requests. */
  etag?: string;
  /** Shared caches may store the page and have to revalidate it. */
  isPublic?: boolean;
}

/** Sends 304 and returns true if the browser already has this version. */
export function sendNotModified(
  request: Request,
  response: Response,
  etag: string,
  isPublic: boolean,
): boolean {
  setCaching(response, etag, isPublic);
  if (!request.fresh) return false;
  response.status(304).end();
  return true;
}

export function sendCachedPage(request: Request, response: Response, page: CachedPage): void {
  const acceptsGzip = request.acceptsEncodings('gzip') !== false;
  response
    .setHeader('Content-Security-Policy', page.policy)
    .setHeader('Vary', 'Accept-Encoding')
    .type('html');
  if (acceptsGzip) response.setHeader('Content-Encoding', 'gzip');
  response.send(acceptsGzip ? page.gzip : page.plain);
}

export async function sendPage(
  request: Request,
  response: Response,
  page: RenderedPage,
  { status = 200, etag, isPublic = false }: SendOptions = {},
): Promise<void> {
  if (etag === undefined) response.setHeader('Cache-Control', 'no-store');
  else setCaching(response, etag, isPublic);
  response.status(status);
  sendCachedPage(request, response, await compressPage(page));
}

function setCaching(response: Response, etag: string, isPublic: boolean): void {
  response
    .setHeader('Cache-Control', isPublic ? 'public, no-cache' : 'private, no-cache')
    .setHeader('ETag', etag)
    .setHeader('Vary', isPublic ? 'Accept-Encoding' : 'Accept-Encoding, Cookie');
}
