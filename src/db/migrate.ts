import { readdirSync } from 'node:fs';
import type { Knex } from 'knex';
import { StartError } from '../lib/errors.ts';
import { VERSION } from '../version.ts';
import type { Database } from './connect.ts';
import { allowSchemaChanges, distributeNewTables, requireUndistributed } from './distribution/citus.ts';
import { liftTimeLimits } from './pg-pool.ts';
import { queryRows } from './rows.ts';

const FOLDER = new URL('../../migrations/', import.meta.url);
/** The key of the advisory lock. No other lock of the database uses this number. */
const LOCK_KEY = 7_222_001;

interface Migration {
  up: (db: Knex) => Promise<void>;
  down: (db: Knex) => Promise<void>;
}

/** Names have no extension, so that sources and a compiled installation (`.js`) record the same names. */
const migrationSource: Knex.MigrationSource<string> = {
  getMigrations: () =>
    Promise.resolve(
      readdirSync(FOLDER)
        .filter((file) => /^\d{4}-[a-z0-9-]+\.[jt]s$/.test(file))
        .map((file) => file.replace(/\.[jt]s$/, ''))
        .sort(),
    ),
  getMigrationName: (name) => name,
  getMigration: async (name) => {
    const extension = readdirSync(FOLDER).includes(`${name}.ts`) ? 'ts' : 'js';
    const migration = (await import(new URL(`${name}.${extension}`, FOLDER).href)) as Migration;
    return { up: prepared(migration.up), down: prepared(migration.down) };
  },
};

/** Migrations have no time limit, because they take longer the more data there is. */
const prepared = (step: (db: Knex) => Promise<void>) => async (transaction: Knex) => {
  await liftTimeLimits(transaction, '10s');
  await allowSchemaChanges(transaction);
  await step(transaction);
};

/** Used by the server, its command line and Knex's command line. */
export const MIGRATION_SETTINGS: Knex.MigratorConfig = { migrationSource };

/**
 * Applies the migrations that are missing and returns their names. Processes that start together wait for each other at an advisory lock,
 * which PostgreSQL releases when a process is killed.
 */
export async function migrateDatabase(db: Database): Promise<string[]> {
  return withMigrationLock(db, async () => {
    const [, applied] = (await db.migrate.latest(MIGRATION_SETTINGS)) as [number, string[]];
    // Also after an earlier start was interrupted here.
    await distributeNewTables(db);
    return applied;
  });
}

/** The names of all migrations of this version, in their order. */
export const knownMigrations = (): Promise<string[]> => migrationSource.getMigrations([]);

/** Changes of the schema inside a transaction. */
export interface SchemaChanges {
  /** Rolls every migration back and applies them up to and including `last`: the schema of that version, without rows. */
  recreateUpTo: (last: string) => Promise<void>;
  /** Applies the migrations that are missing. */
  migrateToLatest: () => Promise<void>;
}

/** Runs `work` in one transaction while no server starts and no migration runs; if it fails, schema and rows are unchanged. */
export async function changeSchema<T>(
  db: Database,
  work: (trx: Database, schema: SchemaChanges) => Promise<T>,
): Promise<T> {
  await requireUndistributed(db, 'A backup cannot be restored');
  return withMigrationLock(db, (trx) =>
    work(trx, {
      async recreateUpTo(last) {
        await trx.migrate.rollback(MIGRATION_SETTINGS, true);
        for (const name of await knownMigrations()) {
          await trx.migrate.up({ ...MIGRATION_SETTINGS, name });
          if (name === last) return;
        }
      },
      migrateToLatest: async () => void (await trx.migrate.latest(MIGRATION_SETTINGS)),
    }),
  );
}

/** Rolls the newest migration back, or all of them, and returns their names. */
export async function rollBackMigration(db: Database, all: boolean): Promise<string[]> {
  await requireUndistributed(db, 'Migrations cannot be rolled back');
  return withMigrationLock(db, async () => {
    const rolledBack = all
      ? db.migrate.rollback(MIGRATION_SETTINGS, true)
      : db.migrate.down(MIGRATION_SETTINGS);
    const [, names] = (await rolledBack) as [number, string[]];
    return names;
  });
}

/** Calls `work` with the transaction that holds the lock. */
async function withMigrationLock<T>(db: Database, work: (holder: Database) => Promise<T>): Promise<T> {
  return db.transaction(async (holder) => {
    await prepareMigrations(db, holder);
    return work(holder);
  });
}

/**
 * Waits until no other process runs migrations, blocks them until the transaction `holder` ends, and refuses a schema of an unknown
 * version. Frees Knex's lock row, which a killed process leaves behind: only the owner of the advisory lock uses it.
 */
export async function prepareMigrations(db: Database, holder: Database): Promise<void> {
  await lockMigrations(holder);
  await checkSchemaVersion(holder);
  await db.migrate.forceFreeMigrationsLock(MIGRATION_SETTINGS);
}

async function lockMigrations(transaction: Database): Promise<void> {
  await liftTimeLimits(transaction);
  await transaction.raw('SELECT pg_advisory_xact_lock(?)', [LOCK_KEY]);
}

/** Returns the names of the applied migrations, in order. */
async function appliedMigrations(db: Database): Promise<string[]> {
  const [table] = await queryRows<{ exists: boolean }>(
    db,
    `SELECT to_regclass('knex_migrations') IS NOT NULL AS exists`,
  );
  if (table?.exists !== true) return [];
  const applied = await queryRows<{ name: string }>(db, 'SELECT name FROM knex_migrations ORDER BY id');
  return applied.map(({ name }) => name);
}

/** Throws StartError if another version of Canvass has migrated the database. */
async function checkSchemaVersion(db: Database): Promise<void> {
  const applied = await appliedMigrations(db);
  const known = new Set(await knownMigrations());
  const unknown = applied.find((name) => !known.has(name));
  if (unknown !== undefined)
    throw new StartError(
      `The database was migrated by a newer version of Canvass (it has ${unknown}, this is ${VERSION}): ` +
        'start that version or a newer one, or restore the backup from before the upgrade into an empty database',
    );
}
