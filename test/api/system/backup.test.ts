import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BackupManifest } from '../../../src/domain/backup/manifest.ts';
import { knownMigrations } from '../../../src/db/migrate.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { StartError } from '../../../src/lib/errors.ts';
import { Store } from '../../../src/repositories/store.ts';
import { ScheduledBackups } from '../../../src/services/system/backup/scheduled-backups.ts';
import { anonymous, newOrganization, type Organization, signIn } from '../../support/actors.ts';
import { appOn, TEST_SECRET, type TestApp, useApp } from '../../support/app.ts';
import { beginResponse } from '../../support/begin-response.ts';
import { builtProgram } from '../../support/built-program.ts';
import { useDatabase } from '../../support/database.ts';
import { PNG } from '../../support/sample-files.ts';
import { choice, fileQuestion, text } from '../../support/questions.ts';
import { publishedSurvey, type PublishedSurvey } from '../../support/surveys.ts';
import { uploadFile } from '../../support/uploaded-files.ts';
import { zipParts } from '../../support/zip-parts.ts';

const app = useApp();
const elsewhere = useDatabase();
const folder = mkdtempSync(path.join(os.tmpdir(), 'canvass-backup-'));
const elsewhereDir = path.join(folder, 'elsewhere');
const archive = path.join(folder, 'all.zip');
const PICTURE = PNG;

let home: Organization;
let survey: PublishedSurvey;
let fileId: string;
let manifest: BackupManifest;
/** Acknowledged before the backup was begun, and all in the end. */
let before: number[];
let stored: number[];

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The command line on a database, as an administrator uses it. */
function cli(databaseUrl: string, dataDir: string, ...words: string[]) {
  return run(builtProgram('cli'), databaseUrl, dataDir, words);
}

function run(program: readonly string[], databaseUrl: string, dataDir: string, words: readonly string[]) {
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    JWT_SECRET: TEST_SECRET,
  };
  return promisify(execFile)(process.execPath, [...program, ...words], { env }).then(
    ({ stdout, stderr }) => ({ failed: false, said: stdout + stderr }),
    (error: unknown) => ({ failed: true, said: (error as { stderr: string }).stderr }),
  );
}

const restored = (file: string) => cli(elsewhere.url, elsewhereDir, 'restore', file);
const manifestOf = async (file: string): Promise<BackupManifest> =>
  JSON.parse((await zipParts(readFileSync(file))).get('manifest.json')!.toString()) as BackupManifest;

async function answered(on: TestApp): Promise<number> {
  const { body } = await anonymous(on)
    .post(`/api/public/s/${survey.linkToken}/responses`, {
      answers: { Q1: '1', Q2: 'tabs\tand\nlines \\N “quoted” 🙂' },
    })
    .expect(201);
  return body.data.response_id;
}

beforeAll(async () => {
  home = await newOrganization(app);
  survey = await publishedSurvey(home.admin, [[choice('Q1'), text('Q2'), fileQuestion('Q3')]]);
  const begun = await beginResponse(anonymous(app), survey.linkToken);
  fileId = await uploadFile(begun, 'Q3', PICTURE, 'picture.png');
  await begun.complete({ Q1: '2', Q3: [fileId] }).expect(200);
  stored = [begun.responseId];
  for (let count = 0; count < 30; count += 1) stored.push(await answered(app));
  before = [...stored];
  let made = false;
  const crowd = (async () => {
    while (!made) stored.push(...(await Promise.all([answered(app), answered(app), answered(app)])));
  })();
  const outcome = await cli(app.database.url, app.container.config.dataDir, 'backup', archive);
  made = true;
  await crowd;
  expect(outcome.said).toContain('Everything as of');
  expect(outcome.failed).toBe(false);
  manifest = await manifestOf(archive);
});

