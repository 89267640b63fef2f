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
import { knownMigrations } from '../../src/db/migrate.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { StartError } from '../../src/lib/errors.ts';
import { Store } from '../../src/repositories/store.ts';
import { type BackupManifest, ScheduledBackups } from '../../src/services/system/backups.ts';
import { anonymous, newOrganization, type Organization, signIn } from '../support/actors.ts';
import { appOn, TEST_SECRET, type TestApp, useApp } from '../support/app.ts';
import { notOnCluster, onCitus } from '../support/citus-cluster.ts';
import { startResponse } from '../support/start-response.ts';
import { builtProgramArgs } from '../support/built-program.ts';
import { useDatabase } from '../support/database.ts';
import { PNG } from '../support/sample-files.ts';
import { choice, fileQuestion, text } from '../support/questions.ts';
import { publishedSurvey, type PublishedSurvey } from '../support/surveys.ts';
import { uploadFile } from '../support/uploaded-files.ts';
import { readZip } from '../support/read-zip.ts';

const app = useApp();
const otherDatabase = useDatabase();
const folder = mkdtempSync(path.join(os.tmpdir(), 'canvass-backup-'));
const otherDataDir = path.join(folder, 'other');
const archive = path.join(folder, 'all.zip');
const PICTURE = PNG;

let organization: Organization;
let survey: PublishedSurvey;
let fileId: string;
let manifest: BackupManifest;
/** Ids of the responses acknowledged before the backup started, and of all acknowledged responses. */
let acknowledgedBefore: number[];
let acknowledged: number[];

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('gives up in the middle of a table without ending the process', async () => {
  const ended = new Store(app.database.db).snapshot(async ({ tableCopies }) => {
    await tableCopies.prepare();
    const [table] = await tableCopies.listTables();
    const rows = await tableCopies.copyOut(table!);
    // As when the connection is closed after the reader stopped; without a listener this would end the process.
    rows.emit('error', new Error('Client was closed and is not queryable'));
    rows.destroy();
    throw new Error('given up');
  });
  await expect(ended).rejects.toThrow('given up');
});

/** Runs the command line of the built program on a database. */
function runCli(databaseUrl: string, dataDir: string, ...args: string[]) {
  return run(builtProgramArgs('cli'), databaseUrl, dataDir, args);
}

function run(program: readonly string[], databaseUrl: string, dataDir: string, args: readonly string[]) {
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    JWT_SECRET: TEST_SECRET,
  };
  return promisify(execFile)(process.execPath, [...program, ...args], { env }).then(
    ({ stdout, stderr }) => ({ failed: false, output: stdout + stderr }),
    (error: unknown) => ({ failed: true, output: (error as { stderr: string }).stderr }),
  );
}

const restore = (file: string) => runCli(otherDatabase.url, otherDataDir, 'restore', file);
const readManifest = async (file: string): Promise<BackupManifest> =>
  JSON.parse((await readZip(readFileSync(file))).get('manifest.json')!.toString()) as BackupManifest;

async function submitResponse(target: TestApp): Promise<number> {
  const { body } = await anonymous(target)
    .post(`/api/public/s/${survey.linkToken}/responses`, {
      answers: { Q1: '1', Q2: 'tabs\tand\nlines \\N “quoted” 🙂' },
    })
    .expect(201);
  return body.data.response_id;
}

beforeAll(async () => {
  organization = await newOrganization(app);
  survey = await publishedSurvey(organization.admin, [[choice('Q1'), text('Q2'), fileQuestion('Q3')]]);
  const uploader = await startResponse(anonymous(app), survey.linkToken);
  fileId = await uploadFile(uploader, 'Q3', PICTURE, 'picture.png');
  await uploader.complete({ Q1: '2', Q3: [fileId] }).expect(200);
  acknowledged = [uploader.responseId];
  for (let count = 0; count < 30; count += 1) acknowledged.push(await submitResponse(app));
  acknowledgedBefore = [...acknowledged];
  let isBackupDone = false;
  const submissions = (async () => {
    while (!isBackupDone)
      acknowledged.push(
        ...(await Promise.all([submitResponse(app), submitResponse(app), submitResponse(app)])),
      );
  })();
  const result = await runCli(app.database.url, app.container.config.dataDir, 'backup', archive);
  isBackupDone = true;
  await submissions;
  expect(result.output).toContain('Everything as of');
  expect(result.failed).toBe(false);
  manifest = await readManifest(archive);
});

