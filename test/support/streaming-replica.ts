import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type DatabaseAccount, runsAsRoot, unprivilegedAccount } from '../../src/db/embedded/run-program.ts';
import { freePort } from './free-port.ts';
import { program } from './external-programs.ts';
import { temporaryFolder } from './temporary-folder.ts';

const DEBIAN = '/usr/lib/postgresql';

/** Where `initdb`, `postgres` and `pg_basebackup` of one version are: Debian's newest, else those of the PATH. null: nowhere. */
function binFolder(): string | null {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => path.join(DEBIAN, version, 'bin')),
    ...(process.env.PATH ?? '').split(':'),
  ];
  const needed = ['initdb', 'postgres', 'pg_basebackup'];
  return folders.find((folder) => needed.every((name) => existsSync(path.join(folder, name)))) ?? null;
}

const BIN = binFolder();

export const POSTGRES = program('PostgreSQL with pg_basebackup', () => BIN !== null);

const SETTINGS = {
  unix_socket_directories: '',
  listen_addresses: '127.0.0.1',
  shared_buffers: '32MB',
  max_connections: '100',
  fsync: 'off',
  full_page_writes: 'off',
  wal_level: 'replica',
  hot_standby: 'on',
  // Without autovacuum: tests decide which changes a replica must replay.
  autovacuum: 'off',
  max_standby_streaming_delay: '0',
  log_statement: 'all',
};

/** One server of the system's PostgreSQL on loopback. */
export class DebianServer {
  readonly port: number;
  private readonly folder: string;
  private readonly account: DatabaseAccount | null;
  private process: ChildProcess | null = null;

  constructor(folder: string, account: DatabaseAccount | null, port: number) {
    this.folder = folder;
    this.account = account;
    this.port = port;
  }

  url(user: string, database: string): string {
    return `postgres://${user}@127.0.0.1:${this.port}/${database}`;
  }

  /** The log of the server, with every statement. */
  get log(): string {
    return existsSync(this.logFile) ? readFileSync(this.logFile, 'utf8') : '';
  }

  private get logFile(): string {
    return `${this.folder}.log`;
  }

  async run(): Promise<void> {
    const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const log = openSync(this.logFile, 'a', 0o644);
    this.process = spawn(
      path.join(BIN!, 'postgres'),
      ['-D', this.folder, '-p', String(this.port), ...settings],
      { cwd: '/', env: { LC_ALL: 'C', TZ: 'UTC' }, stdio: ['ignore', log, log], ...identity(this.account) },
    );
    for (let attempt = 0; !(await answers(this.url('postgres', 'postgres'))); attempt += 1) {
      if (attempt === 400) throw new Error(`PostgreSQL does not answer: ${this.log}`);
      await sleep(25);
    }
  }

  /** As a power failure does. */
  async kill(): Promise<void> {
    const { process } = this;
    if (process === null || process.exitCode !== null) return;
    this.process = null;
    const ended = once(process, 'exit');
    // QUIT ends the server together with its child processes, which would otherwise keep serving clients.
    process.kill('SIGQUIT');
    await ended;
  }

  /** As superuser. */
  async query<Row extends pg.QueryResultRow>(sql: string, database = 'postgres'): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.url('postgres', database) });
    await client.connect();
    try {
      return (await client.query<Row>(sql)).rows;
    } finally {
      await client.end();
    }
  }
}

/** A primary with an empty database `canvass` of a role that is no superuser, and servers that follow it, or another one. */
export class StreamingServers {
  readonly primary: DebianServer;
  private readonly all: DebianServer[] = [];
  private readonly base: ReturnType<typeof temporaryFolder>;
  private readonly account: DatabaseAccount | null;

  private constructor(
    base: ReturnType<typeof temporaryFolder>,
    account: DatabaseAccount | null,
    primary: DebianServer,
  ) {
    this.base = base;
    this.account = account;
    this.primary = primary;
    this.all.push(primary);
  }

  static async start(): Promise<StreamingServers> {
    const account = runsAsRoot() ? await unprivilegedAccount() : null;
    const base = temporaryFolder('replica');
    if (account !== null) chownSync(base.folder, account.uid, account.gid);
    const primary = await initServer(base.folder, 'primary', account);
    await primary.run();
    await primary.query('CREATE ROLE canvass LOGIN');
    await primary.query('CREATE DATABASE canvass OWNER canvass');
    return new StreamingServers(base, account, primary);
  }

  /** A standby server of the primary as it is now, which streams what comes. */
  async replica(name: string): Promise<DebianServer> {
    const folder = path.join(this.base.folder, name);
    const from = `host=127.0.0.1 port=${this.primary.port} user=postgres`;
    runAs(this.account, 'pg_basebackup', [
      '-D',
      folder,
      '-d',
      from,
      '-R',
      '-c',
      'fast',
      '-X',
      'stream',
      '--no-sync',
    ]);
    return this.startServer(new DebianServer(folder, this.account, await freePort()));
  }

  /** A standby server that has nothing to do with the primary. */
  async unrelatedStandby(name: string): Promise<DebianServer> {
    const server = await initServer(this.base.folder, name, this.account);
    const signal = path.join(this.base.folder, name, 'standby.signal');
    writeFileSync(signal, '');
    if (this.account !== null) chownSync(signal, this.account.uid, this.account.gid);
    return this.startServer(server);
  }

  async stop(): Promise<void> {
    for (const server of this.all.reverse()) await server.kill();
    this.base.remove();
  }

  private async startServer(server: DebianServer): Promise<DebianServer> {
    this.all.push(server);
    await server.run();
    return server;
  }
}

async function initServer(
  base: string,
  name: string,
  account: DatabaseAccount | null,
): Promise<DebianServer> {
  const folder = path.join(base, name);
  mkdirSync(folder, { mode: 0o700 });
  if (account !== null) chownSync(folder, account.uid, account.gid);
  runAs(account, 'initdb', [
    '-D',
    folder,
    '-U',
    'postgres',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C',
    '--no-sync',
  ]);
  return new DebianServer(folder, account, await freePort());
}

function runAs(account: DatabaseAccount | null, name: string, words: readonly string[]): void {
  execFileSync(path.join(BIN!, name), words, {
    cwd: '/',
    env: { LC_ALL: 'C', TZ: 'UTC' },
    stdio: 'pipe',
    ...identity(account),
  });
}

const identity = (account: DatabaseAccount | null) =>
  account === null ? {} : { uid: account.uid, gid: account.gid };

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}
