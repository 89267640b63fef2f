import type { Database } from './connect.ts';
import { queryRows } from './rows.ts';

/**
 * The migrations of version 0.1.0. Later versions have a smaller set of migrations that makes the same schema, except for the names of
 * foreign keys and unique constraints and the order of columns. So a database or a backup of version 0.1.0 needs no conversion of rows.
 */
const OLD_MIGRATIONS: readonly string[] = [
  '0001-people',
  '0002-surveys',
  '0003-responses',
  '0004-response-counts',
  '0005-collecting',
  '0006-response-files',
  '0007-collection-quality',
  '0008-data-changes',
  '0009-response-comments',
  '0011-jobs',
  '0012-seeded-responses',
  '0013-people',
  '0014-link-places',
  '0015-respondents',
  '0016-waves',
  '0017-quotas',
  '0018-invitations',
  '0019-dashboards',
  '0020-reports',
  '0021-credits',
  '0022-analysis',
  '0023-chat',
  '0024-credit-purchases',
  '0025-segments',
  '0026-keys-by-survey',
  '0027-end-reason',
  '0028-measure-of-choices',
  '0029-time-zones',
  '0030-respondent-access',
  '0031-api-key-expiry',
  '0032-pending-addresses',
  '0033-idempotency-replies',
  '0034-upload-limits',
];

/** The migrations that create the schema of version 0.1.0 now. */
export const REPLACEMENTS: readonly string[] = [
  '0001-users',
  '0002-surveys',
  '0003-field',
  '0004-responses',
  '0005-response-counters',
  '0006-dashboards',
  '0007-reports',
  '0008-billing',
  '0009-ai',
  '0010-system',
];

/** Whether `applied` begins with a migration of version 0.1.0 or of an earlier development version. */
export const isOldSchema = (applied: readonly string[]): boolean => applied[0] === OLD_MIGRATIONS[0];

/** Whether `applied` lists all migrations of version 0.1.0. */
export const isSchemaOfVersion010 = (applied: readonly string[]): boolean =>
  applied.length === OLD_MIGRATIONS.length && OLD_MIGRATIONS.every((name, index) => applied[index] === name);

/** Renames the constraints of a schema of version 0.1.0 to Knex's names, and replaces its list of applied migrations. */
export async function adoptSchemaOfVersion010(trx: Database): Promise<void> {
  if (!(await isOnCitus(trx))) await renameConstraints(trx);
  await trx('knex_migrations').delete();
  await trx('knex_migrations').insert(
    REPLACEMENTS.map((name) => ({ name, batch: 1, migration_time: trx.fn.now() })),
  );
}

/**
 * Whether the database runs on Citus, which cannot rename constraints of distributed tables. They keep their names, which no statement
 * uses.
 */
async function isOnCitus(db: Database): Promise<boolean> {
  const [row] = await queryRows<{ exists: boolean }>(
    db,
    `SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') AS exists`,
  );
  return row?.exists === true;
}

async function renameConstraints(trx: Database): Promise<void> {
  const constraints = await queryRows<{ table: string; name: string; columns: string; type: 'f' | 'u' }>(
    trx,
    `SELECT r.relname AS table, c.conname AS name, c.contype AS type,
       (SELECT string_agg(a.attname, '_' ORDER BY k.position) FROM unnest(c.conkey) WITH ORDINALITY AS k (number, position)
        JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.number) AS columns
     FROM pg_constraint c JOIN pg_class r ON r.oid = c.conrelid
     WHERE c.connamespace = 'public'::regnamespace AND c.conparentid = 0 AND NOT r.relispartition AND r.relname NOT LIKE 'knex\\_%'
       AND (c.contype = 'f' OR c.contype = 'u' AND c.conname LIKE '%\\_key')`,
  );
  for (const { table, name, columns, type } of constraints)
    await trx.raw('ALTER TABLE ?? RENAME CONSTRAINT ?? TO ??', [
      table,
      name,
      `${table}_${columns}_${type === 'f' ? 'foreign' : 'unique'}`,
    ]);
}
