import { unavailable, isStorageFull, storageFull } from '../../lib/errors.ts';

/** The first and the last byte of a part of a file, counted from 0. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Stores the bytes of uploaded files. Names are generated UUIDs; original file names are stored elsewhere. */
export interface FileStorage {
  /**
   * Stores a file from a stream. When the promise resolves, the file is complete and durable. An error of the stream is rethrown and
   * leaves no file.
   */
  put(storedName: string, chunks: AsyncIterable<Buffer>): Promise<void>;
  /** Opens a file, or a part of it; null if it does not exist. Ending the iteration early releases the file. */
  get(storedName: string, range?: ByteRange): Promise<AsyncIterable<Buffer> | null>;
  /** Removes a file and the remains of an interrupted `put`. A missing file is not an error. */
  remove(storedName: string): Promise<void>;
}

const STORED_NAME = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Throws for anything but a UUID, so that no client-supplied name becomes part of a path or key. A failure is a bug in the caller. */
export function checkStoredName(storedName: string): void {
  if (!STORED_NAME.test(storedName)) throw new Error('The name of a stored file must be a UUID');
}

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

/** Repacks a stream into parts of exactly `partBytes`; the last part may be smaller. An empty stream has no parts. */
export async function* splitIntoParts(
  chunks: AsyncIterable<Buffer>,
  partBytes: number,
): AsyncGenerator<Buffer, undefined> {
  let pending: Buffer[] = [];
  let size = 0;
  for await (let chunk of chunks) {
    while (size + chunk.length >= partBytes) {
      const missingBytes = partBytes - size;
      yield Buffer.concat([...pending, chunk.subarray(0, missingBytes)], partBytes);
      chunk = chunk.subarray(missingBytes);
      pending = [];
      size = 0;
    }
    if (chunk.length === 0) continue;
    pending.push(chunk);
    size += chunk.length;
  }
  if (size > 0) yield Buffer.concat(pending, size);
  return undefined;
}
