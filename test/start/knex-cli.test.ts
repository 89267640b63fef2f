import { execFile } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { connectDatabase, type Database } from '../../src/db/connect.ts';
import { knownMigrations, migrateDatabase, rollBackMigration } from '../../src/db/migrate.ts';
import { describeCatalog } from '../support/catalog.ts';
import { type ClonedDatabase, cloneDatabase } from '../support/cloned-database.ts';
import { useDatabase } from '../support/database.ts';
import { PROJECT, START_TIMEOUT_MS, startServer } from '../support/server-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const migrated = useDatabase();
const { folder, remove } = temporaryFolder('knex-cli');
const databases: ClonedDatabase[] = [];
const pools: Database[] = [];

async function emptyDatabase(): Promise<{ url: string; db: Database }> {
  const created = await cloneDatabase(inject('templateUrl'), 'knex_cli', true);
  databases.push(created);
  const db = connectDatabase(created.url, 3);
  pools.push(db);
  return { url: created.url, db };
}

interface Outcome {
  failed: boolean;
  output: string;
}

const KNEX_PROGRAM = fileURLToPath(new URL('node_modules/knex/bin/cli.js', PROJECT));

/** `npx knex` in the project's folder, as a developer types it, without the second that npx takes to find the program. */
function npxKnex(where: { DATABASE_URL?: string; DATA_DIR?: string }, ...words: string[]): Promise<Outcome> {
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    BCRYPT_COST: '4',
    DATA_DIR: path.join(folder, 'unused'),
    ...where,
  };
  return promisify(execFile)(process.execPath, [KNEX_PROGRAM, ...words], { env, cwd: PROJECT }).then(
    ({ stdout, stderr }) => ({ failed: false, output: stdout + stderr }),
    (error: { stdout: string; stderr: string }) => ({ failed: true, output: error.stdout + error.stderr }),
  );
}

async function numberOfRows(db: Database): Promise<Record<string, number>> {
  const { rows: tables } = await db.raw<{ rows: { name: string }[] }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY 1`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables) counts[name] = Number((await db(name).count({ count: '*' }))[0]!.count);
  return counts;
}

afterAll(async () => {
  for (const pool of pools) await pool.destroy();
  for (const database of databases) await database.drop();
  remove();
});

describe('npx knex', { timeout: 5 * START_TIMEOUT_MS }, () => {
  it('creates the same schema as the server, which accepts it', async () => {
    const { url, db } = await emptyDatabase();
    const latest = await npxKnex({ DATABASE_URL: url }, 'migrate:latest');
    expect(latest.output).toContain(`Batch 1 run: ${(await knownMigrations()).length} migrations`);
    expect(latest.failed).toBe(false);
    expect(await describeCatalog(db)).toEqual(await describeCatalog(migrated.db));
    expect(await migrateDatabase(db)).toEqual([]);
    expect(await rollBackMigration(db, false)).toEqual([(await knownMigrations()).at(-1)]);
  });

  it('accepts the schema that the server created, and rolls it back to an empty database', async () => {
    const { url, db } = await emptyDatabase();
    await migrateDatabase(db);
    const list = await npxKnex({ DATABASE_URL: url }, 'migrate:list');
    expect(list.output).toContain('No Pending Migration files Found');
    expect((await npxKnex({ DATABASE_URL: url }, 'migrate:latest')).output).toContain('Already up to date');
    const rolledBack = await npxKnex({ DATABASE_URL: url }, 'migrate:rollback');
    expect(rolledBack.output).toContain(`rolled back: ${(await knownMigrations()).length} migrations`);
    expect(await describeCatalog(db)).toEqual([]);
    expect(await migrateDatabase(db)).toEqual(await knownMigrations());
  });

  it('waits while the server migrates', async () => {
    const { url, db } = await emptyDatabase();
    const server = await db.transaction();
    await server.raw('SELECT pg_advisory_xact_lock(7222001)');
    const waiting = npxKnex({ DATABASE_URL: url }, 'migrate:latest');
    const isWaiting = async () =>
      (await db.raw<{ rows: unknown[] }>(`SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`))
        .rows.length > 0;
    while (!(await isWaiting())) await sleep(100);
    expect(await describeCatalog(db)).toEqual([]);
    await server.commit();
    expect((await waiting).output).toContain('Batch 1 run');
  });

  it('releases the lock row of a killed process', async () => {
    const { url, db } = await emptyDatabase();
    await migrateDatabase(db);
    await rollBackMigration(db, false);
    await db('knex_migrations_lock').update({ is_locked: 1 });
    expect((await npxKnex({ DATABASE_URL: url }, 'migrate:latest')).output).toContain('1 migrations');
  });

  it('rejects the schema of a newer version with one sentence', async () => {
    const { url, db } = await emptyDatabase();
    await migrateDatabase(db);
    await db('knex_migrations').insert({ name: '9999-newer', batch: 2, migration_time: db.fn.now() });
    const { failed, output } = await npxKnex({ DATABASE_URL: url }, 'migrate:latest');
    expect(failed).toBe(true);
    expect(output).toContain('migrated by a newer version of Canvass (it has 9999-newer');
    expect(output).not.toContain('    at ');
  });

  it('loads the demo once', async () => {
    const { url, db } = await emptyDatabase();
    await migrateDatabase(db);
    const first = await npxKnex({ DATABASE_URL: url }, 'seed:run');
    expect(first.output).toContain('The demo is loaded.');
    const loaded = await numberOfRows(db);
    expect(loaded).toMatchObject({ organizations: 1, users: 1, surveys: 3, dashboards: 1, reports: 1 });
    expect(loaded.responses).toBeGreaterThan(2_800);
    const second = await npxKnex({ DATABASE_URL: url }, 'seed:run');
    expect(second.output).toContain('The demo is already loaded. Nothing was changed.');
    expect(await numberOfRows(db)).toEqual(loaded);
  });

  it('works on the embedded database of DATA_DIR, whether or not the server is running', async () => {
    const DATA_DIR = path.join(folder, 'embedded');
    const count = (await knownMigrations()).length;
    expect((await npxKnex({ DATA_DIR }, 'migrate:latest')).output).toContain(
      `Batch 1 run: ${count} migrations`,
    );
    const server = startServer({ DATA_DIR, PORT: '0', SEED_DEMO: 'true' });
    try {
      expect(await server.started()).toBeNull();
      const list = await npxKnex({ DATA_DIR }, 'migrate:list');
      expect(list.output).toContain(`Found ${count} Completed Migration`);
      expect((await npxKnex({ DATA_DIR }, 'seed:run')).output).toContain('The demo is already loaded.');
    } finally {
      server.process.kill('SIGTERM');
      await server.ended();
    }
    expect((await npxKnex({ DATA_DIR }, 'migrate:list')).output).toContain('No Pending Migration files');
  });
});
