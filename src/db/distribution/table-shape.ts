import type { Database } from '../connect.ts';
import { queryRow, queryRows } from '../rows.ts';

/** A table as it would have to be made again; each definition is a whole statement or its end, as PostgreSQL writes it. */
export interface TableDefinition {
  table: string;
  /** Its parts; none: it is a table of its own. */
  partitions: string[];
  /** Those whose values are stored as they were given. */
  columns: string[];
  /** Primary key and unique constraints. */
  keys: Definition[];
  references: Definition[];
  /** Without those of keys. */
  indexes: string[];
  triggers: string[];
  /** Sequences of their own name that belong to a column. */
  owned: { sequence: string; column: string }[];
  /** Columns that number themselves. */
  identities: { column: string; sequence: string }[];
  /** What other roles may do with it. */
  grants: string[];
}

interface Definition {
  name: string;
  definition: string;
}

const definitions = (db: Database, table: string, types: string): Promise<Definition[]> =>
  queryRows(
    db,
    `SELECT conname AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint
     WHERE conrelid = ?::regclass AND contype = ANY(string_to_array(?, NULL)) AND conparentid = 0 ORDER BY contype, conname`,
    [table, types],
  );

/** Reads the catalogs of PostgreSQL. */
export async function readTableDefinition(db: Database, table: string): Promise<TableDefinition> {
  const lines = async (sql: string) =>
    (await queryRows<{ line: string }>(db, sql, [table])).map(({ line }) => line);
  return {
    table,
    partitions: await lines(
      `SELECT c.relname AS line FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = ?::regclass ORDER BY c.oid`,
    ),
    columns: await lines(
      `SELECT attname AS line FROM pg_attribute
       WHERE attrelid = ?::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum`,
    ),
    keys: await definitions(db, table, 'pu'),
    references: await definitions(db, table, 'f'),
    indexes: await lines(
      `SELECT replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') AS line FROM pg_index
       WHERE indrelid = ?::regclass AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u'))
       ORDER BY indexrelid`,
    ),
    triggers: await lines(
      `SELECT pg_get_triggerdef(oid) AS line FROM pg_trigger
       WHERE tgrelid = ?::regclass AND NOT tgisinternal AND tgparentid = 0 ORDER BY oid`,
    ),
    owned: await sequences(db, table, 'a'),
    identities: await sequences(db, table, 'i'),
    grants: await lines(
      `SELECT format('GRANT %s ON %I TO %s', privilege_type, c.relname, CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(r.rolname) END) AS line
       FROM pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) LEFT JOIN pg_roles r ON r.oid = grantee
       WHERE c.oid = ?::regclass AND grantee <> c.relowner ORDER BY 1`,
    ),
  };
}

function sequences(
  db: Database,
  table: string,
  kind: 'a' | 'i',
): Promise<{ sequence: string; column: string }[]> {
  return queryRows(
    db,
    `SELECT s.relname AS sequence, a.attname AS column FROM pg_depend d
     JOIN pg_class s ON s.oid = d.objid AND s.relkind = 'S' JOIN pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
     WHERE d.classid = 'pg_class'::regclass AND d.refclassid = 'pg_class'::regclass AND d.refobjid = ?::regclass AND d.deptype = ?
     ORDER BY s.relname`,
    [table, kind],
  );
}

/** Tables outside of `tables` that refer to one of them. */
export function referringTables(
  db: Database,
  tables: readonly string[],
): Promise<{ table: string; name: string }[]> {
  return queryRows(
    db,
    `SELECT conrelid::regclass::text AS table, conname AS name FROM pg_constraint
     WHERE contype = 'f' AND conparentid = 0 AND confrelid::regclass::text = ANY(?::text[]) AND NOT conrelid::regclass::text = ANY(?::text[])`,
    [tables, tables],
  );
}

/** How many partitions it is in; 0: it is one table. null: there is no such table. */
export async function countPartitions(db: Database, table: string): Promise<number | null> {
  const row = await queryRow<{ count: number }>(
    db,
    `SELECT (SELECT count(*) FROM pg_inherits WHERE inhparent = c.oid) AS count FROM pg_class c WHERE c.oid = to_regclass(?)`,
    [table],
  );
  return row?.count ?? null;
}
