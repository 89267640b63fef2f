import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

/** Administers the server (locks, health, replicas, partitions): its statements are about no table of the application. */
const ADMINISTRATION = 'src/db/';
/** Its functions run a statement as text. */
const RUNNERS = /\/db\/rows\.ts$/;
const STATEMENT =
  /^[`'"]\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH|SET|LOCK|TRUNCATE|COPY|CREATE|ALTER|DROP|ANALYZE)\b/i;
const REASON_OPENING = /^\/\/ Raw SQL:/;
const REASON = /^\/\/ Raw SQL: \S.*\.$/;

interface RawStatement {
  /** Where the call begins, as `file:line`. */
  at: string;
  hasReason: boolean;
}

/** Calls that run a whole statement as text; a fragment in a query of the builder is none. */
function rawStatements(file: string, text: string): RawStatement[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const lines = text.split('\n').map((line) => line.trim());
  const runners = runnersIn(source);
  const found: RawStatement[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && runsStatement(node, runners)) {
      const starts = [node, enclosingStatement(node)].map(lineOf);
      found.push({
        at: `${file}:${starts[0]! + 1}`,
        hasReason: starts.some((line) => REASON.test(commentAbove(lines, line))),
      });
    }
    ts.forEachChild(node, visit);
  };
  const lineOf = (node: ts.Node) => source.getLineAndCharacterOfPosition(node.getStart(source)).line;
  visit(source);
  return found;
}

/** What a file imports from src/db/rows.ts; functions of the same name are elsewhere. */
function runnersIn(source: ts.SourceFile): string[] {
  return source.statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) return [];
    const bindings = statement.importClause?.namedBindings;
    if (!RUNNERS.test(statement.moduleSpecifier.text) || !bindings || !ts.isNamedImports(bindings)) return [];
    return bindings.elements.map(({ name }) => name.text);
  });
}

function runsStatement(call: ts.CallExpression, runners: readonly string[]): boolean {
  const { expression } = call;
  if (ts.isIdentifier(expression)) return runners.includes(expression.text);
  if (!ts.isPropertyAccessExpression(expression) || expression.name.text !== 'raw') return false;
  return STATEMENT.test(call.arguments[0]?.getText() ?? '') || isAwaited(call);
}

/** Directly, or the result of a chain that begins with it, as `.options(…)`. */
function isAwaited(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isAwaitExpression(parent)) return true;
  const isChained =
    ts.isPropertyAccessExpression(parent) ||
    ts.isParenthesizedExpression(parent) ||
    ts.isAsExpression(parent) ||
    (ts.isCallExpression(parent) && parent.expression === node);
  return isChained && isAwaited(parent);
}

function enclosingStatement(node: ts.Node): ts.Node {
  return ts.isStatement(node) || ts.isClassElement(node) ? node : enclosingStatement(node.parent);
}

/** The line comments directly above a line, as one, from the one that gives the reason. */
function commentAbove(lines: readonly string[], line: number): string {
  let first = line;
  while (lines[first - 1]?.startsWith('//')) first -= 1;
  const comments = lines.slice(first, line);
  const [opening = '', ...others] = comments.slice(
    comments.findLastIndex((item) => REASON_OPENING.test(item)),
  );
  return [opening, ...others.map((other) => other.replace(/^\/\/ ?/, ''))].join(' ');
}

const IMPORT = "import { queryCount, queryPreparedRows, queryRow, queryRows } from '../db/rows.ts';\n";
const reasonsIn = (text: string) =>
  rawStatements('example.ts', IMPORT + text).map((found) => found.hasReason);

it.each([
  ['const rows = await queryRows(db, `SELECT 1`);', [false]],
  ['// Raw SQL: the builder has no such thing.\nconst rows = await queryRows(db, `SELECT 1`);', [true]],
  ['// Raw SQL: the builder has\n// no such thing.\nawait queryCount(\n  db,\n  `SELECT 1`);', [true]],
  ['// Raw SQL: first.\nawait queryRow(db, one);\nawait queryRow(db, two);', [true, false]],
  ['// Raw SQL: no full stop\nawait queryRow(db, one);', [false]],
  ['// Of both.\n// Raw SQL: the reason.\nawait queryRow(db, one);', [true]],
  ['// Something else.\nawait queryPreparedRows(db, name, one);', [false]],
  ['// Raw SQL: too far away.\n\nawait queryRow(db, one);', [false]],
  ['await db.raw(text);', [false]],
  ['await db.raw(text).options({ name });', [false]],
  ['const { rows } = (await db.raw(text)) as Rows;', [false]],
  ['return trx.raw(`\n  DELETE FROM surveys`);', [false]],
  ['await allRowsOf(db, one);', []],
  ["await db('surveys').update({ revision: db.raw('revision + 1') });", []],
  ["await db('surveys').where(db.raw('revision > ?', [1]));", []],
  ["const size = () => db.raw('length(picture)');", []],
])('%s', (text, expected) => {
  expect(reasonsIn(text)).toEqual(expected);
});

it('every complete raw SQL statement explains why the query builder is not used', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .map((file) => path.posix.join('src', file.replaceAll(path.sep, '/')))
    .filter((file) => file.endsWith('.ts') && !file.startsWith(ADMINISTRATION));
  const statements = files.flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    return /db\/rows\.ts'|\.raw\b/.test(text) ? rawStatements(file, text) : [];
  });
  expect(statements.length).toBeGreaterThan(10);
  expect(statements.filter(({ hasReason }) => !hasReason).map(({ at }) => at)).toEqual([]);
});
