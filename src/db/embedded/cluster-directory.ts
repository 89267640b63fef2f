import { randomBytes } from 'node:crypto';
import {
  mkdir,
  realpath,
  rm,
  constants,
  copyFile,
  link,
  readFile,
  rename,
  writeFile,
} from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createFolder } from '../../lib/create-folder.ts';
import { StartError } from '../../lib/errors.ts';
import {
  type DatabaseAccount,
  mayEnter,
  mayOwnFilesIn,
  ownerOf,
  runsAsRoot,
  unprivilegedAccount,
} from './run-program.ts';
import { z } from 'zod';

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
  createFolder(dataDirOption);
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

/** The state in DATA_DIR/postgres.json, kept between starts. It contains a password, so its mode is 0600. */
const stateSchema = z.object({
  password: z.string().min(1),
  /** The directory outside DATA_DIR that contains the database; null if it is in DATA_DIR. */
  home: z.string().nullable(),
  /** The port of the last start; null before the first one. */
  port: z.number().int().nullable(),
});

export type EmbeddedState = z.infer<typeof stateSchema>;

function stateFile(dataDir: string): string {
  return join(dataDir, 'postgres.json');
}

export async function readState(dataDir: string): Promise<EmbeddedState | null> {
  const file = stateFile(dataDir);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
  try {
    return stateSchema.parse(JSON.parse(text));
  } catch {
    throw new StartError(
      `${file} is damaged. It holds the password of the database beside it: restore it from a backup, ` +
        `or move ${dataDir} away to begin with an empty database.`,
    );
  }
}

/** Creates the file exclusively: of two processes that start together, both use the content of the first. */
async function createState(dataDir: string, home: string | null): Promise<EmbeddedState> {
  const file = stateFile(dataDir);
  const state: EmbeddedState = { password: randomBytes(24).toString('base64url'), home, port: null };
  const draft = await writeDraft(file, state);
  try {
    // File systems without hard links, such as some shared folders, still support an exclusive copy.
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') throw error;
      return copyFile(draft, file, constants.COPYFILE_EXCL);
    });
    return state;
  } catch (error) {
    const theirs = await readState(dataDir);
    if (!theirs) throw error;
    return theirs;
  } finally {
    await rm(draft, { force: true });
  }
}

export async function saveState(dataDir: string, state: EmbeddedState): Promise<void> {
  const file = stateFile(dataDir);
  await rename(await writeDraft(file, state), file);
}

async function writeDraft(file: string, state: EmbeddedState): Promise<string> {
  const draft = `${file}.${process.pid}-${randomBytes(4).toString('hex')}`;
  await writeFile(draft, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600, flush: true });
  return draft;
}
