import type { Database } from './connect.ts';
import { queryRows } from './rows.ts';
import { requireEntry, requireRow } from '../lib/require-value.ts';

/**
 * The migrations of version 0.1.0. Later versions have a smaller set of migrations that makes the same schema, except for names, the
 * order of columns, and the values that `convertRowsOfVersion010` replaces.
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

/** Tables that have a new name. */
const RENAMED_TABLES: ReadonlyMap<string, string> = new Map([
  ['link_places', 'link_reservations'],
  ['mail_days', 'daily_mail_counts'],
  ['mail_pace', 'mail_throttle'],
  ['mailings', 'campaigns'],
  ['quota_holds', 'quota_reservations'],
  ['upload_days', 'daily_uploads'],
]);

/** Columns that have a new name, by the old name of their table. */
const RENAMED_COLUMNS: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map([
  ['analysis_results', new Map([['made_at', 'created_at']])],
  ['chat_events', new Map([['said_at', 'created_at']])],
  ['chat_messages', new Map([['planned', 'planned_content']])],
  ['link_places', new Map([['held_until', 'reserved_until']])],
  ['mail_pace', new Map([['only_row', 'singleton']])],
  [
    'mailings',
    new Map([
      ['mailing_id', 'campaign_id'],
      ['mailing_kind', 'campaign_kind'],
      ['reminds', 'parent_campaign_id'],
    ]),
  ],
  ['mails', new Map([['mailing_id', 'campaign_id']])],
  ['quota_cells', new Map([['place', 'cell_order']])],
  ['quota_holds', new Map([['held_until', 'reserved_until']])],
  ['quotas', new Map([['place', 'quota_order']])],
  ['survey_segments', new Map([['sealed_xid', 'written_xid']])],
]);

/** Indexes and constraints whose new name does not follow from the new names of their table and columns. */
const RENAMED_INDEXES: ReadonlyMap<string, string> = new Map([
  ['analysis_results_made', 'analysis_results_created'],
  ['chat_events_said', 'chat_events_created'],
  ['credit_ledger_ended', 'credit_ledger_end_unique'],
  ['credit_ledger_purchase', 'credit_ledger_purchase_unique'],
  ['credit_ledger_taken', 'credit_ledger_reservation_unique'],
  ['credit_reservations_work', 'credit_reservations_work_unique'],
  ['invitations_once', 'invitations_active_unique'],
  ['invitations_suppressed_once', 'invitations_suppressed_unique'],
  ['jobs_of_user', 'jobs_user'],
  ['mails_kept', 'mails_stored'],
  ['upload_days_by_day', 'daily_uploads_day'],
]);
const RENAMED_CONSTRAINTS: ReadonlyMap<string, string> = new Map([
  ['credit_ledger_of_purchase', 'credit_ledger_purchase_check'],
  ['credit_ledger_of_reservation', 'credit_ledger_reservation_check'],
  ['quotas_of_survey_unique', 'quotas_survey_unique'],
]);

/** Triggers on `responses` and `survey_segments`; the last two are those of a Citus cluster. */
const RENAMED_TRIGGERS: ReadonlyMap<string, string> = new Map([
  ['responses_note_changed', 'responses_set_changed_xid'],
  ['responses_note_rows', 'responses_update_counters'],
  ['survey_segments_note_sealed', 'survey_segments_set_written_xid'],
]);

/** Functions, and names that their bodies use. */
const RENAMED_FUNCTIONS: ReadonlyMap<string, string> = new Map([
  ['note_changed_xid', 'set_changed_xid'],
  ['note_quota_counts', 'update_quota_counts'],
  ['note_response_counts', 'update_response_counts'],
  ['note_response_row', 'add_to_counters'],
  ['note_response_rows', 'update_counters_of_response'],
  ['note_sealed_xid', 'set_written_xid'],
  ['note_wave_counts', 'update_wave_counts'],
]);
const RENAMED_IN_FUNCTIONS: ReadonlyMap<string, string> = new Map([
  ...RENAMED_FUNCTIONS,
  ['sealed_xid', 'written_xid'],
  ['unjudged', 'not_evaluated'],
]);

