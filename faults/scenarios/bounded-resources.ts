import { connect as connectSocket, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fillSurvey, publishSurvey } from '../../test/support/served-surveys.ts';
import { connectDatabase } from '../../src/db/connect.ts';
import type { ApiProcess } from '../support/api-process.ts';
import { startLoadGenerator, SURVEY } from '../support/load-generator.ts';
import { startReaders } from '../support/readers.ts';
import { verifyStoredResponses } from '../support/verify-responses.ts';
import { percentile, type Scenario } from '../support/scenario.ts';
import type { TestBed } from '../support/test-bed.ts';
import { watchMemory } from '../support/monitoring.ts';

const MOST_GROWTH_MB = 600;
/** Allowed growth of the second half over the first: a leak continues to grow. */
const LEVEL_WITHIN_MB = 150;
/** The time limit of headers, plus the interval of Node's check, plus a margin. */
const HEADERS_CUT_WITHIN_MS = 70_000;

/** P10: silent sockets, clients that send or read one byte at a time, and expensive requests, concurrently. */
export const boundedResources: Scenario = {
  name: 'bounded-resources',
  promise: 'P10 Time and memory are bounded',
  async run(testBed: TestBed) {
    const { isShort } = testBed;
    const [idle, slow, unread, heavy, rows, ms] = isShort
      ? [200, 10, 3, 10, 5_000, 1_500]
      : [2_000, 50, 20, 50, 20_000, 40_000];
    const api = await testBed.api();
    const { surveyId, linkToken } = await publishSurvey(testBed, api, SURVEY);
    const { surveyId: large } = await publishSurvey(testBed, api, SURVEY);
    await fillSurvey(testBed, large, rows, `jsonb_build_object('Q1', 'row ' || n)`);
    const watch = await watchMemory(testBed, api);
    const slowly = new SlowClients(testBed, api);
    const opened = await slowly.idle(idle);
    const ends = slowly.headers(slow);
    slowly.bodies(slow, linkToken);
    slowly.neverReading(unread, large);
    const { ledger, end } = startLoadGenerator(testBed, { clients: 4, apis: [api], linkToken, pauseMs: 200 });
    const reading = startReaders(testBed, [api], [`/api/surveys/${surveyId}`, '/api/health']);
    const began = performance.now();
    const statuses = new Map<number, number>();
    const breaks: string[] = [];
    let rounds = 0;
    while (rounds === 0 || performance.now() - began < ms) {
      rounds += 1;
      for (const status of await heavyRequests(testBed, api, large, heavy))
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    if ([...statuses.keys()].some((status) => status !== 200 && status !== 503))
      breaks.push(`heavy requests were answered ${JSON.stringify([...statuses])}`);
    if (!isShort) breaks.push(...(await headersCut(ends, slow, began)));
    await Promise.all([end(), reading.end(), watch.end()]);
    await slowly.end();
    breaks.push(
      ...memoryBreaks(watch.memory, isShort),
      ...reading.breaks,
      ...(await verifyStoredResponses(testBed, surveyId, ledger)),
    );
    breaks.push(...(await limitsUnset(testBed)));
    return {
      done:
        `${opened} idle sockets${opened < idle ? ` (${idle} were wanted; the system gave no more)` : ''}, ${slow} clients that send headers and ${slow} that send bodies a byte at a time, ` +
        `${unread} downloads never read, and ${rounds} times ${heavy} heavy requests at once over ${rows} rows`,
      checked:
        `${ledger.acknowledged.size} responses and ${reading.times.length} reads answered meanwhile; memory levels off; ` +
        `${isShort ? '' : 'slow headers are cut; '}statement, lock and idle-in-transaction timeouts are set (SHOW)`,
      figures: `memory +${watch.growthMb()} MB; others' replies p99 ${percentile(reading.times, 0.99).toFixed(0)} ms; heavy: ${[...statuses].map(([status, count]) => `${count} times ${status}`).join(', ')}`,
      breaks,
    };
  },
};

/** Clients that take their time. */
class SlowClients {
  private readonly testBed: TestBed;
  private readonly port: number;
  private readonly sockets = new Set<Socket>();
  private readonly timers: NodeJS.Timeout[] = [];

  constructor(testBed: TestBed, api: ApiProcess) {
    this.testBed = testBed;
    this.port = Number(new URL(api.url).port);
    testBed.atEnd(() => this.end());
  }

  /** Returns the number of open sockets; the system may not allow all. */
  async idle(count: number): Promise<number> {
    let opened = 0;
    for (let index = 0; index < count; index += 1) {
      const socket = this.socket();
      const isOpen = await new Promise<boolean>((resolve) => {
        socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      });
      if (!isOpen) break;
      opened += 1;
    }
    return opened;
  }

  /** Gives for each when it was cut. */
  headers(count: number): Promise<number>[] {
    return Array.from({ length: count }, () => {
      const socket = this.socket();
      this.drip(socket, `GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ${'a'.repeat(2_000)}`);
      return new Promise<number>((resolve) => socket.once('close', () => resolve(performance.now())));
    });
  }

  bodies(count: number, linkToken: string): void {
    for (let index = 0; index < count; index += 1) {
      const socket = this.socket();
      socket.write(
        `POST /api/public/s/${linkToken}/responses HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n`,
      );
      this.drip(socket, `{"answers":{"Q1":"${'a'.repeat(2_000)}`);
    }
  }

  neverReading(count: number, surveyId: number): void {
    for (let index = 0; index < count; index += 1) {
      const socket = this.socket();
      socket.pause();
      socket.write(
        `POST /api/responses/${surveyId}/export HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: ${this.testBed.apiKey}\r\n` +
          'Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
      );
    }
  }

  end(): Promise<void> {
    for (const timer of this.timers.splice(0)) clearInterval(timer);
    for (const socket of this.sockets) socket.destroy();
    return Promise.resolve();
  }

  private socket(): Socket {
    const socket = connectSocket(this.port, '127.0.0.1');
    this.sockets.add(socket);
    return socket.on('error', () => undefined).on('close', () => this.sockets.delete(socket));
  }

  private drip(socket: Socket, text: string): void {
    let at = 0;
    this.timers.push(
      setInterval(() => {
        if (!socket.destroyed && at < text.length) socket.write(text[(at += 1) - 1]!);
      }, 250),
    );
  }
}

/** Files, tables and searches of many rows, all at once; their statuses. */
function heavyRequests(
  testBed: TestBed,
  api: ApiProcess,
  surveyId: number,
  count: number,
): Promise<number[]> {
  const kinds = [
    ['export', {}],
    ['crosstab', { rows: ['language'], columns: ['response_status'] }],
    ['find-replace', { column_code: 'Q1', find: '7', replace: '8', dry_run: true }],
    ['transform/text', { column_code: 'Q1', operations: ['uppercase'], overwrite: true, dry_run: true }],
  ] as const;
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const [path, body] = kinds[index % kinds.length]!;
      const reply = await fetch(`${api.url}/api/responses/${surveyId}/${path}`, {
        method: 'POST',
        headers: { 'X-API-Key': testBed.apiKey, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
      for await (const chunk of reply.body!) void chunk;
      return reply.status;
    }),
  );
}

async function headersCut(ends: readonly Promise<number>[], slow: number, began: number): Promise<string[]> {
  const remaining = Math.max(0, HEADERS_CUT_WITHIN_MS - (performance.now() - began));
  const all = Promise.all(ends).then(() => true);
  const isCut = await Promise.race([all, sleep(remaining, false, { ref: false })]);
  return isCut
    ? []
    : [`not all of ${slow} that send headers a byte at a time were cut after ${HEADERS_CUT_WITHIN_MS} ms`];
}

function memoryBreaks(memory: readonly number[], isShort: boolean): string[] {
  const growth = Math.max(...memory) - memory[0]!;
  const middle = memory.length >> 1;
  const later = Math.max(...memory.slice(middle)) - Math.max(...memory.slice(0, middle));
  return [
    ...(growth > MOST_GROWTH_MB ? [`memory grew by ${Math.round(growth)} MB`] : []),
    ...(!isShort && later > LEVEL_WITHIN_MB
      ? [`memory goes on growing: ${memory.map(Math.round).join(' ')} MB`]
      : []),
  ];
}

/** Connections as PostgreSQL lists them for the role of the server. */
async function limitsUnset({ databaseUrl }: TestBed): Promise<string[]> {
  const db = connectDatabase(databaseUrl, 1);
  try {
    const breaks: string[] = [];
    for (const name of ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']) {
      const { rows } = await db.raw<{ rows: Record<string, string>[] }>(`SHOW ${name}`);
      if (rows[0]![name] === '0') breaks.push(`${name} is not set`);
    }
    return breaks;
  } finally {
    await db.destroy();
  }
}
