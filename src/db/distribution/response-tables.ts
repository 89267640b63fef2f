import type { Database } from '../connect.ts';
import { queryRow, queryRows } from '../rows.ts';

/**
 * Tables that grow with responses, in the order of their foreign keys. Each has survey_id in its primary key, in every unique index and in
 * its foreign keys to other such tables, so all rows of a survey can be stored together, in one partition or on one server.
 */
export const RESPONSE_TABLES = [
  'responses',
  'response_files',
  'response_comments',
  'response_counts',
  'hourly_completes',
  'response_segments',
  'survey_segments',
  'frozen_values',
  'data_changes',
  'data_change_rows',
  'wave_counts',
  'wave_quotas',
  'quotas',
  'quota_cells',
  'quota_reservations',
  'arm_counts',
  'arm_reservations',
  'link_limits',
  'link_reservations',
  'analysis_results',
] as const;

/** Tables with a survey_id that are not distributed, with the reason. No foreign key leads from one group to the other. */
export const UNDISTRIBUTED_TABLES: ReadonlyMap<string, string> = new Map([
  ['surveys', 'definitions'],
  ['waves', 'definitions'],
  ['links', 'found by a token that tells no survey'],
  ['link_entries', 'of links, and written in the transaction that reads them'],
  ['link_mismatch_counts', 'of links'],
  ['link_mismatches', 'of links; a bounded number for each'],
  ['survey_blocks', 'what authors write'],
  ['survey_designs', 'definitions'],
  ['survey_pages', 'what authors write'],
  ['questions', 'what authors write'],
  ['question_options', 'what authors write'],
  ['survey_versions', 'what was published'],
  ['option_absences', 'what was published'],
  ['survey_images', 'found by a token that tells no survey; uploaded by authors'],
  ['survey_media', 'found by a token that tells no survey; uploaded by authors'],
  ['derived_columns', 'definitions'],
  ['campaigns', 'one row for many people'],
  ['invitations', 'found by a token that tells no survey; written once or twice for each person'],
  ['dashboard_charts', 'what authors write'],
  ['jobs', 'one queue for all'],
  ['credit_reservations', 'of organizations'],
  ['credit_usage', 'of organizations'],
  ['chat_sessions', 'of people'],
  ['daily_uploads', 'one row for each survey and day'],
]);

/** The distribution column of RESPONSE_TABLES. */
export const DISTRIBUTION_COLUMN = 'survey_id';

/** The definition of a table. Each part is a whole statement, or its end, as PostgreSQL prints it. */
export interface TableDefinition {
  table: string;
  /** The partitions; empty if the table is not partitioned. */
  partitions: string[];
  /** Columns whose values are stored, not generated. */
  columns: string[];
  /** Primary key and unique constraints. */
  keys: Definition[];
  references: Definition[];
  /** Indexes that do not belong to a key. */
  indexes: string[];
  /** Each definition is a whole statement. */
  triggers: Definition[];
  /** Sequences that a column owns. */
  owned: { sequence: string; column: string }[];
  /** Identity columns. */
  identities: { column: string; sequence: string }[];
  /** Privileges of other roles. */
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

/** Reads the definition from the catalogs of PostgreSQL. */
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
    triggers: await queryRows<Definition>(
      db,
      `SELECT tgname AS name, pg_get_triggerdef(oid) AS definition FROM pg_trigger
       WHERE tgrelid = ?::regclass AND NOT tgisinternal AND tgparentid = 0 ORDER BY oid`,
      [table],
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

/** Returns the tables outside `tables` that refer to one of them. */
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

/** Returns the number of partitions, 0 for a plain table, or null if there is no such table. */
export async function countPartitions(db: Database, table: string): Promise<number | null> {
  const row = await queryRow<{ count: number }>(
    db,
    `SELECT (SELECT count(*) FROM pg_inherits WHERE inhparent = c.oid) AS count FROM pg_class c WHERE c.oid = to_regclass(?)`,
    [table],
  );
  return row?.count ?? null;
}
