import { type FileHandle, mkdir, open, readdir, rename, rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { unavailable } from '../../lib/errors.ts';
import { isTagAbandoned, processTag } from '../../lib/processes.ts';
import { type ByteRange, checkStoredName, type FileStorage, storageUnavailable } from './file-storage.ts';

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
    const incoming = path.join(this.folder, INCOMING_FOLDER);
    const temporary = path.join(incoming, `${storedName}.${processTag()}`);
    const file = await withStorageErrors(async () => {
      for (const folder of [incoming, path.dirname(target)])
        await mkdir(folder, { recursive: true, mode: 0o700 });
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

  async get(storedName: string, range?: ByteRange): Promise<AsyncIterable<Buffer> | null> {
    const target = this.pathOf(storedName);
    const file = await withStorageErrors(() => open(target, 'r').catch(nullIfMissing));
    return file === null ? null : chunksOf(file, range);
  }

  async remove(storedName: string): Promise<void> {
    const target = this.pathOf(storedName);
    await withStorageErrors(async () => {
      await rm(target, { force: true });
      // Where earlier versions wrote it.
      await rm(`${target}.incoming`, { force: true });
    });
  }

  private pathOf(storedName: string): string {
    checkStoredName(storedName);
    return path.join(this.folder, storedName.slice(0, 2), storedName.slice(2, 4), storedName);
  }
}

/** Below the folder of a DiskStorage: files that are being written, `<stored name>.<tag of the process>`. */
const INCOMING_FOLDER = 'incoming';

/** Removes the unfinished files of processes of this machine that were killed, and returns their paths. See `isTagAbandoned` for when to call it. */
export async function removeAbandonedFiles(storageFolder: string): Promise<string[]> {
  const incoming = path.join(storageFolder, INCOMING_FOLDER);
  const names = (await readdir(incoming).catch(nullIfMissing)) ?? [];
  const abandoned = names.filter((name) => isTagAbandoned(name.slice(name.indexOf('.') + 1)));
  const files = abandoned.map((name) => path.join(incoming, name));
  for (const file of files) await rm(file, { force: true });
  return files;
}

function chunksOf(file: FileHandle, range: ByteRange | undefined): AsyncIterable<Buffer> {
  // The stream closes the file when it ends, fails or is destroyed.
  return file.createReadStream({ highWaterMark: READ_CHUNK_BYTES, ...range }) as AsyncIterable<Buffer>;
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

/** A folder, which may be on a disk of its own. */
interface WatchedFolder {
  path: string;
  /** The floor is at most this share of the size of the disk, from 0 to 1. Absent: the floor is the same for any size. */
  floorShare?: number;
}

interface DiskSpace {
  freeBytes: number;
  totalBytes: number;
}

/** Refuses to write where a disk has less free space than its floor. */
export class FreeSpace {
  /** What may be written: the minimum over all folders at the last reading, minus the bytes that this process wrote since. */
  private spareBytes = Infinity;
  private readAt = -Infinity;
  private reading: Promise<void> | null = null;

  /** `floorBytes` 0 disables the check. */
  constructor(
    private readonly folders: () => Promise<readonly WatchedFolder[]>,
    private readonly floorBytes: number,
    private readonly readSpace: (folder: string) => Promise<DiskSpace> = spaceOnDisk,
  ) {}

  /** Throws 503 `storage_low` if writing `bytes` would leave less than the floor. Reads the disks at most once a second. */
  async check(bytes = 0): Promise<void> {
    if (!(await this.has(bytes)))
      throw unavailable(
        'The server is low on disk space and cannot store files at the moment; try again later',
        RETRY_AFTER_SECONDS,
        'storage_low',
      );
  }

  /** As `check`, for a writer that can do without the space. Returning true counts the bytes as written. */
  async has(bytes: number): Promise<boolean> {
    if (this.floorBytes === 0) return true;
    if (performance.now() - this.readAt >= REFRESH_INTERVAL_MS)
      await (this.reading ??= this.read().finally(() => (this.reading = null)));
    if (this.spareBytes < bytes) return false;
    this.spareBytes -= bytes;
    return true;
  }

  private async read(): Promise<void> {
    const spare = await Promise.all(
      (await this.folders()).map(async ({ path, floorShare }) => {
        const { freeBytes, totalBytes } = await this.readSpace(path);
        const floor = floorShare === undefined ? Infinity : floorShare * totalBytes;
        return freeBytes - Math.min(this.floorBytes, floor);
      }),
    );
    this.spareBytes = Math.min(Infinity, ...spare);
    this.readAt = performance.now();
  }
}

/**
 * For a missing folder, returns the space of its nearest existing parent. Returns Infinity if the space cannot be read; a write to such a
 * disk reports the actual error.
 */
export async function spaceOnDisk(folder: string): Promise<DiskSpace> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  } catch (error) {
    const parent = path.dirname(folder);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === folder)
      return { freeBytes: Infinity, totalBytes: Infinity };
    return spaceOnDisk(parent);
  }
}
