import type { Request, RequestHandler } from 'express';
import type { z } from 'zod';
import { type Multipart, openUpload } from '../http/multipart.ts';
import { parseJson } from '../http/parse-json.ts';
import type { SignedBody, SignedBytes } from '../http/define-route.ts';
import { formatMegabytes } from '../lib/error-messages.ts';
import { invalid, tooLarge, unsupportedMediaType } from '../lib/errors.ts';

/** Reads and parses the JSON body, of `maxBytes` at most; a request without a body has an empty object. */
export function jsonBody(maxBytes: number): RequestHandler {
  return async (request, response, next) => {
    // An HTML form cannot send this content type. Required of cookie callers even for an empty body, it stops forms of other sites.
    const isTypeRequired = response.locals.caller?.viaCookie ?? false;
    if (!isJson(request) && (isTypeRequired || declaredBodyBytes(request) !== 0))
      throw unsupportedMediaType('Send the body as JSON, with the header Content-Type: application/json');
    const bytes = await readBodyBytes(request, maxBytes);
    response.locals.body = bytes.length === 0 ? {} : parseJson(bytes, maxBytes);
    next();
  };
}

/** Reads a multipart body up to the file, whose bytes the handler reads. The rest is discarded when the reply is finished. */
export function receiveUpload(spec: Multipart<z.ZodObject>, maxBytes: number): RequestHandler {
  return async (request, response, next) => {
    const opened = await openUpload(request, response, { spec, maxBytes });
    // Also when a later step refuses the request, or the client disconnects.
    if (response.closed) opened.close();
    else response.once('close', opened.close);
    response.locals.body = opened.upload;
    next();
  };
}

/** Reads a signed body as bytes, together with its signature. Any type but JSON is refused: a form of another site cannot send JSON. */
export function readSignedBody({ header }: SignedBody, maxBytes: number): RequestHandler {
  return async (request, response, next) => {
    if (!isJson(request))
      throw unsupportedMediaType('Send the body as JSON, with the header Content-Type: application/json');
    const signature = request.headers[header.toLowerCase()];
    const bytes = await readBodyBytes(request, maxBytes);
    response.locals.body = {
      bytes,
      signature: typeof signature === 'string' ? signature : null,
    } satisfies SignedBytes;
    next();
  };
}

/** The declared size of the body: 0 without a body, NaN for a chunked body. */
const declaredBodyBytes = (request: Request): number =>
  Number(request.headers['content-length'] ?? (request.headers['transfer-encoding'] ? NaN : 0));

const isJson = (request: Request): boolean =>
  /^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '');

/** Reads the raw body into memory. Refuses compressed bodies and bodies larger than `maxBytes`: throws, or rejects while reading. */
function readBodyBytes(request: Request, maxBytes: number): Promise<Buffer> {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw unsupportedMediaType(
      `Content-Encoding "${encoding.slice(0, 40)}" is not supported; send the body as it is`,
    );
  }
  if (declaredBodyBytes(request) > maxBytes) throw bodyTooLarge(maxBytes);
  return readBytes(request, maxBytes);
}

const bodyTooLarge = (maxBytes: number) => tooLarge(`The body must be at most ${formatMegabytes(maxBytes)}`);

/** Uses plain listeners, because an async iterator over the request costs more than all other work on a small body. */
function readBytes(request: Request, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size > maxBytes) {
        // Leaves the remaining body unread and the connection open, so that the client receives the reply.
        request.off('data', onData).pause();
        reject(bodyTooLarge(maxBytes));
      }
    };
    const onClosed = () => {
      if (!request.readableEnded) reject(invalid('', 'The body ended before it was complete'));
    };
    if (request.destroyed) onClosed();
    request.on('data', onData).on('error', onClosed).on('close', onClosed);
    request.on('end', () => {
      const [first] = chunks;
      resolve(first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks, size));
    });
  });
}
