/** Stores the bytes of uploaded files. Names are generated UUIDs; original file names are stored elsewhere. */
export interface FileStorage {
  /**
   * Stores a file from a stream. When the promise resolves, the file is complete and durable. An error of the stream is rethrown and
   * leaves no file.
   */
  put(storedName: string, chunks: AsyncIterable<Buffer>): Promise<void>;
  /** Opens a file; null if it does not exist. Ending the iteration early releases the file. */
  get(storedName: string): Promise<AsyncIterable<Buffer> | null>;
  /** Removes a file and the remains of an interrupted `put`. A missing file is not an error. */
  remove(storedName: string): Promise<void>;
}

const STORED_NAME = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Throws for anything but a UUID, so that no client-supplied name becomes part of a path or key. A failure is a bug in the caller. */
export function checkStoredName(storedName: string): void {
  if (!STORED_NAME.test(storedName)) throw new Error('The name of a stored file must be a UUID');
}
