import { expect, it } from 'vitest';
import { intoPartitions } from '../../../../src/db/distribution/partitions.ts';
import { useDatabase } from '../../../support/database.ts';

const database = useDatabase();

/** Everything that PostgreSQL knows of the tables, but for what partitions are made of. */
async function schema(): Promise<string[]> {
  const { rows } = await database.db.raw<{ rows: { line: string }[] }>(`
    WITH t AS (SELECT oid, relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition)
    SELECT concat_ws(' ', 'column', relname, attnum - (SELECT count(*) FROM pg_attribute d WHERE d.attrelid = t.oid AND d.attnum BETWEEN 1 AND a.attnum AND d.attisdropped),
        attname, format_type(atttypid, atttypmod), attnotnull, attidentity, attgenerated, attstorage, pg_get_expr(adbin, adrelid),
        pg_get_serial_sequence(relname, attname)) AS line
      FROM t JOIN pg_attribute a ON a.attrelid = t.oid AND attnum > 0 AND NOT attisdropped LEFT JOIN pg_attrdef d ON adrelid = t.oid AND adnum = attnum
    UNION ALL SELECT concat_ws(' ', 'constraint', relname, conname, pg_get_constraintdef(c.oid), convalidated)
      FROM t JOIN pg_constraint c ON conrelid = t.oid WHERE conparentid = 0
    UNION ALL SELECT 'index ' || replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') FROM t JOIN pg_index ON indrelid = t.oid
    UNION ALL SELECT 'trigger ' || pg_get_triggerdef(g.oid) FROM t JOIN pg_trigger g ON tgrelid = t.oid WHERE NOT tgisinternal AND tgparentid = 0
    UNION ALL SELECT 'sequence ' || relname FROM pg_class WHERE relkind = 'S' AND relnamespace = 'public'::regnamespace
    UNION ALL SELECT 'schema ' || nspname FROM pg_namespace WHERE nspname !~ '^pg_'
    ORDER BY 1`);
  return rows.map(({ line }) => line);
}

it('tables of responses become partitions, others of them, and tables again, and nothing else about them changes', async () => {
  const before = await schema();
  await intoPartitions(database.db, 3);
  expect(await schema()).toEqual(before);
  await intoPartitions(database.db, 5);
  expect(await schema()).toEqual(before);
  await intoPartitions(database.db, 0);
  expect(await schema()).toEqual(before);
});
