import { StartError } from '../../lib/errors.ts';
import { listed } from '../../lib/listed.ts';
import type { Database } from '../connect.ts';
import { liftTimeLimits } from '../pg-pool.ts';
import { countOf, rowsOf } from '../rows.ts';
import { DISTRIBUTED_BY, RESPONSE_TABLES } from './response-tables.ts';
import { partitionsOf, referringTables, shapeOf, type TableShape } from './table-shape.ts';

/** What stands aside while it is copied. */
const ASIDE = 'canvass_before_distribution';
const MOST_PARTITIONS = 256;

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Columns that are not copied as they are: a column snapshot stays valid, though another transaction writes its row. */
const COPIED: ReadonlyMap<string, string> = new Map([
  [
    'survey_segments.sealed_xid',
    `CASE WHEN xmin::text::bigint = (sealed_xid::text::numeric % 4294967296)::bigint THEN pg_current_xact_id() ELSE sealed_xid END`,
  ],
]);

/** Everything that makes of a table one in so many partitions, or (0) one table again; in this order, in one transaction. */
interface Move {
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

function moveOf(shape: TableShape, partitions: number): Move {
  const { table } = shape;
  const name = quoted(table);
  const aside = `${ASIDE}.${name}`;
  const columns = shape.columns.map(quoted).join(', ');
  const values = shape.columns.map((column) => COPIED.get(`${table}.${column}`) ?? quoted(column)).join(', ');
  return {
    table,
    make: [
      ...shape.owned.map(({ sequence }) => `ALTER SEQUENCE ${quoted(sequence)} OWNED BY NONE`),
      ...[...shape.partitions, table].map((part) => `ALTER TABLE ${quoted(part)} SET SCHEMA ${ASIDE}`),
      `CREATE TABLE ${name} (LIKE ${aside} INCLUDING ALL EXCLUDING INDEXES)${partitions === 0 ? '' : ` PARTITION BY HASH (${DISTRIBUTED_BY})`}`,
      ...Array.from({ length: partitions }, (_, part) => {
        const values = `FOR VALUES WITH (MODULUS ${partitions}, REMAINDER ${part})`;
        return `CREATE TABLE ${quoted(`${table}_p${part}`)} PARTITION OF ${name} ${values}`;
      }),
    ],
    copy: `INSERT INTO ${name} (${columns}) OVERRIDING SYSTEM VALUE SELECT ${values} FROM ${aside}`,
    complete: [
      ...shape.keys.map((key) => `ALTER TABLE ${name} ADD CONSTRAINT ${quoted(key.name)} ${key.definition}`),
      ...shape.indexes,
      ...shape.owned.map(
        ({ sequence, column }) => `ALTER SEQUENCE ${quoted(sequence)} OWNED BY ${name}.${quoted(column)}`,
      ),
      ...shape.identities.map(
        ({ sequence, column }) =>
          `SELECT setval(pg_get_serial_sequence('${table}', '${column}'), last_value, is_called) FROM ${ASIDE}.${quoted(sequence)}`,
      ),
      ...shape.grants,
      ...shape.triggers,
    ],
    refer: shape.references.map(
      (one) => `ALTER TABLE ${name} ADD CONSTRAINT ${quoted(one.name)} ${one.definition}`,
    ),
    drop: aside,
  };
}

/** The statements, in their order. */
function statementsOf(moves: readonly Move[]): string[] {
  return [
    `CREATE SCHEMA ${ASIDE}`,
    ...moves.flatMap(({ make }) => make),
    ...moves.map(({ copy }) => copy),
    ...moves.flatMap(({ complete }) => complete),
    ...moves.flatMap(({ refer }) => refer),
    `DROP TABLE ${moves.map(({ drop }) => drop).join(', ')}`,
    `DROP SCHEMA ${ASIDE}`,
  ];
}

async function planned(db: Database, partitions: number): Promise<Move[]> {
  if (!Number.isSafeInteger(partitions) || partitions < 0 || partitions > MOST_PARTITIONS)
    throw new StartError(`--partitions must be between 0 (one table again) and ${MOST_PARTITIONS}`);
  const referring = await referringTables(db, RESPONSE_TABLES);
  if (referring.length > 0)
    throw new StartError(
      `${listed(referring, 5, ({ table, name }) => `${table} (${name})`)} refers to tables of responses: take that away first`,
    );
  const moves: Move[] = [];
  for (const table of RESPONSE_TABLES) {
    const now = await partitionsOf(db, table);
    if (now === null) throw new StartError(`There is no table ${table}: bring the schema up to date first`);
    moves.push(moveOf(await shapeOf(db, table), partitions));
  }
  return moves;
}

/** What `intoPartitions` would do, as it is now. */
export async function partitionStatements(db: Database, partitions: number): Promise<string[]> {
  return statementsOf(await planned(db, partitions));
}

/**
 * Puts every table of responses into so many partitions by hash of survey_id, or (0) back into one. All in one transaction, which holds
 * these tables from the first look at them on: a server that runs meanwhile waits, or answers 503, and goes on afterwards. Gives the
 * rows of each table.
 */
export async function intoPartitions(
  db: Database,
  partitions: number,
  onTable: (table: string, rows: string) => void = () => undefined,
): Promise<void> {
  await db.transaction(async (trx) => {
    await liftTimeLimits(trx, '60s');
    await trx.raw(`LOCK TABLE ${RESPONSE_TABLES.map(quoted).join(', ')} IN ACCESS EXCLUSIVE MODE`);
    const moves = await planned(trx, partitions);
    const copies = new Map(moves.map((move) => [move.copy, move]));
    for (const statement of statementsOf(moves)) {
      const rows = await countOf(trx, statement.replaceAll('?', '\\?'));
      const copied = copies.get(statement);
      if (copied === undefined) continue;
      await checkCounts(trx, copied, rows);
      onTable(copied.table, `${rows} rows`);
    }
  });
  // The planner knows nothing yet of tables that were just made.
  await db.transaction(async (trx) => {
    await liftTimeLimits(trx, '10s');
    for (const table of RESPONSE_TABLES) await trx.raw(`ANALYZE ${quoted(table)}`);
  });
}

async function checkCounts(db: Database, { table, drop }: Move, copied: number): Promise<void> {
  const [counts] = await rowsOf<{ before: number; after: number }>(
    db,
    `SELECT (SELECT count(*) FROM ${drop}) AS before, (SELECT count(*) FROM ${quoted(table)}) AS after`,
  );
  const { before, after } = counts!;
  if (before !== after || copied !== after)
    throw new Error(`${table} has ${after} rows after ${before} were copied: nothing was changed`);
}
