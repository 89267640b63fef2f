/**
 * Errors that clients receive. The kind determines the HTTP status (http/problem.ts), the code (http/reference-tables.ts) identifies the case for
 * programs, the message is for people.
 */
export type ErrorKind =
  | 'invalid' // 400
  | 'unauthenticated' // 401
  | 'payment_required' // 402
  | 'forbidden' // 403
  | 'not_found' // 404
  | 'method_not_allowed' // 405
  | 'conflict' // 409
  | 'gone' // 410
  | 'precondition_failed' // 412
  | 'too_large' // 413
  | 'unsupported_media_type' // 415
  | 'unprocessable' // 422
  | 'too_many_requests' // 429
  | 'bad_gateway' // 502
  | 'unavailable' // 503
  | 'insufficient_storage'; // 507

/** One problem at a path such as `options[2].option_value`. */
export interface ErrorDetail {
  field: string;
  message: string;
  /** Offset in a parsed text such as an expression, in UTF-16 code units from 0. */
  position?: number;
  length?: number;
  /** The field refers to an object, column or value that does not exist. Not sent to clients. */
  isUnknownReference?: true;
}

export class AppError extends Error {
  /** Extra response headers, such as Allow or Retry-After. */
  readonly headers: Readonly<Record<string, string>>;
  /** Further members of the reply, such as the current version of the object. */
  readonly members: Readonly<Record<string, unknown>>;

  constructor(
    readonly kind: ErrorKind,
    readonly code: string,
    message: string,
    readonly details: ErrorDetail[] = [],
    headers: Record<string, string> = {},
    members: Record<string, unknown> = {},
  ) {
    super(message);
    this.name = 'AppError';
    this.headers = headers;
    this.members = members;
  }
}

/** A validation error of one field. */
export function invalid(field: string, message: string): AppError {
  return invalidFields([{ field, message }]);
}

/** A field refers to an object, column or value that does not exist, or no longer exists. */
export function invalidReference(field: string, message: string): AppError {
  return invalidFields([{ field, message, isUnknownReference: true }]);
}

/** Maximum number of problems in one error. */
export const MAX_PROBLEMS = 100;

/** A validation error of several fields. `total`: the number of all problems if `details` has only the first ones. */
export function invalidFields(details: ErrorDetail[], total = details.length): AppError {
  const [first] = details;
  const message = first
    ? first.field
      ? `${first.field}: ${first.message}`
      : first.message
    : 'The request is invalid';
  const more = total > 1 ? ` (and ${total - 1} more ${total === 2 ? 'problem' : 'problems'})` : '';
  return new AppError('invalid', 'validation_failed', message + more, details);
}

/** Has the same message for every reason, so that it discloses nothing about the credential. */
export function unauthenticated(): AppError {
  return new AppError('unauthenticated', 'unauthenticated', 'Sign in, or send a valid API key or token', [], {
    'WWW-Authenticate': 'Bearer',
  });
}

export function forbidden(message = 'You do not have permission to do this', code = 'forbidden'): AppError {
  return new AppError('forbidden', code, message);
}

/** Has the same message for missing, deleted and invisible objects, so that clients cannot distinguish them. */
export function notFound(what: string): AppError {
  return new AppError('not_found', 'not_found', `No such ${what}`);
}

export function conflict(code: string, message: string, details: ErrorDetail[] = []): AppError {
  return new AppError('conflict', code, message, details);
}

export function gone(code: string, message: string): AppError {
  return new AppError('gone', code, message);
}

/** Throws 412 if an object is not in the version that the client changes. */
export type Precondition<T> = (current: T) => void;

/** The object is no longer in the version that the client named. `current`: the object as clients read it. */
export function preconditionFailed(current: object): AppError {
  const message = 'This was changed by someone else in the meantime; compare your change with `current`';
  return new AppError('precondition_failed', 'precondition_failed', message, [], {}, { current });
}

/** The request is valid but cannot be processed. */
export function unprocessable(code: string, message: string, details: ErrorDetail[] = []): AppError {
  return new AppError('unprocessable', code, message, details);
}

/** A field of the request is valid but cannot be processed. */
export function unprocessableField(code: string, field: string, message: string): AppError {
  return unprocessable(code, `${field}: ${message}`, [{ field, message }]);
}

export function tooLarge(message: string): AppError {
  return new AppError('too_large', 'too_large', message);
}

export function unsupportedMediaType(message: string): AppError {
  return new AppError('unsupported_media_type', 'unsupported_media_type', message);
}

export function unavailable(message: string, retryAfterSeconds: number, code = 'unavailable'): AppError {
  return new AppError('unavailable', code, message, [], { 'Retry-After': String(retryAfterSeconds) });
}

/** A rate limit is exceeded; `retryAfterSeconds`: until the next request is allowed. */
export function tooManyRequests(retryAfterSeconds: number): AppError {
  const seconds = Math.max(1, Math.ceil(retryAfterSeconds));
  return new AppError(
    'too_many_requests',
    'too_many_requests',
    `Too many requests; try again in ${seconds} seconds`,
    [],
    { 'Retry-After': String(seconds) },
  );
}

/** The process cannot start; the message is printed without a stack trace. */
export class StartError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StartError';
  }
}

/** PostgreSQL's disk_full, no space on the file system, disk quota exceeded, file too large. */
const STORAGE_FULL_CODES: ReadonlySet<unknown> = new Set(['53100', 'ENOSPC', 'EDQUOT', 'EFBIG']);
const STORAGE_FULL = 'storage_full';
const STORAGE_RETRY_SECONDS = 30;
/** The messages of PostgreSQL and its programs in English. */
const DISK_FULL_LOG = /No space left on device|Disk quota exceeded/;

/** 503: a write failed because the disk is full. Nothing of it was stored. */
export const storageFull = (
  message = 'The storage of the server is full; nothing was saved. Try again later',
): AppError => unavailable(message, STORAGE_RETRY_SECONDS, STORAGE_FULL);

/** Whether a write to the database or to a file failed because the disk is full. Takes an error or a log line. */
export function isStorageFull(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return (
    STORAGE_FULL_CODES.has(code) || code === STORAGE_FULL || (cause !== undefined && isStorageFull(cause))
  );
}

/** Whether the disk of the database is full, rather than that of the server's files. */
export const isDatabaseFull = (error: unknown): boolean => (error as { code?: unknown }).code === '53100';

/** The message without the statement, which Knex puts before it. */
export function storageFullReason(error: { message?: unknown }): string {
  const message = typeof error.message === 'string' ? error.message : '';
  return (message.split(' - ').at(-1) ?? '').slice(0, 200);
}

export const isDiskFullLog = (log: string): boolean => DISK_FULL_LOG.test(log);

/** Returns the StartError for a full disk. `place`: the folder or server that needs space. */
export const diskFullStartError = (place: string): StartError =>
  new StartError(
    `The disk of ${place} is full. Free some space on it (1 GB or more) and start again; what was stored before is not lost.`,
  );
