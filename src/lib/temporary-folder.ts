import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { isTagAbandoned, processTag } from './processes.ts';

/** Use of a folder: a reply that is being sent, or an import that is being read. */
type Purpose = 'reply' | 'import';

/** Matches `canvass-reply-<host>-<pid>-<random>`. */
const FOLDER_NAME = /^canvass-(?:reply|import)-([A-Za-z0-9._]+-\d+)-[A-Za-z0-9]{6}$/;

/**
 * Creates a folder in the system's temporary folder (TMPDIR) and returns its path. The caller removes it; if this process is killed
 * first, the next start on this machine does (`removeAbandonedFolders`).
 */
export function createTemporaryFolder(purpose: Purpose): Promise<string> {
  return mkdtemp(path.join(os.tmpdir(), `canvass-${purpose}-${processTag()}-`));
}

export async function removeTemporaryFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}

/**
 * Removes the temporary folders of processes of this machine that no longer run, and returns their paths. Call it once at the start,
 * before creating folders: a folder with this process id comes from an earlier process, for example after a restart of a container.
 */
export async function removeAbandonedFolders(): Promise<string[]> {
  const removed: string[] = [];
  for (const name of await readdir(os.tmpdir())) {
    const tag = FOLDER_NAME.exec(name)?.[1];
    if (tag === undefined || !isTagAbandoned(tag)) continue;
    const folder = path.join(os.tmpdir(), name);
    if (!(await isOwnedByThisAccount(folder))) continue;
    await removeTemporaryFolder(folder);
    removed.push(folder);
  }
  return removed;
}

/** Whether this account owns the folder. In a shared temporary folder another account may have created one with the same name. */
async function isOwnedByThisAccount(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch((error: NodeJS.ErrnoException) => {
    // Another process that starts at the same time has removed it.
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  return found !== null && found.isDirectory() && found.uid === (process.getuid?.() ?? found.uid);
}
