import { unknownObject } from '../../lib/error-messages.ts';
import { StartError } from '../../lib/errors.ts';
import type { Database } from '../connect.ts';
import { liftTimeLimits } from '../pg-pool.ts';
import { queryCount, queryRow, queryRows } from '../rows.ts';
import { DISTRIBUTION_COLUMN, REFERENCE_TABLES, RESPONSE_TABLES } from './response-tables.ts';
import { ROW_TRIGGERS } from './row-triggers.ts';
import { countPartitions, readTableDefinition } from './table-definition.ts';

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
      throw new StartError(`The ${unknownObject('table', table)}; migrate the database first`);
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
      onStatement(statement.split('\n', 1)[0]!);
      await queryCount(trx, statement.replaceAll('?', '\\?'));
    }
  });
}
