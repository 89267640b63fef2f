import { formatList, unknownObject } from '../../lib/error-messages.ts';
import { StartError } from '../../lib/errors.ts';
import { requireItem, requireRow } from '../../lib/require-value.ts';
import type { Database } from '../connect.ts';
import { liftTimeLimits } from '../pg-pool.ts';
import { queryCount, queryRow, queryRows } from '../rows.ts';
import { rebuildStatements } from './partitions.ts';
import {
  DISTRIBUTION_COLUMN,
  RESPONSE_TABLES,
  countPartitions,
  readTableDefinition,
} from './response-tables.ts';

/** Tested with this major version. Transition tables of triggers on distributed tables need it. */
const MIN_VERSION = [13, 0] as const;

/** Space that a server must have left for each byte that is copied to it: the rows, their indexes and the log. */
const SPACE_FACTOR = 2;

/** Whether the response tables of this database are distributed over a Citus cluster. */
export async function isDistributed(db: Database): Promise<boolean> {
  return (await listDistributed(db)).length > 0;
}

/** Empty also without Citus. */
async function listDistributed(db: Database): Promise<string[]> {
  const catalog = requireRow(
    await queryRows<{ exists: boolean }>(db, `SELECT to_regclass('pg_dist_partition') IS NOT NULL AS exists`),
    'catalog',
  );
  if (!catalog.exists) return [];
  const rows = await queryRows<{ table: string }>(
    db,
    `SELECT logicalrelid::text AS table FROM pg_dist_partition WHERE logicalrelid::text = ANY(?::text[]) AND partmethod = 'h'`,
    [RESPONSE_TABLES],
  );
  return rows.map(({ table }) => table);
}

/** Throws StartError if the tables of responses are distributed. `action`: what cannot be done then. */
export async function requireUndistributed(db: Database, action: string): Promise<void> {
  if (await isDistributed(db))
    throw new StartError(
      `${action} while the tables of responses are distributed: move them back first (npm run cli -- undistribute)`,
    );
}

/** Lets a transaction change the definition of several distributed tables. Changes nothing where none is distributed. */
export async function allowSchemaChanges(trx: Database): Promise<void> {
  if (await isDistributed(trx)) await trx.raw(`SET LOCAL citus.multi_shard_modify_mode TO 'sequential'`);
}

/** Distributes tables of responses that a migration added to a distributed database. */
export async function distributeNewTables(db: Database): Promise<void> {
  const distributed = await listDistributed(db);
  const [first] = RESPONSE_TABLES;
  if (!distributed.includes(first)) return;
  for (const table of RESPONSE_TABLES)
    if (!distributed.includes(table))
      await db.raw(
        `SELECT create_distributed_table('${table}', '${DISTRIBUTION_COLUMN}', colocate_with => '${first}')`,
      );
}

/**
 * Gives a read-only transaction one snapshot on every server: by default Citus reads through several connections, each with a snapshot of
 * its own. The snapshots of two servers can differ by the milliseconds of this call. Changes nothing where no table is distributed.
 */
export async function openServerSnapshots(trx: Database): Promise<void> {
  if (!(await isDistributed(trx))) return;
  await trx.raw('SET LOCAL citus.max_adaptive_executor_pool_size TO 1');
  // A table with few rows, of which each server has a shard.
  await trx.raw('SELECT count(*) FROM link_limits');
}

/**
 * Returns the statements that drop the foreign keys between the response tables and their triggers, and those that restore them. Triggers
 * would count the rows that are copied.
 */
async function setAsideStatements(db: Database): Promise<{ drop: string[]; restore: string[] }> {
  const drop: string[] = [];
  const triggers: string[] = [];
  const references: string[] = [];
  for (const table of RESPONSE_TABLES) {
    const definition = await readTableDefinition(db, table);
    for (const one of definition.references) {
      drop.push(`ALTER TABLE ${table} DROP CONSTRAINT ${one.name}`);
      references.push(`ALTER TABLE ${table} ADD CONSTRAINT ${one.name} ${one.definition}`);
    }
    for (const trigger of definition.triggers) {
      drop.push(`DROP TRIGGER ${trigger.name} ON ${table}`);
      triggers.push(trigger.definition);
    }
  }
  return { drop, restore: [...triggers, ...references] };
}

/** Returns the statements that distribute the tables over a Citus cluster, to be run in this order in one transaction. */
export async function citusStatements(db: Database, shards: number): Promise<string[]> {
  if (!Number.isSafeInteger(shards) || shards < 1 || shards > 1024)
    throw new StartError('--shards must be between 1 and 1024');
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
  }
  const [first, ...others] = RESPONSE_TABLES;
  const { drop, restore } = await setAsideStatements(db);
  return [
    `SET LOCAL citus.multi_shard_modify_mode TO 'sequential'`,
    ...drop,
    `SELECT create_distributed_table('${first}', '${DISTRIBUTION_COLUMN}', shard_count => ${shards})`,
    ...others.map(
      (table) =>
        `SELECT create_distributed_table('${table}', '${DISTRIBUTION_COLUMN}', colocate_with => '${first}')`,
    ),
    ...restore,
    // The functions of triggers are created on all servers with their tables; this one is used by statements.
    `SELECT create_distributed_function('iso_timestamp(text)')`,
  ];
}

