import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '../src/http/http-server.ts';
import { temporaryFolder } from '../test/support/temporary-folder.ts';
import { amount, type Figure, withinLimit } from './support/figure.ts';
import { median } from './support/rounds.ts';
import { SkippedBenchmarkError } from './support/skipped-benchmark.ts';
import type { TestBed } from './support/test-bed.ts';

const ROUNDS = 3;
/** Scheduled tasks have run once by then. */
const QUIET_MS = 20_000;
const LIMIT_MB = 160;

/** Resident memory of the built server, which has had no request, without PostgreSQL. */
export async function idleMemory(testBed: TestBed): Promise<Figure[]> {
  const server = fileURLToPath(new URL('../dist/main.js', import.meta.url));
  if (!existsSync(server)) throw new SkippedBenchmarkError('the server is not built (npm run build)');
  if (!existsSync('/proc/self/status')) throw new SkippedBenchmarkError('the system has no /proc');
  const reached: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) reached.push(await residentMb(testBed, server));
  return [
    withinLimit(
      `Resident memory of a quiet server, ${QUIET_MS / 1_000} s after its start`,
      amount(median(reached), 'MB'),
      LIMIT_MB,
    ),
  ];
}

async function residentMb({ databaseUrl, apiKey }: TestBed, server: string): Promise<number> {
  const { folder, remove } = temporaryFolder('bench');
  const child = spawn(process.execPath, [server], {
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      NODE_ENV: 'production',
      DATA_DIR: folder,
      DATABASE_URL: databaseUrl,
      ADMIN_API_KEY: apiKey,
      SEED_DEMO: 'false',
      LOG_LEVEL: 'warn',
      PORT: String(await findFreePort('127.0.0.1')),
    },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  try {
    await sleep(QUIET_MS);
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1];
    if (kilobytes === undefined) throw new Error('the server ended');
    return (Number(kilobytes) * 1_024) / 1e6;
  } finally {
    child.kill('SIGTERM');
    await ended;
    remove();
  }
}
