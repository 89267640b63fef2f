import { boundedError } from '../lib/bounded-error.ts';
import { AppError } from '../lib/errors.ts';
import type { JobError } from '../repositories/tables/system.ts';

/** After so many attempts that failed, or took their process with them, a job has failed. */
export const MAX_ATTEMPTS = 3;

const TRANSIENT_KINDS: ReadonlySet<AppError['kind']> = new Set([
  'unavailable',
  'bad_gateway',
  'too_many_requests',
]);

/** A known error is final unless it says to try again; anything else may have been a passing trouble of ours. */
export function shouldRetry(error: unknown, attempts: number): boolean {
  if (attempts >= MAX_ATTEMPTS) return false;
  return !(error instanceof AppError) || TRANSIENT_KINDS.has(error.kind);
}

/** 2, 8, 32, … seconds. */
export const retryDelaySeconds = (attempts: number): number => 2 * 4 ** (attempts - 1);

/** What the owner is told: of our own bugs nothing but where to look them up. */
export function toJobError(error: unknown, requestId: string | null): JobError {
  if (error instanceof AppError) return { code: error.code, ...boundedError(error) };
  const where = requestId === null ? 'it' : `it, with the request_id ${requestId},`;
  const message = `Something went wrong on our side; start it again, and report ${where} when that does not help`;
  return { message, code: 'internal_error', details: [] };
}

/** The owner of a job whose process was gone each time. */
export const ABANDONED: JobError = {
  message: `The job was begun ${MAX_ATTEMPTS} times, and its process ended each time before it was done`,
  code: 'job_abandoned',
  details: [],
};
