import type { RequestHandler } from 'express';
import type { Route } from '../http/define-route.ts';

/** Counts the request a second time, under the key that the route declares: per account, for example. A null key is not counted. */
export function extraRateLimit(
  keyOf: NonNullable<Route['extraRateLimitKey']>,
  limit: RequestHandler,
): RequestHandler {
  return (request, response, next) => {
    const { body, caller, params, facts } = response.locals;
    const key = keyOf(body, caller, { params, address: facts.address });
    if (key === null) return next();
    response.locals.extraRateLimitKey = key;
    return limit(request, response, next);
  };
}
