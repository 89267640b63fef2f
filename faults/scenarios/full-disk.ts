import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { publishSurvey } from '../../test/support/served-surveys.ts';
import { connectDatabase } from '../../src/db/connect.ts';
import { startEmbedded } from '../../src/db/embedded/embedded-server.ts';
import type { ApiProcess } from '../support/api-process.ts';
import { startLoadGenerator, SURVEY } from '../support/load-generator.ts';
import { startReaders } from '../support/readers.ts';
import { verifyStoredResponses, retryUnacknowledged } from '../support/verify-responses.ts';
import type { Scenario } from '../support/scenario.ts';
import { mountSmallDisk } from '../support/small-disk.ts';
import type { TestBed } from '../support/test-bed.ts';

const DISK_MB = 400;
const REFUSED_WITHIN_MS = 30_000;
const HEALTH_WITHIN_MS = 5_000;
const RESUMES_WITHIN_MS = 15_000;
/** Random, so that PostgreSQL cannot compress it. */
const longAnswer = (): string => randomBytes(450).toString('hex');

/** P19: the disk of PostgreSQL runs full under load and gets space again; then the program is started on a full disk. */
export const fullDisk: Scenario = {
  name: 'full-disk',
  promise: 'P19 A full disk loses nothing acknowledged',
  async run(testBed: TestBed) {
    const disk = mountSmallDisk(DISK_MB);
    if (disk === null)
      return {
        done: 'nothing: a small file system can be mounted by root only',
        checked: 'nothing',
        breaks: [],
      };
    testBed.atEnd(() => Promise.resolve(disk.remove()));
    const [clients, fullMs] = testBed.isShort ? [4, 2_000] : [16, 25_000];
    const server = await startEmbedded({ dataDir: disk.folder, database: 'canvass_faults', durable: true });
    const db = connectDatabase(server.url, 2);
    testBed.atEnd(async () => {
      disk.free();
      await db.destroy();
      await server.stop();
    });
    const own = { ...testBed, db };
    const [api] = (await testBed.apisOnEmpty(1, server.url)) as [ApiProcess];
    const { surveyId, linkToken } = await publishSurvey(own, api, SURVEY);
    const { surveyId: filled, linkToken: fillingLink } = await publishSurvey(own, api, SURVEY);
    const { ledger, end } = startLoadGenerator(testBed, { clients, apis: [api], linkToken });
    const reading = startReaders(testBed, [api], [`/api/surveys/${surveyId}`, `/api/surveys/${filled}`]);
    const breaks: string[] = [];
    await sleep(500);

    disk.fill();
    const fullSince = performance.now();
    breaks.push(...(await untilRefused(api, fillingLink)));
    breaks.push(...(await healthBreaks(api)));
    await sleep(fullMs);
    breaks.push(...logBreaks(api, performance.now() - fullSince));
    disk.free();
    const resumedMs = await resumed(api, fillingLink);
    if (resumedMs > RESUMES_WITHIN_MS)
      breaks.push(`service resumed ${Math.round(resumedMs)} ms after there was space again`);
    await Promise.all([end(), reading.end()]);
    if (ledger.lost > 0) breaks.push(`${ledger.lost} connections broke without a reply`);
    breaks.push(...reading.breaks, ...(await verifyStoredResponses(own, surveyId, ledger)));
    const recount = await retryUnacknowledged(own, surveyId, { linkToken, apis: [api], ledger });

    disk.fill();
    breaks.push(...(await restartBreaks(testBed, api, surveyId)));
    breaks.push(...(await startBreaks(testBed, path.join(disk.folder, 'data'))));
    disk.free();
    return {
      done: `The disk of PostgreSQL (${DISK_MB} MB) was filled under ${clients} clients who answer and ${reading.clients} who read, and freed after ${fullMs / 1_000} s; then the program was started again on a full disk, and for the first time with its data there`,
      checked:
        `every reply a success or 503 with Retry-After; 503 storage_full; /api/health says storage_full; short log lines, one in 10 s; ` +
        `${ledger.acknowledged.size} acknowledged are stored once; service within ${RESUMES_WITHIN_MS / 1_000} s of free space; after a start on a full disk reads work; a first start says what to do`,
      figures: `${ledger.unavailable + reading.unavailable} times 503; service after ${Math.round(resumedMs)} ms`,
      breaks: [...breaks, ...recount.breaks],
    };
  },
};

