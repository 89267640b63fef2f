import { spawn } from 'node:child_process';
import { chmod, chown, cp, mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { completeSymlinks, locatePackage, prepareBinaries } from '../../../src/db/embedded/binaries.ts';
import {
  mayEnter,
  runsAsRoot,
  unprivilegedAccount,
  runProgram,
} from '../../../src/db/embedded/run-program.ts';
import type { EmbeddedOptions, EmbeddedServer } from '../../../src/db/embedded/embedded-server.ts';
import { startEmbedded } from '../../../src/db/embedded/embedded-server.ts';
import { isAnotherProgram, readLockFile } from '../../../src/db/embedded/postmaster.ts';
import { isAlive } from '../../../src/lib/processes.ts';
import { StartError } from '../../../src/lib/errors.ts';
import { useHoldServer } from '../../support/embedded/hold-server-program.ts';
import type { ServerProcess } from '../../support/embedded/server-process.ts';
import { projectRoot, startServerProcess } from '../../support/embedded/server-process.ts';

const timeoutMs = 30_000;
const holdServer = useHoldServer();
const asRoot = runsAsRoot();
const nobody = { uid: 65534, gid: 65534, name: 'nobody' };

const folders: string[] = [];
const servers: EmbeddedServer[] = [];
const processes: ServerProcess[] = [];

/** A folder that the database's account may enter, unless `mode` says otherwise. */
async function temporaryFolder(mode = 0o755): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'canvass-embedded-'));
  await chmod(folder, mode);
  folders.push(folder);
  return folder;
}

let used: Promise<string> | null = null;

/** A DATA_DIR that may have a database in it, stopped: making one takes longer than most of what is tried on it. */
const usedFolder = (): Promise<string> => (used ??= temporaryFolder());

async function start(dataDir: string, options: Partial<EmbeddedOptions> = {}): Promise<EmbeddedServer> {
  const server = await startEmbedded({ dataDir, durable: false, ...options });
  servers.push(server);
  return server;
}

function startElsewhere(dataDir: string, account?: { uid: number; gid: number }): ServerProcess {
  const process = startServerProcess(holdServer(), dataDir, account);
  processes.push(process);
  return process;
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function serverPid(dataDir: string): Promise<number> {
  const lock = await readLockFile(join(dataDir, 'postgres'));
  if (!lock) throw new Error('No server runs');
  return lock.pid;
}

async function eventually<T>(attempt: () => Promise<T>): Promise<T> {
  for (let left = 200; ; left--) {
    try {
      return await attempt();
    } catch (error) {
      if (left === 0) throw error;
      await sleep(50);
    }
  }
}

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
  await Promise.all(processes.splice(0).map((process) => process.end()));
});