/** Returns today's names of a table of version 0.1.0 and of its columns. */
export function renameTableOfVersion010({ table, columns }: { table: string; columns: readonly string[] }): {
  table: string;
  columns: string[];
} {
  const renamed = RENAMED_COLUMNS.get(table);
  return {
    table: RENAMED_TABLES.get(table) ?? table,
    columns: columns.map((column) => renamed?.get(column) ?? column),
  };
}

/** Returns today's name of a sequence of version 0.1.0. */
export const renameSequenceOfVersion010 = (sequence: string): string =>
  sequence === 'mailings_mailing_id_seq' ? 'campaigns_campaign_id_seq' : sequence;

/** Whether `applied` begins with a migration of version 0.1.0 or of an earlier development version. */
export const isOldSchema = (applied: readonly string[]): boolean => applied[0] === OLD_MIGRATIONS[0];

/** Whether `applied` lists all migrations of version 0.1.0. */
export const isSchemaOfVersion010 = (applied: readonly string[]): boolean =>
  applied.length === OLD_MIGRATIONS.length && OLD_MIGRATIONS.every((name, index) => applied[index] === name);

/** Gives everything in a schema of version 0.1.0 its new name, converts rows, and replaces the list of applied migrations. */
export async function adoptSchemaOfVersion010(trx: Database): Promise<void> {
  await renameTablesAndColumns(trx);
  await renameIndexes(trx);
  if (!(await isOnCitus(trx))) await renameConstraints(trx);
  await renameTriggersAndFunctions(trx);
  await acceptRowsOfVersion010(trx);
  await convertRowsOfVersion010(trx);
  await recreateMailIndexes(trx);
  await trx('knex_migrations').delete();
  await trx('knex_migrations').insert(
    REPLACEMENTS.map((name) => ({ name, batch: 1, migration_time: trx.fn.now() })),
  );
}

/** Lets tables store the values of version 0.1.0 until `convertRowsOfVersion010` is called. */
export async function acceptRowsOfVersion010(trx: Database): Promise<void> {
  await trx.raw('ALTER TABLE mails DROP CONSTRAINT mails_mail_state_check');
}

