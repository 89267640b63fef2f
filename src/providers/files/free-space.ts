import { statfs } from 'node:fs/promises';
import path from 'node:path';
import { unavailable } from '../../lib/errors.ts';

const REFRESH_INTERVAL_MS = 1_000;
const RETRY_AFTER_SECONDS = 60;

/** Refuses to write where a disk has less free space than its floor. */
export class FreeSpace {
  private readonly folders: () => Promise<readonly string[]>;
  private readonly floorBytes: number;
  private readonly freeBytesOf: (folder: string) => Promise<number>;
  /** The least of all folders when it was last read, less what this process wrote since. */
  private freeBytes = Infinity;
  private readAt = -Infinity;
  private reading: Promise<void> | null = null;

  /** `floorBytes` 0: nothing is refused. `freeBytesOf`: free bytes of the disk that holds a folder. */
  constructor(
    folders: () => Promise<readonly string[]>,
    floorBytes: number,
    freeBytesOf: (folder: string) => Promise<number> = freeBytesOnDisk,
  ) {
    this.folders = folders;
    this.floorBytes = floorBytes;
    this.freeBytesOf = freeBytesOf;
  }

  /** Throws 503 `storage_low` where writing `bytes` would leave less than the floor. The disk is read at most once a second. */
  async check(bytes = 0): Promise<void> {
    if (this.floorBytes === 0) return;
    if (performance.now() - this.readAt >= REFRESH_INTERVAL_MS)
      await (this.reading ??= this.read().finally(() => (this.reading = null)));
    if (this.freeBytes - bytes < this.floorBytes)
      throw unavailable(
        'The server is low on disk space and stores nothing more for now; try again later',
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
 * A folder that does not exist yet is on the disk of the nearest one above it that does. Infinity for a disk that says nothing about
 * its free space: what is written to it reports what is wrong.
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