describe('a backup created while responses arrive', () => {
  it('is complete, readable only by its owner, and leaves no unfinished files', () => {
    expect(statSync(archive).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['all.zip']);
    expect(manifest.files).toHaveLength(1);
    expect(manifest.missing_files).toEqual([]);
  });

  it('is consistent and contains every response acknowledged before it started', async () => {
    const rows = (await readZip(readFileSync(archive))).get('tables/responses.copy')!.toString();
    const { columns } = manifest.tables.find(({ table }) => table === 'responses')!;
    const idIndex = columns.indexOf('response_id');
    const ids = rows
      .trimEnd()
      .split('\n')
      .map((line) => Number(line.split('\t')[idIndex]));
    expect(ids).toEqual(expect.arrayContaining(acknowledgedBefore));
    expect(acknowledged).toEqual(expect.arrayContaining(ids));
    expect(acknowledged.length).toBeGreaterThan(ids.length);
  });

  it('contains no passwords, API keys or signing secrets', async () => {
    const session = await signIn(app, organization.admin);
    const all = Buffer.concat([...(await readZip(readFileSync(archive))).values()]).toString('latin1');
    for (const secret of [
      organization.admin.password,
      organization.admin.apiKey!,
      session.token,
      TEST_SECRET,
    ])
      expect(all).not.toContain(secret);
  });
});

describe('an incomplete backup', () => {
  /** Restores the file and returns the error message; fails if the schema is changed. */
  const getRefusal = async (file: string): Promise<string> => {
    const { restoring } = appOn(otherDatabase, { DATA_DIR: otherDataDir }).container.services;
    const change = () => Promise.reject(new Error('The schema was changed'));
    const schema = { known: await knownMigrations(), change };
    const error: unknown = await restoring.restore(file, schema).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StartError);
    return (error as StartError).message;
  };
  const getRefusalOf = async (bytes: Buffer): Promise<string> => {
    const file = path.join(folder, 'broken.zip');
    writeFileSync(file, bytes);
    const output = await getRefusal(file);
    rmSync(file);
    return output;
  };
  it('is rejected if its end is missing', async () => {
    const whole = readFileSync(archive);
    expect(await getRefusalOf(whole.subarray(0, whole.length - 100))).toContain('is not a complete backup');
    expect(await getRefusalOf(whole.subarray(0, whole.length / 2))).toContain('is not a complete backup');
    expect(await getRefusalOf(Buffer.from('hello'))).toContain('is not a complete backup');
  });

  it('is rejected if one byte differs, before anything is written', async () => {
    const whole = Buffer.from(readFileSync(archive));
    // Files are stored uncompressed, so the bytes of the picture can be found.
    const position = whole.indexOf(PICTURE);
    whole[position] = whole[position]! ^ 1;
    expect(await getRefusalOf(whole)).toMatch(/files\/\S+ (is damaged|cannot be read)/);
  });

  it('is rejected if the file does not exist', async () => {
    expect(await getRefusal(path.join(folder, 'none.zip'))).toContain('does not exist');
  });
});

