import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { type EmbeddedServer, startEmbedded } from '../../src/db/embedded/embedded-server.ts';

const STARTS_WITHIN_MS = 60_000;

/** A PostgreSQL server for fault injection. Its address does not change. */
export interface Postgres {
  readonly url: string;
  /** Kills the server, as a crash does. Resolves when its supervisor has restarted it. */
  kill(): Promise<void>;
  /** Suspends every process of the server; connections stay open. */
  pause(): Promise<void>;
  resume(): void;
  /** Fast shutdown: open transactions are rolled back, connections closed. */
  stop(): Promise<void>;
  /** Resumes a suspended server or restarts a stopped one. */
  start(): Promise<void>;
}

/** Starts a durable server: acknowledged transactions must survive its death. */
export async function startPostgres(folder: string): Promise<Postgres> {
  const options = { dataDir: folder, database: 'canvass_faults', durable: true };
  let server: EmbeddedServer | null = await startEmbedded(options);
  const { url } = server;
  let paused: number[] = [];
  const lockFile = path.join(folder, 'postgres', 'postmaster.pid');
  const pid = () => (existsSync(lockFile) ? Number(readFileSync(lockFile, 'utf8').split('\n')[0]) : null);
  const resume = () => {
    for (const one of paused.splice(0)) signal(one, 'SIGCONT');
  };
  return {
    url,
    async kill() {
      const killed = pid()!;
      signal(killed, 'SIGKILL');
      await accepts(url, () => pid() !== killed);
    },
    async pause() {
      const own = pid()!;
      // The postmaster first, because it would start other processes.
      signal(own, 'SIGSTOP');
      paused = [own, ...(await childrenOf(own))];
      for (const one of paused) signal(one, 'SIGSTOP');
    },
    resume,
    async stop() {
      resume();
      await server?.stop();
      server = null;
    },
    async start() {
      resume();
      server ??= await startEmbedded(options);
      if (server.url !== url) throw new Error('PostgreSQL did not get its port again');
      await accepts(url, () => true);
    },
  };
}

/** Waits until the server accepts connections. */
async function accepts(url: string, isAnother: () => boolean): Promise<void> {
  const deadline = Date.now() + STARTS_WITHIN_MS;
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    // Without a listener a lost connection would end the process.
    client.on('error', () => undefined);
    const isIn =
      isAnother() &&
      (await client.connect().then(
        () => true,
        () => false,
      ));
    await client.end().catch(() => undefined);
    if (isIn) return;
    if (Date.now() > deadline) throw new Error(`PostgreSQL is not back after ${STARTS_WITHIN_MS} ms`);
    await sleep(20);
  }
}

async function childrenOf(parent: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=']);
  return stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([pid, ppid]) => (ppid === parent ? [pid!] : []));
}

/** Ignores processes that have already ended. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ESRCH') throw error;
  }
}