describe('a backup that was made while people answered', () => {
  it('is whole, readable by its owner alone, and leaves nothing unfinished beside it', () => {
    expect(statSync(archive).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['all.zip']);
    expect(manifest.files).toHaveLength(1);
    expect(manifest.missing_files).toEqual([]);
  });

  it('is of one moment, with everything that was acknowledged before', async () => {
    const rows = (await zipParts(readFileSync(archive))).get('tables/responses.copy')!.toString();
    const { columns } = manifest.tables.find(({ table }) => table === 'responses')!;
    const at = columns.indexOf('response_id');
    const ids = rows
      .trimEnd()
      .split('\n')
      .map((line) => Number(line.split('\t')[at]));
    expect(ids).toEqual(expect.arrayContaining(before));
    expect(stored).toEqual(expect.arrayContaining(ids));
    expect(stored.length).toBeGreaterThan(ids.length);
  });

  it('holds no password, no key and no signing secret', async () => {
    const session = await signIn(app, home.admin);
    const all = Buffer.concat([...(await zipParts(readFileSync(archive))).values()]).toString('latin1');
    for (const secret of [home.admin.password, home.admin.apiKey!, session.token, TEST_SECRET])
      expect(all).not.toContain(secret);
  });
});

describe('what is not a complete backup', () => {
  /** The error, thrown before the database is changed. */
  const refusal = async (file: string): Promise<string> => {
    const { restoring } = appOn(elsewhere, { DATA_DIR: elsewhereDir }).container.services;
    const change = () => Promise.reject(new Error('The schema was changed'));
    const schema = { known: await knownMigrations(), change };
    const error: unknown = await restoring.restore(file, schema).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StartError);
    return (error as StartError).message;
  };
  const refusedWith = async (bytes: Buffer): Promise<string> => {
    const file = path.join(folder, 'broken.zip');
    writeFileSync(file, bytes);
    const said = await refusal(file);
    rmSync(file);
    return said;
  };
  it('is refused when its end is missing', async () => {
    const whole = readFileSync(archive);
    expect(await refusedWith(whole.subarray(0, whole.length - 100))).toContain('is not a complete backup');
    expect(await refusedWith(whole.subarray(0, whole.length / 2))).toContain('is not a complete backup');
    expect(await refusedWith(Buffer.from('hello'))).toContain('is not a complete backup');
  });

  it('is refused when a byte of it is another, before anything is written', async () => {
    const whole = Buffer.from(readFileSync(archive));
    // Files are stored as they are, so that this one can be found.
    const at = whole.indexOf(PICTURE);
    whole[at] = whole[at]! ^ 1;
    expect(await refusedWith(whole)).toMatch(/files\/\S+ (is damaged|cannot be read)/);
  });

  it('is refused when it is not there', async () => {
    expect(await refusal(path.join(folder, 'none.zip'))).toContain('There is no file');
  });
});

describe('a backup that is restored elsewhere', () => {
  let there: TestApp;

  beforeAll(async () => {
    const outcome = await cli(elsewhere.url, elsewhereDir, 'restore', archive);
    expect(outcome.said).toContain('Restored: everything as of');
    there = appOn(elsewhere, { DATA_DIR: elsewhereDir });
  });

  it('is the same, row by row and file by file', async () => {
    const second = path.join(folder, 'second.zip');
    expect((await cli(elsewhere.url, elsewhereDir, 'backup', second)).failed).toBe(false);
    const again = await manifestOf(second);
    expect(again.tables).toEqual(manifest.tables);
    expect(again.files).toEqual(manifest.files);
    expect(again.migrations).toEqual(manifest.migrations);
  });

  it('numbers its transactions anew: another server’s say nothing here', async () => {
    const { columns } = manifest.tables.find(({ table }) => table === 'responses')!;
    expect(columns).toContain('answers');
    expect(columns).not.toContain('changed_xid');
    const { rows } = await elsewhere.db.raw<{ rows: object[] }>(
      'SELECT DISTINCT changed_xid FROM responses WHERE pg_visible_in_snapshot(changed_xid, pg_current_snapshot())',
    );
    expect(rows).toHaveLength(1);
  });

  it('lets people sign in, look and answer as before', async () => {
    const admin = await signIn(there, home.admin);
    const { body } = await admin.get(`/api/responses/${survey.surveyId}/stats`).expect(200);
    const id = await answered(there);
    // No number is given twice.
    expect(manifest.tables.find(({ table }) => table === 'responses')!.rows).toBeGreaterThan(30);
    expect(id).toBeGreaterThan(Math.max(...before));
    const after = await admin.get(`/api/responses/${survey.surveyId}/stats`).expect(200);
    expect(after.body.data.total).toBe(body.data.total + 1);
  });

  it('brings its files back', async () => {
    const address = `/api/responses/${survey.surveyId}/files/${fileId}`;
    const { body } = await (await signIn(there, home.admin)).get(address).buffer().expect(200);
    expect(body).toEqual(PICTURE);
  });

  it('is not restored over what is there', async () => {
    const { failed, said } = await restored(archive);
    expect(failed).toBe(true);
    expect(said).toContain('already has an organization');
  });
});

