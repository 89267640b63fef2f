import type { RequestHandler } from 'express';
import type { Route } from '../http/define-route.ts';
import { createRequestFacts } from '../http/request-facts.ts';

/** First step of every declared route: stores the route for log and metrics, and the request metadata for the handler. */
export function requestContext(
  route: Pick<Route, 'operationId' | 'path'>,
  publicUrl: string | null,
): RequestHandler {
  return (request, response, next) => {
    const { locals } = response;
    locals.route = route;
    locals.facts = createRequestFacts(request, response, publicUrl);
    locals.caller = null;
    locals.scope = null;
    next();
  };
}
