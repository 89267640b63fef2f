import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { appOn } from '../../test/support/app.ts';
import type { TestDatabase } from '../../test/support/database.ts';
import { SECRET_SETTINGS } from '../checks/planted.ts';
import { type FuzzTarget, SETTINGS } from './target.ts';
import type { Overall } from './event-loop-monitor.ts';

const NO_LIMIT = '1000000000';
const ENDS_WITHIN_MS = 15_000;

/** Starts the application as a separate process, as in production. `dataDir`: the folder of its files. */
export async function startTargetInChildProcess(
  database: TestDatabase,
  dataDir: string,
): Promise<FuzzTarget> {
  let lines = '';
  const here = appOn(database, { ...SETTINGS, DATA_DIR: dataDir }, { logLine: (line) => (lines += line) });
  const child = fork(fileURLToPath(new URL('../server.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    env: {
      ...process.env,
      ...SETTINGS,
      NODE_ENV: 'production',
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      JWT_SECRET: SECRET_SETTINGS.JWT_SECRET,
      SEED_DEMO: 'false',
      BCRYPT_COST: '4',
      RATE_LIMIT_GENERAL: NO_LIMIT,
      RATE_LIMIT_AUTH: NO_LIMIT,
      RATE_LIMIT_PUBLIC: NO_LIMIT,
      RATE_LIMIT_UPLOAD: NO_LIMIT,
    },
  });
  child.stderr!.on('data', (chunk: Buffer) => (lines += chunk.toString()));
  const { url: origin } = await answer<{ url: string }>(child, () => lines);
  const ask = <Reply>(message: string) => {
    const pendingReply = answer<Reply>(child, () => lines);
    child.send(message);
    return pendingReply;
  };
  return {
    origin,
    test: { ...here, origin },
    strain: { stalledMs: () => ask<number>('stalled'), overall: () => ask<Overall>('overall') },
    logged: () => {
      const all = lines;
      lines = '';
      return all;
    },
    isAlive: () => child.exitCode === null && child.signalCode === null,
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      const timer = setTimeout(() => child.kill('SIGKILL'), ENDS_WITHIN_MS);
      child.kill('SIGTERM');
      await ended;
      clearTimeout(timer);
    },
  };
}

/** The next message of the process. Throws its log if the process ends. */
async function answer<Reply>(child: ChildProcess, lines: () => string): Promise<Reply> {
  const over = new AbortController();
  const { signal } = over;
  const ended = once(child, 'exit', { signal }).then(() => {
    throw new Error(`The server under test ended: ${lines().slice(-2_000)}`);
  });
  ended.catch(() => undefined);
  try {
    const [message] = (await Promise.race([once(child, 'message', { signal }), ended])) as [Reply];
    return message;
  } finally {
    over.abort();
  }
}
