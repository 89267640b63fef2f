import type { RequestHandler } from 'express';
import { type Authenticate, callerOf } from '../http/credential.ts';

/**
 * Finds the caller by API key, access token or cookie. A request without a valid credential continues without a caller: the rate limit
 * counts it by its address before require-role refuses it.
 */
export function authenticate(findCaller: Authenticate): RequestHandler {
  return async (request, response, next) => {
    const caller = await callerOf(request, response.locals.facts, findCaller);
    response.locals.caller = caller;
    if (caller !== null) response.setHeader('Cache-Control', 'no-store');
    next();
  };
}
