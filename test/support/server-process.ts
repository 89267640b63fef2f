import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

const PROJECT = new URL('../../', import.meta.url);
const START_WITHIN_MS = 30_000;

/** The real server as its own process. */
export interface ServerProcess {
  readonly process: ChildProcess;
  /** What it printed for people so far. */
  printed(): string;
  /** What it logged so far. */
  logged(): string;
  /** Waits until it listens, or ends; gives the exit code, or null while it runs. */
  started(): Promise<number | null>;
  ended(): Promise<number | null>;
}

/** The words after `node` by which `npm start` starts the server, and `npm run cli` the command line. */
export const asTyped = (program: 'main' | 'cli'): string[] => ['--import', 'tsx', `src/${program}.ts`];

/** Started as `npm start` does, or by other words, for the same program. */
export function startServer(
  environment: Record<string, string>,
  words: readonly string[] = asTyped('main'),
): ServerProcess {
  const child = spawn(process.execPath, words, {
    cwd: PROJECT,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, BCRYPT_COST: '4', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  let logged = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (logged += chunk.toString()));
  const exit = once(child, 'exit').then(([code]) => code as number | null);
  return {
    process: child,
    printed: () => printed,
    logged: () => logged,
    async started() {
      const deadline = Date.now() + START_WITHIN_MS;
      while (!printed.includes('listens on') && Date.now() < deadline) {
        if (child.exitCode !== null || child.signalCode !== null) return exit;
        await sleep(50);
      }
      return null;
    },
    ended: () => exit,
  };
}

export function printedValue(printed: string, label: string): string {
  const line = printed.split('\n').find((candidate) => candidate.trim().startsWith(label));
  return line?.trim().slice(label.length).trim() ?? '';
}
