import type { Caller } from '../domain/access/caller.ts';
import type { HandlerContext, RequestMetadata, Route } from '../http/define-route.ts';
import type { StoredReply } from '../lib/idempotency-store.ts';

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- Express requires this to type `response.locals`
  namespace Express {
    /** What middleware hands on to the steps after it. */
    interface Locals {
      /** Set by request-id. */
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
      /** Set by json-body, upload or signed-body, then validated by validate. */
      body: unknown;
      /** The object that the access check of the route loaded. Set by workspace-context. */
      scope: unknown;
      /** Set by background when the request starts a job and the reply is about that job. */
      jobRoute?: Route<unknown>;
      /** Runs work once per Idempotency-Key, and commits it together with its reply. Set by idempotency. */
      runOnce?: (work: () => Promise<StoredReply>) => Promise<StoredReply>;
      /** Set by extra-rate-limit. */
      extraRateLimitKey?: string;
      /** Why the server ended a streamed reply early. Set while the reply is sent. */
      cut?: string;
      /** The code of the error reply. Set by error-handler. */
      errorCode?: string | undefined;
    }
  }
}

/** The input of a handler and of an access check. */
export function handlerContext<Services>(
  services: Services,
  locals: Express.Locals,
): HandlerContext<Services> {
  const { caller, params, query, body, scope, facts } = locals;
  return { services, caller, params, query, body, scope, request: facts };
}
