import type { Request, RequestHandler } from 'express';
import { declaredBodyBytes, isJson, readBodyBytes } from '../http/body-bytes.ts';
import { parseJson } from '../http/parse-json.ts';
import { unsupportedMediaType } from '../lib/errors.ts';

/** Reads and parses the JSON body, of `maxBytes` at most; a request without a body has an empty object. */
export function jsonBody(maxBytes: number): RequestHandler {
  return async (request, response, next) => {
    // An HTML form cannot send this content type. Required of cookie callers even for an empty body, it stops forms of other sites.
    const isTypeRequired = response.locals.caller?.viaCookie ?? false;
    const body = await readJsonBody(request, maxBytes, isTypeRequired);
    response.locals.body = body === undefined ? {} : body;
    next();
  };
}

/** undefined: the request has no body. */
async function readJsonBody(request: Request, maxBytes: number, isTypeRequired: boolean): Promise<unknown> {
  if (!isJson(request) && (isTypeRequired || declaredBodyBytes(request) !== 0))
    throw unsupportedMediaType('Send the body as JSON, with the header Content-Type: application/json');
  const bytes = await readBodyBytes(request, maxBytes);
  return bytes.length === 0 ? undefined : parseJson(bytes, maxBytes);
}
