import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, openSync, readFileSync, readdirSync } from 'node:fs';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { DatabaseAccount } from '../../src/db/embedded/run-program.ts';
import { freePort } from './free-port.ts';

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

/** Whether the system has a PostgreSQL server. */
export const hasPostgres = BIN !== null;

/** Whether this extension is installed with it. */
export function hasExtension(name: string): boolean {
  const config = BIN === null ? '' : path.join(BIN, 'pg_config');
  if (!existsSync(config)) return false;
  const folder = execFileSync(config, ['--sharedir'], { encoding: 'utf8' }).trim();
  return existsSync(path.join(folder, 'extension', `${name}.control`));
}

const SETTINGS = {
  unix_socket_directories: '',
  listen_addresses: '127.0.0.1',
  shared_buffers: '32MB',
  max_connections: '100',
  fsync: 'off',
  full_page_writes: 'off',
};

/** One server of the system's PostgreSQL on loopback. */
export class DebianServer {
  readonly port: number;
  private readonly folder: string;
  private readonly account: DatabaseAccount | null;
  private readonly settings: Record<string, string>;
  private process: ChildProcess | null = null;

  /** `settings`: of PostgreSQL, besides those of every server here. */
  constructor(
    folder: string,
    account: DatabaseAccount | null,
    port: number,
    settings: Record<string, string>,
  ) {
    this.folder = folder;
    this.account = account;
    this.port = port;
    this.settings = settings;
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
    const settings = Object.entries({ ...SETTINGS, ...this.settings }).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ]);
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

/** Creates the files of a new server in `base`/`name`; `run` starts it. */
export async function initServer(
  base: string,
  name: string,
  account: DatabaseAccount | null,
  settings: Record<string, string>,
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
  return new DebianServer(folder, account, await freePort(), settings);
}

/** Runs a program of PostgreSQL. */
export function runAs(account: DatabaseAccount | null, name: string, words: readonly string[]): void {
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
