import cookieParser from 'cookie-parser';
import type { RequestHandler } from 'express';

const NO_COOKIES: unknown = Object.freeze(Object.create(null));

/** `request.cookies`, by name. Integrations send none, and most requests are theirs: nothing is parsed then. */
export function cookies(): RequestHandler {
  const parse = cookieParser();
  return (request, response, next) => {
    if (request.headers.cookie !== undefined) return parse(request, response, next);
    request.cookies = NO_COOKIES;
    next();
  };
}
