import { chown, mkdir, mkdtemp, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError, diskFullStartError, isDiskFullLog } from '../../lib/errors.ts';
import { isAlive } from '../../lib/processes.ts';
import type { Binaries } from './binaries.ts';
import type { ClusterDirectory } from './cluster-directory.ts';
import { runProgram } from './run-program.ts';
import { Client, escapeIdentifier, escapeLiteral } from 'pg';

/** The role of the supervisor. The role of the application is not a superuser. */
const supervisorRole = 'postgres';

const draftPrefix = 'postgres.init-';
const abandonedAfterMs = 10 * 60 * 1000;

/** Throws if the cluster is missing, because an unmounted or deleted folder must not look like a first start. */
export async function checkClusterExists({ state, clusterDir, dataDir }: ClusterDirectory): Promise<void> {
  if (state.port === null || (await clusterVersion(clusterDir)) !== null) return;
  throw new StartError(
    `The database files are not in ${clusterDir}, where they were at the last start. ` +
      `Put them back, or delete ${join(dataDir, 'postgres.json')} to begin with an empty database.`,
  );
}

/** Creates the cluster on the first start. Later starts only check that it exists and has the right version. */
export async function ensureCluster(
  directory: ClusterDirectory,
  binaries: Binaries,
  durable: boolean,
): Promise<void> {
  await removeAbandonedDrafts(directory.folder);
  const found = await clusterVersion(directory.clusterDir);
  if (found === null) {
    await createCluster(directory, binaries, durable);
  } else if (found !== binaries.majorVersion) {
    throw new StartError(
      `The database in ${directory.clusterDir} was made by PostgreSQL ${found}, and this release brings ${binaries.majorVersion}. ` +
        'Back it up with the release that made it and restore the backup into an empty DATA_DIR.',
    );
  }
}

async function clusterVersion(clusterDir: string): Promise<string | null> {
  try {
    return (await readFile(join(clusterDir, 'PG_VERSION'), 'utf8')).trim();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Creates the cluster in a temporary folder and renames it, so that a killed process leaves no incomplete cluster. Of two processes that
 * start together, the slower one uses the cluster of the other.
 */
async function createCluster(
  directory: ClusterDirectory,
  binaries: Binaries,
  durable: boolean,
): Promise<void> {
  const draft = await mkdtemp(join(directory.folder, `${draftPrefix}${process.pid}-`));
  try {
    const data = join(draft, 'data');
    const passwordFile = join(draft, 'password');
    await mkdir(data, { mode: 0o700 });
    await writeFile(passwordFile, directory.state.password, { mode: 0o600 });
    if (directory.account) {
      // The folder itself comes last: until then no other account can change its content.
      for (const path of [passwordFile, data, draft])
        await chown(path, directory.account.uid, directory.account.gid);
    }
    const locale = ['--no-locale', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
    const access = ['--auth=scram-sha-256', `--pwfile=${passwordFile}`, `--username=${supervisorRole}`];
    const speed = durable ? [] : ['--no-sync'];
    const args = ['-D', data, '-E', 'UTF8', ...locale, ...access, ...speed];
    const result = await runProgram(binaries.initdb, args, directory.account);
    if (!result.ok) {
      if (isDiskFullLog(result.output)) throw diskFullStartError(directory.folder);
      const reason = result.output.split('\n').slice(-4).join('\n') || result.spawnError;
      throw new StartError(`The embedded database cannot be created in ${directory.folder}: ${reason}`);
    }
    await rename(data, directory.clusterDir).catch(async (error: unknown) => {
      if ((await clusterVersion(directory.clusterDir)) === null) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function removeAbandonedDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = new RegExp(`^${draftPrefix}(\\d+)-`).exec(name)?.[1];
    if (!pid) continue;
    const path = join(folder, name);
    const changed = await stat(path).catch(() => null);
    // The process id may belong to another process by now, hence the age.
    const abandoned = !isAlive(Number(pid)) || (changed && Date.now() - changed.mtimeMs > abandonedAfterMs);
    if (abandoned) await rm(path, { recursive: true, force: true });
  }
}

const connectTimeoutMs = 5_000;
const queryTimeoutMs = 30_000;

/** Returns a superuser connection to the maintenance database, outside the pool. */
export async function connectSupervisor(port: number, password: string): Promise<Client> {
  const client = new Client({
    host: '127.0.0.1',
    port,
    user: supervisorRole,
    password,
    database: 'postgres',
    application_name: `canvass ${process.pid}`,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: queryTimeoutMs,
  });
  // Without a listener, an error of the connection would end the process. 'end' follows and is handled.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    await closeClient(client);
    throw error;
  }
}

/** Closes the connection. Ignores errors, because the server may have ended. */
export async function closeClient(client: Client): Promise<void> {
  await client.end().catch(() => undefined);
}

/** The role of the application owns the database and may create others, but is not a superuser, so the same code runs on any server. */
const applicationRole = 'canvass';

export function applicationUrl(port: number, password: string, database: string): string {
  return `postgres://${applicationRole}:${password}@127.0.0.1:${port}/${encodeURIComponent(database)}`;
}

/** Runs on every start, because an earlier process may have been killed between the two statements. */
export async function ensureApplicationDatabase(
  client: Client,
  database: string,
  password: string,
): Promise<void> {
  const role = escapeIdentifier(applicationRole);
  const roles = await client.query('select from pg_roles where rolname = $1', [applicationRole]);
  if (roles.rowCount === 0) {
    await client.query(`create role ${role} login createdb password ${escapeLiteral(password)}`);
  }
  const databases = await client.query('select from pg_database where datname = $1', [database]);
  if (databases.rowCount === 0) {
    await client.query(`create database ${escapeIdentifier(database)} owner ${role}`);
  }
}
