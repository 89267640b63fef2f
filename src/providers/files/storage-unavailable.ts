import { unavailable } from '../../lib/errors.ts';
import { isStorageFull, storageFull } from '../../lib/storage-full.ts';

const RETRY_AFTER_SECONDS = 10;

/** Wraps an error of the store: the client may retry, and the log contains the cause. */
export function storageUnavailable(cause: unknown): Error {
  const error = isStorageFull(cause)
    ? storageFull()
    : unavailable(
        'Files cannot be stored or read at the moment; try again',
        RETRY_AFTER_SECONDS,
        'file_storage_unavailable',
      );
  error.cause = cause;
  return error;
}
