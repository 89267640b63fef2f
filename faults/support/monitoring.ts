import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ApiProcess } from './api-process.ts';
import type { TestBed } from './test-bed.ts';

const SAMPLE_MS = 500;

export interface MemoryWatch {
  /** Of memory, in MB, as it was when watching began and since, twice a second. */
  readonly memory: number[];
  growthMb(): number;
  end(): Promise<void>;
}

/** How much memory a process holds, seen from outside. */
export async function watchMemory(stage: TestBed, api: ApiProcess): Promise<MemoryWatch> {
  const memory = [await memoryOf(api.pid)];
  const timer = setInterval(() => {
    void memoryOf(api.pid).then(
      (found) => memory.push(found),
      () => undefined,
    );
  }, SAMPLE_MS);
  const end = () => Promise.resolve(clearInterval(timer));
  stage.atEnd(end);
  return { memory, growthMb: () => Math.round(Math.max(...memory) - memory[0]!), end };
}

async function memoryOf(pid: number): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]);
  return Number(stdout.trim()) / 1_024;
}

/** The event loop's delay since it was asked last, p99, in milliseconds: a look begins a new measurement. */
export async function eventLoopDelayMs(stage: TestBed, api: ApiProcess): Promise<number> {
  const reply = await fetch(`${api.url}/metrics`, {
    headers: { Authorization: `Bearer ${stage.metricsToken}` },
  });
  const value = /^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(await reply.text())?.[1];
  if (value === undefined)
    throw new Error(`/metrics (${reply.status}) does not tell the delay of the event loop`);
  return Number(value) * 1_000;
}
