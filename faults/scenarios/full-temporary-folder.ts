import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { connect as connectSocket } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { fillSurvey, publishSurvey } from '../../test/support/served-surveys.ts';
import type { ApiProcess } from '../support/api-process.ts';
import { SURVEY } from '../support/load-generator.ts';
import type { Scenario } from '../support/scenario.ts';
import type { TestBed } from '../support/test-bed.ts';

const REPLY_WITHIN_MS = 30_000;
const STOPS_WITHIN_MS = 10_000;
/** Some 10 KB that hardly compress: sockets buffer some MB before a client that does not read is noticed. */
const LARGE_TEXT = `(SELECT string_agg(md5(n || ':' || part), '') FROM generate_series(1, 300) AS part)`;

/** A temporary folder without space: how it is filled and freed. */
interface FullFolder {
  name: string;
  environment: Record<string, string>;
  limit?: string;
  /** null: it stays full; replies that fit are served. */
  makeRoom: (() => Promise<void>) | null;
}

/** The disk of the temporary folder is full, clients do not read, and the process is killed with files in it. */
export const fullTemporaryFolder: Scenario = {
  name: 'full-temporary-folder',
  promise: 'A full temporary folder stops no later reply',
  async run(testBed: TestBed) {
    const rows = testBed.isShort ? 1_500 : 10_000;
    const attempts = testBed.isShort ? 4 : 8;
    const author = await testBed.api();
    const { surveyId } = await publishSurvey(testBed, author, SURVEY);
    await fillSurvey(testBed, surveyId, rows, `jsonb_build_object('Q1', ${LARGE_TEXT})`);
    const folders = [limitedFileSize(testBed), ...(await smallFileSystems(testBed))];
    const breaks: string[] = [];
    for (const folder of folders)
      breaks.push(...(await filled(testBed, folder, { surveyId, rows, attempts })));
    breaks.push(...(await slowReaderIsCut(testBed, surveyId)));
    breaks.push(...(await killedWithFiles(testBed, surveyId)));
    return {
      done: `${attempts} grids, and files of each format, over ${rows} rows with a full temporary folder (${folders.map(({ name }) => name).join(', ')}); a client that never reads; kill -9 with a file open`,
      checked: `503 storage_full or a cut reply within ${REPLY_WITHIN_MS / 1_000} s; whole grids and files once there is room; SIGTERM ends within ${STOPS_WITHIN_MS / 1_000} s; the reader is cut after STREAM_TIMEOUT_SECONDS; the next start removes the files`,
      breaks,
    };
  },
};

/** Without other rights: no file of the process may be larger. The last write before the limit takes only a part of its bytes. */
function limitedFileSize(testBed: TestBed): FullFolder {
  return {
    name: 'limited file size',
    environment: { TMPDIR: createFolder(testBed, 'limited') },
    // In blocks of 512 bytes: 6 MB.
    limit: '-f 12000',
    makeRoom: null,
  };
}

/** Real ones, where this account may mount them: one without space for bytes, one without space for another file. */
async function smallFileSystems(testBed: TestBed): Promise<FullFolder[]> {
  const found: FullFolder[] = [];
  for (const [name, options] of [
    ['tmpfs of 1 MB', 'size=1m'],
    ['tmpfs without inodes', 'size=100m,nr_inodes=2'],
  ] as const) {
    const folder = createFolder(testBed, `tmpfs-${found.length}`);
    const mount = (...words: string[]) => promisify(execFile)('mount', ['-t', 'tmpfs', ...words]);
    const isMounted = await mount('-o', `${options},mode=1777`, 'tmpfs', folder).then(
      () => true,
      () => false,
    );
    if (!isMounted) return found;
    testBed.atEnd(() => promisify(execFile)('umount', ['--lazy', folder]));
    const makeRoom = async () => void (await mount('-o', 'remount,size=500m,nr_inodes=10000', folder));
    found.push({ name, environment: { TMPDIR: folder }, makeRoom });
  }
  return found;
}

function createFolder(testBed: TestBed, name: string): string {
  const folder = path.join(testBed.folder, name);
  mkdirSync(folder);
  return folder;
}

