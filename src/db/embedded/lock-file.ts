import { constants } from 'node:fs';
import { open, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive } from '../../lib/processes.ts';

/** The content of postmaster.pid, which PostgreSQL writes while it runs. */
export interface LockFile {
  pid: number;
  port: number;
  ready: boolean;
}

// Lines of postmaster.pid, from 0 (PostgreSQL: src/include/utils/pidfile.h).
const pidLine = 0;
const portLine = 3;
const statusLine = 7;

/** For root: the folder belongs to another account, whose symbolic links must not be followed. */
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
 * Whether the process is certainly not the server of this cluster: its id was reused after a kill or a reboot, or it is a zombie. A
 * server's working directory is its data directory, which only Linux shows; returns false on other systems.
 */
export async function isAnotherProgram(pid: number, clusterDir: string): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  return (await readlink(`/proc/${pid}/cwd`).catch(() => null)) !== clusterDir;
}

/**
 * Writes our process id into a stale lock file. PostgreSQL takes a stale file for a live one when its process id is in use again, but
 * ignores the id of its own parent. The second check, the shared memory block named in the file, still works.
 */
export async function disarmStaleLockFile(clusterDir: string): Promise<void> {
  // Uses one descriptor: a server that starts now replaces the file, so this write cannot damage the new one.
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
