import { chown, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StartError } from '../../lib/errors.ts';

/** Who runs the database when we are root: PostgreSQL refuses to run as root. */
export interface DatabaseAccount {
  uid: number;
  gid: number;
  name: string;
}

export function runsAsRoot(): boolean {
  return process.getuid?.() === 0;
}

/** `postgres` where it exists, else `nobody`. */
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

/** A database that was created by another user goes on under that user. Null when `folder` is absent or root's. */
export async function ownerOf(folder: string): Promise<DatabaseAccount | null> {
  const found = await stat(folder).catch(() => null);
  if (!found || found.uid === 0) return null;
  const known = (await readAccounts()).find(({ uid }) => uid === found.uid);
  return { uid: found.uid, gid: found.gid, name: known?.name ?? String(found.uid) };
}

/** Whether the account may pass through every folder on the way to `folder`, itself included. */
export async function mayEnter(account: DatabaseAccount, folder: string): Promise<boolean> {
  const { uid, gid, mode } = await stat(folder);
  const executeBit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
  if ((mode & executeBit) === 0) return false;
  const parent = dirname(folder);
  return parent === folder || mayEnter(account, parent);
}

/** Some mounted folders know no owners; PostgreSQL insists on owning its files. */
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