async function filled(
  testBed: TestBed,
  { name, environment, limit, makeRoom }: FullFolder,
  { surveyId, rows, attempts }: { surveyId: number; rows: number; attempts: number },
): Promise<string[]> {
  const api = await testBed.api(environment, limit);
  const breaks: string[] = [];
  const expect = (what: string, reply: string, expected: RegExp) => {
    if (!expected.test(reply)) breaks.push(`${name}, ${what}: ${reply.slice(0, 300)}`);
  };
  const full = /^503 .*storage_full|^cut/;
  for (let attempt = 0; attempt < attempts; attempt += 1)
    expect('grid', await grid(testBed, api, surveyId), full);
  for (const format of ['csv', 'xlsx', 'spss'])
    expect(format, await file(testBed, api, surveyId, format), full);
  if (makeRoom === null) {
    expect('grid that fits', await grid(testBed, api, surveyId, 260), /^200 260 rows/);
  } else {
    await makeRoom();
    expect('grid with room', await grid(testBed, api, surveyId), new RegExp(`^200 ${rows} rows`));
    expect('csv with room', await file(testBed, api, surveyId, 'csv'), new RegExp(`^200 ${rows + 1} lines`));
  }
  if (readdirSync(environment.TMPDIR!).length > 0)
    breaks.push(`${name}: files stay: ${readdirSync(environment.TMPDIR!).join(', ')}`);
  const { code, milliseconds } = await api.stop(2 * STOPS_WITHIN_MS);
  if (code !== 0 || milliseconds > STOPS_WITHIN_MS)
    breaks.push(`${name}: SIGTERM ended with ${code} after ${Math.round(milliseconds)} ms`);
  return breaks;
}

/** Checks that the server removes the file of a client that reads nothing. */
async function slowReaderIsCut(testBed: TestBed, surveyId: number): Promise<string[]> {
  const folder = createFolder(testBed, 'slow');
  const api = await testBed.api({ TMPDIR: folder, STREAM_TIMEOUT_SECONDS: '2' });
  const reader = silentReader(testBed, api, surveyId);
  const appeared = await until(() => readdirSync(folder).length > 0, 10_000);
  const isRemoved = await until(() => readdirSync(folder).length === 0, 10_000);
  reader.destroy();
  return appeared && isRemoved
    ? []
    : [`a client that never reads: file created ${appeared}, removed ${isRemoved}`];
}

async function killedWithFiles(testBed: TestBed, surveyId: number): Promise<string[]> {
  const folder = createFolder(testBed, 'killed');
  const api = await testBed.api({ TMPDIR: folder });
  const reader = silentReader(testBed, api, surveyId);
  await until(() => readdirSync(folder).length > 0, 10_000);
  await api.kill();
  reader.destroy();
  const remaining = readdirSync(folder).length;
  await api.restart();
  const after = readdirSync(folder).length;
  return remaining === 1 && after === 0
    ? []
    : [`${remaining} files after kill -9, ${after} after the next start`];
}

function silentReader(testBed: TestBed, api: ApiProcess, surveyId: number) {
  const socket = connectSocket(Number(new URL(api.url).port), '127.0.0.1').on('error', () => undefined);
  socket.pause();
  socket.write(
    `GET /api/responses/${surveyId}/grid HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: ${testBed.apiKey}\r\n\r\n`,
  );
  return socket;
}

/** The status and what came, in short. */
async function grid(testBed: TestBed, api: ApiProcess, surveyId: number, limit?: number): Promise<string> {
  const query = limit === undefined ? '' : `?limit=${limit}`;
  return answered(testBed, `${api.url}/api/responses/${surveyId}/grid${query}`, {}, (text) => {
    const { data } = JSON.parse(text) as { data: { rows: unknown[] } };
    return `${data.rows.length} rows`;
  });
}

const file = (testBed: TestBed, api: ApiProcess, surveyId: number, format: string): Promise<string> =>
  answered(
    testBed,
    `${api.url}/api/responses/${surveyId}/export`,
    { method: 'POST', body: JSON.stringify({ format }) },
    (text) => `${text.trimEnd().split('\r\n').length} lines`,
  );

async function answered(
  testBed: TestBed,
  url: string,
  init: RequestInit,
  describe: (text: string) => string,
): Promise<string> {
  const headers = { 'X-API-Key': testBed.apiKey, 'Content-Type': 'application/json', Prefer: 'wait' };
  const signal = AbortSignal.timeout(REPLY_WITHIN_MS);
  try {
    const reply = await fetch(url, { ...init, headers, signal });
    const text = await reply.text();
    return `${reply.status} ${reply.ok ? describe(text) : text}`;
  } catch (error) {
    if (signal.aborted) return `no end of the reply within ${REPLY_WITHIN_MS} ms`;
    return `cut: ${String((error as Error).cause ?? error)}`;
  }
}

async function until(holds: () => boolean, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (!holds()) {
    if (performance.now() > deadline) return false;
    await sleep(20);
  }
  return true;
}
