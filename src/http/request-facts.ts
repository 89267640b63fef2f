import type { Ids } from '../lib/ids.ts';
import type { Request, RequestHandler, Response } from 'express';
import type { RequestFacts } from './route.ts';

/** Gives every request an id: the caller's own X-Request-Id when it has a harmless form, else a new one. */
export function requestIds(ids: Ids): RequestHandler {
  return (request, response, next) => {
    const given = request.headers['x-request-id'];
    const id = typeof given === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : ids.uuid();
    response.locals.requestId = id;
    response.setHeader('X-Request-Id', id);
    next();
  };
}

export function requestIdOf(response: Response): string {
  return String(response.locals.requestId);
}

/** Made for every request, so what few handlers ask for is worked out when they do. */
export function requestFacts(request: Request, response: Response, publicUrl: string | null): RequestFacts {
  let controller: AbortController | null = null;
  return {
    id: requestIdOf(response),
    get address() {
      return request.ip ?? '';
    },
    userAgent: request.headers['user-agent']?.slice(0, 300) ?? null,
    ifNoneMatch: request.headers['if-none-match'] ?? null,
    lastEventId: lastEventIdOf(request.headers['last-event-id']),
    cookie(name) {
      const value: unknown = (request.cookies as Record<string, unknown> | undefined)?.[name];
      return typeof value === 'string' ? value : null;
    },
    get baseUrl() {
      return publicUrl ?? `${request.protocol}://${request.headers.host || 'localhost'}`;
    },
    get signal() {
      if (controller === null) {
        controller = new AbortController();
        const abort = controller;
        if (response.closed) abort.abort();
        else response.once('close', () => abort.abort());
      }
      return controller.signal;
    },
  };
}

/** Sent more than once it is no event's. */
const lastEventIdOf = (sent: string | string[] | undefined): string | null =>
  sent === undefined ? null : String(sent);
