import { statfs } from 'node:fs/promises';
import path from 'node:path';
import { unavailable } from '../../lib/errors.ts';

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
