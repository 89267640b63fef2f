import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { isStorageFull, storageFull } from '../lib/storage-full.ts';
import { createTemporaryFolder, removeTemporaryFolder } from '../lib/temporary-folder.ts';

const READ_BYTES = 256 * 1024;

/** The file operations that a reply uses. */
export type ReplyFile = Pick<FileHandle, 'read' | 'write' | 'close'>;

/**
 * Writes chunks to a temporary file as fast as they are generated and yields the bytes from there, so that a slow client does not occupy
 * their source (a database connection). Starts `chunks` after opening the file and always ends it: at its end, after an error, or when
 * the reader stops. Rethrows an error of `chunks` after the bytes before it; throws 503 `storage_full` if the temporary folder is full. `openFile` is for tests.
 */
export async function* readAhead(
  chunks: AsyncIterable<string | Buffer>,
  openFile: (file: string) => Promise<ReplyFile> = (file) => open(file, 'wx+', 0o600),
): AsyncGenerator<Buffer> {
  const folder = await createTemporaryFolder('reply').catch(throwStorageError);
  try {
    const file = await openFile(path.join(folder, 'reply')).catch(throwStorageError);
    try {
      yield* bufferInFile(chunks, file);
    } finally {
      await file.close();
    }
  } finally {
    await removeTemporaryFolder(folder);
  }
}

async function* bufferInFile(
  chunks: AsyncIterable<string | Buffer>,
  file: ReplyFile,
): AsyncGenerator<Buffer> {
  const state = {
    written: 0,
    ended: false,
    failure: null as Error | null,
    isAbandoned: false,
    wake: () => undefined,
  };
  const writing = (async () => {
    try {
      for await (const chunk of chunks) {
        if (state.isAbandoned) return;
        const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
        await writeAll(file, bytes, state.written).catch(throwStorageError);
        state.written += bytes.length;
        state.wake();
      }
    } catch (error) {
      state.failure = error instanceof Error ? error : new Error(String(error));
    } finally {
      state.ended = true;
      state.wake();
    }
  })();
  try {
    for (let read = 0; ;) {
      if (read < state.written) {
        const part = Buffer.allocUnsafe(Math.min(READ_BYTES, state.written - read));
        const { bytesRead } = await file.read(part, 0, part.length, read);
        if (bytesRead === 0)
          throw new Error('The temporary file of a reply is shorter than what was written');
        read += bytesRead;
        yield part.subarray(0, bytesRead);
      } else if (state.ended) {
        if (state.failure !== null) throw state.failure;
        return;
      } else {
        await new Promise<void>((resolve) => (state.wake = () => void resolve()));
      }
    }
  } finally {
    state.isAbandoned = true;
    await writing;
  }
}

/** Repeats partial writes, which occur on an almost full disk before a write fails. */
async function writeAll(file: ReplyFile, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    if (bytesWritten === 0) throw temporaryFolderFull();
    done += bytesWritten;
  }
}

const temporaryFolderFull = () => storageFull('The temporary folder of the server is full; try again later');

function throwStorageError(error: NodeJS.ErrnoException): never {
  throw isStorageFull(error) ? temporaryFolderFull() : error;
}
