import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { Ids } from '../lib/ids.ts';

const ACCEPTED_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** Gives every request an id: the X-Request-Id of the client if it has an accepted form, else a new UUID. */
export function requestId(ids: Ids): RequestHandler {
  return (request, response, next) => {
    const sent = request.headers['x-request-id'];
    const id = typeof sent === 'string' && ACCEPTED_ID.test(sent) ? sent : ids.uuid();
    response.locals.requestId = id;
    response.setHeader('X-Request-Id', id);
    next();
  };
}

/** The counters of each request besides the log line. */
export interface RequestObserver {
  observe(request: { method: string; route: string; status: number; seconds: number }): void;
}

/**
 * One structured line per request: the declared path, never the address itself, so that no token or search text
 * reaches the log; no headers and no bodies.
 */
export function requestLog(log: Logger, observer: RequestObserver | null): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now();
    response.once('close', () => {
      const milliseconds = performance.now() - startedAt;
      const route = response.locals.route?.path ?? 'unknown';
      const status = response.statusCode;
      observer?.observe({ method: request.method, route, status, seconds: milliseconds / 1000 });
      const line = {
        request_id: response.locals.requestId,
        method: request.method,
        route,
        status,
        ms: Math.round(milliseconds * 10) / 10,
        aborted: response.writableFinished ? undefined : true,
        // Why the server ended the reply early (send-reply.ts).
        cut: response.locals.cut,
      };
      // A full disk is logged once, instead of once for each request.
      const isFault = status >= 500 && response.locals.errorCode !== 'storage_full';
      if (isFault) log.error(line, 'request failed');
      else log.info(line, 'request');
    });
    next();
  };
}
