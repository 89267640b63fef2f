import { type ChildProcess, spawn } from 'node:child_process';
import { open, readdir, readFile, readlink, rename, stat } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '../../lib/processes.ts';
import type { Binaries } from './binaries.ts';
import {
  type DatabaseAccount,
  databaseEnvironment,
  identityOf,
  neutralFolder,
  runProgram,
} from './run-program.ts';
import { constants } from 'node:fs';
import { join } from 'node:path';

export interface PostmasterSpec {
  binaries: Binaries;
  account: DatabaseAccount | null;
  clusterDir: string;
  logFile: string;
  /** Passed as `-c name=value`. */
  settings: ReadonlyMap<string, string>;
  /** Whether the server ends when this process is killed. */
  endsWithProcess: boolean;
}

export interface Postmaster {
  pid: number;
  port: number;
  /** Resolves when the server has ended, for any reason. */
  exited: Promise<void>;
  /** Fast shutdown: rolls open transactions back. Resolves when the server has ended. */
  stop(): Promise<void>;
}

/** `occupied`: another server uses the files, or the processes of a killed server are still ending. */
type Failure = 'occupied' | 'port_taken' | 'failed';

export type Launch = { kind: 'ready'; postmaster: Postmaster } | { kind: Failure; log: string };

const pollMs = 10;
const fastShutdownMs = 10_000;
const immediateShutdownMs = 5_000;
const maxTailBytes = 8 * 1024;
const maxLogBytes = 10 * 1024 * 1024;

/** Starts the server and waits until it accepts connections. Crash recovery may take a while. */
export async function launchPostmaster(
  spec: PostmasterSpec,
  port: number,
  signal?: AbortSignal,
): Promise<Launch> {
  await disarmStaleLockFile(spec.clusterDir);
  const settings = [...spec.settings].flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const logStart = await rotateLog(spec.logFile);
  const logHandle = await open(spec.logFile, 'a', 0o600);
  // The log goes to a file, not a pipe, because the server may outlive this process. The server has a separate process group, so that
  // Ctrl-C reaches only this process, which then stops both in order.
  const child = spawn(spec.binaries.postgres, ['-D', spec.clusterDir, '-p', String(port), ...settings], {
    cwd: neutralFolder,
    env: databaseEnvironment,
    stdio: ['ignore', logHandle.fd, logHandle.fd],
    detached: true,
    windowsHide: true,
    ...identityOf(spec.account),
  });
  if (spec.endsWithProcess) endWithThisProcess(child, spec.account);
  let ended = false;
  const exited = new Promise<string>((resolve) => {
    child.once('exit', () => resolve(''));
    child.on('error', (error) => resolve(error.message));
  }).finally(() => (ended = true));
  await logHandle.close();

  const stop = async (): Promise<void> => {
    for (const [how, waitMs] of [
      ['INT', fastShutdownMs],
      ['QUIT', immediateShutdownMs],
    ] as const) {
      if (!ended && child.pid) await signalServer(spec.binaries, child.pid, how);
      if (await endsWithin(exited, waitMs)) return;
    }
    child.kill('SIGKILL');
    await exited;
  };

  while (!ended) {
    if (signal?.aborted) await stop();
    const lock = await readLockFile(spec.clusterDir);
    if (lock?.pid === child.pid && lock?.ready && child.pid) {
      const postmaster = { pid: child.pid, port, exited: exited.then(() => undefined), stop };
      return { kind: 'ready', postmaster };
    }
    await Promise.race([exited, sleep(pollMs)]);
  }
  const log = `${await exited}${await readTail(spec.logFile, logStart)}`.trim();
  const kind = kindOfFailure(log);
  if (kind === 'occupied') await terminateOrphanBackends(spec.clusterDir);
  return { kind, log };
}

/**
 * Shuts the server down when this process is killed: a shell waits for the end of a pipe that only this process holds open. Not on
 * Windows, where the next start ends the server.
 */
