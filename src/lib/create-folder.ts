import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Creates the folder and those above it that do not exist. Throws the error of the operating system. Node's own recursive `mkdir` never
 * returns where the system reports an existing parent as missing, as Linux does in `/proc`.
 */
export function createFolder(folder: string, mode = 0o777): void {
  const missing: string[] = [];
  let at = path.resolve(folder);
  while (statSync(at, { throwIfNoEntry: false }) === undefined) {
    missing.unshift(at);
    at = path.dirname(at);
  }
  for (const each of missing) {
    try {
      mkdirSync(each, { mode });
    } catch (error) {
      // Another process was faster.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}
