import type { Response } from 'express';
import type { z } from 'zod';
import { AppError, type ErrorKind, invalidFields, MAX_PROBLEMS, notFound } from '../lib/errors.ts';
import { boundedError } from '../lib/bounded-error.ts';
import { countProblems, schemaProblems } from '../lib/schema-problems.ts';

/** The one table from kinds of error to statuses. */
export const STATUS_OF: Record<ErrorKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  payment_required: 402,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  gone: 410,
  too_large: 413,
  unsupported_media_type: 415,
  unprocessable: 422,
  too_many_requests: 429,
  bad_gateway: 502,
  unavailable: 503,
  insufficient_storage: 507,
};

/** Writes the error envelope; after the reply has begun, the connection can only be cut. */
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
    request_id: requestId,
  });
}

function writeEnvelope(response: Response, status: number, envelope: object): void {
  // What a file would have been announced with.
  for (const name of ['Content-Disposition', 'Content-Length', 'ETag', 'Last-Modified', 'Accept-Ranges'])
    response.removeHeader(name);
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Cache-Control', 'no-store');
  response.status(status).end(JSON.stringify(envelope));
}

/** For our own bugs: says nothing of what went wrong, only where to look it up. */
export function sendInternalError(response: Response, requestId: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  writeEnvelope(response, 500, {
    error: 1,
    message: 'Something went wrong on our side; quote the request_id when you report it',
    code: 'internal_error',
    details: [],
    request_id: requestId,
  });
}

/** Express's and its parsers' own errors, in our words; null when it is none of those. */
export function fromHttpError(error: unknown): AppError | null {
  if (error instanceof URIError)
    return invalidFields([{ field: 'path', message: 'is not valid percent-encoded UTF-8' }]);
  const status = (error as { status?: unknown } | null)?.status;
  if (status === 404) return notFound('address');
  if (typeof status === 'number' && status >= 400 && status < 500)
    return invalidFields([
      { field: '', message: 'The request is malformed, or asks for a part that is not there' },
    ]);
  return null;
}

/** What the log may hold of an error: not a database's DETAIL, which quotes rows. */
export function forLog(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code } = error as { code?: unknown };
  return { type: error.name, message: error.message, stack: error.stack, code };
}

/** What a schema found wrong. What is said of the whole of a request's part names that part. */
export function fromZodError(error: z.ZodError, whole = 'The body'): AppError {
  const details = schemaProblems(error).map(({ field, message }) => ({
    field,
    message: field === '' && /^[a-z]/.test(message) ? `${whole} ${message}` : message,
  }));
  return invalidFields(details, details.length < MAX_PROBLEMS ? details.length : countProblems(error));
}
