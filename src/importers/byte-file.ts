import type { FileHandle } from 'node:fs/promises';
import { type AppError, invalid } from '../lib/errors.ts';

/** Bytes with random access. */
export interface ByteFile {
  sizeBytes: number;
  /** Up to `lengthBytes` from `offset`; fewer only at the end. */
  read(offset: number, lengthBytes: number): Promise<Buffer>;
}

/** A file that other threads can open. */
export interface FileOnDisk extends ByteFile {
  path: string;
}

export function byteFileFromBuffer(bytes: Buffer): ByteFile {
  return {
    sizeBytes: bytes.length,
    read: (offset, lengthBytes) => Promise.resolve(bytes.subarray(offset, offset + lengthBytes)),
  };
}

export function byteFileFromHandle(handle: FileHandle, path: string, sizeBytes: number): FileOnDisk {
  return {
    path,
    sizeBytes,
    async read(offset, lengthBytes) {
      const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(lengthBytes, sizeBytes - offset)));
      let filled = 0;
      while (filled < buffer.length) {
        const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, offset + filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return buffer.subarray(0, filled);
    },
  };
}

const CHUNK_BYTES = 256 * 1024;

/** Yields the bytes from `start` to the end in chunks. */
export async function* readChunks(
  file: ByteFile,
  { start = 0, chunkBytes = CHUNK_BYTES }: { start?: number; chunkBytes?: number } = {},
): AsyncGenerator<Buffer> {
  const end = file.sizeBytes;
  for (let offset = start; offset < end;) {
    const chunk = await file.read(offset, Math.min(chunkBytes, end - offset));
    if (chunk.length === 0) return;
    offset += chunk.length;
    yield chunk;
  }
}

/** 400: the file cannot be read, for this reason. */
export function unreadableFile(reason: string): AppError {
  return invalid('file', reason);
}
