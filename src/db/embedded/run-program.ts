import { execFile } from 'node:child_process';
import { chown, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StartError } from '../../lib/errors.ts';

/** The only environment variables that PostgreSQL gets: no secrets, and messages in English. */
export const databaseEnvironment = { LC_ALL: 'C', TZ: 'UTC' };

/** A folder that every account can access; the current one may be private. */
export const neutralFolder = '/';

export interface ProgramResult {
  ok: boolean;
  output: string;
  /** The error code when the program could not be started, such as ENOENT or EACCES. */
  spawnError: string | null;
}

export function identityOf(account: DatabaseAccount | null): { uid?: number; gid?: number } {
  return account ? { uid: account.uid, gid: account.gid } : {};
}

/** Runs a program of PostgreSQL and waits for its end. Never rejects. */
export function runProgram(
  program: string,
  args: string[],
  account: DatabaseAccount | null,
): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const options = {
      cwd: neutralFolder,
      env: databaseEnvironment,
      windowsHide: true,
      ...identityOf(account),
    };
    execFile(program, args, options, (error, stdout, stderr) => {
      const spawnError = typeof error?.code === 'string' ? error.code : null;
      resolve({ ok: error === null, output: `${stdout}${stderr}`.trim(), spawnError });
    });
  });
}

/** The account that runs the database when this process is root: PostgreSQL refuses to run as root. */
export interface DatabaseAccount {
  uid: number;
  gid: number;
  name: string;
}

export function runsAsRoot(): boolean {
  return process.getuid?.() === 0;
}

/** Returns `postgres` if it exists, otherwise `nobody`. */
export async function unprivilegedAccount(): Promise<DatabaseAccount> {
  const accounts = await readAccounts();
  const account =
    accounts.find(({ name }) => name === 'postgres') ?? accounts.find(({ name }) => name === 'nobody');
  if (!account) {
    throw new StartError(
      'PostgreSQL refuses to run as root, and /etc/passwd has neither a user "postgres" nor "nobody". ' +
        'Start as another user, or set DATABASE_URL.',
    );
  }
  return account;
}

/** Returns the account that owns the database, which keeps running it. null if `folder` does not exist or belongs to root. */
export async function ownerOf(folder: string): Promise<DatabaseAccount | null> {
  const found = await stat(folder).catch(() => null);
  if (!found || found.uid === 0) return null;
  const known = (await readAccounts()).find(({ uid }) => uid === found.uid);
  return { uid: found.uid, gid: found.gid, name: known?.name ?? String(found.uid) };
}

/** Whether the account may traverse every folder of the path, `folder` included. */
export async function mayEnter(account: DatabaseAccount, folder: string): Promise<boolean> {
  const { uid, gid, mode } = await stat(folder);
  const executeBit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
  if ((mode & executeBit) === 0) return false;
  const parent = dirname(folder);
  return parent === folder || mayEnter(account, parent);
}

/** Whether the account can own files there. Some mounts do not support owners, and PostgreSQL must own its files. */
export async function mayOwnFilesIn(account: DatabaseAccount, folder: string): Promise<boolean> {
  const trial = await mkdtemp(join(folder, '.owner-'));
  try {
    await chown(trial, account.uid, account.gid);
    const { uid, mode } = await stat(trial);
    return uid === account.uid && (mode & 0o777) === 0o700;
  } catch {
    return false;
  } finally {
    await rm(trial, { recursive: true, force: true });
  }
}

async function readAccounts(): Promise<DatabaseAccount[]> {
  const text = await readFile('/etc/passwd', 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    if (!name || !uid || !gid || name.startsWith('#')) return [];
    return [{ name, uid: Number(uid), gid: Number(gid) }];
  });
}
