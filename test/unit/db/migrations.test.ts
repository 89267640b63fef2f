import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { migrate, rollback } from '../../../src/db/migrate.ts';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase();

/** Tables, columns, constraints, indexes, triggers and functions, as PostgreSQL describes them. */
async function schema(): Promise<string[]> {
  const { rows } = await database.db.raw(`
    SELECT 'column ' || table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || ' '
           || coalesce(column_default, '') AS line
      FROM information_schema.columns WHERE table_schema = 'public'
    UNION ALL SELECT 'constraint ' || conrelid::regclass || ' ' || pg_get_constraintdef(oid)
      FROM pg_constraint WHERE connamespace = 'public'::regnamespace
    UNION ALL SELECT 'index ' || regexp_replace(indexdef, ' INDEX \\S+ ', ' INDEX ') FROM pg_indexes WHERE schemaname = 'public'
    UNION ALL SELECT 'trigger ' || pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
    UNION ALL SELECT 'function ' || proname || md5(prosrc) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    ORDER BY 1`);
  return (rows as { line: string }[]).map((row) => row.line);
}

it('every migration is taken back, one at a time, and applied again, and the schema is the same', async () => {
  const before = await schema();
  const count = readdirSync('migrations').length;
  const undone: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const taken = await rollback(database.db, false);
    expect(taken).toHaveLength(1);
    undone.push(...taken);
  }
  expect(undone).toEqual([...undone].sort().reverse());
  expect((await schema()).filter((line) => !line.includes('knex_migrations'))).toEqual([]);
  expect(await rollback(database.db, false)).toEqual([]);
  expect(await migrate(database.db)).toEqual([...undone].reverse());
  expect(await schema()).toEqual(before);
  expect(await migrate(database.db)).toEqual([]);
});
