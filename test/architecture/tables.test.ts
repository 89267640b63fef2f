import { readdirSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { beforeAll, expect, it } from 'vitest';
import { useDatabase } from '../support/database.ts';

const FOLDER = path.resolve('src/repositories/tables');
/** Knex declares and fills these itself. */
const MIGRATION_TABLES = ['knex_migrations', 'knex_migrations_lock'];

interface DeclaredColumn {
  name: string;
  /** What the values are, null apart: `string`, `Date`, `number[]`; `unknown` says nothing. */
  kinds: string[];
  isNullable: boolean;
  /** The values of a union of literals; null: any value of the kind. */
  literals: string[] | null;
}

interface DeclaredTable {
  name: string;
  columns: DeclaredColumn[];
  defaulted: string[];
  json: string[];
  generated: string[];
}

interface StoredColumn {
  table_name: string;
  column_name: string;
  udt_name: string;
  is_nullable: boolean;
  has_default: boolean;
  is_generated: boolean;
}

/** What the driver returns for a column (db/connect.ts parses bigint to a number, but not inside an array). */
const KINDS: Readonly<Record<string, string>> = {
  _int8: 'number[]',
  _text: 'string[]',
  bool: 'boolean',
  bytea: 'Buffer',
  cidr: 'string',
  date: 'Date',
  float4: 'number',
  float8: 'number',
  inet: 'string',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  numeric: 'string',
  oid: 'number',
  pg_snapshot: 'string',
  text: 'string',
  timestamptz: 'Date',
  uuid: 'string',
  varchar: 'string',
  xid8: 'string',
};

/** Reads `Tables` of every file with the TypeScript compiler, so that aliases and imported types count as what they are. */
function declaredTables(): DeclaredTable[] {
  const files = readdirSync(FOLDER).map((file) => path.join(FOLDER, file));
  const { config } = ts.readConfigFile('tsconfig.json', (file) => ts.sys.readFile(file)) as {
    config: { compilerOptions: object };
  };
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, '.');
  const program = ts.createProgram(files, { ...options, incremental: false });
  const checker = program.getTypeChecker();

  const membersOf = (type: ts.Type): ts.Type[] => (type.isUnion() ? type.types : [type]);

  const namesIn = (node: ts.TypeNode | undefined): string[] =>
    node === undefined
      ? []
      : membersOf(checker.getTypeFromTypeNode(node)).flatMap((type) =>
          type.isStringLiteral() ? [type.value] : [],
        );

  function kindOf(type: ts.Type): string {
    if (type.flags & ts.TypeFlags.StringLike) return 'string';
    if (type.flags & ts.TypeFlags.NumberLike) return 'number';
    if (type.flags & ts.TypeFlags.BooleanLike) return 'boolean';
    if (checker.isArrayType(type)) {
      const [element] = checker.getTypeArguments(type as ts.TypeReference);
      return `${kindOf(element!)}[]`;
    }
    if (type.flags & ts.TypeFlags.Unknown) return 'unknown';
    return type.getSymbol()?.name ?? checker.typeToString(type);
  }

  function column(property: ts.Symbol): DeclaredColumn {
    const all = membersOf(checker.getTypeOfSymbol(property));
    const values = all.filter((type) => !(type.flags & ts.TypeFlags.Null));
    const literals = values.flatMap((type) =>
      type.isStringLiteral() || type.isNumberLiteral() ? [String(type.value)] : [],
    );
    return {
      name: property.name,
      kinds: [...new Set(values.map(kindOf))],
      isNullable: values.length < all.length || values.some((type) => type.flags & ts.TypeFlags.Unknown),
      literals: literals.length === values.length ? literals.sort() : null,
    };
  }

  function table(declaration: ts.PropertySignature): DeclaredTable {
    const { type } = declaration;
    if (type === undefined || !ts.isTypeReferenceNode(type) || type.typeName.getText() !== 'Table')
      throw new Error(`${declaration.getText()} is not a Table<…>`);
    const [row, defaulted, json, generated] = type.typeArguments!;
    return {
      name: (declaration.name as ts.Identifier).text,
      columns: checker.getTypeFromTypeNode(row!).getProperties().map(column),
      defaulted: namesIn(defaulted),
      json: namesIn(json),
      generated: namesIn(generated),
    };
  }

  const tables: DeclaredTable[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isInterfaceDeclaration(node) && node.name.text === 'Tables')
      tables.push(...node.members.filter(ts.isPropertySignature).map(table));
    else ts.forEachChild(node, visit);
  };
  for (const file of files) visit(program.getSourceFile(file)!);
  return tables;
}

const test = useDatabase();
let tables: DeclaredTable[];
let stored: Map<string, StoredColumn[]>;
/** By `table.column`: the only values that a CHECK allows. */
let checks: Map<string, string[]>;