describe('backups that are made by themselves', () => {
  it('are made when the newest is old enough, and the oldest make way', async () => {
    const kept = path.join(folder, 'scheduled');
    const { backups } = app.container.services;
    let now = new Date('2026-03-01T04:00:00.500Z');
    const clock = { ...systemClock, now: () => now };
    const scheduled = new ScheduledBackups(backups, clock, { folder: kept, everyHours: 24, keep: 2 });
    const oneDay = async (day: string) => {
      now = new Date(`2026-03-${day}T04:00:00.500Z`);
      const made = await scheduled.run();
      if (made !== null) utimesSync(made, now, now);
      return made === null ? null : path.basename(made);
    };
    expect(await oneDay('01')).toBe('canvass-2026-03-01T04-00-00Z.zip');
    expect(await scheduled.run()).toBeNull();
    expect(await oneDay('02')).toBe('canvass-2026-03-02T04-00-00Z.zip');
    expect(await oneDay('03')).toBe('canvass-2026-03-03T04-00-00Z.zip');
    expect(readdirSync(kept).sort()).toEqual([
      'canvass-2026-03-02T04-00-00Z.zip',
      'canvass-2026-03-03T04-00-00Z.zip',
    ]);
  });

  it('remove what killed ones left unfinished, but not what is being written', async () => {
    const kept = path.join(folder, 'left');
    mkdirSync(kept);
    const now = new Date('2026-03-05T04:00:00.000Z');
    const file = (name: string, hoursAgo: number) => {
      writeFileSync(path.join(kept, name), 'half');
      const at = new Date(now.getTime() - hoursAgo * 3_600_000);
      utimesSync(path.join(kept, name), at, at);
    };
    const uuid = '9b2f7f3e-8d9c-4a53-9a0e-3f6f0f6a1c11';
    file(`canvass-2026-03-04T04-00-00Z.zip.${uuid}.unfinished`, 24);
    file(`canvass-2026-03-05T03-55-00Z.zip.${uuid}.unfinished`, 0.1);
    file(`mine.zip.${uuid}.unfinished`, 24);
    const schedule = { folder: kept, everyHours: 24, keep: 2 };
    await new ScheduledBackups(
      app.container.services.backups,
      { ...systemClock, now: () => now },
      schedule,
    ).run();
    expect(readdirSync(kept).sort()).toEqual([
      `canvass-2026-03-05T03-55-00Z.zip.${uuid}.unfinished`,
      'canvass-2026-03-05T04-00-00Z.zip',
      `mine.zip.${uuid}.unfinished`,
    ]);
  });

  it('are not made while another one is', async () => {
    const { backups } = app.container.services;
    const file = path.join(folder, 'meanwhile.zip');
    await new Store(app.database.db).transaction(async ({ tableCopies }) => {
      expect(await tableCopies.tryLock()).toBe(true);
      expect(await backups.write(file)).toBeNull();
    });
    expect(existsSync(file)).toBe(false);
  });
});
