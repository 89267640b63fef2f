import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fillSurvey, publishSurvey } from '../../test/support/served-surveys.ts';
import { readLockFile } from '../../src/db/embedded/postmaster.ts';
import { isAlive } from '../../src/lib/processes.ts';
import { SURVEY } from '../support/load-generator.ts';
import type { Scenario } from '../support/scenario.ts';
import type { TestBed, CommandResult } from '../support/test-bed.ts';

const ENDS_WITHIN_MS = 20_000;
const SIGNALS = ['SIGKILL', 'SIGTERM', 'SIGINT'] as const;

/** A restore into an empty DATA_DIR and into an empty database, first killed at different times, then completed. */
export const restore: Scenario = {
  name: 'restore',
  promise: 'P12 A killed restore leaves no server and nothing half-written',
  async run(testBed: TestBed) {
    const [rows, rounds] = testBed.isShort ? [2_000, 1] : [50_000, 3];
    const api = await testBed.api();
    const { surveyId } = await publishSurvey(testBed, api, SURVEY);
    await fillSurvey(testBed, surveyId, rows, `jsonb_build_object('Q1', 'row ' || n)`);
    const archive = path.join(testBed.folder, 'backup.zip');
    const result = await testBed.cli(['backup', archive]);
    const breaks: string[] = result.code === 0 ? [] : [`backup: ${result.output.slice(-500)}`];
    for (let round = 0; round < rounds; round += 1) {
      for (const [name, databaseUrl] of [
        ['an empty DATA_DIR', null],
        ['an empty database', await testBed.database('empty')],
      ] as const) {
        const where = {
          databaseUrl,
          dataDir: path.join(testBed.folder, `restored-${round}-${databaseUrl === null}`),
        };
        breaks.push(...(await killedThenWhole(testBed, name, archive, where, { surveyId, rows })));
      }
    }
    return {
      done: `a backup of ${rows} rows restored into an empty DATA_DIR and into an empty database, ${rounds} times each, after tries that were ended with ${SIGNALS.join(', ')}`,
      checked: `no PostgreSQL runs ${ENDS_WITHIN_MS / 1_000} s after the signal; the next restore succeeds; a server on it has every row`,
      breaks,
    };
  },
};

interface Place {
  /** null: the embedded server in `dataDir`. */
  databaseUrl: string | null;
  dataDir: string;
}

async function killedThenWhole(
  testBed: TestBed,
  name: string,
  archive: string,
  where: Place,
  expected: { surveyId: number; rows: number },
): Promise<string[]> {
  const breaks: string[] = [];
  for (const signal of SIGNALS) {
    const { code, output: said } = await restored(testBed, archive, where, signal);
    if (code === 0) breaks.push(`${name}: the restore ended before ${signal}: ${said.slice(-300)}`);
    if (!(await hasNoServer(where))) breaks.push(`${name}: PostgreSQL still runs after ${signal}`);
  }
  const { code, output: said } = await restored(testBed, archive, where, null);
  if (code !== 0) return [...breaks, `${name}: restore after the signals: ${code} ${said.slice(-500)}`];
  if (!(await hasNoServer(where))) breaks.push(`${name}: PostgreSQL still runs after the restore`);
  const { databaseUrl, dataDir } = where;
  const api = await testBed.api({ DATABASE_URL: databaseUrl ?? '', DATA_DIR: dataDir });
  const reply = await fetch(`${api.url}/api/responses/${expected.surveyId}/stats`, {
    headers: { 'X-API-Key': testBed.apiKey },
  });
  const text = await reply.text();
  const total = reply.ok ? (JSON.parse(text) as { data: { total: number } }).data.total : null;
  if (total !== expected.rows) breaks.push(`${name}: the server says ${reply.status} ${text.slice(0, 300)}`);
  await api.stop(ENDS_WITHIN_MS);
  return breaks;
}

/** `signal`: sent when the first table is filled, or in half of the runs earlier. */
async function restored(
  testBed: TestBed,
  archive: string,
  where: Place,
  signal: NodeJS.Signals | null,
): Promise<CommandResult> {
  // While the program or the embedded server starts, or the schema is created.
  const earlyMs = testBed.random() < 0.5 ? 1_000 + 2_000 * testBed.random() : null;
  let early: NodeJS.Timeout | undefined;
  const onStart = (child: ChildProcess) => {
    if (signal === null) return;
    child.stderr!.once('data', () => child.kill(signal));
    if (earlyMs !== null) early = setTimeout(() => child.kill(signal), earlyMs);
  };
  const outcome = await testBed.cli(['restore', archive], { ...where, onStart });
  clearTimeout(early);
  return outcome;
}

async function hasNoServer({ databaseUrl, dataDir }: Place): Promise<boolean> {
  const cluster = path.join(dataDir, 'postgres');
  if (databaseUrl !== null || !existsSync(cluster)) return true;
  const deadline = performance.now() + ENDS_WITHIN_MS;
  for (;;) {
    const lock = await readLockFile(cluster);
    if (lock === null || !isAlive(lock.pid)) return true;
    if (performance.now() > deadline) return false;
    await sleep(50);
  }
}
