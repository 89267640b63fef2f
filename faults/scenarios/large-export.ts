import { setTimeout as sleep } from 'node:timers/promises';
import { fillSurvey, publishSurvey } from '../../test/support/served-surveys.ts';
import type { ApiProcess } from '../support/api-process.ts';
import { startLoadGenerator, SURVEY } from '../support/load-generator.ts';
import { startReaders } from '../support/readers.ts';
import { verifyStoredResponses } from '../support/verify-responses.ts';
import { percentile, type Scenario } from '../support/scenario.ts';
import type { TestBed } from '../support/test-bed.ts';
import { eventLoopDelayMs, watchMemory } from '../support/monitoring.ts';

/** Four times the promised limit: beyond it, memory grows with the rows. */
const MOST_GROWTH_MB = 400;
const FREED_WITHIN_MS = 20_000;

/** P8: a survey with many rows is downloaded while others read and answer at the same process. */
export const largeExport: Scenario = {
  name: 'large-export',
  promise: 'P8 A million-row export never stops the service',
  async run(testBed: TestBed) {
    const { isShort } = testBed;
    const [clients, rows, aborted] = isShort ? [4, 20_000, 3] : [8, 1_000_000, 12];
    const api = await testBed.api({ DATABASE_POOL_SIZE: '4' });
    const { surveyId, linkToken } = await publishSurvey(testBed, api, SURVEY);
    const { surveyId: large } = await publishSurvey(testBed, api, SURVEY);
    await fillSurvey(testBed, large, rows, `jsonb_build_object('Q1', 'row ' || n)`);
    const apis = [api];
    const { ledger, end } = startLoadGenerator(testBed, { clients, apis, linkToken, pauseMs: 200 });
    const reading = startReaders(testBed, apis, [`/api/surveys/${surveyId}`, '/api/surveys']);
    await sleep(isShort ? 200 : 2_000);
    await eventLoopDelayMs(testBed, api);
    const watch = await watchMemory(testBed, api);
    reading.times.splice(0);
    const began = performance.now();
    const lines = await downloaded(testBed, api, large);
    const seconds = (performance.now() - began) / 1_000;
    const delay = await eventLoopDelayMs(testBed, api);
    const othersP99 = percentile(reading.times, 0.99);
    const growth = watch.growthMb();
    const breaks: string[] = [];
    if (lines !== rows + 1) breaks.push(`the file has ${lines} lines, not ${rows + 1}`);
    if (growth > MOST_GROWTH_MB) breaks.push(`memory grew by ${growth} MB`);
    // More than the pool has connections: none may be leaked.
    for (let count = 0; count < aborted; count += 1) await abortedDownload(testBed, api, large);
    breaks.push(...(await connectionsFreed(testBed, api)));
    await Promise.all([end(), reading.end()]);
    breaks.push(...reading.breaks, ...(await verifyStoredResponses(testBed, surveyId, ledger)));
    return {
      done: `a file of ${rows} rows downloaded from a process with 4 database connections, at which ${clients} clients answer and ${reading.clients} read; ${aborted} more downloads aborted on their way`,
      checked: `the file has every row; no other request failed; memory within ${MOST_GROWTH_MB} MB; no connection to the database is kept by an aborted download`,
      figures: `event loop's delay p99 ${delay.toFixed(0)} ms (promised 50), memory +${growth} MB (100), others' replies p99 ${othersP99.toFixed(0)} ms (200), ${seconds.toFixed(0)} s for the file`,
      breaks,
    };
  },
};

function request(
  testBed: TestBed,
  api: ApiProcess,
  surveyId: number,
  signal: AbortSignal | null,
): Promise<Response> {
  return fetch(`${api.url}/api/responses/${surveyId}/export`, {
    method: 'POST',
    headers: { 'X-API-Key': testBed.apiKey, 'Content-Type': 'application/json', Prefer: 'wait' },
    body: '{}',
    signal,
  });
}

async function downloaded(testBed: TestBed, api: ApiProcess, surveyId: number): Promise<number> {
  const reply = await request(testBed, api, surveyId, null);
  if (!reply.ok) throw new Error(`export: ${reply.status} ${await reply.text()}`);
  let lines = 0;
  for await (const chunk of reply.body!) {
    for (const byte of chunk as Uint8Array) if (byte === 10) lines += 1;
  }
  return lines;
}

async function abortedDownload(testBed: TestBed, api: ApiProcess, surveyId: number): Promise<void> {
  const abort = new AbortController();
  const reply = await request(testBed, api, surveyId, abort.signal);
  const reader = reply.body!.getReader();
  await reader.read();
  await sleep(testBed.random() * 50);
  abort.abort();
}

/** Waits until this process has no open transaction and serves requests. */
async function connectionsFreed(testBed: TestBed, api: ApiProcess): Promise<string[]> {
  const deadline = Date.now() + FREED_WITHIN_MS;
  for (;;) {
    const { rows } = await testBed.db.raw<{ rows: { state: string; query: string; seconds: number }[] }>(
      `SELECT state, left(query, 200) AS query, extract(epoch FROM now() - xact_start)::float AS seconds FROM pg_stat_activity
       WHERE application_name = ? AND xact_start < now() - interval '1 second'`,
      [`canvass ${api.pid}`],
    );
    if (rows.length === 0) return [];
    if (Date.now() > deadline) return [`after aborted downloads these stay open: ${JSON.stringify(rows)}`];
    await sleep(100);
  }
}
