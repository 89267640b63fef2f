import { chown, mkdir, mkdtemp, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '../../lib/errors.ts';
import { fullDiskAtStart, saysDiskFull } from '../../lib/storage-full.ts';
import { isAlive } from '../../lib/processes.ts';
import type { Binaries } from './binaries.ts';
import type { ClusterDirectory } from './cluster-directory.ts';
import { runProgram } from './run-program.ts';

/** The role of the supervisor; the application's own role is no superuser. */
export const supervisorRole = 'postgres';

const draftPrefix = 'postgres.init-';
const abandonedAfterMs = 10 * 60 * 1000;

/** An unmounted or deleted folder must not look like a first start. */
export async function refuseLostCluster({ state, clusterDir, dataDir }: ClusterDirectory): Promise<void> {
  if (state.port === null || (await clusterVersion(clusterDir)) !== null) return;
  throw new StartError(
    `The database files are not in ${clusterDir}, where they were at the last start. ` +
      `Put them back, or delete ${join(dataDir, 'postgres.json')} to begin with an empty database.`,
  );
}

/** Makes the folder of database files on the first start; later starts only check that it is there and fits. */
export async function ensureCluster(
  home: ClusterDirectory,
  binaries: Binaries,
  durable: boolean,
): Promise<void> {
  await removeAbandonedDrafts(home.folder);
  const found = await clusterVersion(home.clusterDir);
  if (found === null) {
    await createCluster(home, binaries, durable);
  } else if (found !== binaries.majorVersion) {
    throw new StartError(
      `The database in ${home.clusterDir} was made by PostgreSQL ${found}, and this release brings ${binaries.majorVersion}. ` +
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
 * Beside its final place, then renamed: a process killed in the middle leaves no half database, and of two
 * that start at the same moment the slower one finds the place taken and uses what is there.
 */
async function createCluster(home: ClusterDirectory, binaries: Binaries, durable: boolean): Promise<void> {
  const draft = await mkdtemp(join(home.folder, `${draftPrefix}${process.pid}-`));
  try {
    const data = join(draft, 'data');
    const passwordFile = join(draft, 'password');
    await mkdir(data, { mode: 0o700 });
    await writeFile(passwordFile, home.state.password, { mode: 0o600 });
    if (home.account) {
      // The folder itself last: until then nobody else can change what is in it.
      for (const path of [passwordFile, data, draft]) await chown(path, home.account.uid, home.account.gid);
    }
    const locale = ['--no-locale', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
    const access = ['--auth=scram-sha-256', `--pwfile=${passwordFile}`, `--username=${supervisorRole}`];
    const speed = durable ? [] : ['--no-sync'];
    const args = ['-D', data, '-E', 'UTF8', ...locale, ...access, ...speed];
    const result = await runProgram(binaries.initdb, args, home.account);
    if (!result.ok) {
      if (saysDiskFull(result.output)) throw fullDiskAtStart(home.folder);
      const reason = result.output.split('\n').slice(-4).join('\n') || result.spawnError;
      throw new StartError(`The embedded database cannot be created in ${home.folder}: ${reason}`);
    }
    await rename(data, home.clusterDir).catch(async (error: unknown) => {
      if ((await clusterVersion(home.clusterDir)) === null) throw error;
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
    // The number of a killed process may belong to another by now, hence the age.
    const abandoned = !isAlive(Number(pid)) || (changed && Date.now() - changed.mtimeMs > abandonedAfterMs);
    if (abandoned) await rm(path, { recursive: true, force: true });
  }
}
