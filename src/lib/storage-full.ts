import { AppError, StartError, unavailable } from './errors.ts';

/** PostgreSQL's disk_full; no space on a file system; a quota of one; the largest size of a file. */
const CODES: ReadonlySet<unknown> = new Set(['53100', 'ENOSPC', 'EDQUOT', 'EFBIG']);
const CODE = 'storage_full';
const RETRY_AFTER_SECONDS = 30;
/** How PostgreSQL and its programs name it in a log, with messages in English. */
const LOG_PATTERN = /No space left on device|Disk quota exceeded/;

/** 503: a write failed for lack of space, and nothing of it was stored. */
export const storageFull = (
  message = 'The storage of the server is full; nothing was saved. Try again later',
): AppError => unavailable(message, RETRY_AFTER_SECONDS, CODE);

/** Whether a write failed for lack of space, in the database or in a file. Takes errors, and what a log line holds of one. */
export function isStorageFull(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return CODES.has(code) || code === CODE || (cause !== undefined && isStorageFull(cause));
}

/** Whether the database, rather than the server's own files, has no space. */
export const isDatabaseFull = (error: unknown): boolean => (error as { code?: unknown }).code === '53100';

/** The reason without the statement that Knex puts before it. */
export function storageFullReason(error: { message?: unknown }): string {
  const message = typeof error.message === 'string' ? error.message : '';
  return (message.split(' - ').at(-1) ?? '').slice(0, 200);
}

export const saysDiskFull = (log: string): boolean => LOG_PATTERN.test(log);

/** `place`: whose disk, such as a folder. */
export const fullDiskAtStart = (place: string): StartError =>
  new StartError(
    `The disk of ${place} is full. Free some space on it (1 GB or more) and start again; what was stored before is not lost.`,
  );
