import { AppError, StartError, unavailable } from './errors.ts';

/** PostgreSQL's disk_full, no space on the file system, disk quota exceeded, file too large. */
const CODES: ReadonlySet<unknown> = new Set(['53100', 'ENOSPC', 'EDQUOT', 'EFBIG']);
const CODE = 'storage_full';
const RETRY_AFTER_SECONDS = 30;
/** The messages of PostgreSQL and its programs in English. */
const LOG_PATTERN = /No space left on device|Disk quota exceeded/;

/** 503: a write failed because the disk is full. Nothing of it was stored. */
export const storageFull = (
  message = 'The storage of the server is full; nothing was saved. Try again later',
): AppError => unavailable(message, RETRY_AFTER_SECONDS, CODE);

/** Whether a write to the database or to a file failed because the disk is full. Takes an error or a log line. */
export function isStorageFull(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return CODES.has(code) || code === CODE || (cause !== undefined && isStorageFull(cause));
}

/** Whether the disk of the database is full, rather than that of the server's files. */
export const isDatabaseFull = (error: unknown): boolean => (error as { code?: unknown }).code === '53100';

/** The message without the statement, which Knex puts before it. */
export function storageFullReason(error: { message?: unknown }): string {
  const message = typeof error.message === 'string' ? error.message : '';
  return (message.split(' - ').at(-1) ?? '').slice(0, 200);
}

export const isDiskFullLog = (log: string): boolean => LOG_PATTERN.test(log);

/** Returns the StartError for a full disk. `place`: the folder or server that needs space. */
export const diskFullStartError = (place: string): StartError =>
  new StartError(
    `The disk of ${place} is full. Free some space on it (1 GB or more) and start again; what was stored before is not lost.`,
  );
