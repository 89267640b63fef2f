import { execFile } from 'node:child_process';
import { createWriteStream, existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { connectDatabase, type Database } from '../../src/db/connect.ts';
import { repartitionResponses } from '../../src/db/distribution/partitions.ts';
import { RESPONSE_TABLES } from '../../src/db/distribution/response-tables.ts';
import { startEmbedded } from '../../src/db/embedded/embedded-server.ts';
import { knownMigrations, migrateDatabase, upgradeDatabase } from '../../src/db/migrate.ts';
import { renameSequenceOfVersion010, renameTableOfVersion010 } from '../../src/db/version-0-1-0.ts';
import type { BackupManifest } from '../../src/services/system/backups.ts';
import { writeZip, type ZipEntry } from '../../src/exporters/zip.ts';
import { repositoriesOn } from '../../src/repositories/repositories.ts';
import { builtProgramArgs } from '../support/built-program.ts';
import { notOnCluster, onCitus } from '../support/citus-cluster.ts';
import { anonymous, signIn } from '../support/actors.ts';
import { appOn, TEST_SECRET, useApp } from '../support/app.ts';
import { describeCatalog } from '../support/catalog.ts';
import { type ClonedDatabase, cloneDatabase } from '../support/cloned-database.ts';
import { START_TIMEOUT_MS } from '../support/server-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { readZip } from '../support/read-zip.ts';

const DATA = new URL('../support/version-0.1.0/', import.meta.url);
const OLD_BACKUP = readFileSync(new URL('backup.zip', DATA));
const OLD_SCHEMA = gunzipSync(readFileSync(new URL('schema.sql.gz', DATA))).toString();
const RESEARCHER = { email: 'researcher@example.org', password: 'correct horse battery' };
const RESPONSES = 12;

const app = useApp();
const { folder, remove: removeFolder } = temporaryFolder('upgrade');
const databases: ClonedDatabase[] = [];
const pools: Database[] = [];
let parts: Map<string, Buffer>;
let manifest: BackupManifest;

async function createEmptyDatabase(): Promise<{ url: string; db: Database }> {
  const created = await cloneDatabase(inject('templateUrl'), 'upgrade', true);
  databases.push(created);
  const db = connectDatabase(created.url, 3);
  pools.push(db);
  return { url: created.url, db };
}

/** Creates a database with the schema and data of version 0.1.0. */
async function createOldDatabase(): Promise<{ url: string; db: Database }> {
  const created = await createEmptyDatabase();
  await fillWithOldVersion(created.db);
  return created;
}

/** Creates the schema of version 0.1.0 and fills it with the rows of its backup. */
async function fillWithOldVersion(db: Database): Promise<void> {
  await db.raw(OLD_SCHEMA.replaceAll('?', '\\?'));
  await db.transaction(async (trx) => {
    const { tableCopies } = repositoriesOn(trx);
    await tableCopies.refill(manifest.tables, async () => {
      for (const table of manifest.tables)
        await pipeline(
          Readable.from([parts.get(`tables/${table.table}.copy`)!]),
          await tableCopies.copyIn(table),
        );
    });
    await tableCopies.setSequences(manifest.sequences);
  });
}

/** Runs the command line on a database URL, or on the embedded database of `dataDir`. */
function runCli(
  target: string | { dataDir: string },
  ...args: string[]
): Promise<{ failed: boolean; output: string }> {
  const env = {
    PATH: process.env.PATH,
    JWT_SECRET: TEST_SECRET,
    ...(typeof target === 'string'
      ? { DATABASE_URL: target, DATA_DIR: path.join(folder, 'data') }
      : { DATA_DIR: target.dataDir }),
  };
  return promisify(execFile)(process.execPath, [...builtProgramArgs('cli'), ...args], { env }).then(
    ({ stdout, stderr }) => ({ failed: false, output: stdout + stderr }),
    (error: { stdout: string; stderr: string }) => ({ failed: true, output: error.stdout + error.stderr }),
  );
}

/**
 * Returns the values of all rows by today's table name, in the order of the backup's columns: without transaction ids, which belong to
 * one server.
 */
async function readAllRows(db: Database): Promise<Record<string, unknown[]>> {
  const isOld = await db.schema.hasTable('mailings');
  const rows: Record<string, unknown[]> = {};
  for (const old of manifest.tables) {
    const renamed = renameTableOfVersion010(old);
    const { table, columns } = isOld ? old : renamed;
    const found = await db.raw<{ rows: unknown[] }>(
      `SELECT jsonb_build_array(${columns.map((column) => `"${column}"`).join(', ')}) AS row FROM "${table}" ORDER BY 1`,
    );
    rows[renamed.table] = found.rows;
  }
  return rows;
}

/** Partitions the tables as version 0.1.0 did, which gave two of them other names. */
async function repartitionOldDatabase(db: Database, partitions: number): Promise<void> {
  const renames = [
    ['link_places', 'link_reservations'],
    ['quota_holds', 'quota_reservations'],
  ] as const;
  for (const [old, current] of renames) await db.schema.renameTable(old, current);
  const later = new Set<string>(['wave_quotas', 'quotas', 'link_limits', 'hourly_completes']);
  const tables = RESPONSE_TABLES.filter((table) => !later.has(table));
  await repartitionResponses(db, partitions, { tables });
  for (const [old, current] of renames) {
    await db.schema.renameTable(current, old);
    for (let part = 0; part < partitions; part++)
      await db.schema.renameTable(`${current}_p${part}`, `${old}_p${part}`);
  }
}

/** Adds an invitation with one email in each of the states that have a new name, and its job. */
async function addOldCampaign(db: Database): Promise<void> {
  await db.raw(`
    WITH link AS (SELECT links.*, workspace_id, created_by FROM links JOIN surveys USING (survey_id) LIMIT 1),
    respondent AS (
      INSERT INTO respondents (organization_id, workspace_id, respondent_email)
      SELECT organization_id, workspace_id, 'rider' || n || '@example.org' FROM link, generate_series(1, 2) n RETURNING *),
    invitation AS (
      INSERT INTO invitations (organization_id, survey_id, link_id, respondent_id, link_token, invitation_status, opt_out_token)
      SELECT link.organization_id, survey_id, link_id, respondent_id, 'token' || respondent_id, 'sent', 'opt-out' || respondent_id
      FROM link, respondent RETURNING *),
    mailing AS (
      INSERT INTO mailings (organization_id, survey_id, link_id, mailing_kind, subject, message, created_by, request_id)
      SELECT organization_id, survey_id, link_id, 'invitation', 'Hello', 'Take part', created_by, 'request' FROM link RETURNING *),
    job AS (
      INSERT INTO jobs (organization_id, user_id, survey_id, kind, payload)
      SELECT organization_id, created_by, survey_id, 'mailing', jsonb_build_object('mailing_id', mailing_id) FROM mailing)
    INSERT INTO mails (mailing_id, invitation_id, mail_state)
    SELECT mailing_id, invitation_id, CASE row_number() OVER (ORDER BY invitation_id) WHEN 1 THEN 'kept' ELSE 'handed_over' END
    FROM mailing, invitation`);
}

/** Expects what `addOldCampaign` added, as this version stores it. */
async function expectCampaign(db: Database): Promise<void> {
  const [campaign] = await db('campaigns').select('campaign_id', 'parent_campaign_id', 'campaign_kind');
  expect(campaign).toMatchObject({ campaign_kind: 'invitation', parent_campaign_id: null });
  expect(await db('mails').orderBy('invitation_id').pluck('mail_state')).toEqual(['stored', 'sending']);
  expect(await db('jobs').select('kind', 'payload')).toEqual([
    { kind: 'campaign', payload: { campaign_id: campaign!.campaign_id } },
  ]);
  await expect(db('mails').update({ mail_state: 'kept' as never })).rejects.toThrow('mails_mail_state_check');
}

const listRecordedMigrations = async (db: Database): Promise<string[]> =>
  (await db('knex_migrations').orderBy('id')).map(({ name }: { name: string }) => name);

/** Expects that the researcher can sign in and read the responses, the dashboard is public and the survey accepts responses. */
async function expectInstallation(url: string, db: Database): Promise<void> {
  expect(await listRecordedMigrations(db)).toEqual(await knownMigrations());
  const upgradedApp = appOn({ ...app.database, url, db });
  const researcher = await signIn(upgradedApp, RESEARCHER as never);
  const surveys = await researcher.get('/api/surveys').expect(200);
  const surveyId = (surveys.body as { data: { survey_id: number }[] }).data[0]!.survey_id;
  const grid = await researcher.get(`/api/responses/${surveyId}/grid`).expect(200);
  const { rows } = (grid.body as { data: { rows: unknown[] } }).data;
  expect(rows).toHaveLength(RESPONSES);
  await anonymous(upgradedApp).get('/d/example/visits').expect(200);
  await researcher
    .post(`/api/responses/${surveyId}/rows`, { rows: [{ answers: { visit: '1' } }] })
    .expect(201);
  const counts = await db('response_counts').sum({ count: 'response_count' });
  expect(Number(counts[0]!.count)).toBe(RESPONSES + 1);
}

beforeAll(async () => {
  parts = await readZip(OLD_BACKUP);
  manifest = JSON.parse(parts.get('manifest.json')!.toString()) as BackupManifest;
});

afterAll(async () => {
  for (const pool of pools) await pool.destroy();
  for (const database of databases) await database.drop();
  removeFolder();
});

describe('a database of version 0.1.0', { timeout: 3 * START_TIMEOUT_MS }, () => {
  it.skipIf(onCitus)(
    `is rejected with the upgrade command, and upgraded by this command without changing any row${notOnCluster('version 0.1.0 was never distributed')}`,
    async () => {
      const { url, db } = await createOldDatabase();
      const before = await readAllRows(db);
      expect(before.responses).toHaveLength(RESPONSES);
      const refused = await runCli(url, 'migrate');
      expect(refused.failed).toBe(true);
      expect(refused.output).toContain('npm run cli -- upgrade-database FILE');
      await expect(migrateDatabase(db)).rejects.toThrow('has the schema of Canvass 0.1.0');

      const file = path.join(folder, 'before-upgrade.zip');
      const { failed, output } = await runCli(url, 'upgrade-database', file);
      expect(output).toContain(`The backup from before is in ${file}.`);
      expect(failed).toBe(false);
      // The audit log also records the backup.
      const { audit_log: log, ...others } = await readAllRows(db);
      const { audit_log: logBefore, ...othersBefore } = before;
      expect(others).toEqual(othersBefore);
      expect(log).toHaveLength(logBefore!.length + 1);
      expect(log).toEqual(expect.arrayContaining(logBefore!));
      expect(await describeCatalog(db)).toEqual(await describeCatalog(app.database.db));
      expect((await readZip(readFileSync(file))).get('tables/responses.copy')).toEqual(
        parts.get('tables/responses.copy'),
      );

      const again = await runCli(url, 'upgrade-database', path.join(folder, 'again.zip'));
      expect(again.output).toContain('Nothing to upgrade');
      expect(existsSync(path.join(folder, 'again.zip'))).toBe(false);
      await expectInstallation(url, db);
      const copy = await createEmptyDatabase();
      expect((await runCli(copy.url, 'restore', file)).output).toContain('Restored: everything as of');
      await expectInstallation(copy.url, copy.db);
    },
  );

  it('converts emails and jobs of campaigns, as a restore of its backup does', async () => {
    const { url, db } = await createOldDatabase();
    await addOldCampaign(db);
    const file = path.join(folder, 'campaign.zip');
    expect((await runCli(url, 'upgrade-database', file)).output).toContain('The database was upgraded');
    await expectCampaign(db);
    const copy = await createEmptyDatabase();
    expect((await runCli(copy.url, 'restore', file)).output).toContain('Restored: everything as of');
    await expectCampaign(copy.db);
    const { rows } = await copy.db.raw<{ rows: { next: number }[] }>(
      `SELECT nextval('campaigns_campaign_id_seq') AS next`,
    );
    expect(rows[0]!.next).toBe(2);
  });

  it.skipIf(onCitus)(
    `keeps its partitions${notOnCluster('version 0.1.0 was never distributed')}`,
    async () => {
      const { db } = await createOldDatabase();
      await repartitionOldDatabase(db, 3);
      const before = await readAllRows(db);
      expect(await upgradeDatabase(db, () => Promise.resolve())).toBe(true);
      expect(await readAllRows(db)).toEqual(before);
      const { rows } = await db.raw<{ rows: { count: number }[] }>(
        `SELECT count(*) FROM pg_inherits WHERE inhparent = 'responses'::regclass`,
      );
      expect(rows[0]!.count).toBe(3);
      await migrateDatabase(db);
      await repartitionResponses(db, 0);
      expect(await describeCatalog(db)).toEqual(await describeCatalog(app.database.db));
    },
  );

  it('is upgraded in the embedded database of DATA_DIR', async () => {
    const dataDir = path.join(folder, 'embedded');
    const withEmbedded = async (work: (db: Database) => Promise<void>) => {
      const server = await startEmbedded({ dataDir });
      const db = connectDatabase(server.url, 3);
      try {
        await work(db);
      } finally {
        await db.destroy();
        await server.stop();
      }
    };
    await withEmbedded(fillWithOldVersion);
    const { failed, output } = await runCli(
      { dataDir },
      'upgrade-database',
      path.join(folder, 'embedded.zip'),
    );
    expect(output).toContain('The database was upgraded');
    expect(failed).toBe(false);
    await withEmbedded(async (db) => {
      expect(await listRecordedMigrations(db)).toEqual(await knownMigrations());
      expect((await readAllRows(db)).responses).toHaveLength(RESPONSES);
    });
  });

  it('is unchanged if the backup fails', async () => {
    const { url, db } = await createOldDatabase();
    const catalog = await describeCatalog(db);
    const { failed, output } = await runCli(
      url,
      'upgrade-database',
      path.join(folder, 'missing', 'backup.zip'),
    );
    expect(failed).toBe(true);
    expect(output).toContain('its folder does not exist');
    expect(await describeCatalog(db)).toEqual(catalog);
    expect(await listRecordedMigrations(db)).toEqual(manifest.migrations);
  });

  it('is rejected if it lacks migrations of version 0.1.0', async () => {
    const { db } = await createOldDatabase();
    await db('knex_migrations').where({ name: '0034-upload-limits' }).delete();
    await expect(migrateDatabase(db)).rejects.toThrow('start version 0.1.0 on it once');
    await expect(upgradeDatabase(db, () => Promise.resolve())).rejects.toThrow(
      'start version 0.1.0 on it once',
    );
  });
});

describe('a backup of an older version', { timeout: 2 * START_TIMEOUT_MS }, () => {
  /** Writes the parts to a ZIP archive and returns its path. */
  async function writeArchive(name: string, contents: Map<string, Buffer>): Promise<string> {
    const entries: ZipEntry[] = [...contents].map(([part, bytes]) => ({
      name: part,
      chunks: Readable.from([bytes]),
      sizeBytes: bytes.length,
      modifiedAt: new Date(),
      compress: true,
    }));
    const file = path.join(folder, name);
    await pipeline(Readable.from(writeZip(Readable.from(entries))), createWriteStream(file));
    return file;
  }

  it('is restored if version 0.1.0 wrote it', async () => {
    const { url, db } = await createEmptyDatabase();
    const file = path.join(folder, 'old.zip');
    await pipeline(Readable.from([OLD_BACKUP]), createWriteStream(file));
    const { failed, output } = await runCli(url, 'restore', file);
    expect(output).toContain('Restored: everything as of');
    expect(failed).toBe(false);
    const old = await createOldDatabase();
    expect(await readAllRows(db)).toEqual(await readAllRows(old.db));
    await expectInstallation(url, db);
    rmSync(file);
  });

  it('is restored into its old schema, which is then migrated', async () => {
    const known = await knownMigrations();
    const newTables = new Set(['jobs', 'job_files', 'idempotency_keys']);
    const withoutNew = known.slice(0, known.indexOf('0010-system'));
    expect(withoutNew.length).toBeGreaterThan(5);
    const older: BackupManifest = {
      ...manifest,
      migrations: withoutNew,
      tables: manifest.tables
        .filter(({ table }) => !newTables.has(table))
        .map((table) => ({ ...table, ...renameTableOfVersion010(table) })),
      sequences: manifest.sequences
        .filter(({ sequence }) => sequence !== 'jobs_job_id_seq')
        .map(({ sequence, last }) => ({ sequence: renameSequenceOfVersion010(sequence), last })),
    };
    const olderParts = manifest.tables
      .filter(({ table }) => !newTables.has(table))
      .map((table): [string, Buffer] => [
        `tables/${renameTableOfVersion010(table).table}.copy`,
        parts.get(`tables/${table.table}.copy`)!,
      ]);
    const file = await writeArchive(
      'older.zip',
      new Map([...olderParts, ['manifest.json', Buffer.from(JSON.stringify(older))]]),
    );
    const { url, db } = await createEmptyDatabase();
    expect((await runCli(url, 'restore', file)).output).toContain('Restored: everything as of');
    await expectInstallation(url, db);
  });

  it('is rejected if it is older than version 0.1.0', async () => {
    const older = { ...manifest, migrations: manifest.migrations.slice(0, -1) };
    const file = await writeArchive(
      'too-old.zip',
      new Map([...parts, ['manifest.json', Buffer.from(JSON.stringify(older))]]),
    );
    const { url } = await createEmptyDatabase();
    const { failed, output } = await runCli(url, 'restore', file);
    expect(failed).toBe(true);
    expect(output).toContain('restore it with version 0.1.0, make a new backup there');
  });
});
