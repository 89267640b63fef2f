import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { connectDatabase, type Database } from '../../src/db/connect.ts';
import { changeSchema, knownMigrations, migrateDatabase, rollBackMigration } from '../../src/db/migrate.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { StartError } from '../../src/lib/errors.ts';
import { DiskStorage } from '../../src/providers/files/disk-storage.ts';
import { repositoriesOn } from '../../src/repositories/repositories.ts';
import { Store } from '../../src/repositories/store.ts';
import { BackupService } from '../../src/services/system/backups.ts';
import { RestoreService, type Schema } from '../../src/services/system/restore.ts';
import { type Actor, newOrganization, signIn } from '../support/actors.ts';
import { appOn, TEST_SECRET, useApp } from '../support/app.ts';
import { type ClonedDatabase, cloneDatabase } from '../support/cloned-database.ts';
import { builtProgramArgs } from '../support/built-program.ts';
import { choice, text } from '../support/questions.ts';
import { START_TIMEOUT_MS } from '../support/server-process.ts';
import { publishedSurvey } from '../support/surveys.ts';

const RESPONSES = 40;

const app = useApp();
const folder = mkdtempSync(path.join(os.tmpdir(), 'canvass-restore-'));
const archive = path.join(folder, 'backup.zip');
const databases: ClonedDatabase[] = [];
const pools: Database[] = [];
let researcher: Actor;
let surveyId: number;

/** Creates a database without a schema. */
async function createEmptyDatabase(): Promise<{ url: string; db: Database }> {
  const created = await cloneDatabase(inject('templateUrl'), 'restore', true);
  databases.push(created);
  const db = connectDatabase(created.url, 2);
  pools.push(db);
  return { url: created.url, db };
}

/** Runs the command line on a database. `program`: the arguments of Node.js that start it. */
function runCli(
  program: readonly string[],
  databaseUrl: string,
  ...args: string[]
): Promise<{ failed: boolean; output: string }> {
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: databaseUrl,
    DATA_DIR: path.join(folder, new URL(databaseUrl).pathname, 'data'),
    JWT_SECRET: TEST_SECRET,
  };
  return promisify(execFile)(process.execPath, [...program, ...args], { env }).then(
    ({ stdout, stderr }) => ({ failed: false, output: stdout + stderr }),
    (error: { stdout: string; stderr: string }) => ({ failed: true, output: error.stdout + error.stderr }),
  );
}

/** Expects that the researcher can sign in, and that the installation has the responses and accepts new ones. */
async function expectInstallation(url: string, db: Database): Promise<void> {
  const restoredApp = appOn({ ...app.database, url, db });
  const admin = await signIn(restoredApp, researcher);
  const { body } = await admin.get(`/api/responses/${surveyId}/grid`).expect(200);
  expect(body.data.rows).toHaveLength(RESPONSES);
  expect(body.data.rows[7].values).toMatchObject({ Q1: '2', Q2: 'text 7' });
  await admin
    .post(`/api/responses/${surveyId}/rows`, { rows: [{ answers: { Q1: '1', Q2: 'one more' } }] })
    .expect(201);
  const { rows } = await db.raw<{ rows: { name: string }[] }>('SELECT name FROM knex_migrations ORDER BY id');
  expect(rows.map(({ name }) => name)).toEqual(await knownMigrations());
}

const storage = () => new DiskStorage(path.join(folder, 'files'), app.container.freeSpace.files);

/** Restores as the command does. `migrateToLatest` replaces the last step. */
async function restoreInto(db: Database, file: string, migrateToLatest?: () => Promise<void>): Promise<void> {
  const schema: Schema = {
    known: await knownMigrations(),
    change: (work) =>
      changeSchema(db, (trx, changes) =>
        work(repositoriesOn(trx), {
          ...changes,
          ...(migrateToLatest && { migrateToLatest }),
        }),
      ),
  };
  await new RestoreService(storage()).restore(file, schema);
}

const writeBackup = (db: Database, file: string) =>
  new BackupService(new Store(db), storage(), systemClock).write(file);

beforeAll(async () => {
  const { admin } = await newOrganization(app);
  researcher = admin;
  ({ surveyId } = await publishedSurvey(researcher, [[choice('Q1'), text('Q2')]]));
  const rows = Array.from({ length: RESPONSES }, (_, index) => ({
    answers: { Q1: index % 2 === 1 ? '2' : '1', Q2: `text ${index}` },
  }));
  await researcher.post(`/api/responses/${surveyId}/rows`, { rows }).expect(201);
  await writeBackup(app.database.db, archive);
});

afterAll(async () => {
  for (const pool of pools) await pool.destroy();
  for (const database of databases) await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

describe('restoring a backup', { timeout: 2 * START_TIMEOUT_MS }, () => {
  it('fills a database without a schema', async () => {
    const { url, db } = await createEmptyDatabase();
    const { failed, output } = await runCli(builtProgramArgs('cli'), url, 'restore', archive);
    expect(output).toContain('Restored: everything as of');
    expect(failed).toBe(false);
    await expectInstallation(url, db);
  });

  it('leaves the database unchanged if the last step fails', async () => {
    const { url, db } = await createEmptyDatabase();
    const failingRestore = restoreInto(db, archive, () => Promise.reject(new Error('the last step')));
    await expect(failingRestore).rejects.toThrow('the last step');
    const { rows } = await db.raw<{ rows: { name: string }[] }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace`,
    );
    expect(rows).toEqual([]);
    await restoreInto(db, archive);
    await expectInstallation(url, db);
  });

  it('of an earlier version fills the schema of that version, which is then migrated', async () => {
    const earlier = await createEmptyDatabase();
    await restoreInto(earlier.db, archive);
    while ((await rollBackMigration(earlier.db, false))[0] !== '0014-translation-sources');
    const file = path.join(folder, 'earlier.zip');
    const manifest = await writeBackup(earlier.db, file);
    expect(manifest!.migrations.at(-1)).toBe('0013-survey-history');
    const { url, db } = await createEmptyDatabase();
    expect((await runCli(builtProgramArgs('cli'), url, 'restore', file)).output).toContain('Restored:');
    await expectInstallation(url, db);
  });
});

describe('a schema of a newer version', { timeout: 2 * START_TIMEOUT_MS }, () => {
  const newerMigration = '9999-next-version';

  it('is rejected with one line, and nothing is changed', async () => {
    const { url, db } = await createEmptyDatabase();
    await migrateDatabase(db);
    await db.raw('INSERT INTO knex_migrations (name, batch, migration_time) VALUES (?, 99, now())', [
      newerMigration,
    ]);
    await expect(migrateDatabase(db)).rejects.toThrow(StartError);
    const commands = [['migrate'], ['rollback'], ['create-key', '--email', 'a@b.example', '--name', 'x']];
    const outcomes = await Promise.all(commands.map((args) => runCli(builtProgramArgs('cli'), url, ...args)));
    for (const { failed, output } of outcomes) {
      expect(failed).toBe(true);
      expect(output.trim().split('\n')).toEqual([
        expect.stringMatching(
          `^The database was migrated by a newer version of Canvass \\(it has ${newerMigration},`,
        ),
      ]);
    }
    const { rows } = await db.raw<{ rows: { count: number }[] }>('SELECT count(*) FROM knex_migrations');
    expect(rows[0]!.count).toBe((await knownMigrations()).length + 1);
  });
});
