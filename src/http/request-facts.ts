import type { Request, Response } from 'express';
import type { RequestMetadata } from './define-route.ts';

/** Computes rarely used properties lazily, because every request creates this object. */
export function createRequestFacts(
  request: Request,
  response: Response,
  publicUrl: string | null,
): RequestMetadata {
  let controller: AbortController | null = null;
  return {
    id: response.locals.requestId,
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
        const created = controller;
        if (response.closed) created.abort();
        else response.once('close', () => created.abort());
      }
      return controller.signal;
    },
  };
}

/** A repeated header becomes a text that matches no event. */
const lastEventIdOf = (sent: string | string[] | undefined): string | null =>
  sent === undefined ? null : String(sent);
