import { randomInt } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { StartError, diskFullStartError, isDiskFullLog, isStorageFull } from '../../lib/errors.ts';
import { isAlive } from '../../lib/processes.ts';
import {
  applicationUrl,
  ensureApplicationDatabase,
  checkClusterExists,
  ensureCluster,
  closeClient,
  connectSupervisor,
} from './cluster.ts';
import { prepareBinaries } from './binaries.ts';
import { openClusterDirectory, type EmbeddedState, saveState } from './cluster-directory.ts';
import {
  isAnotherProgram,
  readLockFile,
  type Launch,
  launchPostmaster,
  type Postmaster,
  type PostmasterSpec,
  signalServer,
} from './postmaster.ts';
import { acquireOwnerLock, findOwner, type OwnerLock, tryOwnerLock } from './owner-lock.ts';

const firstDelayMs = 100;
const longestDelayMs = 2_000;
/** After this uptime the delays start again from the shortest. */
const stableMs = 10_000;

/** Restarts the server on the same port whenever it ends unexpectedly, until stopped. */
function keepRunning(
  spec: PostmasterSpec,
  first: Postmaster,
  report: (message: string) => void,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  let current: Postmaster | null = first;

  const watch = async (): Promise<void> => {
    let delayMs = firstDelayMs;
    let hasReported = false;
    while (!stopping.signal.aborted) {
      if (current) {
        const startedAt = Date.now();
        await current.exited;
        current = null;
        if (stopping.signal.aborted) return;
        if (Date.now() - startedAt > stableMs) delayMs = firstDelayMs;
        hasReported = false;
        report('The embedded database ended unexpectedly; it is being started again');
      }
      await sleep(delayMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      delayMs = Math.min(delayMs * 2, longestDelayMs);
      const launch = await launchPostmaster(spec, first.port, stopping.signal).catch(
        (error: unknown): Launch => ({ kind: 'failed', log: String(error) }),
      );
      if (launch.kind === 'ready') {
        current = launch.postmaster;
      } else if (launch.kind !== 'occupied' && !hasReported && !stopping.signal.aborted) {
        const reason = isDiskFullLog(launch.log) ? `the disk of ${spec.clusterDir} is full` : launch.log;
        report(`The embedded database does not start and is tried again: ${reason}`);
        hasReported = true;
      }
    }
    // The server became ready while stopping.
    await current?.stop();
  };
  const watcher = watch();

  return {
    stop: async () => {
      stopping.abort();
      await current?.stop();
      await watcher;
    },
  };
}

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
async function stopOrphanServer(spec: PostmasterSpec, password: string): Promise<number | null> {
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

function ownedByError(holder: string, clusterDir: string): StartError {
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

/**
 * Ports are chosen below the ephemeral range (32768 and above). An outgoing connection could take a port of that range while the server
 * restarts, and a retrying client could even connect to itself.
 */
const lowestPort = 20_000;
const highestPort = 32_000;
const attempts = 100;

/** Returns the preferred port if it is free, otherwise any free one. */
async function findFreePort(preferred: number | null): Promise<number> {
  if (preferred !== null && (await canListen(preferred))) return preferred;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const port = randomInt(lowestPort, highestPort);
    if (await canListen(port)) return port;
  }
  throw new Error(`No free port between ${lowestPort} and ${highestPort} on 127.0.0.1`);
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** Returns the settings of the server. Later entries override earlier ones. */
function serverSettings(
  durable: boolean,
  extra: Readonly<Record<string, string>>,
): ReadonlyMap<string, string> {
  return new Map([
    ['listen_addresses', '127.0.0.1'],
    ['unix_socket_directories', ''],
    ['cluster_name', `canvass-${process.pid}`],
    ['max_connections', '60'],
    ['shared_buffers', '256MB'],
    ['jit', 'off'],
    ['timezone', 'UTC'],
    ['log_timezone', 'UTC'],
    // Failed statements are logged by the application. They contain personal data, which must not be in the log of the server.
    ['log_destination', 'stderr'],
    ['logging_collector', 'off'],
    ['log_checkpoints', 'off'],
    ['log_min_messages', 'log'],
    ['log_min_error_statement', 'panic'],
    ['log_error_verbosity', 'terse'],
    ...clientCheck,
    ...(durable ? [] : notDurable),
    ...Object.entries(extra),
  ]);
}

/** Cancels queries whose client has disconnected. Windows does not support this setting. */
const clientCheck: [string, string][] =
  process.platform === 'win32' ? [] : [['client_connection_check_interval', '2s']];

/** For tests only: a power failure may lose or damage all data. */
const notDurable: [string, string][] = [
  ['fsync', 'off'],
  ['synchronous_commit', 'off'],
  ['full_page_writes', 'off'],
];

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
