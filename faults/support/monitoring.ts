import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ApiProcess } from './api-process.ts';
import type { TestBed } from './test-bed.ts';

const SAMPLE_MS = 500;

export interface MemoryWatch {
  /** Memory in MB at the start and afterwards, twice a second. */
  readonly memory: number[];
  growthMb(): number;
  end(): Promise<void>;
}

/** Measures the memory of a process from outside. */
export async function watchMemory(testBed: TestBed, api: ApiProcess): Promise<MemoryWatch> {
  const memory = [await memoryOf(api.pid)];
  const timer = setInterval(() => {
    void memoryOf(api.pid).then(
      (found) => memory.push(found),
      () => undefined,
    );
  }, SAMPLE_MS);
  const end = () => Promise.resolve(clearInterval(timer));
  testBed.atEnd(end);
  return { memory, growthMb: () => Math.round(Math.max(...memory) - memory[0]!), end };
}

async function memoryOf(pid: number): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]);
  return Number(stdout.trim()) / 1_024;
}

/** Returns the p99 delay of the event loop since the last call, in milliseconds, and begins a new measurement. */
export async function eventLoopDelayMs(testBed: TestBed, api: ApiProcess): Promise<number> {
  const reply = await fetch(`${api.url}/metrics`, {
    headers: { Authorization: `Bearer ${testBed.metricsToken}` },
  });
  const value = /^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(await reply.text())?.[1];
  if (value === undefined)
    throw new Error(`/metrics (${reply.status}) does not tell the delay of the event loop`);
  return Number(value) * 1_000;
}
