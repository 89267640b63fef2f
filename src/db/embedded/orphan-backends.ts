import { readFile, readdir, readlink } from 'node:fs/promises';
import { isAlive } from '../../lib/processes.ts';
import { isAnotherProgram, readLockFile } from './lock-file.ts';

/**
 * Terminates the backend processes of a killed server. They continue until their query ends and block a restart; their work is lost
 * anyway, because the shared memory is never written back. Only Linux shows which processes belong to a cluster; on other systems the
 * start waits for them.
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
    // The process has already ended.
  }
}
