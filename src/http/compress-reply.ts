import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import type { Response } from 'express';

/** Smaller replies fit in one packet. */
const MIN_BYTES = 1_024;
/** Types that shrink. Files in office formats, archives and images are compressed already. */
const COMPRESSIBLE_TYPE =
  /^(?:text\/(?:html|plain|css|csv|xml|javascript)|application\/(?:json|javascript|xml)|image\/svg\+xml)\b/;

/**
 * Replies with a secret are never compressed, because the length of a compressed reply tells whether text that a caller chose occurs in
 * the secret (BREACH): those that set a cookie, those of accounts and keys, and JSON with the field of a secret.
 */
const SECRET_PATH = /^\/api\/(?:auth|api-keys|users|invite-links|sessions|outbox)\b/;
const SECRET_FIELD = /(?:token|secret|password|api_key)": ?"/;

type Encoding = 'br' | 'gzip';

/** Smaller than gzip in about the same time. */
const BROTLI_QUALITY = 4;
const brotliParams = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
/** Takes a third of the time of the default and makes tables about 6 % larger; the default takes longer than generating them. */
const GZIP_LEVEL = 4;

const compress: Record<Encoding, (body: string | Buffer) => Promise<Buffer>> = {
  br: (body) => promisify(brotliCompress)(body, { params: brotliParams }),
  gzip: (body) => promisify(gzip)(body, { level: GZIP_LEVEL }),
};

/** Every chunk is flushed, so that a client gets the rows that exist before the rest is generated. */
const createCompressor: Record<Encoding, () => Transform> = {
  br: () => createBrotliCompress({ params: brotliParams, flush: constants.BROTLI_OPERATION_FLUSH }),
  gzip: () => createGzip({ level: GZIP_LEVEL, flush: constants.Z_SYNC_FLUSH }),
};

/** Sends a whole body, compressed if the client accepts that. The type and other headers are set before. */
export function sendBody(response: Response, body: string | Buffer): void {
  if (body.length < MIN_BYTES || SECRET_FIELD.test(body.toString('latin1'))) {
    response.end(body);
    return;
  }
  const encoding = negotiateEncoding(response);
  if (encoding === null) response.end(body);
  else if (response.req.method === 'HEAD') response.end();
  else
    compress[encoding](body).then(
      (compressed) => response.end(compressed),
      (error: Error) => response.destroy(error),
    );
}

/** Returns the stream that compresses the reply, or null if it is sent as it is. The type and other headers are set before. */
export function replyCompressor(response: Response): Transform | null {
  const encoding = negotiateEncoding(response);
  return encoding === null ? null : createCompressor[encoding]();
}

/** Chooses the encoding and sets the headers; null: the reply must not be compressed, or the client does not accept it. */
function negotiateEncoding(response: Response): Encoding | null {
  const { req: request } = response;
  const length = response.getHeader('Content-Length');
  if (
    (length !== undefined && Number(length) < MIN_BYTES) ||
    !COMPRESSIBLE_TYPE.test(String(response.getHeader('Content-Type'))) ||
    SECRET_PATH.test(request.originalUrl) ||
    String(response.getHeader('Cache-Control')).includes('no-transform') ||
    ['Set-Cookie', 'Content-Encoding', 'Content-Range'].some((name) => response.hasHeader(name))
  )
    return null;
  response.vary('Accept-Encoding');
  const encoding = (['br', 'gzip'] as const).find((each) => request.acceptsEncodings(each) !== false);
  if (encoding === undefined) return null;
  response.removeHeader('Content-Length');
  response.setHeader('Content-Encoding', encoding);
  // A strong tag names the bytes, which differ between encodings.
  const etag = response.getHeader('ETag');
  if (typeof etag === 'string' && !etag.startsWith('W/')) response.setHeader('ETag', `W/${etag}`);
  return encoding;
}
