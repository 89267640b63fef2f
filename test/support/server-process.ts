import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { builtProgramArgs } from './built-program.ts';

export const PROJECT = new URL('../../', import.meta.url);
/** Of a start on a machine that is busy with much else; tests that wait for one must be given longer. */
export const START_TIMEOUT_MS = 60_000;

/** The real server as its own process. */
export interface ServerProcess {
  readonly process: ChildProcess;
  /** The standard output so far. */
  printed(): string;
  /** The log so far. */
  logged(): string;
  /** Resolves with null when the server listens, or with its exit code. Throws its output if neither happens. */
  started(): Promise<number | null>;
  ended(): Promise<number | null>;
}

/**
 * Starts the program as `npm start` does, or by other words, in the project's folder or in `cwd`. `limit`: options of the shell's
 * `ulimit` for the process, such as `-n 64`.
 */
export function startServer(
  environment: Record<string, string>,
  args: readonly string[] = builtProgramArgs('main'),
  cwd: string | URL = PROJECT,
  limit: string | null = null,
): ServerProcess {
  const limited = ['-c', `ulimit ${limit}; exec "$0" "$@"`, process.execPath, ...args];
  const [program, parameters] = limit === null ? [process.execPath, args] : ['/bin/sh', limited];
  const child = spawn(program, parameters, {
    cwd,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, BCRYPT_COST: '4', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  let logged = '';
  const listens = new Promise<null>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      if (printed.includes('listens on')) resolve(null);
    });
  });
  child.stderr.on('data', (chunk: Buffer) => (logged += chunk.toString()));
  const exit = once(child, 'exit').then(([code]) => code as number | null);
  const tooLate = async (): Promise<never> => {
    await sleep(START_TIMEOUT_MS, undefined, { ref: false });
    throw new Error(`The server did not listen after ${START_TIMEOUT_MS} ms: ${printed}${logged}`);
  };
  return {
    process: child,
    printed: () => printed,
    logged: () => logged,
    started: () => Promise.race([exit, listens, tooLate()]),
    ended: () => exit,
  };
}

export function printedValue(printed: string, label: string): string {
  const line = printed.split('\n').find((candidate) => candidate.trim().startsWith(label));
  return line?.trim().slice(label.length).trim() ?? '';
}