/** Returns the statements that move the response tables back to the coordinator, to be run in this order in one transaction. */
export async function undistributeStatements(db: Database): Promise<string[]> {
  if (!(await isDistributed(db))) throw new StartError('The tables of responses are not distributed');
  const { drop, restore } = await setAsideStatements(db);
  const move: string[] = [];
  for (const table of RESPONSE_TABLES) {
    const definition = await readTableDefinition(db, table);
    // Citus does not move tables with identity columns back.
    if (definition.identities.length > 0)
      move.push(...rebuildStatements([{ ...definition, references: [], triggers: [] }], 0));
    else move.push(`SELECT undistribute_table('${table}')`);
  }
  return [`SET LOCAL citus.multi_shard_modify_mode TO 'sequential'`, ...drop, ...move, ...restore];
}

interface ClusterServer {
  nodename: string;
  nodeport: number;
  groupid: number;
  isactive: boolean;
  shouldhaveshards: boolean;
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
  const servers = await listServers(db);
  if (!servers.some(({ groupid }) => groupid === 0))
    throw new StartError('The coordinator is not registered; run SELECT citus_set_coordinator_host(…) first');
  const inactive = servers.filter(({ isactive }) => !isactive);
  if (inactive.length > 0)
    throw new StartError(
      `${formatList(inactive, 5, ({ nodename, nodeport }) => `${nodename}:${nodeport}`)} is not active; repair or remove it first`,
    );
  if (targetServers(servers).length === 0)
    throw new StartError('The cluster does not have a worker; run SELECT citus_add_node(…) first');
  const settings = await queryRows<{ result: string }>(
    db,
    `SELECT result FROM run_command_on_all_nodes('SHOW citus.enable_unsafe_triggers')`,
  );
  if (settings.some(({ result }) => result !== 'on'))
    throw new StartError(
      'Triggers update the counts: set citus.enable_unsafe_triggers = on on every server first (ALTER SYSTEM, then pg_reload_conf())',
    );
  if ((await listDistributed(db)).length > 0)
    throw new StartError('The tables of responses are already distributed');
  await checkSpace(db, targetServers(servers));
}

const listServers = (db: Database): Promise<ClusterServer[]> =>
  queryRows(
    db,
    'SELECT nodename, nodeport, groupid, isactive, shouldhaveshards FROM pg_dist_node ORDER BY groupid',
  );

/** The servers that will store responses. */
const targetServers = (servers: readonly ClusterServer[]): ClusterServer[] =>
  servers.filter(({ shouldhaveshards }) => shouldhaveshards);

/** Throws StartError if a server lacks the space for its part of the rows. */
async function checkSpace(db: Database, servers: readonly ClusterServer[]): Promise<void> {
  const needed = ((await readBytes(db)) / servers.length) * SPACE_FACTOR;
  const available = await queryRows<{ nodename: string; nodeport: number; bytes: number }>(
    db,
    `SELECT nodename, nodeport, result::bigint AS bytes
     FROM run_command_on_all_nodes('SELECT available_disk_size FROM citus_local_disk_space_stats()') JOIN pg_dist_node USING (nodeid)
     WHERE shouldhaveshards`,
  );
  const tight = available.find(({ bytes }) => bytes < needed);
  if (tight !== undefined)
    throw new StartError(
      `${tight.nodename}:${tight.nodeport} has ${gigabytes(tight.bytes)} of free space, but needs ${gigabytes(needed)} for its part of the responses`,
    );
}

async function readBytes(db: Database): Promise<number> {
  const [row] = await queryRows<{ bytes: number }>(
    db,
    'SELECT coalesce(sum(pg_total_relation_size(name::regclass)), 0)::bigint AS bytes FROM unnest(?::text[]) AS name',
    [RESPONSE_TABLES],
  );
  return row?.bytes ?? 0;
}

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;

/** Returns in words what `distributeWithCitus` would do. */
export async function describeDistribution(db: Database, shards: number): Promise<string> {
  const servers = targetServers(await listServers(db));
  const names = formatList(servers, 20, ({ nodename, nodeport }) => `${nodename}:${nodeport}`);
  return (
    `${RESPONSE_TABLES.length} tables with ${gigabytes(await readBytes(db))} are copied in ${shards} shards to ${names}, in one transaction. ` +
    'Until it has finished, requests that need responses wait or get 503. All other tables stay on the coordinator.'
  );
}

/** Distributes all tables in one transaction. */
export async function distributeWithCitus(
  db: Database,
  shards: number,
  onStatement: (statement: string) => void,
): Promise<void> {
  await checkCitus(db);
  await runInOneTransaction(db, (trx) => citusStatements(trx, shards), onStatement);
}

/** Moves all tables back to the coordinator, in one transaction. */
export async function undistribute(db: Database, onStatement: (statement: string) => void): Promise<void> {
  await runInOneTransaction(db, undistributeStatements, onStatement);
}

async function runInOneTransaction(
  db: Database,
  statementsFor: (trx: Database) => Promise<string[]>,
  onStatement: (statement: string) => void,
): Promise<void> {
  await db.transaction(async (trx) => {
    await liftTimeLimits(trx, '10s');
    for (const statement of await statementsFor(trx)) {
      onStatement(requireItem(statement.split('\n'), 0, 'line'));
      await queryCount(trx, statement.replaceAll('?', '\\?'));
    }
  });
}
