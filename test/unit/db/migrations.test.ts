import { expect, it } from 'vitest';
import { knownMigrations, migrateDatabase, rollBackMigration } from '../../../src/db/migrate.ts';
import { REPLACEMENTS } from '../../../src/db/version-0-1-0.ts';
import { describeCatalog } from '../../support/catalog.ts';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase();

it('rolls migrations back one by one to an empty database and reapplies them to the same schema', async () => {
  const before = await describeCatalog(database.db);
  expect(before.length).toBeGreaterThan(1_000);
  const known = await knownMigrations();
  const rolledBack: string[] = [];
  for (const name of known.toReversed()) {
    const names = await rollBackMigration(database.db, false);
    expect(names).toEqual([name]);
    rolledBack.push(...names);
  }
  expect(await describeCatalog(database.db)).toEqual([]);
  expect(await rollBackMigration(database.db, false)).toEqual([]);
  expect(await migrateDatabase(database.db)).toEqual(rolledBack.toReversed());
  expect(await describeCatalog(database.db)).toEqual(before);
  expect(await migrateDatabase(database.db)).toEqual([]);
});

it('rolls back all migrations at once', async () => {
  const known = await knownMigrations();
  expect(await rollBackMigration(database.db, true)).toEqual(known.toReversed());
  expect(await describeCatalog(database.db)).toEqual([]);
  expect(await migrateDatabase(database.db)).toEqual(known);
});

it('keeps the migrations that replace those of version 0.1.0 first', async () => {
  expect((await knownMigrations()).slice(0, REPLACEMENTS.length)).toEqual(REPLACEMENTS);
});
