import type { Database } from '../../src/db/connect.ts';

/**
 * The schema as PostgreSQL describes it, one line for each part: columns, constraints, indexes, triggers, functions, sequences and storage
 * options, without the tables of Knex. Spellings of the same thing are
 * equal: the order of a table's columns, white space in functions, `now()` and CURRENT_TIMESTAMP, `0` and `'0'::bigint`.
 */
export async function describeCatalog(db: Database): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { line: string }[] }>(
    `
    WITH tables AS (
      SELECT oid, relname, relkind, reloptions, relpersistence FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relname NOT LIKE 'knex\\_%'
    )
    SELECT concat_ws(' ', 'table', relname, relkind, relpersistence, reloptions, obj_description(oid, 'pg_class')) AS line
      FROM tables WHERE relkind IN ('r', 'p', 'v', 'm')
    UNION ALL
    SELECT concat_ws(' ', 'column', relname || '.' || attname, format_type(atttypid, atttypmod), CASE WHEN attnotnull THEN 'NOT NULL' END,
        regexp_replace(replace(pg_get_expr(adbin, adrelid), 'CURRENT_TIMESTAMP', 'now()'), '^''(\\d+)''::\\w+$', '\\1'), 'identity', attidentity, 'generated', attgenerated,
        'storage', attstorage, 'collation=' || attcollation::regcollation::text, attoptions, col_description(attrelid, attnum))
      FROM pg_attribute JOIN tables ON attrelid = tables.oid LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
      WHERE relkind IN ('r', 'p') AND attnum > 0 AND NOT attisdropped
    UNION ALL
    SELECT concat_ws(' ', 'constraint', relname, conname, pg_get_constraintdef(c.oid), 'validated=' || convalidated)
      FROM pg_constraint c JOIN tables ON conrelid = tables.oid
    UNION ALL
    SELECT concat_ws(' ', 'index', pg_get_indexdef(indexrelid), 'valid=' || indisvalid) FROM pg_index JOIN tables ON indrelid = tables.oid
    UNION ALL
    SELECT concat_ws(' ', 'trigger', pg_get_triggerdef(t.oid), tgenabled) FROM pg_trigger t JOIN tables ON tgrelid = tables.oid
      WHERE NOT tgisinternal
    UNION ALL
    SELECT concat_ws(' ', 'function', regexp_replace(pg_get_functiondef(oid), '\\s+', ' ', 'g')) FROM pg_proc
      WHERE pronamespace = 'public'::regnamespace
    UNION ALL
    SELECT concat_ws(' ', 'sequence', sequencename, data_type, start_value, min_value, max_value, increment_by, cycle,
        (SELECT refobjid::regclass || '.' || attname FROM pg_depend JOIN pg_attribute ON attrelid = refobjid AND attnum = refobjsubid
         WHERE objid = ('public.' || sequencename)::regclass AND classid = 'pg_class'::regclass AND deptype IN ('a', 'i')))
      FROM pg_sequences WHERE schemaname = 'public' AND sequencename NOT LIKE 'knex\\_%'
    UNION ALL
    SELECT concat_ws(' ', 'type', typname) FROM pg_type
      WHERE typnamespace = 'public'::regnamespace AND typtype IN ('e', 'd') OR typnamespace = 'public'::regnamespace AND typtype = 'r'
    ORDER BY 1`.replaceAll('?', '\\?'),
  );
  return rows.map(({ line }) => line);
}
