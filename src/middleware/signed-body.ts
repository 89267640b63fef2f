import type { RequestHandler } from 'express';
import { isJson, readBodyBytes } from '../http/body-bytes.ts';
import type { SignedBody, SignedBytes } from '../http/signed-body.ts';
import { unsupportedMediaType } from '../lib/errors.ts';

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
