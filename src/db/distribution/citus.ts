import { unknownObject } from '../../lib/error-messages.ts';
import { StartError } from '../../lib/errors.ts';
import type { Database } from '../connect.ts';
import { liftTimeLimits } from '../pg-pool.ts';
import { queryCount, queryRow, queryRows } from '../rows.ts';
import {
  DISTRIBUTION_COLUMN,
  REFERENCE_TABLES,
  RESPONSE_TABLES,
  countPartitions,
  readTableDefinition,
} from './response-tables.ts';

/**
 * Row-level replacements for the statement-level triggers with transition tables of the migrations 0004-responses and 0005-response-
 * counters. Citus supports only this form. Each row costs one statement per counter that it changes, where a batch cost one in total.
 */
export const ROW_TRIGGERS: readonly string[] = [
  ...['count', 'wave', 'quota'].flatMap((kind) =>
    ['inserted', 'updated', 'deleted'].map((event) => `DROP TRIGGER responses_${kind}_${event} ON responses`),
  ),
  'DROP TRIGGER responses_set_changed_xid ON responses',
  `CREATE OR REPLACE FUNCTION add_to_counters(survey bigint, link bigint, wave bigint, cells bigint[], status text, reason text, sign integer)
   RETURNS void LANGUAGE plpgsql AS $$
   DECLARE
     slot_of_connection integer := pg_backend_pid() % 64;
     completes integer := CASE WHEN status = 'complete' THEN sign ELSE 0 END;
   BEGIN
     INSERT INTO public.response_counts AS c (survey_id, link_id, slot, response_count, complete_count)
     VALUES (survey, coalesce(link, 0), slot_of_connection, sign, completes)
     ON CONFLICT (survey_id, link_id, slot) DO UPDATE SET
       response_count = c.response_count + excluded.response_count, complete_count = c.complete_count + excluded.complete_count;
     IF wave IS NOT NULL THEN
       INSERT INTO public.wave_counts AS c (survey_id, wave_id, slot, partial, complete, screened_out)
       VALUES (survey, wave, slot_of_connection, CASE WHEN status = 'partial' THEN sign ELSE 0 END, completes,
         CASE WHEN status = 'screened_out' THEN sign ELSE 0 END)
       ON CONFLICT (survey_id, wave_id, slot) DO UPDATE SET partial = c.partial + excluded.partial,
         complete = c.complete + excluded.complete, screened_out = c.screened_out + excluded.screened_out;
     END IF;
     IF cells IS NOT NULL AND (status = 'complete' OR status = 'screened_out' AND reason = 'over_quota') THEN
       UPDATE public.quota_cells SET completed = completed + completes, over_quota = over_quota + sign - completes
       WHERE survey_id = survey AND cell_id = ANY(cells);
     END IF;
   END $$`,
  `CREATE OR REPLACE FUNCTION update_counters_of_response() RETURNS trigger LANGUAGE plpgsql AS $$
   DECLARE
     was boolean := false;
     is_now boolean := false;
   BEGIN
     IF TG_OP <> 'INSERT' THEN was := OLD.deleted_at IS NULL AND NOT OLD.is_test; END IF;
     IF TG_OP <> 'DELETE' THEN is_now := NEW.deleted_at IS NULL AND NOT NEW.is_test; END IF;
     IF was AND is_now AND (OLD.link_id, OLD.wave_id, OLD.quota_cells, OLD.response_status, OLD.status_reason)
         IS NOT DISTINCT FROM (NEW.link_id, NEW.wave_id, NEW.quota_cells, NEW.response_status, NEW.status_reason) THEN
       RETURN NULL;
     END IF;
     IF was THEN
       PERFORM public.add_to_counters(OLD.survey_id, OLD.link_id, OLD.wave_id, OLD.quota_cells, OLD.response_status, OLD.status_reason, -1);
     END IF;
     IF is_now THEN
       PERFORM public.add_to_counters(NEW.survey_id, NEW.link_id, NEW.wave_id, NEW.quota_cells, NEW.response_status, NEW.status_reason, 1);
       IF NEW.response_status = 'complete' AND NEW.wave_id IS NOT NULL AND NEW.quota_cells IS NULL
           AND (TG_OP = 'INSERT' OR OLD.response_status <> 'complete') THEN
         PERFORM pg_advisory_xact_lock_shared(hashtextextended('quotas of wave ' || NEW.wave_id, 0));
         IF EXISTS (SELECT FROM public.waves WHERE wave_id = NEW.wave_id AND quota_revision > 0) THEN
           RAISE EXCEPTION 'the wave has quotas by now' USING ERRCODE = '40001';
         END IF;
       END IF;
     END IF;
     RETURN NULL;
   END $$`,
  `CREATE OR REPLACE FUNCTION set_written_xid() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     NEW.written_xid := pg_current_xact_id();
     RETURN NEW;
   END $$`,
  // The default would be the transaction id of the coordinator, which has no meaning on the server of the row.
  `CREATE TRIGGER responses_set_changed_xid BEFORE INSERT OR UPDATE ON responses FOR EACH ROW EXECUTE FUNCTION set_changed_xid()`,
  `CREATE TRIGGER responses_update_counters AFTER INSERT OR UPDATE OR DELETE ON responses FOR EACH ROW EXECUTE FUNCTION update_counters_of_response()`,
  // Not on INSERT: a row that moves to another server must not look like a column snapshot of that server.
  `CREATE TRIGGER survey_segments_set_written_xid BEFORE UPDATE ON survey_segments FOR EACH ROW EXECUTE FUNCTION set_written_xid()`,
];

