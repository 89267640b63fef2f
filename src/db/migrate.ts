import { readdirSync } from 'node:fs';
import type { Knex } from 'knex';
import type { Database } from './connect.ts';
import { liftTimeLimits } from './pg-pool.ts';

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

/**
 * Brings the schema up to date; says what was applied. Processes that start together wait for each other at an
 * advisory lock, which ends with its connection: a killed process leaves nothing behind. (knex's own lock row would
 * stay; under our lock it can be freed safely.)
 */
export async function migrate(db: Database): Promise<string[]> {
  return underLock(db, async () => {
    const [, applied] = (await db.migrate.latest({ migrationSource: source })) as [number, string[]];
    return applied;
  });
}

/** All that there are, in their order. */
export const knownMigrations = (): Promise<string[]> => source.getMigrations([]);

/** Takes everything back and applies the first ones, up to and with that one: the schema as it once was, and empty. */
export async function remakeUpTo(db: Database, last: string): Promise<void> {
  await underLock(db, async () => {
    const settings = { migrationSource: source };
    await db.migrate.rollback(settings, true);
    for (const name of await knownMigrations()) {
      await db.migrate.up({ ...settings, name });
      if (name === last) return;
    }
  });
}

/** Takes the newest migration back, or all of them; says which. */
export async function rollback(db: Database, all: boolean): Promise<string[]> {
  return underLock(db, async () => {
    const settings = { migrationSource: source };
    const taken = all ? db.migrate.rollback(settings, true) : db.migrate.down(settings);
    const [, undone] = (await taken) as [number, string[]];
    return undone;
  });
}

async function underLock<T>(db: Database, work: () => Promise<T>): Promise<T> {
  return db.transaction(async (holder) => {
    await liftTimeLimits(holder);
    await holder.raw('SELECT pg_advisory_xact_lock(?)', [LOCK_KEY]);
    await db.migrate.forceFreeMigrationsLock({ migrationSource: source });
    return work();
  });
}
