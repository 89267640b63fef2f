import { beforeAll, expect } from 'vitest';
import type { TestApp } from '../app.ts';

/** Call where tests try what must change nothing, after their world is made; what comes back says whether it did, since it was asked last. */
export function useStored(test: TestApp): { expectUnchanged(): Promise<void> } {
  let statement = '';
  let before: string[] = [];
  const stored = async () => {
    const { rows } = await test.database.db.raw(statement);
    return (rows as { print: string }[]).map(({ print }) => print);
  };
  beforeAll(async () => {
    statement = await fingerprints(test);
    before = await stored();
  });
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
async function fingerprints(test: TestApp): Promise<string> {
  const { rows } = await test.database.db.raw(
    `SELECT t.tablename AS name, EXISTS (
       SELECT FROM information_schema.columns
       WHERE table_schema = 'public' AND table_name = t.tablename AND column_name = 'last_used_at'
     ) AS counts_uses
     FROM pg_tables t WHERE t.schemaname = 'public' AND t.tablename NOT LIKE 'knex%' ORDER BY 1`,
  );
  return (rows as { name: string; counts_uses: boolean }[])
    .map(({ name, counts_uses }) => {
      // Rows as JSON cost twenty times as much: only where a column has to be left out.
      const row = counts_uses ? `(to_jsonb(t) - 'last_used_at')::text` : 't::text';
      return `SELECT '${name} ' || count(*) || ' ' || coalesce(sum(hashtextextended(${row}, 0)), 0) AS print FROM "${name}" t`;
    })
    .join(' UNION ALL ');
}