afterAll(async () => {
  // A test that failed half-way may have left a server behind.
  for (const folder of folders) {
    const lock = await readLockFile(join(folder, 'postgres'));
    if (lock && isAlive(lock.pid) && !(await isAnotherProgram(lock.pid, join(folder, 'postgres')))) {
      process.kill(lock.pid, 'SIGKILL');
    }
  }
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

describe('the embedded database', { timeout: timeoutMs }, () => {
  it('starts from an empty directory, runs every script and keeps its data and port', async () => {
    const dataDir = join(await temporaryFolder(), 'data');
    const first = await start(dataDir, { durable: true });
    expect(await query(first.url, `select lower('ПРИВЕТ ÅÉ') as lower`)).toEqual([{ lower: 'привет åé' }]);
    expect(await query(first.url, 'show fsync')).toEqual([{ fsync: 'on' }]);
    await query(first.url, `create table kept as select 'still here' as word`);
    await first.stop();
    await first.stop();
    await expect(query(first.url, 'select 1')).rejects.toThrow('ECONNREFUSED');

    const second = await start(dataDir);
    expect(second.url).toBe(first.url);
    expect(second.notes).toEqual(first.notes);
    expect(await query(second.url, 'select word from kept')).toEqual([{ word: 'still here' }]);
  });

  it('creates a non-superuser role that owns the database', async () => {
    const dataDir = await usedFolder();
    const { url } = await start(dataDir, { database: 'Other "name"', settings: { work_mem: '7MB' } });
    expect(
      await query(
        url,
        `select current_database() as database, rolsuper, rolcreatedb, current_setting('work_mem') as work_mem
           from pg_roles where rolname = current_user`,
      ),
    ).toEqual([{ database: 'Other "name"', rolsuper: false, rolcreatedb: true, work_mem: '7MB' }]);
    await query(url, 'create extension citext');
    expect((await stat(join(dataDir, 'postgres.json'))).mode & 0o777).toBe(0o600);
    if (process.platform === 'linux') {
      const environment = await readFile(`/proc/${await serverPid(dataDir)}/environ`, 'utf8');
      expect(environment).toContain('LC_ALL=C');
      expect(environment).not.toContain('PATH=');
    }
  });

  it('rejects a second process and names the current owner', async () => {
    const dataDir = await usedFolder();
    await start(dataDir);
    await expect(start(dataDir)).rejects.toThrow(StartError);
    const other = startElsewhere(dataDir);
    expect(await other.reply).toEqual({
      refused: expect.stringMatching(new RegExp(`in use by process ${process.pid}\\b.*another DATA_DIR`)),
    });
  });

  it('restarts on the same port after the server was killed and keeps its lock', async () => {
    const dataDir = await usedFolder();
    const reports: string[] = [];
    const report = (message: string): number => reports.push(message);
    const server = await start(dataDir, { durable: true, report });
    const { url } = server;
    await query(url, 'create table kept as select 1 as n');
    const killed = await serverPid(dataDir);
    process.kill(killed, 'SIGKILL');
    expect(await eventually(() => query(url, 'select n from kept'))).toEqual([{ n: 1 }]);
    expect(await serverPid(dataDir)).not.toBe(killed);
    expect(reports[0]).toContain('ended unexpectedly');
    await expect(start(dataDir)).rejects.toThrow(`process ${process.pid}`);
    await server.stop();
    expect(await readLockFile(join(dataDir, 'postgres'))).toBeNull();
  });

  it('does not wait for a query that outlives the killed server', async ({ skip }) => {
    if (process.platform !== 'linux') skip('only Linux tells which processes belong to a server');
    const dataDir = await usedFolder();
    const { url } = await start(dataDir);
    const cut = query(
      url,
      'do $$ begin while clock_timestamp() < now() + interval $i$1 min$i$ loop end loop; end $$',
    );
    const cutAsExpected = expect(cut).rejects.toThrow('terminated');
    await eventually(async () => {
      const busy = await query(
        url,
        `select from pg_stat_activity where state = 'active' and query like 'do %'`,
      );
      expect(busy).toHaveLength(1);
    });
    process.kill(await serverPid(dataDir), 'SIGKILL');
    await cutAsExpected;
    expect(await eventually(() => query(url, 'select 1 as n'))).toEqual([{ n: 1 }]);
  });

  it('can be stopped during a restart', async () => {
    const dataDir = await usedFolder();
    const server = await start(dataDir);
    process.kill(await serverPid(dataDir), 'SIGKILL');
    await sleep(110);
    await server.stop();
    const lock = await readLockFile(join(dataDir, 'postgres'));
    expect(lock !== null && isAlive(lock.pid)).toBe(false);
  });

  it('recovers from a killed process: stops its server, keeps its data and logs a note', async () => {
    const dataDir = await usedFolder();
    const killed = startElsewhere(dataDir);
    const reply = await killed.reply;
    if ('refused' in reply) throw new Error(reply.refused);
    await query(reply.url, 'create table counted as select generate_series(1, 1000) as n');
    const orphan = await serverPid(dataDir);
    await killed.kill();
    expect(isAlive(orphan)).toBe(true);

    const server = await start(dataDir);
    expect(server.notes).toContainEqual(expect.stringContaining(`killed process (${orphan})`));
    expect(await query(server.url, 'select count(*)::int as rows from counted')).toEqual([{ rows: 1000 }]);
    expect(await serverPid(dataDir)).not.toBe(orphan);
  });

  it.skipIf(process.platform === 'win32')('stops with a killed process when configured to', async () => {
    const dataDir = await usedFolder();
    const killed = startServerProcess(holdServer(), dataDir, undefined, ['ends-with-process']);
    processes.push(killed);
    const reply = await killed.reply;
    if ('refused' in reply) throw new Error(reply.refused);
    const pid = await serverPid(dataDir);
    await killed.kill();
    await eventually(async () => {
      expect(await readLockFile(join(dataDir, 'postgres'))).toBeNull();
      expect(isAlive(pid)).toBe(false);
    });
  });

  it('goes to exactly one of two processes that start at the same time', async () => {
    const dataDir = await temporaryFolder();
    const racers = [startElsewhere(dataDir), startElsewhere(dataDir)];
    const replies = await Promise.all(racers.map(({ reply }) => reply));
    const winners = racers.filter((_, index) => 'url' in (replies[index] ?? {}));
    expect(winners).toHaveLength(1);
    expect(replies).toContainEqual({
      refused: expect.stringContaining(`in use by process ${winners[0]?.pid}`),
    });
    expect((await readdir(dataDir)).toSorted()).toEqual(['postgres', 'postgres.json', 'postgres.log']);
  });

  it('does not create an empty database when the files of the last start are missing', async () => {
    const dataDir = await temporaryFolder();
    const server = await start(dataDir);
    await server.stop();
    await rm(join(dataDir, 'postgres'), { recursive: true });
    await mkdir(join(dataDir, 'postgres'));
    await expect(start(dataDir)).rejects.toThrow(/not in .*postgres, where they were.*postgres\.json/);
  });

  it('works as root with a DATA_DIR that the unprivileged account cannot enter', async ({ skip }) => {
    if (!asRoot) skip('only root runs the database under another account');
    const dataDir = join(await temporaryFolder(0o700), 'data');
    const stateRoot = await temporaryFolder();
    const first = await start(dataDir, { stateRoot });
    expect(first.notes).toEqual([expect.stringContaining(stateRoot + sep)]);
    await query(first.url, 'create table kept as select 1 as n');
    await first.stop();

    const second = await start(dataDir, { stateRoot });
    expect(await query(second.url, 'select n from kept')).toEqual([{ n: 1 }]);
    expect(await readdir(stateRoot)).toHaveLength(1);
    expect((await stat(join(dataDir, '..'))).mode & 0o777).toBe(0o700);
  });

  it('explains what to do when root has no usable directory', async ({ skip }) => {
    if (!asRoot) skip('only root runs the database under another account');
    const folder = await temporaryFolder(0o700);
    const started = start(join(folder, 'data'), { stateRoot: join(folder, 'state') });
    await expect(started).rejects.toThrow(/may not use .*DATABASE_URL/);
  });

  it('works without root, even if another process reuses the PID of a stale lock file', async ({ skip }) => {
    const account = asRoot ? nobody : undefined;
    if (account && !(await mayEnter(account, projectRoot)))
      skip('the project is in a folder private to root');
    const dataDir = await temporaryFolder();
    if (account) await chown(dataDir, account.uid, account.gid);
    const first = startElsewhere(dataDir, account);
    const reply = await first.reply;
    if ('refused' in reply) throw new Error(reply.refused);
    await query(reply.url, 'create table kept as select 1 as n');
    const lockFile = join(dataDir, 'postgres', 'postmaster.pid');
    const lines = (await readFile(lockFile, 'utf8')).split('\n');
    expect((await stat(lockFile)).uid).toBe(account?.uid ?? process.getuid?.());
    await first.end();
    if (process.platform !== 'linux') return;

    const bystander = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
      cwd: '/',
      ...account,
    });
    try {
      await writeFile(lockFile, [bystander.pid, ...lines.slice(1)].join('\n'), { mode: 0o600 });
      if (account) await chown(lockFile, account.uid, account.gid);
      const second = await startElsewhere(dataDir, account).reply;
      if ('refused' in second) throw new Error(second.refused);
      expect(await query(second.url, 'select n from kept')).toEqual([{ n: 1 }]);
    } finally {
      bystander.kill('SIGKILL');
    }
  });
});

