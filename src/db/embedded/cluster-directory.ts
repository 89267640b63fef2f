import { randomBytes } from 'node:crypto';
import { mkdir, realpath, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { StartError } from '../../lib/errors.ts';
import type { DatabaseAccount } from './database-account.ts';
import { mayEnter, mayOwnFilesIn, ownerOf, runsAsRoot, unprivilegedAccount } from './database-account.ts';
import type { EmbeddedState } from './state-file.ts';
import { createState, readState } from './state-file.ts';

/** The directory of the database cluster, and the account that runs it. */
export interface ClusterDirectory {
  dataDir: string;
  /** DATA_DIR, or the directory outside that replaces it. */
  folder: string;
  clusterDir: string;
  /** null when this process is not root: the database then runs under the same account. */
  account: DatabaseAccount | null;
  state: EmbeddedState;
  notes: string[];
}

/** Returns the directory of the last start, or chooses one. All paths in the result are free of symbolic links. */
export async function openClusterDirectory(
  dataDirOption: string,
  stateRoot: string,
): Promise<ClusterDirectory> {
  await mkdir(dataDirOption, { recursive: true });
  const dataDir = await realpath(resolve(dataDirOption));
  const savedState = await readState(dataDir);
  const account = await accountFor(join(savedState?.home ?? dataDir, 'postgres'));
  const state = savedState ?? (await chooseDirectory(dataDir, account, stateRoot));
  const folder = state.home ?? dataDir;
  const clusterDir = join(folder, 'postgres');
  // A missing folder is reported with a better message by the code that needs it.
  if (account && !(await mayEnter(account, folder).catch(() => true))) {
    throw new StartError(
      `The database in ${folder} runs as the user "${account.name}", who may not enter that folder. ` +
        'Let that user pass (chmod o+x on the folders above it), or set DATA_DIR to another place.',
    );
  }
  const notes = state.home
    ? [
        `The database files are in ${state.home}, because the user who runs the database may not use ${dataDir}.`,
      ]
    : [];
  return { dataDir, folder, clusterDir, account, state, notes };
}

async function accountFor(clusterDir: string): Promise<DatabaseAccount | null> {
  if (!runsAsRoot()) return null;
  return (await ownerOf(clusterDir)) ?? unprivilegedAccount();
}

async function chooseDirectory(
  dataDir: string,
  account: DatabaseAccount | null,
  stateRoot: string,
): Promise<EmbeddedState> {
  if (!account || ((await mayEnter(account, dataDir)) && (await mayOwnFilesIn(account, dataDir)))) {
    return createState(dataDir, null);
  }
  const home = await createOutsideDirectory(dataDir, account, stateRoot);
  const state = await createState(dataDir, home);
  if (state.home !== home) await rm(home, { recursive: true });
  return state;
}

async function createOutsideDirectory(
  dataDir: string,
  account: DatabaseAccount,
  stateRoot: string,
): Promise<string> {
  const home = join(stateRoot, randomBytes(6).toString('hex'));
  const advice =
    `As root the database runs as the user "${account.name}", who may not use ${dataDir}, ` +
    `and ${home} cannot take its place`;
  const remedy = `Set DATA_DIR to a folder that "${account.name}" can reach, start as another user, or set DATABASE_URL.`;
  try {
    await mkdir(home, { recursive: true, mode: 0o755 });
  } catch (error) {
    throw new StartError(`${advice} (${String(error)}). ${remedy}`);
  }
  const real = await realpath(home);
  if ((await mayEnter(account, real)) && (await mayOwnFilesIn(account, real))) return real;
  await rm(real, { recursive: true });
  throw new StartError(`${advice} either. ${remedy}`);
}