function endWithThisProcess(server: ChildProcess, account: DatabaseAccount | null): void {
  if (process.platform === 'win32' || server.pid === undefined) return;
  const guard = spawn('/bin/sh', ['-c', 'read -r line; kill -INT "$0"', String(server.pid)], {
    cwd: neutralFolder,
    env: databaseEnvironment,
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    ...identityOf(account),
  });
  // If this fails, the next start ends the server.
  guard.on('error', () => undefined);
  guard.stdin.on('error', () => undefined);
  guard.unref();
  (guard.stdin as Socket).unref();
  // The process id may belong to another process by now.
  server.once('exit', () => guard.kill('SIGKILL'));
}

function kindOfFailure(log: string): Failure {
  if (/lock file "postmaster.pid" already exists/.test(log)) return 'occupied';
  if (/pre-existing shared memory block/.test(log)) return 'occupied';
  if (/could not bind|could not create any TCP\/IP sockets/.test(log)) return 'port_taken';
  return 'failed';
}

async function endsWithin(exited: Promise<unknown>, waitMs: number): Promise<boolean> {
  const timer = new AbortController();
  const timeout = sleep(waitMs, false, { signal: timer.signal }).catch(() => false);
  try {
    return await Promise.race([exited.then(() => true), timeout]);
  } finally {
    timer.abort();
  }
}

/** Rotates the log, keeping one old file. Returns the offset of the next line. */
async function rotateLog(logFile: string): Promise<number> {
  const size = (await stat(logFile).catch(() => null))?.size ?? 0;
  if (size < maxLogBytes) return size;
  await rename(logFile, `${logFile}.1`);
  return 0;
}

/** Returns the end of the log since `start`: the last lines contain the reason of a failure. */
async function readTail(logFile: string, start: number): Promise<string> {
  const file = await open(logFile, 'r');
  try {
    const buffer = Buffer.alloc(maxTailBytes);
    const { size } = await file.stat();
    const { bytesRead } = await file.read(buffer, 0, buffer.length, Math.max(start, size - buffer.length));
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/**
 * Terminates the backend processes of a killed server. They continue until their query ends and block a restart; their work is lost
 * anyway, because the shared memory is never written back. Only Linux shows which processes belong to a cluster; on other systems the
 * start waits for them.
 */
async function terminateOrphanBackends(clusterDir: string): Promise<void> {
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

/** INT: fast shutdown. QUIT: immediate shutdown, with recovery at the next start. */
export async function signalServer(binaries: Binaries, pid: number, how: 'INT' | 'QUIT'): Promise<void> {
  if (process.platform === 'win32') {
    // Windows has no signals, so PostgreSQL has a program for them.
    await runProgram(binaries.pgCtl, ['kill', how, String(pid)], null);
    return;
  }
  try {
    process.kill(pid, `SIG${how}`);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** The content of postmaster.pid, which PostgreSQL writes while it runs. */
interface LockFile {
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
  const text = await readFile(lockFilePath(clusterDir), 'utf8').catch(() => '');
  return parseLockFile(text);
}

function lockFilePath(clusterDir: string): string {
  return join(clusterDir, 'postmaster.pid');
}

function parseLockFile(text: string): LockFile | null {
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
async function disarmStaleLockFile(clusterDir: string): Promise<void> {
  // Uses one descriptor: a server that starts now replaces the file, so this write cannot damage the new one.
  const file = await open(lockFilePath(clusterDir), noFollow).catch(() => null);
  if (!file) return;
  try {
    const text = await file.readFile('utf8');
    const found = parseLockFile(text);
    if (!found || !isAlive(found.pid) || !(await isAnotherProgram(found.pid, clusterDir))) return;
    const rest = text.slice(text.indexOf('\n'));
    await file.truncate(0);
    await file.write(`${process.pid}${rest}`, 0);
  } finally {
    await file.close();
  }
}
