import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { formatErrorForLog, fromHttpError, sendInternalError, sendProblem } from '../http/problem.ts';
import { AppError, notFound as notFoundError } from '../lib/errors.ts';

/** How long the rest of a body is read after a refusal. */
const UNREAD_BODY_GRACE_MS = 2_000;

/** For paths that nothing serves. */
export const notFound: RequestHandler = () => {
  throw notFoundError('address');
};

/** For other methods of a path that serves `methods`, in capitals: 405 with the header Allow. */
export function methodNotAllowed(methods: readonly string[]): RequestHandler {
  const allow = [...new Set(methods.includes('GET') ? [...methods, 'HEAD'] : methods)].join(', ');
  return () => {
    throw new AppError('method_not_allowed', 'method_not_allowed', `Allowed here: ${allow}`, [], {
      Allow: allow,
    });
  };
}

interface ErrorHandlerOptions {
  log: Logger;
  /** Counts requests that failed before they were counted: unknown paths, wrong methods, malformed requests. */
  rateLimit: RequestHandler;
  /** An error of the database as an AppError; null: it is something else. */
  fromDatabaseError: (error: unknown) => AppError | null;
  /** Receives every error, for example to detect a full disk. */
  recordError: (error: unknown) => void;
  /** Sends an HTML page where a browser asks for one; false: the error is sent as JSON. `error` is null for an internal error. */
  sendPage: (request: Request, response: Response, error: AppError | null) => boolean;
}

/** Sends every error in the error envelope, and logs those that are faults of the server. */
export function errorHandler(options: ErrorHandlerOptions): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    if (response.hasHeader('RateLimit-Limit'))
      return sendError({ error, request, response, errorHandlerOptions: options });
    const reply = (refusal: unknown) =>
      sendError({ error: refusal ?? error, request, response, errorHandlerOptions: options });
    return options.rateLimit(request, response, reply);
  };
}

function sendError({
  error,
  request,
  response,
  errorHandlerOptions: { log, fromDatabaseError, recordError, sendPage },
}: {
  error: unknown;
  request: Request;
  response: Response;
  errorHandlerOptions: ErrorHandlerOptions;
}): void {
  const { requestId } = response.locals;
  const known = error instanceof AppError ? error : (fromDatabaseError(error) ?? fromHttpError(error));
  recordError(error);
  response.locals.errorCode = known?.code;
  if (known === null || known.kind === 'unavailable')
    log.error({ request_id: requestId, error: formatErrorForLog(error) }, 'request error');
  if (response.headersSent || !sendPage(request, response, known)) {
    if (known !== null) sendProblem(response, known, requestId);
    else sendInternalError(response, requestId);
  }
  endUnreadBody(request, response);
}

/**
 * The client may still be sending its body when the request is refused. Closing the connection at once would destroy the reply before
 * the client has read it, so the rest of the body is read for a moment first.
 */
function endUnreadBody(request: Request, response: Response): void {
  if (request.complete) return;
  response.once('finish', () => {
    request.resume();
    const timer = setTimeout(() => request.destroy(), UNREAD_BODY_GRACE_MS);
    const clear = () => clearTimeout(timer);
    request.once('end', clear);
    request.once('close', clear);
  });
}
