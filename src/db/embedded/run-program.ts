import { execFile } from 'node:child_process';
import type { DatabaseAccount } from './database-account.ts';

/** PostgreSQL gets these and nothing else of our environment: no secrets, and messages in English. */
export const databaseEnvironment = { LC_ALL: 'C', TZ: 'UTC' };

/** A folder that every account may enter; the current one may be private. */
export const neutralFolder = '/';

export interface ProgramResult {
  ok: boolean;
  output: string;
  /** The system's reason when the program could not even be started, such as ENOENT or EACCES. */
  spawnError: string | null;
}

export function identityOf(account: DatabaseAccount | null): { uid?: number; gid?: number } {
  return account ? { uid: account.uid, gid: account.gid } : {};
}

/** Runs one of PostgreSQL's programs to its end; never rejects. */
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
