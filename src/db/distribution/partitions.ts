import { StartError } from '../../lib/errors.ts';
import { formatList } from '../../lib/format-list.ts';
import type { Database } from '../connect.ts';
import { liftTimeLimits } from '../pg-pool.ts';
import { queryCount, queryRows } from '../rows.ts';
import { DISTRIBUTION_COLUMN, RESPONSE_TABLES } from './response-tables.ts';
import {
  countPartitions,
  referringTables,
  readTableDefinition,
  type TableDefinition,
} from './table-shape.ts';

/** What stands aside while it is copied. */
const OLD_SUFFIX = 'canvass_before_distribution';
const MAX_PARTITIONS = 256;

const quoteIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Columns that are not copied as they are: a column snapshot stays valid, though another transaction writes its row. */
const COPIED: ReadonlyMap<string, string> = new Map([
  [
    'survey_segments.sealed_xid',
    `CASE WHEN xmin::text::bigint = (sealed_xid::text::numeric % 4294967296)::bigint THEN pg_current_xact_id() ELSE sealed_xid END`,
  ],
]);

/** Everything that makes of a table one in so many partitions, or (0) one table again; in this order, in one transaction. */
interface RebuildStatements {
  table: string;
  /** Puts the table aside and makes the new one, empty. */
  make: string[];
  copy: string;
  /** Keys, indexes, numbers, triggers: after the rows, because that is faster and nothing is counted twice. */
  complete: string[];
  /** When all tables are complete. */
  refer: string[];
  drop: string;
}

function rebuildStatements(shape: TableDefinition, partitions: number): RebuildStatements {
  const { table } = shape;
  const name = quoteIdentifier(table);
  const aside = `${OLD_SUFFIX}.${name}`;
  const columns = shape.columns.map(quoteIdentifier).join(', ');
  const values = shape.columns
    .map((column) => COPIED.get(`${table}.${column}`) ?? quoteIdentifier(column))
    .join(', ');
  return {
    table,
    make: [
      ...shape.owned.map(({ sequence }) => `ALTER SEQUENCE ${quoteIdentifier(sequence)} OWNED BY NONE`),
      ...[...shape.partitions, table].map(
        (part) => `ALTER TABLE ${quoteIdentifier(part)} SET SCHEMA ${OLD_SUFFIX}`,
      ),
      `CREATE TABLE ${name} (LIKE ${aside} INCLUDING ALL EXCLUDING INDEXES)${partitions === 0 ? '' : ` PARTITION BY HASH (${DISTRIBUTION_COLUMN})`}`,
      ...Array.from({ length: partitions }, (_, part) => {
        const values = `FOR VALUES WITH (MODULUS ${partitions}, REMAINDER ${part})`;
        return `CREATE TABLE ${quoteIdentifier(`${table}_p${part}`)} PARTITION OF ${name} ${values}`;
      }),
    ],
    copy: `INSERT INTO ${name} (${columns}) OVERRIDING SYSTEM VALUE SELECT ${values} FROM ${aside}`,
    complete: [
      ...shape.keys.map(
        (key) => `ALTER TABLE ${name} ADD CONSTRAINT ${quoteIdentifier(key.name)} ${key.definition}`,
      ),
      ...shape.indexes,
      ...shape.owned.map(
        ({ sequence, column }) =>
          `ALTER SEQUENCE ${quoteIdentifier(sequence)} OWNED BY ${name}.${quoteIdentifier(column)}`,
      ),
      ...shape.identities.map(
        ({ sequence, column }) =>
          `SELECT setval(pg_get_serial_sequence('${table}', '${column}'), last_value, is_called) FROM ${OLD_SUFFIX}.${quoteIdentifier(sequence)}`,
      ),
      ...shape.grants,
      ...shape.triggers,
    ],
    refer: shape.references.map(
      (one) => `ALTER TABLE ${name} ADD CONSTRAINT ${quoteIdentifier(one.name)} ${one.definition}`,
    ),
    drop: aside,
  };
}

/** The statements, in their order. */
function inOrder(moves: readonly RebuildStatements[]): string[] {
  return [
    `CREATE SCHEMA ${OLD_SUFFIX}`,
    ...moves.flatMap(({ make }) => make),
    ...moves.map(({ copy }) => copy),
    ...moves.flatMap(({ complete }) => complete),
    ...moves.flatMap(({ refer }) => refer),
    `DROP TABLE ${moves.map(({ drop }) => drop).join(', ')}`,
    `DROP SCHEMA ${OLD_SUFFIX}`,
  ];
}

async function planRepartition(db: Database, partitions: number): Promise<RebuildStatements[]> {
  if (!Number.isSafeInteger(partitions) || partitions < 0 || partitions > MAX_PARTITIONS)
    throw new StartError(`--partitions must be between 0 (one table again) and ${MAX_PARTITIONS}`);
  const referring = await referringTables(db, RESPONSE_TABLES);
  if (referring.length > 0)
    throw new StartError(
      `${formatList(referring, 5, ({ table, name }) => `${table} (${name})`)} refers to tables of responses: take that away first`,
    );
  const moves: RebuildStatements[] = [];
  for (const table of RESPONSE_TABLES) {
    const now = await countPartitions(db, table);
    if (now === null) throw new StartError(`There is no table ${table}: bring the schema up to date first`);
    moves.push(rebuildStatements(await readTableDefinition(db, table), partitions));
  }
  return moves;
}

/** What `intoPartitions` would do, as it is now. */
export async function partitionStatements(db: Database, partitions: number): Promise<string[]> {
  return inOrder(await planRepartition(db, partitions));
}

/**
 * Puts every table of responses into so many partitions by hash of survey_id, or (0) back into one. All in one transaction, which holds
 * these tables from the first look at them on: a server that runs meanwhile waits, or answers 503, and goes on afterwards. Gives the
 * rows of each table.
 */
export async function repartition(
  db: Database,
  partitions: number,
  onTable: (table: string, rows: string) => void = () => undefined,
): Promise<void> {
  await db.transaction(async (trx) => {
    await liftTimeLimits(trx, '60s');
    await trx.raw(`LOCK TABLE ${RESPONSE_TABLES.map(quoteIdentifier).join(', ')} IN ACCESS EXCLUSIVE MODE`);
    const moves = await planRepartition(trx, partitions);
    const copies = new Map(moves.map((move) => [move.copy, move]));
    for (const statement of inOrder(moves)) {
      const rows = await queryCount(trx, statement.replaceAll('?', '\\?'));
      const copied = copies.get(statement);
      if (copied === undefined) continue;
      await checkCounts(trx, copied, rows);
      onTable(copied.table, `${rows} rows`);
    }
  });
  // The planner knows nothing yet of tables that were just made.
  await db.transaction(async (trx) => {
    await liftTimeLimits(trx, '10s');
    for (const table of RESPONSE_TABLES) await trx.raw(`ANALYZE ${quoteIdentifier(table)}`);
  });
}

async function checkCounts(db: Database, { table, drop }: RebuildStatements, copied: number): Promise<void> {
  const [counts] = await queryRows<{ before: number; after: number }>(
    db,
    `SELECT (SELECT count(*) FROM ${drop}) AS before, (SELECT count(*) FROM ${quoteIdentifier(table)}) AS after`,
  );
  const { before, after } = counts!;
  if (before !== after || copied !== after)
    throw new Error(`${table} has ${after} rows after ${before} were copied: nothing was changed`);
}
