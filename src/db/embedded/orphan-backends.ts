import { readFile, readdir, readlink } from 'node:fs/promises';
import { isAlive } from '../../lib/processes.ts';
import { isAnotherProgram, readLockFile } from './lock-file.ts';

/**
 * When the server itself is killed, its process for a client that is busy goes on until the query is done, and
 * nobody can start the database meanwhile. What such a process does is lost in any case: its shared memory is
 * never written again. Only Linux tells who works in a folder; elsewhere one has to wait.
 */
export async function terminateOrphanBackends(clusterDir: string): Promise<void> {
  if (process.platform !== 'linux') return;
  const lock = await readLockFile(clusterDir);
  if (lock && isAlive(lock.pid) && !(await isAnotherProgram(lock.pid, clusterDir))) return;
  for (const entry of await readdir('/proc')) {
    if (/^\d+$/.test(entry) && (await isServerProcess(entry, clusterDir))) kill(Number(entry));
  }
}

async function isServerProcess(pid: string, clusterDir: string): Promise<boolean> {
  const folder = await readlink(`/proc/${pid}/cwd`).catch(() => null);
  if (folder !== clusterDir) return false;
  return (await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')).trim() === 'postgres';
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGQUIT');
  } catch {
    // It ended by itself.
  }
}