describe('binaries of the embedded database', () => {
  it('are missing on an unsupported platform, with an alternative named', () => {
    expect(() => locatePackage('sunos', 'sparc')).toThrow(/sunos on sparc.*DATABASE_URL/);
  });

  it('get the symbolic links that an install without scripts omits', async () => {
    const packageDir = await temporaryFolder();
    await mkdir(join(packageDir, 'native', 'lib'), { recursive: true });
    await writeFile(join(packageDir, 'native', 'lib', 'libx.so.1.2'), 'x');
    const links = [{ source: 'native/lib/libx.so.1.2', target: 'native/lib/libx.so.1' }];
    await writeFile(join(packageDir, 'native', 'pg-symlinks.json'), JSON.stringify(links));
    expect(await completeSymlinks(packageDir)).toBe(true);
    expect(await completeSymlinks(packageDir)).toBe(true);
    expect(await readFile(join(packageDir, 'native', 'lib', 'libx.so.1'), 'utf8')).toBe('x');
  });

  it('are copied when they cannot be run or completed in place', { timeout: timeoutMs }, async () => {
    const original = join(await temporaryFolder(), 'package');
    await cp(locatePackage(process.platform, process.arch), original, {
      recursive: true,
      verbatimSymlinks: true,
    });
    const links = (await readdir(join(original, 'native', 'lib'), { withFileTypes: true })).filter((entry) =>
      entry.isSymbolicLink(),
    );
    for (const { name } of links) await rm(join(original, 'native', 'lib', name));
    const account = asRoot ? await unprivilegedAccount() : null;
    const closed = asRoot ? original : join(original, 'native', 'lib');
    await chmod(closed, asRoot ? 0o700 : 0o555);

    const folder = await temporaryFolder();
    const binaries = await prepareBinaries({ folder, account }, original);
    await chmod(closed, 0o755);
    expect(binaries.postgres.startsWith(join(folder, 'postgresql-'))).toBe(true);
    expect((await runProgram(binaries.initdb, ['--version'], account)).output).toContain(
      binaries.majorVersion,
    );
    // Now they can be completed where they are: nothing more is copied.
    const completed = await prepareBinaries({ folder, account }, original);
    expect(completed.postgres).toBe(join(original, 'native', 'bin', 'postgres'));
    expect(await readdir(folder)).toHaveLength(1);
  });
});
