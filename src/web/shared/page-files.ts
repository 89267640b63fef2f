import type { Request, RequestHandler, Response } from 'express';
import { type PageAsset, type PageAssets, type PageSources, buildPageAssets } from './page-assets.ts';

const A_YEAR_SECONDS = 365 * 24 * 60 * 60;

export interface PageFiles {
  built(): Promise<PageAssets>;
  /** Sends the file that the path names as :file. */
  send: RequestHandler<{ file: string }>;
}

/** The script and the style of a page: made at the first visit and kept; a failure is not. */
export function pageFiles(sources: PageSources): PageFiles {
  let assets: Promise<PageAssets> | null = null;
  const built = (): Promise<PageAssets> =>
    (assets ??= buildPageAssets(sources).catch((error: unknown) => {
      assets = null;
      throw error;
    }));
  return {
    built,
    send: async (request, response, next) => {
      const { script, style } = await built();
      const found = [script, style].find(({ fileName }) => fileName === request.params.file);
      if (found === undefined) next();
      else sendAsset(request, response, found);
    },
  };
}

function sendAsset(request: Request<{ file: string }>, response: Response, asset: PageAsset): void {
  const encoding = request.acceptsEncodings('br', 'gzip');
  response
    .setHeader('Cache-Control', `public, max-age=${A_YEAR_SECONDS}, immutable`)
    .setHeader('Content-Type', asset.contentType)
    .setHeader('Vary', 'Accept-Encoding');
  if (encoding !== false) response.setHeader('Content-Encoding', encoding);
  response.send(encoding === 'br' ? asset.brotli : encoding === 'gzip' ? asset.gzip : asset.plain);
}
