import type { Response } from 'express';
import type { z } from 'zod';
import { AppError, type ErrorDetail, type ErrorKind, invalidFields, notFound } from '../lib/errors.ts';

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
    message: error.message,
    code: error.code,
    details: error.details,
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

/** What zod found, each at its path: `options[2].option_value`. Unknown fields are named one by one. */
export function fromZodError(error: z.ZodError): AppError {
  return invalidFields(error.issues.flatMap((issue) => detailsOf(issue, [])));
}

/** Where zod's own words say less than they could. */
export function wording(issue: { code?: string; input?: unknown }): string | undefined {
  return issue.code === 'invalid_type' && issue.input === undefined ? 'is required' : undefined;
}

type Issue = z.core.$ZodIssue;

function detailsOf(issue: Issue, prefix: PropertyKey[]): ErrorDetail[] {
  const path = [...prefix, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ field: pathText([...path, key]), message: 'is not a known field' }));
  }
  if (issue.code === 'invalid_union') {
    // The branch that came furthest says best what was meant.
    const branches = issue.errors.map((branch) => branch.flatMap((inner) => detailsOf(inner, path)));
    const deepest = branches.sort((a, b) => depth(b) - depth(a))[0];
    if (deepest !== undefined && depth(deepest) > pathText(path).length) return deepest;
  }
  return [{ field: pathText(path), message: issue.message }];
}

const depth = (details: ErrorDetail[]): number =>
  Math.max(0, ...details.map((detail) => detail.field.length));

function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : (index > 0 ? '.' : '') + String(part)))
    .join('');
}
