import { type FileHandle, mkdir, open, rename, rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { unavailable } from '../../lib/errors.ts';
import { checkStoredName, type FileStorage, storageUnavailable } from './file-storage.ts';

const READ_CHUNK_BYTES = 64 * 1024;

/**
 * Stores files in folders named after the first characters of the file name, `ab/cd/abcd…`, so that no folder gets many entries. Only the
 * user of the process can read the files; they are not executable.
 */
export class DiskStorage implements FileStorage {
  constructor(
    private readonly folder: string,
    private readonly freeSpace: FreeSpace,
  ) {}

  async put(storedName: string, chunks: AsyncIterable<Buffer>): Promise<void> {
    const target = this.pathOf(storedName);
    const temporary = temporaryPathOf(target);
    const file = await withStorageErrors(async () => {
      await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
      return open(temporary, 'wx', 0o600);
    });
    try {
      for await (const chunk of chunks) {
        await this.freeSpace.check(chunk.length);
        await withStorageErrors(() => file.writeFile(chunk));
      }
      await withStorageErrors(async () => {
        await file.sync();
        await file.close();
        await rename(temporary, target);
        await syncFolder(path.dirname(target));
      });
    } catch (error) {
      await file.close().catch(() => undefined);
      await rm(temporary, { force: true });
      throw error;
    }
  }

  async get(storedName: string): Promise<AsyncIterable<Buffer> | null> {
    const target = this.pathOf(storedName);
    const file = await withStorageErrors(() => open(target, 'r').catch(nullIfMissing));
    return file === null ? null : chunksOf(file);
  }

  async remove(storedName: string): Promise<void> {
    const target = this.pathOf(storedName);
    await withStorageErrors(async () => {
      await rm(temporaryPathOf(target), { force: true });
      await rm(target, { force: true });
    });
  }

  private pathOf(storedName: string): string {
    checkStoredName(storedName);
    return path.join(this.folder, storedName.slice(0, 2), storedName.slice(2, 4), storedName);
  }
}

const temporaryPathOf = (target: string): string => `${target}.incoming`;

function chunksOf(file: FileHandle): AsyncIterable<Buffer> {
  // The stream closes the file when it ends, fails or is destroyed.
  return file.createReadStream({ highWaterMark: READ_CHUNK_BYTES }) as AsyncIterable<Buffer>;
}

/** A rename is durable after its folder is synced. Windows cannot open folders and does not need this. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

async function withStorageErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw storageUnavailable(error);
  }
}

const REFRESH_INTERVAL_MS = 1_000;
const RETRY_AFTER_SECONDS = 60;

/** Refuses to write where a disk has less free space than its floor. */
export class FreeSpace {
  /** The minimum over all folders at the last reading, minus the bytes that this process wrote since. */
  private freeBytes = Infinity;
  private readAt = -Infinity;
  private reading: Promise<void> | null = null;

  /** `floorBytes` 0 disables the check. `freeBytesOf` returns the free bytes of the disk of a folder. */
  constructor(
    private readonly folders: () => Promise<readonly string[]>,
    private readonly floorBytes: number,
    private readonly freeBytesOf: (folder: string) => Promise<number> = freeBytesOnDisk,
  ) {}

  /** Throws 503 `storage_low` if writing `bytes` would leave less than the floor. Reads the disk at most once a second. */
  async check(bytes = 0): Promise<void> {
    if (this.floorBytes === 0) return;
    if (performance.now() - this.readAt >= REFRESH_INTERVAL_MS)
      await (this.reading ??= this.read().finally(() => (this.reading = null)));
    if (this.freeBytes - bytes < this.floorBytes)
      throw unavailable(
        'The server is low on disk space and cannot store files at the moment; try again later',
        RETRY_AFTER_SECONDS,
        'storage_low',
      );
    this.freeBytes -= bytes;
  }

  private async read(): Promise<void> {
    const free = await Promise.all((await this.folders()).map(this.freeBytesOf));
    this.freeBytes = Math.min(Infinity, ...free);
    this.readAt = performance.now();
  }
}

/**
 * For a missing folder, returns the free bytes of its nearest existing parent. Returns Infinity if the free space cannot be read; a write
 * to such a disk reports the actual error.
 */
export async function freeBytesOnDisk(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch (error) {
    const parent = path.dirname(folder);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === folder) return Infinity;
    return freeBytesOnDisk(parent);
  }
}