describe.skipIf(onCitus)(
  `a backup restored in another installation${notOnCluster('a backup is restored into tables that are not distributed')}`,
  () => {
    let otherApp: TestApp;

    beforeAll(async () => {
      const result = await runCli(otherDatabase.url, otherDataDir, 'restore', archive);
      expect(result.output).toContain('Restored: everything as of');
      otherApp = appOn(otherDatabase, { DATA_DIR: otherDataDir });
    });

    it('equals the original, row by row and file by file', async () => {
      const second = path.join(folder, 'second.zip');
      expect((await runCli(otherDatabase.url, otherDataDir, 'backup', second)).failed).toBe(false);
      const secondManifest = await readManifest(second);
      expect(secondManifest.tables).toEqual(manifest.tables);
      expect(secondManifest.files).toEqual(manifest.files);
      expect(secondManifest.migrations).toEqual(manifest.migrations);
    });

    it('gets transaction ids of the new server', async () => {
      const { columns } = manifest.tables.find(({ table }) => table === 'responses')!;
      expect(columns).toContain('answers');
      expect(columns).not.toContain('changed_xid');
      const { rows } = await otherDatabase.db.raw<{ rows: object[] }>(
        'SELECT DISTINCT changed_xid FROM responses WHERE pg_visible_in_snapshot(changed_xid, pg_current_snapshot())',
      );
      expect(rows).toHaveLength(1);
    });

    it('supports sign-in, figures and new responses', async () => {
      const admin = await signIn(otherApp, organization.admin);
      const { body } = await admin.get(`/api/responses/${survey.surveyId}/stats`).expect(200);
      const id = await submitResponse(otherApp);
      // Response ids are not reused.
      expect(manifest.tables.find(({ table }) => table === 'responses')!.rows).toBeGreaterThan(30);
      expect(id).toBeGreaterThan(Math.max(...acknowledgedBefore));
      const after = await admin.get(`/api/responses/${survey.surveyId}/stats`).expect(200);
      expect(after.body.data.total).toBe(body.data.total + 1);
    });

    it('contains the uploaded files', async () => {
      const address = `/api/responses/${survey.surveyId}/files/${fileId}`;
      const { body } = await (await signIn(otherApp, organization.admin)).get(address).buffer().expect(200);
      expect(body).toEqual(PICTURE);
    });

    it('is not restored over existing data', async () => {
      const { failed, output } = await restore(archive);
      expect(failed).toBe(true);
      expect(output).toContain('already has an organization');
    });
  },
);

describe('scheduled backups', () => {
  it('are created when the newest is old enough, and replace the oldest', async () => {
    const backupFolder = path.join(folder, 'scheduled');
    const { backups } = app.container.services;
    let now = new Date('2026-03-01T04:00:00.500Z');
    const clock = { ...systemClock, now: () => now };
    const scheduled = new ScheduledBackups(backups, clock, { folder: backupFolder, everyHours: 24, keep: 2 });
    const runOnDay = async (day: string) => {
      now = new Date(`2026-03-${day}T04:00:00.500Z`);
      const file = await scheduled.run();
      if (file !== null) utimesSync(file, now, now);
      return file === null ? null : path.basename(file);
    };
    expect(await runOnDay('01')).toBe('canvass-2026-03-01T04-00-00Z.zip');
    expect(await scheduled.run()).toBeNull();
    expect(await runOnDay('02')).toBe('canvass-2026-03-02T04-00-00Z.zip');
    expect(await runOnDay('03')).toBe('canvass-2026-03-03T04-00-00Z.zip');
    expect(readdirSync(backupFolder).sort()).toEqual([
      'canvass-2026-03-02T04-00-00Z.zip',
      'canvass-2026-03-03T04-00-00Z.zip',
    ]);
  });

  it('remove unfinished files of killed backups, but not of running ones', async () => {
    const backupFolder = path.join(folder, 'unfinished');
    mkdirSync(backupFolder);
    const now = new Date('2026-03-05T04:00:00.000Z');
    const file = (name: string, hoursAgo: number) => {
      writeFileSync(path.join(backupFolder, name), 'unfinished');
      const modifiedAt = new Date(now.getTime() - hoursAgo * 3_600_000);
      utimesSync(path.join(backupFolder, name), modifiedAt, modifiedAt);
    };
    const uuid = '9b2f7f3e-8d9c-4a53-9a0e-3f6f0f6a1c11';
    file(`canvass-2026-03-04T04-00-00Z.zip.${uuid}.unfinished`, 24);
    file(`canvass-2026-03-05T03-55-00Z.zip.${uuid}.unfinished`, 0.1);
    file(`mine.zip.${uuid}.unfinished`, 24);
    const schedule = { folder: backupFolder, everyHours: 24, keep: 2 };
    await new ScheduledBackups(
      app.container.services.backups,
      { ...systemClock, now: () => now },
      schedule,
    ).run();
    expect(readdirSync(backupFolder).sort()).toEqual([
      `canvass-2026-03-05T03-55-00Z.zip.${uuid}.unfinished`,
      'canvass-2026-03-05T04-00-00Z.zip',
      `mine.zip.${uuid}.unfinished`,
    ]);
  });

  it('are not created during another backup', async () => {
    const { backups } = app.container.services;
    const file = path.join(folder, 'concurrent.zip');
    await new Store(app.database.db).transaction(async ({ tableCopies }) => {
      expect(await tableCopies.tryLock()).toBe(true);
      expect(await backups.write(file)).toBeNull();
    });
    expect(existsSync(file)).toBe(false);
  });
});