beforeAll(async () => {
  tables = declaredTables();
  const columns = await test.db.raw<{ rows: StoredColumn[] }>(
    `SELECT c.table_name, c.column_name, c.udt_name, c.is_nullable = 'YES' AS is_nullable, c.is_generated = 'ALWAYS' AS is_generated,
            c.column_default IS NOT NULL OR c.is_identity = 'YES' AS has_default
     FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND c.table_name <> ALL (?)`,
    [MIGRATION_TABLES],
  );
  stored = new Map();
  for (const column of columns.rows)
    stored.set(column.table_name, [...(stored.get(column.table_name) ?? []), column]);
  const constraints = await test.db.raw<{ rows: { table_name: string; definition: string }[] }>(
    `SELECT conrelid::regclass::text AS table_name, pg_get_constraintdef(oid) AS definition FROM pg_constraint WHERE contype = 'c'`,
  );
  checks = new Map();
  for (const { table_name, definition } of constraints.rows) {
    const [, column, list] = /^CHECK \(\((\w+) = ANY \(ARRAY\[([^\]]*)\]\)\)\)$/.exec(definition) ?? [];
    if (column === undefined || list === undefined) continue;
    const values = [...list.matchAll(/'([^']*)'|\d+/g)].map(([number, text]) => text ?? number);
    checks.set(`${table_name}.${column}`, values.sort());
  }
}, 60_000);

/** Compares every declared column with the stored one. Returns the complaints, each with its `table.column`. */
const findDifferences = (
  compare: (declared: DeclaredColumn, stored: StoredColumn) => string | null,
): string[] =>
  tables.flatMap(({ name, columns }) =>
    columns.flatMap((declared) => {
      const column = stored.get(name)?.find(({ column_name }) => column_name === declared.name);
      const complaint = column === undefined ? null : compare(declared, column);
      return complaint === null ? [] : [`${name}.${declared.name}: ${complaint}`];
    }),
  );

/** Columns that each table names in a list of its declaration, and those that the database says belong there. */
function lists(
  declared: (table: DeclaredTable) => string[],
  belongs: (column: StoredColumn) => boolean,
): Record<'declared' | 'stored', Record<string, string[]>> {
  const sorted = (names: string[]) => names.sort();
  return {
    declared: Object.fromEntries(tables.map((table) => [table.name, sorted(declared(table))])),
    stored: Object.fromEntries(
      tables.map(({ name }) => [
        name,
        sorted((stored.get(name) ?? []).filter(belongs).map((column) => column.column_name)),
      ]),
    ),
  };
}

it('declares every table of the database once', () => {
  expect(tables.length).toBeGreaterThan(40);
  expect(tables.map(({ name }) => name).sort()).toEqual([...stored.keys()].sort());
});

it('declares every column and no others', () => {
  const columns = lists(
    (table) => table.columns.map(({ name }) => name),
    () => true,
  );
  expect(columns.declared).toEqual(columns.stored);
});

it('declares which columns can be null', () => {
  expect(
    findDifferences((declared, column) => {
      if (declared.isNullable === column.is_nullable || declared.kinds.includes('unknown')) return null;
      return column.is_nullable ? 'can be null' : 'is never null';
    }),
  ).toEqual([]);
});

it('declares the value types that the driver returns', () => {
  expect(
    findDifferences((declared, column) => {
      if (column.udt_name === 'jsonb') return null;
      const kind = KINDS[column.udt_name];
      if (kind === undefined) return `add ${column.udt_name} to the kinds of this test`;
      return declared.kinds.join() === kind ? null : `is ${kind}, declared as ${declared.kinds.join(' | ')}`;
    }),
  ).toEqual([]);
});

it('declares the values that a CHECK allows', () => {
  expect(checks.size).toBeGreaterThan(20);
  expect(
    findDifferences((declared, column) => {
      const allowed = checks.get(`${column.table_name}.${column.column_name}`);
      if (allowed === undefined || declared.literals?.join() === allowed.join()) return null;
      return `allows ${allowed.join(', ')}`;
    }),
  ).toEqual([]);
});

it('names jsonb columns as Json', () => {
  const json = lists(
    (table) => table.json,
    (column) => column.udt_name === 'jsonb',
  );
  expect(json.declared).toEqual(json.stored);
});

it('names columns that an insert may leave out as Defaulted', () => {
  const defaulted = lists(
    (table) => table.defaulted,
    (column) => column.has_default && !column.is_nullable && !column.is_generated,
  );
  expect(defaulted.declared).toEqual(defaulted.stored);
});

it('names columns that PostgreSQL computes as Generated', () => {
  const generated = lists(
    (table) => table.generated,
    (column) => column.is_generated,
  );
  expect(generated.declared).toEqual(generated.stored);
});
