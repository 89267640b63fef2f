import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, openSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';

export interface SmallDisk {
  readonly folder: string;
  /** Fills the remaining space. */
  fill(): void;
  /** Frees the space again. */
  free(): void;
  /** Unmounts the disk. Programs that use it must have ended. */
  remove(): void;
}

/** Mounts a file system of this size in memory (Linux, as root). Returns null if mounting is not allowed. */
export function mountSmallDisk(megabytes: number): SmallDisk | null {
  const { folder, remove } = temporaryFolder('small-disk');
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'pipe' });
  } catch {
    remove();
    return null;
  }
  chmodSync(folder, 0o755);
  const filler = path.join(folder, 'filler');
  return {
    folder,
    fill() {
      const file = openSync(filler, 'a');
      for (const bytes of [1024 * 1024, 4 * 1024]) {
        const chunk = Buffer.alloc(bytes, 1);
        for (let isFull = false; !isFull;) {
          try {
            isFull = writeSync(file, chunk) < bytes;
          } catch (error) {
            if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
            isFull = true;
          }
        }
      }
      closeSync(file);
    },
    free: () => rmSync(filler, { force: true }),
    remove() {
      execFileSync('umount', ['--lazy', folder]);
      remove();
    },
  };
}
