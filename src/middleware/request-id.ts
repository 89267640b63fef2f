import type { RequestHandler } from 'express';
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