const submitLong = (api: ApiProcess, linkToken: string): Promise<Response> =>
  fetch(`${api.url}/api/public/s/${linkToken}/responses`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ answers: { Q1: longAnswer() } }),
    signal: AbortSignal.timeout(REFUSED_WITHIN_MS),
  });

/** Writes until the disk is full. */
async function untilRefused(api: ApiProcess, linkToken: string): Promise<string[]> {
  const began = performance.now();
  for (;;) {
    const reply = await submitLong(api, linkToken);
    const text = await reply.text();
    if (reply.status === 503 && text.includes('"storage_full"')) return [];
    if (performance.now() - began > REFUSED_WITHIN_MS)
      return [`no reply said storage_full; the last one was ${reply.status} ${text.slice(0, 200)}`];
  }
}

async function healthBreaks(api: ApiProcess): Promise<string[]> {
  const began = performance.now();
  const reply = await fetch(`${api.url}/api/health`);
  const text = await reply.text();
  const tookMs = performance.now() - began;
  const isRight = text.includes('storage_full') && tookMs < HEALTH_WITHIN_MS;
  return isRight ? [] : [`/api/health: ${reply.status} ${text} after ${Math.round(tookMs)} ms`];
}

function logBreaks(api: ApiProcess, fullMs: number): string[] {
  const lines = api
    .logged()
    .split('\n')
    .filter((line) => /storage is full|could not extend|No space left/.test(line));
  const most = Math.ceil(fullMs / 10_000) + 1;
  return [
    ...(lines.length === 0 ? ['the log does not say that the storage is full'] : []),
    ...(lines.length > most ? [`the log has ${lines.length} lines about the full disk, not ${most}`] : []),
    ...lines.filter((line) => line.length > 400).map((line) => `a long line: ${line.slice(0, 600)}`),
  ];
}

/** Waits until a response is stored and health is `ok`; returns the milliseconds, or throws after a minute. */
async function resumed(api: ApiProcess, linkToken: string): Promise<number> {
  const began = performance.now();
  for (;;) {
    const submitted = await submitLong(api, linkToken);
    await submitted.arrayBuffer();
    const health = await (await fetch(`${api.url}/api/health`)).text();
    const elapsed = performance.now() - began;
    if (submitted.ok && health.includes('"ok"')) return elapsed;
    if (elapsed > 60_000)
      throw new Error(`service did not resume within a minute: ${submitted.status} ${health}`);
    await sleep(100);
  }
}

/** The same installation, started on the full disk: reads work. */
async function restartBreaks(testBed: TestBed, api: ApiProcess, surveyId: number): Promise<string[]> {
  await api.stop(RESUMES_WITHIN_MS);
  await api.restart();
  const reply = await fetch(`${api.url}/api/surveys/${surveyId}`, {
    headers: { 'X-API-Key': testBed.apiKey },
  });
  return reply.ok ? [] : [`a read after a start on a full disk: ${reply.status} ${await reply.text()}`];
}

/** A first start, with the embedded database, in a folder on the full disk. */
async function startBreaks(testBed: TestBed, dataDir: string): Promise<string[]> {
  const { code, output: text } = await testBed.cli(['migrate'], { databaseUrl: '', dataDir });
  const isClear = /The disk of .+ is full\. Free some space/.test(text) && !/^ {4}at /m.test(text);
  return code !== 0 && isClear ? [] : [`a start on a full disk: exit code ${code}: ${text.slice(0, 800)}`];
}
