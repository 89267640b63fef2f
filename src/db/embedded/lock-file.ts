import { constants } from 'node:fs';
import { open, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive } from '../../lib/processes.ts';

/** What PostgreSQL writes into postmaster.pid while it runs. */
export interface LockFile {
  pid: number;
  port: number;
  ready: boolean;
}

// Lines of postmaster.pid, from 0 (PostgreSQL: src/include/utils/pidfile.h).
const pidLine = 0;
const portLine = 3;
const statusLine = 7;

/** For root: the folder belongs to another account, whose symbolic links are not to be written through. */
const noFollow = constants.O_RDWR | (constants.O_NOFOLLOW ?? 0);

export async function readLockFile(clusterDir: string): Promise<LockFile | null> {
  const text = await readFile(lockFile(clusterDir), 'utf8').catch(() => '');
  return parse(text);
}

function lockFile(clusterDir: string): string {
  return join(clusterDir, 'postmaster.pid');
}

function parse(text: string): LockFile | null {
  const lines = text.split('\n');
  const pid = Number(lines[pidLine]);
  if (!Number.isInteger(pid) || pid <= 0) return null;
  return { pid, port: Number(lines[portLine]), ready: lines[statusLine]?.trim() === 'ready' };
}

/**
 * Whether the process surely is not the server of this folder: its number was given to another program after
 * a kill or a reboot, or it is dead and not yet collected by its parent. A server works in its data folder,
 * which only Linux shows; elsewhere nothing is sure.
 */
export async function isAnotherProgram(pid: number, clusterDir: string): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  return (await readlink(`/proc/${pid}/cwd`).catch(() => null)) !== clusterDir;
}

/**
 * PostgreSQL takes a stale lock file for a live one when the number in it is in use again. It does ignore its
 * own parent's number, so ours goes in. Its second guard, the shared memory block named in the file, stays.
 */
export async function disarmStaleLockFile(clusterDir: string): Promise<void> {
  // Through one descriptor: a server that starts at this moment has replaced the file, not rewritten it.
  const file = await open(lockFile(clusterDir), noFollow).catch(() => null);
  if (!file) return;
  try {
    const text = await file.readFile('utf8');
    const found = parse(text);
    if (!found || !isAlive(found.pid) || !(await isAnotherProgram(found.pid, clusterDir))) return;
    const rest = text.slice(text.indexOf('\n'));
    await file.truncate(0);
    await file.write(`${process.pid}${rest}`, 0);
  } finally {
    await file.close();
  }
}
