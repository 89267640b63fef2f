import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { RequestHandler } from 'express';

/** Sends the API document, compressed once, if the client accepts gzip. `createDocument` runs at the first request, because it takes longer than the rest of the start. */
export function sendApiDocument(createDocument: () => unknown): RequestHandler {
  let cached: Promise<{ plain: Buffer; zipped: Buffer }> | null = null;
  const createAndCompress = async () => {
    const plain = Buffer.from(JSON.stringify(createDocument()));
    return { plain, zipped: await promisify(gzip)(plain) };
  };
  return async (request, response) => {
    cached ??= createAndCompress();
    const { plain, zipped } = await cached.catch((error: unknown) => {
      // The next request tries again.
      cached = null;
      throw error;
    });
    response.type('application/json').setHeader('Vary', 'Accept-Encoding');
    if (request.acceptsEncodings('gzip') === false) {
      response.send(plain);
      return;
    }
    response.setHeader('Content-Encoding', 'gzip').send(zipped);
  };
}
