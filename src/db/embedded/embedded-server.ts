import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '../../lib/errors.ts';
import { diskFullStartError, isStorageFull, isDiskFullLog } from '../../lib/storage-full.ts';
import { applicationUrl, ensureApplicationDatabase } from './application-database.ts';
import { prepareBinaries } from './binaries.ts';
import { ensureCluster, checkClusterExists } from './cluster.ts';
import { openClusterDirectory } from './cluster-directory.ts';
import type { OwnerLock } from './owner-lock.ts';
import { acquireOwnerLock } from './owner-lock.ts';
import { keepRunning } from './keep-running.ts';
import { ownedByError, stopOrphanServer } from './orphan-server.ts';
import { findFreePort } from './port.ts';
import type { Postmaster, PostmasterSpec } from './postmaster.ts';
import { launchPostmaster } from './postmaster.ts';
import { serverSettings } from './server-settings.ts';
import type { EmbeddedState } from './state-file.ts';
import { saveState } from './state-file.ts';

export interface EmbeddedServer {
  /** The connection URL for the application's pool. */
  url: string;
  /** Messages for the terminal. */
  notes: string[];
  /** Shuts the server down and waits for its end. May be called more than once. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  /** DATA_DIR. The database is in its folder `postgres` if the account that runs it can access that folder. */
  dataDir: string;
  database?: string;
  /** False, for tests only, trades safety against power failures for speed. */
  durable?: boolean;
  /** Whether the server also ends when this process is killed. Otherwise the next start ends it. */
  endsWithProcess?: boolean;
  /** Additional settings of the server. */
  settings?: Record<string, string>;
  /** For root: the parent of clusters whose DATA_DIR the database account cannot access. */
  stateRoot?: string;
  /** Called when the server ended unexpectedly and is restarted. */
  report?: (message: string) => void;
}

/** How long the processes of a killed server may keep its files in use. */
const startTimeoutMs = 10_000;
const retryMs = 200;

/** Starts PostgreSQL for this process alone and restarts it until `stop`. Throws StartError if that is impossible. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  try {
    return await start(options);
  } catch (error) {
    if (isStorageFull(error)) throw diskFullStartError(options.dataDir);
    // Errors of the operating system, such as a folder without access.
    if (error instanceof Error && 'syscall' in error) {
      throw new StartError(
        `The embedded database cannot start: ${error.message}. ` +
          `Give this user full access to ${options.dataDir}, set another DATA_DIR, or set DATABASE_URL.`,
      );
    }
    throw error;
  }
}

async function start(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const { database = 'canvass', durable = true, settings = {}, stateRoot = '/var/lib/canvass' } = options;
  const report = options.report ?? (() => undefined);

  const directory = await openClusterDirectory(options.dataDir, stateRoot);
  await checkClusterExists(directory);
  const binaries = await prepareBinaries(directory);
  await ensureCluster(directory, binaries, durable);
  const spec: PostmasterSpec = {
    binaries,
    account: directory.account,
    clusterDir: directory.clusterDir,
    logFile: join(directory.dataDir, 'postgres.log'),
    settings: serverSettings(durable, settings),
    endsWithProcess: options.endsWithProcess ?? false,
  };

  const { postmaster, lock, leftoverPid } = await becomeOwner(spec, directory.state);
  const { port } = postmaster;
  const { password } = directory.state;
  try {
    await saveState(directory.dataDir, { ...directory.state, port });
    await ensureApplicationDatabase(lock.client, database, password);
  } catch (error) {
    await Promise.all([lock.release(), postmaster.stop()]);
    throw error;
  }

  const running = keepRunning(spec, postmaster, report);
  const leftoverNote = `A database server left over from a killed process (${leftoverPid}) was stopped; its data is complete.`;
  let stopped: Promise<void> | null = null;
  return {
    url: applicationUrl(port, password, database),
    notes: [...directory.notes, ...(leftoverPid === null ? [] : [leftoverNote])],
    // The lock is released last, so that no process sees a server without an owner.
    stop: () => (stopped ??= running.stop().then(() => lock.release())),
  };
}

interface OwnedServer {
  postmaster: Postmaster;
  lock: OwnerLock;
  leftoverPid: number | null;
}

/** Of several processes that start together, exactly one becomes the owner. */
async function becomeOwner(spec: PostmasterSpec, state: EmbeddedState): Promise<OwnedServer> {
  const deadline = Date.now() + startTimeoutMs;
  let preferredPort = state.port;
  let leftoverPid: number | null = null;
  for (;;) {
    leftoverPid = (await stopOrphanServer(spec, state.password)) ?? leftoverPid;
    const launch = await launchPostmaster(spec, await findFreePort(preferredPort));
    if (launch.kind === 'ready') {
      const { postmaster } = launch;
      return { postmaster, lock: await lockOwnServer(postmaster, spec, state), leftoverPid };
    }
    if (launch.kind === 'failed' || Date.now() > deadline) {
      if (isDiskFullLog(launch.log)) throw diskFullStartError(spec.clusterDir);
      const lines = launch.log.split('\n').slice(-3).join('\n');
      throw new StartError(`The embedded database does not start (log: ${spec.logFile}):\n${lines}`);
    }
    if (launch.kind === 'port_taken') preferredPort = null;
    await sleep(retryMs);
  }
}

async function lockOwnServer(
  postmaster: Postmaster,
  spec: PostmasterSpec,
  state: EmbeddedState,
): Promise<OwnerLock> {
  try {
    const lock = await acquireOwnerLock(postmaster.port, state.password);
    if (lock) return lock;
  } catch (error) {
    await postmaster.stop();
    throw error;
  }
  // This process was so slow that another one took its server for an orphan. That process stops the server and continues.
  throw ownedByError('a second process that started at the same time', spec.clusterDir);
}
