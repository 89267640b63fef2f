import { readdirSync } from 'node:fs';
import type { Knex } from 'knex';
import { StartError } from '../lib/errors.ts';
import { VERSION } from '../version.ts';
import type { Database } from './connect.ts';
import { liftTimeLimits } from './pg-pool.ts';
import { rowsOf } from './rows.ts';

const FOLDER = new URL('../../migrations/', import.meta.url);
/** Any constant will do, as long as nothing else in the database uses it. */
const LOCK_KEY = 7_222_001;

interface Migration {
  up: (db: Knex) => Promise<void>;
  down: (db: Knex) => Promise<void>;
}

/** Names without extension, so that a compiled and a source installation record the same thing. */
const source: Knex.MigrationSource<string> = {
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
    return { up: withoutTimeLimits(migration.up), down: withoutTimeLimits(migration.down) };
  },
};

/** The duration of a migration grows with the data. */
const withoutTimeLimits = (step: (db: Knex) => Promise<void>) => async (transaction: Knex) => {
  await liftTimeLimits(transaction, '10s');
  await step(transaction);
};

const settings: Knex.MigratorConfig = { migrationSource: source };

/**
 * Brings the schema up to date; says what was applied. Processes that start together wait for each other at an
 * advisory lock, which ends with its connection: a killed process leaves nothing behind. (knex's own lock row would
 * stay; under our lock it can be freed safely.)
 */
export async function migrate(db: Database): Promise<string[]> {
  return underLock(db, async () => {
    const [, applied] = (await db.migrate.latest(settings)) as [number, string[]];
    return applied;
  });
}

/** The names of all migrations of this version, in their order. */
export const knownMigrations = (): Promise<string[]> => source.getMigrations([]);

/** Changes of the schema inside a transaction. */
export interface SchemaChanges {
  /** Takes every migration back and applies them up to and including `last`: the schema of that version, without rows. */
  remakeUpTo: (last: string) => Promise<void>;
  /** Applies the migrations that are left. */
  complete: () => Promise<void>;
}

/** Runs `work` in one transaction that no start and no other migration enters; if it fails, schema and rows are as before. */
export async function changeSchema<T>(
  db: Database,
  work: (trx: Database, schema: SchemaChanges) => Promise<T>,
): Promise<T> {
  return underLock(db, (trx) =>
    work(trx, {
      async remakeUpTo(last) {
        await trx.migrate.rollback(settings, true);
        for (const name of await knownMigrations()) {
          await trx.migrate.up({ ...settings, name });
          if (name === last) return;
        }
      },
      complete: async () => void (await trx.migrate.latest(settings)),
    }),
  );
}

/** Takes the newest migration back, or all of them; says which. */
export async function rollback(db: Database, all: boolean): Promise<string[]> {
  return underLock(db, async () => {
    const taken = all ? db.migrate.rollback(settings, true) : db.migrate.down(settings);
    const [, undone] = (await taken) as [number, string[]];
    return undone;
  });
}

/** `work` gets the transaction that holds the lock. */
async function underLock<T>(db: Database, work: (holder: Database) => Promise<T>): Promise<T> {
  return db.transaction(async (holder) => {
    await liftTimeLimits(holder);
    await holder.raw('SELECT pg_advisory_xact_lock(?)', [LOCK_KEY]);
    await refuseNewerSchema(holder);
    await db.migrate.forceFreeMigrationsLock(settings);
    return work(holder);
  });
}

/** A database that a newer version has migrated must not be written by this one. */
async function refuseNewerSchema(db: Database): Promise<void> {
  const [table] = await rowsOf<{ exists: boolean }>(
    db,
    `SELECT to_regclass('knex_migrations') IS NOT NULL AS exists`,
  );
  if (!table!.exists) return;
  const applied = await rowsOf<{ name: string }>(db, 'SELECT name FROM knex_migrations ORDER BY id');
  const known = new Set(await knownMigrations());
  const unknown = applied.find(({ name }) => !known.has(name));
  if (unknown !== undefined)
    throw new StartError(
      `The database was migrated by a newer version of Canvass (it has ${unknown.name}, this is ${VERSION}): ` +
        'start that version or a newer one, or restore the backup from before the upgrade into an empty database',
    );
}
