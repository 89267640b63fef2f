import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { fillSurvey, publishSurvey } from '../../test/support/served-surveys.ts';
import { connectDatabase } from '../../src/db/connect.ts';
import { startLoadGenerator, Ledger, submit, SURVEY } from '../support/load-generator.ts';
import { verifyStoredResponses } from '../support/verify-responses.ts';
import type { Scenario } from '../support/scenario.ts';
import type { TestBed, CommandResult } from '../support/test-bed.ts';

/** P12: backups and restores are killed at a random point, while people answer. */
export const backup: Scenario = {
  name: 'backup',
  promise: 'P12 A backup restored is the same system',
  async run(testBed: TestBed) {
    const { isShort } = testBed;
    const [clients, rows, kills] = isShort ? [4, 2_000, 1] : [16, 100_000, 4];
    const api = await testBed.api();
    const { surveyId, linkToken } = await publishSurvey(testBed, api, SURVEY);
    const { surveyId: still } = await publishSurvey(testBed, api, SURVEY);
    await fillSurvey(testBed, still, rows, `jsonb_build_object('Q1', E'row\\t' || n)`);
    const { ledger, end } = startLoadGenerator(testBed, { clients, apis: [api], linkToken, pauseMs: 100 });
    const folder = path.join(testBed.folder, 'backups');
    mkdirSync(folder);
    const killed = await killedBackups(testBed, folder, kills);
    const before = [...ledger.acknowledged];
    const file = path.join(folder, 'whole.zip');
    const result = await testBed.cli(['backup', file]);
    await end();
    const breaks = [...killed, ...(await verifyStoredResponses(testBed, surveyId, ledger))];
    if (result.code !== 0) breaks.push(`backup: ${said(result)}`);
    const there = {
      databaseUrl: await testBed.database('migrated'),
      dataDir: path.join(testBed.folder, 'there'),
    };
    breaks.push(...(await restoredAtLast(testBed, file, there, kills)));
    breaks.push(...(await sameThere(testBed, there.databaseUrl, { surveyId, still, before, sent: ledger })));
    const restored = await testBed.api({ DATABASE_URL: there.databaseUrl, DATA_DIR: there.dataDir });
    const news = new Ledger();
    await submit(restored, linkToken, 'after-the-restore', news);
    const known = await fetch(`${restored.url}/api/surveys`, { headers: { 'X-API-Key': testBed.apiKey } });
    if (news.acknowledged.size !== 1 || known.status !== 200)
      breaks.push(
        `after the restore: a key is answered ${known.status}, a submission ${JSON.stringify(news.breaks)}`,
      );
    return {
      done: `kill -9 of a backup ${kills} times and of its restore elsewhere ${kills} times, at random points, while ${clients} clients answer a system with ${rows} rows`,
      checked: `no killed backup has its name; the restore after the kills fills the installation: the ${rows} rows byte by byte, the ${before.length} answers acknowledged before the backup, the first key, one more submission`,
      breaks,
    };
  },
};

const said = ({ code, output: text }: CommandResult): string => `${code ?? 'killed'}: ${text.slice(-500)}`;

async function killedBackups(testBed: TestBed, folder: string, kills: number): Promise<string[]> {
  const breaks: string[] = [];
  const began = performance.now();
  const complete = await testBed.cli(['backup', path.join(testBed.folder, 'first.zip')]);
  const durationMs = performance.now() - began;
  if (complete.code !== 0) breaks.push(`backup: ${said(complete)}`);
  for (let count = 0; count < kills; count += 1) {
    const file = path.join(folder, `killed-${count}.zip`);
    // Half of it is the start of the program.
    const killAfterMs = durationMs * (0.4 + 0.6 * testBed.random());
    const outcome = await testBed.cli(['backup', file], { killAfterMs });
    if (outcome.code === null && !outcome.output.includes('Everything as of') && existsSync(file)) {
      // If the file is complete although the process was killed, it must be a valid backup.
      const checked = await testBed.cli(['restore', file], await elsewhere(testBed, `checked-${count}`));
      if (checked.code !== 0) breaks.push(`a killed backup is there under its name: ${said(checked)}`);
    }
  }
  return breaks;
}

async function elsewhere(testBed: TestBed, name: string): Promise<{ databaseUrl: string; dataDir: string }> {
  return { databaseUrl: await testBed.database('migrated'), dataDir: path.join(testBed.folder, name) };
}

/** Killed again and again into the same installation, and then not. */
async function restoredAtLast(
  testBed: TestBed,
  file: string,
  there: { databaseUrl: string; dataDir: string },
  kills: number,
): Promise<string[]> {
  let durationMs = 4_000;
  for (let count = 0; count < kills; count += 1) {
    const began = performance.now();
    const outcome = await testBed.cli(['restore', file], {
      ...there,
      killAfterMs: durationMs * (0.4 + testBed.random()),
    });
    // Too late to kill it: it was done.
    if (outcome.code === 0) return [];
    if (outcome.code !== null) return [`restore, after ${count} kills: ${said(outcome)}`];
    durationMs = Math.max(durationMs, performance.now() - began);
  }
  const last = await testBed.cli(['restore', file], there);
  const isDone = last.code === 0 || last.output.includes('already has an organization');
  return isDone ? [] : [`restore, after ${kills} kills: ${said(last)}`];
}

async function sameThere(
  { db }: TestBed,
  url: string,
  expected: { surveyId: number; still: number; before: [string, number][]; sent: Ledger },
): Promise<string[]> {
  const there = connectDatabase(url, 2);
  try {
    const sumOf = async (on: typeof db) => {
      const { rows } = await on.raw<{ rows: { sum: string }[] }>(
        `SELECT md5(string_agg(r::text, ';' ORDER BY response_id)) AS sum
         FROM (SELECT response_id, submission_id, response_token, answers, started_at, completed_at FROM responses WHERE survey_id = ?) AS r`,
        [expected.still],
      );
      return rows[0]!.sum;
    };
    const { rows } = await there.raw<{ rows: { submission_id: string; response_id: number }[] }>(
      `SELECT submission_id, response_id FROM responses WHERE survey_id = ?`,
      [expected.surveyId],
    );
    const found = new Map(rows.map((row) => [row.submission_id, row.response_id]));
    const missing = expected.before.filter(([id, response]) => found.get(id) !== response);
    const never = rows.filter(
      ({ submission_id: id }) => !expected.sent.acknowledged.has(id) && !expected.sent.unknown.has(id),
    );
    return [
      ...((await sumOf(db)) === (await sumOf(there))
        ? []
        : ['the rows that stood still are others after the restore']),
      ...(missing.length === 0
        ? []
        : [`${missing.length} acknowledged before the backup are not in it: ${String(missing[0])}`]),
      ...(never.length === 0 ? [] : [`${never.length} were restored that nobody sent`]),
    ];
  } finally {
    await there.destroy();
  }
}
