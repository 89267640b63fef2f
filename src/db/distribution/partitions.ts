import { formatList, unknownObject } from '../../lib/error-messages.ts';
import { StartError } from '../../lib/errors.ts';
import type { Database } from '../connect.ts';
import { liftTimeLimits } from '../pg-pool.ts';
import { queryCount, queryRows } from '../rows.ts';
import {
  DISTRIBUTION_COLUMN,
  RESPONSE_TABLES,
  countPartitions,
  referringTables,
  readTableDefinition,
  type TableDefinition,
} from './response-tables.ts';

/** The suffix of a table's old copy while its rows are copied. */
const OLD_SUFFIX = 'canvass_before_distribution';
const MAX_PARTITIONS = 256;

const quoteIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** How a table is rebuilt with a number of partitions (0: without): statements in this order, in one transaction. */
interface RebuildStatements {
  table: string;
  /** Renames the table and creates the new, empty one. */
  create: string[];
  copy: string;
  /** Keys, indexes, sequences and triggers come after the rows: that is faster, and triggers count nothing twice. */
  complete: string[];
  /** Runs when all tables are complete. */
  addReferences: string[];
  drop: string;
}

function planRebuild(definition: TableDefinition, partitions: number): RebuildStatements {
  const { table } = definition;
  const name = quoteIdentifier(table);
  const oldTable = `${OLD_SUFFIX}.${name}`;
  const columns = definition.columns.map(quoteIdentifier).join(', ');
  return {
    table,
    create: [
      ...definition.owned.map(({ sequence }) => `ALTER SEQUENCE ${quoteIdentifier(sequence)} OWNED BY NONE`),
      ...[...definition.partitions, table].map(
        (part) => `ALTER TABLE ${quoteIdentifier(part)} SET SCHEMA ${OLD_SUFFIX}`,
      ),
      `CREATE TABLE ${name} (LIKE ${oldTable} INCLUDING ALL EXCLUDING INDEXES)${partitions === 0 ? '' : ` PARTITION BY HASH (${DISTRIBUTION_COLUMN})`}`,
      ...Array.from({ length: partitions }, (_, part) => {
        const values = `FOR VALUES WITH (MODULUS ${partitions}, REMAINDER ${part})`;
        return `CREATE TABLE ${quoteIdentifier(`${table}_p${part}`)} PARTITION OF ${name} ${values}`;
      }),
    ],
    copy: `INSERT INTO ${name} (${columns}) OVERRIDING SYSTEM VALUE SELECT ${columns} FROM ${oldTable}`,
    complete: [
      ...definition.keys.map(
        (key) => `ALTER TABLE ${name} ADD CONSTRAINT ${quoteIdentifier(key.name)} ${key.definition}`,
      ),
      ...definition.indexes,
      ...definition.owned.map(
        ({ sequence, column }) =>
          `ALTER SEQUENCE ${quoteIdentifier(sequence)} OWNED BY ${name}.${quoteIdentifier(column)}`,
      ),
      ...definition.identities.map(
        ({ sequence, column }) =>
          `SELECT setval(pg_get_serial_sequence('${table}', '${column}'), last_value, is_called) FROM ${OLD_SUFFIX}.${quoteIdentifier(sequence)}`,
      ),
      ...definition.grants,
      ...definition.triggers.map((trigger) => trigger.definition),
    ],
    addReferences: definition.references.map(
      (one) => `ALTER TABLE ${name} ADD CONSTRAINT ${quoteIdentifier(one.name)} ${one.definition}`,
    ),
    drop: oldTable,
  };
}

/** Returns the statements of all tables in execution order. */
function inOrder(rebuilds: readonly RebuildStatements[]): string[] {
  return [
    `CREATE SCHEMA ${OLD_SUFFIX}`,
    ...rebuilds.flatMap(({ create }) => create),
    ...rebuilds.map(({ copy }) => copy),
    ...rebuilds.flatMap(({ complete }) => complete),
    ...rebuilds.flatMap(({ addReferences }) => addReferences),
    `DROP TABLE ${rebuilds.map(({ drop }) => drop).join(', ')}`,
    `DROP SCHEMA ${OLD_SUFFIX}`,
  ];
}

/** Returns the statements that rebuild tables with a number of partitions (0: without), to be run in this order in one transaction. */
export function rebuildStatements(definitions: readonly TableDefinition[], partitions: number): string[] {
  return inOrder(definitions.map((definition) => planRebuild(definition, partitions)));
}

async function planRepartition(
  db: Database,
  partitions: number,
  tables: readonly string[] = RESPONSE_TABLES,
): Promise<RebuildStatements[]> {
  if (!Number.isSafeInteger(partitions) || partitions < 0 || partitions > MAX_PARTITIONS)
    throw new StartError(`--partitions must be between 0 (one table again) and ${MAX_PARTITIONS}`);
  const referring = await referringTables(db, tables);
  if (referring.length > 0)
    throw new StartError(
      `${formatList(referring, 5, ({ table, name }) => `${table} (${name})`)} refers to tables of responses: take that away first`,
    );
  const rebuilds: RebuildStatements[] = [];
  for (const table of tables) {
    const now = await countPartitions(db, table);
    if (now === null)
      throw new StartError(
        `The ${unknownObject({ kind: 'table', idOrCode: table })}; migrate the database first`,
      );
    rebuilds.push(planRebuild(await readTableDefinition(db, table), partitions));
  }
  return rebuilds;
}

/** Returns the statements that `repartition` would run now. */
export async function partitionStatements(db: Database, partitions: number): Promise<string[]> {
  return inOrder(await planRepartition(db, partitions));
}

/**
 * Partitions every response table by hash of survey_id, or (0) merges each into one table again. Runs in one transaction that locks the
 * tables from the start: a running server waits or answers 503, and continues afterwards. Returns the number of rows of each table.
 */
export async function repartitionResponses(
  db: Database,
  partitions: number,
  {
    onTable = () => undefined,
    tables = RESPONSE_TABLES,
  }: { onTable?: (table: string, rows: string) => void; tables?: readonly string[] } = {},
): Promise<void> {
  await db.transaction(async (trx) => {
    await liftTimeLimits(trx, '60s');
    await trx.raw(`LOCK TABLE ${tables.map(quoteIdentifier).join(', ')} IN ACCESS EXCLUSIVE MODE`);
    const rebuilds = await planRepartition(trx, partitions, tables);
    const copies = new Map(rebuilds.map((move) => [move.copy, move]));
    for (const statement of inOrder(rebuilds)) {
      const rows = await queryCount(trx, statement.replaceAll('?', '\\?'));
      const copied = copies.get(statement);
      if (copied === undefined) continue;
      await checkCounts(trx, copied, rows);
      onTable(copied.table, `${rows} rows`);
    }
  });
  // The planner has no statistics yet about the new tables.
  await db.transaction(async (trx) => {
    await liftTimeLimits(trx, '10s');
    for (const table of tables) await trx.raw(`ANALYZE ${quoteIdentifier(table)}`);
  });
}

async function checkCounts(db: Database, { table, drop }: RebuildStatements, copied: number): Promise<void> {
  const [counts] = await queryRows<{ before: number; after: number }>(
    db,
    `SELECT (SELECT count(*) FROM ${drop}) AS before, (SELECT count(*) FROM ${quoteIdentifier(table)}) AS after`,
  );
  if (counts === undefined) throw new Error(`${table} was not counted`);
  const { before, after } = counts;
  if (before !== after || copied !== after)
    throw new Error(`${table} has ${after} rows after ${before} were copied: nothing was changed`);
}
