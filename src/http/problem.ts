import type { Response } from 'express';
import type { z } from 'zod';
import { boundedError } from '../lib/bounded-error.ts';
import { AppError, type ErrorKind, invalidFields, MAX_PROBLEMS, notFound } from '../lib/errors.ts';
import { countProblems, schemaProblems } from '../lib/schema-problems.ts';
import { sendBody } from './compress-reply.ts';

/** HTTP status by error kind. */
export const STATUS_OF: Record<ErrorKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  payment_required: 402,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  gone: 410,
  precondition_failed: 412,
  too_large: 413,
  unsupported_media_type: 415,
  unprocessable: 422,
  too_many_requests: 429,
  bad_gateway: 502,
  unavailable: 503,
  insufficient_storage: 507,
};

/** Sends the error envelope; if the response has started, closes the connection. */
export function sendProblem(response: Response, error: AppError, requestId: string): void {
  if (response.headersSent) {
    response.destroy(error);
    return;
  }
  for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value);
  writeEnvelope(response, STATUS_OF[error.kind], {
    error: 1,
    code: error.code,
    ...boundedError(error),
    ...error.members,
    request_id: requestId,
  });
}

function writeEnvelope(response: Response, status: number, envelope: object): void {
  // Headers that a handler may have set for a file.
  for (const name of ['Content-Disposition', 'Content-Length', 'ETag', 'Last-Modified', 'Accept-Ranges'])
    response.removeHeader(name);
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Cache-Control', 'no-store');
  response.status(status);
  sendBody(response, JSON.stringify(envelope));
}

/** Sends 500 without details of the error; the log has them under the request id. */
export function sendInternalError(response: Response, requestId: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  writeEnvelope(response, 500, {
    error: 1,
    message: 'An unexpected error occurred; please report it with the request_id',
    code: 'internal_error',
    details: [],
    request_id: requestId,
  });
}

/** Converts errors of Express and its parsers; null for other errors. */
export function fromHttpError(error: unknown): AppError | null {
  if (error instanceof URIError)
    return invalidFields([{ field: 'path', message: 'is not valid percent-encoded UTF-8' }]);
  const status = (error as { status?: unknown } | null)?.status;
  if (status === 404) return notFound('address');
  if (typeof status === 'number' && status >= 400 && status < 500)
    return invalidFields([
      { field: '', message: 'The request is malformed, or its range cannot be satisfied' },
    ]);
  return null;
}

/** The loggable properties of an error; excludes the DETAIL of a database error, which quotes rows. */
export function formatErrorForLog(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code } = error as { code?: unknown };
  return { type: error.name, message: error.message, stack: error.stack, code };
}

/** Converts a zod error. `whole` names the part of the request in messages about the whole value. */
export function fromZodError(error: z.ZodError, whole = 'The body'): AppError {
  const details = schemaProblems(error).map(({ field, message }) => ({
    field,
    message: field === '' && /^[a-z]/.test(message) ? `${whole} ${message}` : message,
  }));
  return invalidFields(details, details.length < MAX_PROBLEMS ? details.length : countProblems(error));
}
