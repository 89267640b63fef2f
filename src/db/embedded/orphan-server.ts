import { realpath } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { StartError } from '../../lib/errors.ts';
import { isAlive } from '../../lib/processes.ts';
import { findOwner, tryOwnerLock } from './owner-lock.ts';
import { isAnotherProgram, readLockFile } from './lock-file.ts';
import type { PostmasterSpec } from './postmaster.ts';
import { signalServer } from './signal-server.ts';
import { closeClient, connectSupervisor } from './supervisor-client.ts';

const waitMs = 10_000;
/** How long a running process may take from starting its server to acquiring the lock, before the server counts as an orphan. */
const launchGraceMs = 5_000;
const pollMs = 50;

interface FoundServer {
  pid: number;
  client: Client;
}

/**
 * Checks for a server that already runs on this cluster. Throws StartError if a running process owns it. Stops an orphan and returns its
 * process id; returns null if there is no server.
 */
export async function stopOrphanServer(spec: PostmasterSpec, password: string): Promise<number | null> {
  const found = await findServer(spec.clusterDir, password);
  if (!found) return null;
  try {
    await takeOwnership(found, spec.clusterDir);
    await shutDown(spec, found.pid);
    return found.pid;
  } finally {
    await closeClient(found.client);
  }
}

async function findServer(clusterDir: string, password: string): Promise<FoundServer | null> {
  const deadline = Date.now() + waitMs;
  for (;;) {
    const lock = await readLockFile(clusterDir);
    if (!lock || !isAlive(lock.pid) || (await isAnotherProgram(lock.pid, clusterDir))) return null;
    let reason: string;
    try {
      const client = await connectSupervisor(lock.port, password);
      if (await serves(client, clusterDir)) return { pid: lock.pid, client };
      await closeClient(client);
      return null;
    } catch (error) {
      // The server is starting up or shutting down, or is another one: its lock file decides.
      reason = error instanceof Error ? error.message : String(error);
    }
    if (Date.now() > deadline) {
      throw new StartError(
        `The process ${lock.pid} seems to be the database server of ${clusterDir}, but it does not let us in ` +
          `(${reason}). End that process, or delete ${clusterDir}/postmaster.pid if it is something else.`,
      );
    }
    await sleep(pollMs);
  }
}

async function serves(client: Client, clusterDir: string): Promise<boolean> {
  const { rows } = await client.query<{ data_directory: string }>('show data_directory');
  const directory = rows[0]?.data_directory;
  return directory !== undefined && (await realpath(directory).catch(() => directory)) === clusterDir;
}

/** Returns once this process has the lock of an orphaned server. Throws if a running process has it. */
async function takeOwnership({ client }: FoundServer, clusterDir: string): Promise<void> {
  const launcher = await launcherOf(client);
  const graceEnds = Date.now() + launchGraceMs;
  const deadline = Date.now() + waitMs;
  while (Date.now() < deadline) {
    const holder = await findOwner(client);
    const pid = Number(holder?.split(' ')[1]);
    if (holder !== null && (Number.isNaN(pid) || isAlive(pid))) throw ownedByError(holder, clusterDir);
    const launching = launcher !== null && isAlive(launcher) && Date.now() < graceEnds;
    if (holder === null && !launching && (await tryOwnerLock(client))) return;
    await sleep(pollMs);
  }
  throw ownedByError((await findOwner(client)) ?? 'unknown', clusterDir);
}

export function ownedByError(holder: string, clusterDir: string): StartError {
  const pid = /^canvass (\d+)$/.exec(holder)?.[1];
  const who = pid ? `process ${pid}` : `another program (${holder})`;
  return new StartError(
    `The database in ${clusterDir} is in use by ${who}. Stop it first, or set another DATA_DIR.`,
  );
}

/** Returns the process id of the launcher, which the server has in its cluster name: `canvass-<pid>`. */
async function launcherOf(client: Client): Promise<number | null> {
  const { rows } = await client.query<{ cluster_name: string }>('show cluster_name');
  const pid = /^canvass-(\d+)$/.exec(rows[0]?.cluster_name ?? '')?.[1];
  return pid ? Number(pid) : null;
}

async function shutDown(spec: PostmasterSpec, pid: number): Promise<void> {
  for (const how of ['INT', 'QUIT'] as const) {
    await signalServer(spec.binaries, pid, how);
    const deadline = Date.now() + waitMs;
    while (Date.now() < deadline) {
      // The server removes its lock file last. Its process may remain as a zombie.
      if ((await readLockFile(spec.clusterDir))?.pid !== pid || !isAlive(pid)) return;
      await sleep(pollMs);
    }
  }
  throw new StartError(
    `The database server ${pid}, left over from a killed process, does not end. End it by hand.`,
  );
}
