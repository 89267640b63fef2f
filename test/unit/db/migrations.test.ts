import { expect, it } from 'vitest';
import { knownMigrations, migrateDatabase, rollBackMigration } from '../../../src/db/migrate.ts';
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

it('counts the complete responses by hour that a database already has', async () => {
  const { db } = database;
  while ((await rollBackMigration(db, false))[0] !== '0017-hourly-completes');
  await db.raw(`
    INSERT INTO responses (survey_id, response_token, response_status, survey_version, is_test, deleted_at, completed_at)
    SELECT 1 + n % 2, n, (ARRAY['complete', 'complete', 'partial'])[1 + n % 3], 1, n % 7 = 0, CASE WHEN n % 5 = 0 THEN now() END,
      CASE WHEN n % 11 > 0 THEN '2026-03-01 22:05Z'::timestamptz + n * interval '4 minutes' END FROM generate_series(1, 500) AS n`);
  await migrateDatabase(db);
  const { rows } = await db.raw<{ rows: Record<string, number>[] }>(
    `SELECT survey_id, hour, sum(quarter_1)::int AS q1, sum(quarter_2)::int AS q2, sum(quarter_3)::int AS q3, sum(quarter_4)::int AS q4
     FROM hourly_completes GROUP BY 1, 2 ORDER BY 1, 2`,
  );
  const minutes = (from: number) =>
    `count(*) FILTER (WHERE extract(minute FROM completed_at AT TIME ZONE 'UTC') BETWEEN ${from} AND ${from + 14})::int`;
  const counted = await db.raw<{ rows: Record<string, number>[] }>(
    `SELECT survey_id, (extract(epoch FROM date_trunc('hour', completed_at, 'UTC')) / 3600)::int AS hour,
       ${minutes(0)} AS q1, ${minutes(15)} AS q2, ${minutes(30)} AS q3, ${minutes(45)} AS q4
     FROM responses WHERE response_status = 'complete' AND NOT is_test AND deleted_at IS NULL AND completed_at IS NOT NULL
     GROUP BY 1, 2 ORDER BY 1, 2`,
  );
  expect(rows.length).toBeGreaterThan(60);
  expect(rows).toEqual(counted.rows);
});
