import type { Request, RequestHandler, Response } from 'express';
import type { Caller } from '../domain/access/caller.ts';
import type { HandlerContext, RequestMetadata, Route } from '../http/define-route.ts';
import { clientAddress } from '../lib/address-network.ts';
import type { StoredReply } from '../lib/idempotency-store.ts';

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- Express requires this to type `response.locals`
  namespace Express {
    /** What middleware hands on to the steps after it. */
    interface Locals {
      /** Set by request-log. */
      requestId: string;
      /** The declaration that serves the request. Set by request-context; absent where no declaration does. */
      route?: Pick<Route, 'operationId' | 'path'>;
      /** Set by request-context. */
      facts: RequestMetadata;
      /** Set by authenticate; null without a valid credential. */
      caller: Caller | null;
      /** Set by validate. */
      params: unknown;
      /** Set by validate. */
      query: unknown;
      /** Set by read-body, then validated by validate. */
      body: unknown;
      /** The object that the access check of the route loaded. Set by workspace-context. */
      scope: unknown;
      /** Set by respond-async when the request starts a job and the reply is about that job. */
      jobRoute?: Route<unknown>;
      /** Runs work once per Idempotency-Key, and commits it together with its reply. Set by idempotency. */
      runOnce?: (work: () => Promise<StoredReply>) => Promise<StoredReply>;
      /** Set by rate-limit. */
      extraRateLimitKey?: string;
      /** Why the server ended a streamed reply early. Set while the reply is sent. */
      cut?: string;
      /** The code of the error reply. Set by error-handler. */
      errorCode?: string | undefined;
    }
  }
}

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

/** The input of a handler and of an access check. */
export function handlerContext<Services>(
  services: Services,
  locals: Express.Locals,
): HandlerContext<Services> {
  const { caller, params, query, body, scope, facts } = locals;
  return { services, caller, params, query, body, scope, request: facts };
}

/** Computes rarely used properties when they are read, because every request creates this object. */
export function createRequestFacts(
  request: Request,
  response: Response,
  publicUrl: string | null,
): RequestMetadata {
  return new RequestFacts(request, response, publicUrl);
}

class RequestFacts implements RequestMetadata {
  readonly id: string;
  private controller: AbortController | null = null;
  private knownAddress: string | null = null;

  constructor(
    private readonly request: Request,
    private readonly response: Response,
    private readonly publicUrl: string | null,
  ) {
    this.id = response.locals.requestId;
  }

  get address(): string {
    return (this.knownAddress ??= clientAddress(this.request));
  }

  get userAgent(): string | null {
    return this.request.headers['user-agent']?.slice(0, 300) ?? null;
  }

  get ifNoneMatch(): string | null {
    return this.request.headers['if-none-match'] ?? null;
  }

  get ifMatch(): string | null {
    return this.request.headers['if-match'] ?? null;
  }

  get lastEventId(): string | null {
    return lastEventIdOf(this.request.headers['last-event-id']);
  }

  cookie(name: string): string | null {
    const value: unknown = (this.request.cookies as Record<string, unknown> | undefined)?.[name];
    return typeof value === 'string' ? value : null;
  }

  get baseUrl(): string {
    const { protocol, headers } = this.request;
    return this.publicUrl ?? `${protocol}://${headers.host || 'localhost'}`;
  }

  get signal(): AbortSignal {
    if (this.controller === null) {
      const controller = new AbortController();
      this.controller = controller;
      if (this.response.closed) controller.abort();
      else this.response.once('close', () => controller.abort());
    }
    return this.controller.signal;
  }
}

/** A repeated header becomes a text that matches no event. */
const lastEventIdOf = (sent: string | string[] | undefined): string | null =>
  sent === undefined ? null : String(sent);
