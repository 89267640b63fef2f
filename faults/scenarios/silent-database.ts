import { setTimeout as sleep } from 'node:timers/promises';
import { publishSurvey } from '../../test/support/served-surveys.ts';
import type { ApiProcess } from '../support/api-process.ts';
import { startLoadGenerator, SURVEY } from '../support/load-generator.ts';
import { startFreezingProxy } from '../support/freezing-proxy.ts';
import { startReaders } from '../support/readers.ts';
import { verifyStoredResponses, retryUnacknowledged } from '../support/verify-responses.ts';
import type { Scenario } from '../support/scenario.ts';
import type { TestBed } from '../support/test-bed.ts';

const HEALTH_WITHIN_MS = 5_000;
const REPLIES_WITHIN_MS = 15_000;
const RESUMES_WITHIN_MS = 10_000;
const STOPS_WITHIN_MS = 15_000;
/** Longer than a silence may remain unnoticed, shorter than the lock timeout. */
const SLOW_STATEMENT_MS = 8_000;

/** P3: the network to PostgreSQL falls silent; no connection is closed. */
export const silentDatabase: Scenario = {
  name: 'silent-database',
  promise: 'P3 A silent database is noticed, and service resumes by itself',
  async run(testBed: TestBed) {
    const { isShort } = testBed;
    const [clients, silentMs] = isShort ? [8, 7_000] : [32, 30_000];
    const proxy = await startFreezingProxy(testBed.databaseUrl);
    testBed.atEnd(() => proxy.close());
    const api = await testBed.api({ DATABASE_URL: proxy.url });
    const { surveyId, linkToken } = await publishSurvey(testBed, api, SURVEY);
    const { ledger, end } = startLoadGenerator(testBed, { clients, apis: [api], linkToken });
    const reading = startReaders(testBed, [api], [`/api/surveys/${surveyId}`, '/api/surveys']);
    const breaks: string[] = [];
    const returns: number[] = [];
    await sleep(500);

    proxy.freeze();
    const healthMs = await healthDuring(api, breaks);
    await sleep(Math.max(0, silentMs - healthMs));
    proxy.thaw();
    returns.push(await resumed(testBed, api, { surveyId, linkToken }));

    let slowMs = 0;
    if (!isShort) {
      await sleep(500);
      proxy.forgetConnections();
      returns.push(await resumed(testBed, api, { surveyId, linkToken }));
      slowMs = await slowStatement(testBed, api, surveyId, breaks);
    }
    await Promise.all([end(), reading.end()]);
    const slowestReturn = Math.max(...returns);
    if (slowestReturn > RESUMES_WITHIN_MS)
      breaks.push(`service resumed ${Math.round(slowestReturn)} ms after the database's return`);
    const slowestReply = Math.max(ledger.slowestMs, reading.slowestMs);
    if (slowestReply > REPLIES_WITHIN_MS) breaks.push(`a reply took ${Math.round(slowestReply)} ms`);
    if (ledger.lost > 0) breaks.push(`${ledger.lost} connections broke without a reply`);
    breaks.push(...reading.breaks, ...(await verifyStoredResponses(testBed, surveyId, ledger)));
    const recount = await retryUnacknowledged(testBed, surveyId, { linkToken, apis: [api], ledger });

    proxy.freeze();
    await sleep(isShort ? 200 : 3_000);
    const { code, milliseconds: stopMs } = await api.stop(2 * STOPS_WITHIN_MS);
    if (code !== 0 || stopMs > STOPS_WITHIN_MS)
      breaks.push(`SIGTERM: exit code ${code} after ${Math.round(stopMs)} ms`);
    return {
      done:
        `A proxy in front of PostgreSQL stopped forwarding for ${silentMs / 1_000} s under ${clients} clients who answer and ${reading.clients} who read; ` +
        `${isShort ? '' : 'then it silenced only the open connections; '}then SIGTERM during another silence`,
      checked:
        `/api/health answers 503 within 5 s; every reply a success or 503 with Retry-After within 15 s; service within 10 s of the return; ` +
        `${ledger.acknowledged.size} acknowledged are stored once; ${isShort ? '' : `a statement of ${SLOW_STATEMENT_MS / 1_000} s is not cut; `}exit 0 within 15 s of SIGTERM`,
      figures:
        `health after ${Math.round(healthMs)} ms; ${ledger.unavailable + reading.unavailable} times 503; slowest reply ${Math.round(slowestReply)} ms; ` +
        `service after ${returns.map((ms) => Math.round(ms)).join(' and ')} ms;${isShort ? '' : ` slow statement ${Math.round(slowMs)} ms;`} stop ${Math.round(stopMs)} ms`,
      breaks: [...breaks, ...recount.breaks],
    };
  },
};

/** Returns how long `/api/health` took to answer, in milliseconds. */
async function healthDuring(api: ApiProcess, breaks: string[]): Promise<number> {
  const began = performance.now();
  const reply = await fetch(`${api.url}/api/health`, { signal: AbortSignal.timeout(30_000) }).catch(
    () => null,
  );
  const text = (await reply?.text()) ?? '';
  const tookMs = performance.now() - began;
  if (reply?.status !== 503 || tookMs > HEALTH_WITHIN_MS)
    breaks.push(`/api/health: ${reply?.status ?? 'no reply'} after ${Math.round(tookMs)} ms ${text}`);
  return tookMs;
}

/** Waits until health, a read and a response succeed, each twice in a row; returns the milliseconds, or throws after a minute. */
async function resumed(
  testBed: TestBed,
  api: ApiProcess,
  { surveyId, linkToken }: { surveyId: number; linkToken: string },
): Promise<number> {
  const began = performance.now();
  let successes = 0;
  let resumedAt = 0;
  while (successes < 2) {
    const signal = AbortSignal.timeout(60_000);
    const replies = await Promise.all([
      fetch(`${api.url}/api/health`, { signal }),
      fetch(`${api.url}/api/surveys/${surveyId}`, { headers: { 'X-API-Key': testBed.apiKey }, signal }),
      fetch(`${api.url}/api/public/s/${linkToken}`, { signal }),
    ]);
    await Promise.all(replies.map((reply) => reply.arrayBuffer()));
    const elapsed = performance.now() - began;
    if (replies.every(({ ok }) => ok)) {
      successes += 1;
      resumedAt ||= elapsed;
    } else {
      successes = 0;
      resumedAt = 0;
    }
    if (elapsed > 60_000) throw new Error('service did not resume within a minute');
    await sleep(50);
  }
  return resumedAt;
}

/** A write that waits for a lock for some seconds is slow, not lost. Returns how long it took, in milliseconds. */
async function slowStatement(
  testBed: TestBed,
  api: ApiProcess,
  surveyId: number,
  breaks: string[],
): Promise<number> {
  const blockingTransaction = await testBed.db.transaction();
  await blockingTransaction.raw('SELECT 1 FROM surveys WHERE survey_id = ? FOR UPDATE', [surveyId]);
  const began = performance.now();
  const renaming = fetch(`${api.url}/api/surveys/${surveyId}`, {
    method: 'PUT',
    headers: { 'X-API-Key': testBed.apiKey, 'Content-Type': 'application/json' },
    body: JSON.stringify({ survey_name: 'Renamed' }),
  });
  await sleep(SLOW_STATEMENT_MS);
  await blockingTransaction.rollback();
  const reply = await renaming;
  const tookMs = performance.now() - began;
  if (!reply.ok || tookMs < SLOW_STATEMENT_MS)
    breaks.push(`a slow statement: ${reply.status} after ${Math.round(tookMs)} ms ${await reply.text()}`);
  return tookMs;
}
