import { setTimeout as sleep } from 'node:timers/promises';
import { HANGS_AFTER_MS } from './load-generator.ts';
import type { TestBed } from './test-bed.ts';

export interface Readers {
  readonly clients: number;
  readonly breaks: string[];
  /** Duration of each reply, in milliseconds. */
  readonly times: number[];
  readonly unavailable: number;
  readonly slowestMs: number;
  end(): Promise<void>;
}

const CLIENTS_PER_PATH = 2;

/** Starts clients that read in the meantime. They expect success, or 503 with Retry-After. */
export function startReaders(
  testBed: TestBed,
  apis: readonly { url: string }[],
  paths: readonly string[],
): Readers {
  let over = false;
  let unavailable = 0;
  const breaks: string[] = [];
  const times: number[] = [];
  const readPage = async (url: string, path: string): Promise<void> => {
    const began = performance.now();
    try {
      const signal = AbortSignal.timeout(HANGS_AFTER_MS);
      const reply = await fetch(url + path, { headers: { 'X-API-Key': testBed.apiKey }, signal });
      const text = await reply.text();
      if (reply.status === 503 && reply.headers.has('retry-after')) unavailable += 1;
      else if (!reply.ok) breaks.push(`${path} was answered ${reply.status}: ${text.slice(0, 300)}`);
    } catch (error) {
      breaks.push(`${path}: ${String((error as Error).cause ?? error)}`);
    }
    times.push(performance.now() - began);
  };
  const reader = async (index: number): Promise<void> => {
    for (let count = index; !over; count += 1) {
      await readPage(apis[count % apis.length]!.url, paths[index % paths.length]!);
      await sleep(100);
    }
  };
  const clients = paths.length * CLIENTS_PER_PATH;
  const all = Promise.all(Array.from({ length: clients }, (_, index) => reader(index)));
  const end = async () => {
    over = true;
    await all;
  };
  testBed.atEnd(end);
  return {
    clients,
    breaks,
    times,
    get unavailable() {
      return unavailable;
    },
    get slowestMs() {
      return Math.max(0, ...times);
    },
    end,
  };
}
