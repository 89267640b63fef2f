import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { connect, type Database } from '../../../src/db/connect.ts';
import { changeSchema, knownMigrations, migrate } from '../../../src/db/migrate.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { StartError } from '../../../src/lib/errors.ts';
import { DiskStorage } from '../../../src/providers/files/disk-storage.ts';
import { repositoriesOn } from '../../../src/repositories/repositories.ts';
import { Store } from '../../../src/repositories/store.ts';
import { BackupService } from '../../../src/services/system/backup/backups.ts';
import { RestoreService, type Schema } from '../../../src/services/system/backup/restore.ts';
import { type Actor, newOrganization, signIn } from '../../support/actors.ts';
import { appOn, TEST_SECRET, useApp } from '../../support/app.ts';
import { type ClonedDatabase, cloneDatabase } from '../../support/cloned-database.ts';
import { builtProgram } from '../../support/built-program.ts';
import { choice, text } from '../../support/questions.ts';
import { START_WITHIN_MS } from '../../support/server-process.ts';
import { publishedSurvey } from '../../support/surveys.ts';

const RESPONSES = 40;

const app = useApp();
const folder = mkdtempSync(path.join(os.tmpdir(), 'canvass-restore-'));
const archive = path.join(folder, 'backup.zip');
const databases: ClonedDatabase[] = [];
const pools: Database[] = [];
let researcher: Actor;
let surveyId: number;

/** A database without a schema, as a provider hands it over. */
async function emptyDatabase(): Promise<{ url: string; db: Database }> {
  const made = await cloneDatabase(inject('templateUrl'), 'restore', true);
  databases.push(made);
  const db = connect(made.url, 2);
  pools.push(db);
  return { url: made.url, db };
}

/** The command line on a database; `program`: how it is started. */
function cli(
  program: readonly string[],
  databaseUrl: string,
  ...words: string[]
): Promise<{ failed: boolean; output: string }> {
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: databaseUrl,
    DATA_DIR: path.join(folder, new URL(databaseUrl).pathname, 'data'),
    JWT_SECRET: TEST_SECRET,
  };
  return promisify(execFile)(process.execPath, [...program, ...words], { env }).then(
    ({ stdout, stderr }) => ({ failed: false, output: stdout + stderr }),
    (error: { stdout: string; stderr: string }) => ({ failed: true, output: error.stdout + error.stderr }),
  );
}

/** Whether the installation has the responses, lets the researcher sign in, and collects. */
async function expectInstallation(url: string, db: Database): Promise<void> {
  const there = appOn({ ...app.database, url, db });
  const admin = await signIn(there, researcher);
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

/** As the command does it; `complete` in the place of the last step. */
async function restoreInto(db: Database, file: string, complete?: () => Promise<void>): Promise<void> {
  const schema: Schema = {
    known: await knownMigrations(),
    change: (work) =>
      changeSchema(db, (trx, changes) =>
        work(repositoriesOn(trx), {
          remake: (names) => changes.recreateUpTo(names.at(-1)!),
          complete: complete ?? changes.migrateToLatest,
        }),
      ),
  };
  await new RestoreService(storage()).restore(file, schema);
}

const backupOf = (db: Database, file: string) =>
  new BackupService(new Store(db), storage(), systemClock).write(file);

beforeAll(async () => {
  const { admin } = await newOrganization(app);
  researcher = admin;
  ({ surveyId } = await publishedSurvey(researcher, [[choice('Q1'), text('Q2')]]));
  const rows = Array.from({ length: RESPONSES }, (_, index) => ({
    answers: { Q1: index % 2 === 1 ? '2' : '1', Q2: `text ${index}` },
  }));
  await researcher.post(`/api/responses/${surveyId}/rows`, { rows }).expect(201);
  await backupOf(app.database.db, archive);
});

afterAll(async () => {
  for (const pool of pools) await pool.destroy();
  for (const database of databases) await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

describe('restoring a backup', { timeout: 2 * START_WITHIN_MS }, () => {
  it('fills a database that has no schema', async () => {
    const { url, db } = await emptyDatabase();
    const { failed, output } = await cli(builtProgram('cli'), url, 'restore', archive);
    expect(output).toContain('Restored: everything as of');
    expect(failed).toBe(false);
    await expectInstallation(url, db);
  });

  it('leaves the database as it was when it fails in its last step', async () => {
    const { url, db } = await emptyDatabase();
    const failing = restoreInto(db, archive, () => Promise.reject(new Error('the last step')));
    await expect(failing).rejects.toThrow('the last step');
    const { rows } = await db.raw<{ rows: { name: string }[] }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace`,
    );
    expect(rows).toEqual([]);
    await restoreInto(db, archive);
    await expectInstallation(url, db);
  });
});

describe('a schema of a newer version', { timeout: 2 * START_WITHIN_MS }, () => {
  const newer = '9999-of-the-next-version';

  it('is refused in one sentence, and nothing is changed', async () => {
    const { url, db } = await emptyDatabase();
    await migrate(db);
    await db.raw('INSERT INTO knex_migrations (name, batch, migration_time) VALUES (?, 99, now())', [newer]);
    await expect(migrate(db)).rejects.toThrow(StartError);
    for (const words of [
      ['migrate'],
      ['rollback'],
      ['create-key', '--email', 'a@b.example', '--name', 'x'],
    ]) {
      const { failed, output } = await cli(builtProgram('cli'), url, ...words);
      expect(failed).toBe(true);
      expect(output.trim().split('\n')).toEqual([
        expect.stringMatching(`^The database was migrated by a newer version of Canvass \\(it has ${newer},`),
      ]);
    }
    const { rows } = await db.raw<{ rows: { count: number }[] }>('SELECT count(*) FROM knex_migrations');
    expect(rows[0]!.count).toBe((await knownMigrations()).length + 1);
  });
});
