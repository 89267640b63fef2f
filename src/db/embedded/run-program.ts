import { execFile } from 'node:child_process';
import type { DatabaseAccount } from './database-account.ts';

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