/** Replaces values that version 0.1.0 wrote. */
export async function convertRowsOfVersion010(trx: Database): Promise<void> {
  await trx.raw(`UPDATE mails SET mail_state = 'sending' WHERE mail_state = 'handed_over'`);
  await trx.raw(`UPDATE mails SET mail_state = 'stored' WHERE mail_state = 'kept'`);
  await trx('jobs')
    .where({ kind: 'mailing' })
    .update({
      kind: 'campaign',
      payload: trx.raw(`jsonb_build_object('campaign_id', payload -> 'mailing_id')`),
    });
  await trx.schema.alterTable('mails', (table) => {
    table.check(
      `mail_state IN ('waiting', 'sending', 'sent', 'stored', 'failed', 'bounced', 'cancelled')`,
      undefined,
      'mails_mail_state_check',
    );
  });
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

async function renameTablesAndColumns(trx: Database): Promise<void> {
  for (const [table, columns] of RENAMED_COLUMNS)
    for (const [from, to] of columns)
      await trx.raw('ALTER TABLE ?? RENAME COLUMN ?? TO ??', [table, from, to]);
  for (const [from, to] of RENAMED_TABLES) await trx.raw('ALTER TABLE ?? RENAME TO ??', [from, to]);
  const sequence = 'mailings_mailing_id_seq';
  await trx.raw('ALTER SEQUENCE ?? RENAME TO ??', [sequence, renameSequenceOfVersion010(sequence)]);
}

/** Returns the name of an index or constraint with the new names of its table and columns. */
function renamePart(name: string): string {
  for (const [from, to] of RENAMED_TABLES)
    if (name.startsWith(`${from}_`)) {
      let suffix = name.slice(from.length);
      for (const [column, renamed] of RENAMED_COLUMNS.get(from) ?? [])
        suffix = suffix.replace(`_${column}_`, `_${renamed}_`);
      return to + suffix;
    }
  for (const [table, columns] of RENAMED_COLUMNS)
    for (const [from, to] of columns)
      if (name.startsWith(`${table}_${from}_`)) return name.replace(`_${from}_`, `_${to}_`);
  return name;
}

/** Renames indexes that belong to no constraint. */
async function renameIndexes(trx: Database): Promise<void> {
  const indexes = await queryRows<{ name: string }>(
    trx,
    `SELECT i.relname AS name FROM pg_class i JOIN pg_index x ON x.indexrelid = i.oid JOIN pg_class r ON r.oid = x.indrelid
     WHERE i.relnamespace = 'public'::regnamespace AND NOT r.relispartition
       AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = i.oid AND contype IN ('p', 'u'))`,
  );
  for (const { name } of indexes) {
    const renamed = RENAMED_INDEXES.get(name) ?? renamePart(name);
    if (renamed !== name) await trx.raw('ALTER INDEX ?? RENAME TO ??', [name, renamed]);
  }
}

/** Their conditions use values that have new names. */
async function recreateMailIndexes(trx: Database): Promise<void> {
  await trx.raw('DROP INDEX mails_unsettled, mails_stored');
  await trx.schema.alterTable('mails', (table) => {
    table.index(['campaign_id', 'due_at'], 'mails_unsettled', {
      predicate: trx.whereRaw(`mail_state IN ('waiting', 'sending')`),
    });
    table.index(['mail_id'], 'mails_stored', { predicate: trx.whereRaw(`mail_state = 'stored'`) });
  });
}

/** Also gives foreign keys and unique constraints the names that Knex gives them. */
async function renameConstraints(trx: Database): Promise<void> {
  const constraints = await queryRows<{ table: string; name: string; columns: string; type: string }>(
    trx,
    `SELECT r.relname AS table, c.conname AS name, c.contype AS type,
       (SELECT string_agg(a.attname, '_' ORDER BY k.position) FROM unnest(c.conkey) WITH ORDINALITY AS k (number, position)
        JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.number) AS columns
     FROM pg_constraint c JOIN pg_class r ON r.oid = c.conrelid
     WHERE c.connamespace = 'public'::regnamespace AND c.conparentid = 0 AND NOT r.relispartition AND r.relname NOT LIKE 'knex\\_%'
       AND c.contype IN ('c', 'f', 'n', 'p', 'u')`,
  );
  for (const { table, name, columns, type } of constraints) {
    const renamed =
      type === 'f'
        ? `${table}_${columns}_foreign`
        : type === 'u' && name.endsWith('_key')
          ? `${table}_${columns}_unique`
          : (RENAMED_CONSTRAINTS.get(name) ?? renamePart(name));
    if (renamed !== name) await trx.raw('ALTER TABLE ?? RENAME CONSTRAINT ?? TO ??', [table, name, renamed]);
  }
}

async function renameTriggersAndFunctions(trx: Database): Promise<void> {
  const triggers = await queryRows<{ table: string; name: string }>(
    trx,
    `SELECT r.relname AS table, t.tgname AS name FROM pg_trigger t JOIN pg_class r ON r.oid = t.tgrelid
     WHERE NOT t.tgisinternal AND NOT r.relispartition AND t.tgname = ANY(?)`,
    [[...RENAMED_TRIGGERS.keys()]],
  );
  for (const { table, name } of triggers)
    await trx.raw('ALTER TRIGGER ?? ON ?? RENAME TO ??', [
      name,
      table,
      requireEntry(RENAMED_TRIGGERS, name, 'trigger'),
    ]);
  const functions = await queryRows<{ id: number; name: string; signature: string }>(
    trx,
    `SELECT oid::bigint AS id, proname AS name, oid::regprocedure::text AS signature FROM pg_proc
     WHERE pronamespace = 'public'::regnamespace AND proname = ANY(?)`,
    [[...RENAMED_FUNCTIONS.keys()]],
  );
  for (const { name, signature } of functions)
    await trx.raw(`ALTER FUNCTION ${signature} RENAME TO ??`, [
      requireEntry(RENAMED_FUNCTIONS, name, 'function'),
    ]);
  for (const { id } of functions) {
    const rows = await queryRows<{ definition: string }>(trx, 'SELECT pg_get_functiondef(?) AS definition', [
      id,
    ]);
    const { definition } = requireRow(rows, 'pg_proc');
    const renamed = definition.replace(/\w+/g, (word) => RENAMED_IN_FUNCTIONS.get(word) ?? word);
    if (renamed !== definition) await trx.raw(renamed.replaceAll('?', '\\?'));
  }
}
