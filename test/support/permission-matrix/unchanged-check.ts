import pg from 'pg';
import { afterAll, beforeAll, expect } from 'vitest';
import type { TestApp } from '../app.ts';

/**
 * Call after creating the fixtures, in tests of requests that must change nothing. The returned function says whether data changed since
 * its last call.
 */
export function useUnchangedCheck(test: TestApp): { expectUnchanged(): Promise<void> } {
  let client: pg.Client | null = null;
  let statement = '';
  let before: string[] = [];
  // Prepared on a separate connection, because planning takes longer than running.
  const stored = async () => {
    const { rows } = await client!.query<{ print: string }>({ name: 'stored', text: statement });
    return rows.map(({ print }) => print);
  };
  beforeAll(async () => {
    statement = await fingerprintStatement(test);
    client = new pg.Client(test.database.url);
    await client.connect();
    before = await stored();
  });
  afterAll(() => client?.end());
  return {
    async expectUnchanged() {
      const last = before;
      // A test that fails leaves the next one its own chance.
      before = await stored();
      expect(before).toEqual(last);
    },
  };
}

/** A line per table of everything that is stored, but when credentials were used last. */
async function fingerprintStatement(test: TestApp): Promise<string> {
  const { rows } = await test.database.db.raw(
    `SELECT t.tablename AS name, EXISTS (
       SELECT FROM information_schema.columns
       WHERE table_schema = 'public' AND table_name = t.tablename AND column_name = 'last_used_at'
     ) AS counts_uses
     FROM pg_tables t WHERE t.schemaname = 'public' AND t.tablename NOT LIKE 'knex%' ORDER BY 1`,
  );
  return (rows as { name: string; counts_uses: boolean }[])
    .map(({ name, counts_uses }) => {
      // Rows as JSON cost twenty times as much, so they are used only where a column must be ignored.
      const row = counts_uses ? `(to_jsonb(t) - 'last_used_at')::text` : 't::text';
      return `SELECT '${name} ' || count(*) || ' ' || coalesce(sum(hashtextextended(${row}, 0)), 0) AS print FROM "${name}" t`;
    })
    .join(' UNION ALL ');
}
