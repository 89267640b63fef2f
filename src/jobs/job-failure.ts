import { boundedError } from '../lib/bounded-error.ts';
import { AppError } from '../lib/errors.ts';
import type { JobError } from '../repositories/tables/system.ts';

/** After this many attempts that failed, or whose process ended, the job fails. */
export const MAX_ATTEMPTS = 3;

const TRANSIENT_KINDS: ReadonlySet<AppError['kind']> = new Set([
  'unavailable',
  'bad_gateway',
  'too_many_requests',
]);

/**
 * Returns whether a job is retried: known errors are final unless they are transient; other errors may be temporary.
 */
export function shouldRetry(error: unknown, attempts: number): boolean {
  if (attempts >= MAX_ATTEMPTS) return false;
  return !(error instanceof AppError) || TRANSIENT_KINDS.has(error.kind);
}

/** 2, 8, 32, … seconds. */
export const retryDelaySeconds = (attempts: number): number => 2 * 4 ** (attempts - 1);

/** Converts an error to what the owner sees. An internal error reveals only the request_id for support. */
export function toJobError(error: unknown, requestId: string | null): JobError {
  if (error instanceof AppError) return { code: error.code, ...boundedError(error) };
  const where = requestId === null ? 'it' : `it, with the request_id ${requestId},`;
  const message = `Something went wrong on our side; start it again, and report ${where} when that does not help`;
  return { message, code: 'internal_error', details: [] };
}

/** The error of a job whose process ended during every attempt. */
export const ABANDONED: JobError = {
  message: `The job was started ${MAX_ATTEMPTS} times, and its process ended each time before the job was done`,
  code: 'job_abandoned',
  details: [],
};
