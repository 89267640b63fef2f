/** Stores the bytes of uploaded files. Names are generated UUIDs; original file names are stored elsewhere. */
export interface FileStorage {
  /**
   * Stores a file as it streams in; it is there, whole and durable, when this resolves. When the chunks throw, their error is
   * thrown on and nothing stays behind.
   */
  put(storedName: string, chunks: AsyncIterable<Buffer>): Promise<void>;
  /** Opens a file; null when there is none. Giving up the iteration early releases what it holds. */
  get(storedName: string): Promise<AsyncIterable<Buffer> | null>;
  /** Removes a file, and what an interrupted `put` may have left of it; one that is not there is no error. */
  remove(storedName: string): Promise<void>;
}

const STORED_NAME = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A bug of ours, never a client's mistake: no name that came from outside reaches a path or a key. */
export function checkStoredName(storedName: string): void {
  if (!STORED_NAME.test(storedName)) throw new Error('A stored file is named by a UUID');
}