/** Identity columns of distributed tables need Citus 11.3; 12.1 is the oldest version that gets fixes. */
const MIN_VERSION = [12, 1] as const;

/** Returns the statements that distribute the tables over a Citus cluster, to be run in this order in one transaction. */
export async function citusStatements(db: Database, shards: number): Promise<string[]> {
  if (!Number.isSafeInteger(shards) || shards < 1 || shards > 1024)
    throw new StartError('--shards must be between 1 and 1024');
  const definitions = [];
  for (const table of RESPONSE_TABLES) {
    const partitions = await countPartitions(db, table);
    if (partitions === null)
      throw new StartError(
        `The ${unknownObject({ kind: 'table', idOrCode: table })}; migrate the database first`,
      );
    if (partitions > 0)
      throw new StartError(
        'The tables are partitioned; merge the partitions first (distribute --partitions 0)',
      );
    definitions.push(await readTableDefinition(db, table));
  }
  for (const table of REFERENCE_TABLES) definitions.push(await readTableDefinition(db, table));
  const references = definitions.flatMap(({ table, references: all }) =>
    all.map((one) => ({ table, ...one })),
  );
  const [first, ...others] = RESPONSE_TABLES;
  return [
    `SET LOCAL citus.multi_shard_modify_mode TO 'sequential'`,
    // Foreign keys between distributed and to reference tables are created again once all tables are distributed.
    ...references.map(({ table, name }) => `ALTER TABLE ${table} DROP CONSTRAINT ${name}`),
    ...ROW_TRIGGERS.filter((statement) => statement.startsWith('DROP ')),
    ...REFERENCE_TABLES.map((table) => `SELECT create_reference_table('${table}')`),
    `SELECT create_distributed_table('${first}', '${DISTRIBUTION_COLUMN}', shard_count => ${shards})`,
    ...others.map(
      (table) =>
        `SELECT create_distributed_table('${table}', '${DISTRIBUTION_COLUMN}', colocate_with => '${first}')`,
    ),
    ...references.map(
      ({ table, name, definition }) => `ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`,
    ),
    ...ROW_TRIGGERS.filter((statement) => !statement.startsWith('DROP ')),
  ];
}

/** Throws StartError if the cluster is not ready. Changes nothing. */
export async function checkCitus(db: Database): Promise<void> {
  const extension = await queryRow<{ extversion: string }>(
    db,
    `SELECT extversion FROM pg_extension WHERE extname = 'citus'`,
  );
  if (extension === null)
    throw new StartError(
      'Citus is not installed: install it on every server, add it to shared_preload_libraries and run CREATE EXTENSION citus in this database',
    );
  const [major = 0, minor = 0] = extension.extversion.split(/\D+/).map(Number);
  if (major < MIN_VERSION[0] || (major === MIN_VERSION[0] && minor < MIN_VERSION[1]))
    throw new StartError(
      `Citus must be version ${MIN_VERSION.join('.')} or newer, not ${extension.extversion}`,
    );
  const nodes = await queryRows<{ groupid: number; isactive: boolean }>(
    db,
    'SELECT groupid, isactive FROM pg_dist_node',
  );
  if (!nodes.some(({ groupid }) => groupid === 0))
    throw new StartError('The coordinator is not registered; run SELECT citus_set_coordinator_host(…) first');
  if (!nodes.some(({ groupid, isactive }) => groupid !== 0 && isactive))
    throw new StartError('The cluster does not have a worker; run SELECT citus_add_node(…) first');
  const settings = await queryRows<{ result: string }>(
    db,
    `SELECT result FROM run_command_on_all_nodes('SHOW citus.enable_unsafe_triggers')`,
  );
  if (settings.some(({ result }) => result !== 'on'))
    throw new StartError(
      'Triggers update the counts: set citus.enable_unsafe_triggers = on on every server first (ALTER SYSTEM, then pg_reload_conf())',
    );
  const spread = await queryRows(
    db,
    `SELECT 1 FROM pg_dist_partition WHERE logicalrelid::text = ANY(?::text[]) AND partmethod = 'h'`,
    [RESPONSE_TABLES],
  );
  if (spread.length > 0) throw new StartError('The tables of responses are already distributed');
}

/** Distributes all tables in one transaction. */
export async function distributeWithCitus(
  db: Database,
  shards: number,
  onStatement: (statement: string) => void,
): Promise<void> {
  await checkCitus(db);
  await db.transaction(async (trx) => {
    await liftTimeLimits(trx, '10s');
    for (const statement of await citusStatements(trx, shards)) {
      onStatement(statement.replace(/\n.*$/s, ''));
      await queryCount(trx, statement.replaceAll('?', '\\?'));
    }
  });
}
