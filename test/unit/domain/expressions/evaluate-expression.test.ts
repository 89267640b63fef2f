import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  checkExpression,
  type ColumnSource,
  type ExpressionColumn,
} from '../../../../src/domain/expressions/check-expression.ts';
import {
  evaluateExpression,
  evaluateInChunks,
} from '../../../../src/domain/expressions/evaluate-expression.ts';
import { interpret, type Row, type Value } from './row-interpreter.ts';

const columns = new Map<string, ExpressionColumn>([
  ['A', { type: 'number' }],
  ['B', { type: 'number', labels: new Map([[1, 'Yes']]) }],
  ['T', { type: 'text' }],
  ['U', { type: 'text' }],
  ['P', { type: 'boolean' }],
  ['D', { type: 'date' }],
]);

function checked(source: string) {
  const result = checkExpression(source, columns);
  if (!result.ok) throw new Error(`${source}: ${result.error.message} at ${result.error.position}`);
  return result.value;
}

function sourcesOf(rows: readonly Row[]): Map<string, ColumnSource> {
  const sources = new Map<string, ColumnSource>();
  for (const [name, { type }] of columns) {
    const cells = rows.map((row) => row[name] ?? null);
    if (type === 'text') sources.set(name, { kind: 'texts', texts: cells as (string | null)[] });
    else
      sources.set(name, {
        kind: 'numbers',
        values: Float64Array.from(cells, (cell) => (cell ?? NaN) as number),
      });
  }
  return sources;
}

function evaluate(source: string, rows: readonly Row[]): Value[] {
  const result = evaluateExpression(checked(source), sourcesOf(rows), rows.length);
  if (result.kind === 'texts') return result.texts;
  return Array.from(result.values, (value) => (Number.isNaN(value) ? null : value));
}

const value = (source: string, row: Row = {}): Value => evaluate(source, [row])[0]!;

/** Expressions of each type that pass the type check. */
const { number, text, boolean } = fc.letrec<{ number: string; text: string; boolean: string }>((tie) => {
  const n = tie('number');
  const t = tie('text');
  const b = tie('boolean');
  const call = (name: string | fc.Arbitrary<string>, ...args: fc.Arbitrary<string>[]) =>
    fc
      .tuple(typeof name === 'string' ? fc.constant(name) : name, ...args)
      .map(([called, ...given]) => `${called}(${given.join(', ')})`);
  const infix = (operators: string[], left: fc.Arbitrary<string>, right: fc.Arbitrary<string>) =>
    fc.tuple(left, fc.constantFrom(...operators), right).map(([a, sign, c]) => `(${a} ${sign} ${c})`);
  const folds = fc.constantFrom('sum', 'mean', 'min', 'max', 'count', 'coalesce');
  return {
    number: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom('A', 'B', '0', '1', '2.5', 'null'),
      infix(['+', '-', '*', '/', '%', '^'], n, n),
      call(fc.constantFrom('-', 'abs', 'sqrt', 'floor'), n),
      call(folds, n, n, n),
      call('count', t, b, n),
      call('len', t),
      call('if', b, n, n),
      call('case', b, n, b, n),
    ),
    text: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom('T', 'U', "'a'", "''", 'coalesce(null, U)'),
      call('upper', t),
      call('concat', t, n),
      call('coalesce', t, t),
      call('if', b, t, t),
      call('case', b, t, b, t, t),
    ),
    boolean: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom('P', 'true', 'false'),
      infix(['=', '!=', '<', '<=', '>', '>='], n, n),
      infix(['=', '!=', '<', '<=', '>', '>='], t, t),
      infix(['and', 'or'], b, b),
      call('not ', b),
      call('isnull', fc.oneof(n, t)),
      call('contains', t, t),
      call('in', n, n, n),
      call('in', t, t, t),
    ),
  };
});

const row = fc.record({
  A: fc.constantFrom(null, 0, 1, -2, 3.5, 1e200),
  B: fc.constantFrom(null, 0, 1, 2),
  T: fc.constantFrom(null, 'a', 'b', 'A😀'),
  U: fc.constantFrom(null, 'a', ''),
  P: fc.constantFrom(null, 0, 1),
});

describe('evaluation over whole columns', () => {
  it('equals a row-by-row interpreter', () => {
    fc.assert(
      fc.property(fc.oneof(number, text, boolean), fc.array(row, { maxLength: 8 }), (source, rows) => {
        if (source.length > 2_000) return;
        const { root } = checked(source);
        // -0 and 0 are the same to readers.
        const plain = (cell: Value) => (cell === 0 ? 0 : cell);
        expect(evaluate(source, rows).map(plain)).toEqual(rows.map((cells) => plain(interpret(root, cells))));
      }),
      { numRuns: 500 },
    );
  });

  it('evaluates many rows in chunks and reports progress', () => {
    const rows = Array.from({ length: 5_000 }, (_, index) => ({
      A: index % 7 === 0 ? null : index,
      T: `${index}`,
    }));
    const doubled = rows.map(({ A }) => (A === null ? null : A * 2 + 1));
    expect(evaluate('A * 2 + 1', rows)).toEqual(doubled);
    expect(evaluate("concat(T, '!')", rows)).toEqual(rows.map(({ T }) => `${T}!`));
    expect([...evaluateInChunks(checked('A'), sourcesOf(rows), 5_000)]).toEqual([2_048, 4_096, 5_000]);
  });

  it('reads coded columns in chunks', () => {
    const read = (first: number, into: Float64Array) =>
      into.forEach((_, index) => (into[index] = first + index));
    const result = evaluateExpression(checked('A + 1'), new Map([['A', { kind: 'read', read }]]), 3_000);
    expect(result.kind === 'numbers' && result.values[2_999]).toBe(3_000);
  });
});

describe('the value of an expression', () => {
  const date = (text: string) => Date.parse(text);
  it.each<[string, Row, Value]>([
    ['1 + 2 * 3', {}, 7],
    ['10 - 4 - 3', {}, 3],
    ['-2 ^ 2', {}, -4],
    ['2 ^ -1', {}, 0.5],
    ['2 ^ 3 ^ 2', {}, 512],
    ['-7 % 4', {}, -3],
    ['9^9^9', {}, null],
    ['1 / 0', {}, null],
    ['1 / (1 / 0)', {}, null],
    ['A ^ 0', { A: null }, null],
    ['ln(0)', {}, null],
    ['round(-2.5)', {}, -3],
    ['round(1234.567, 1)', {}, 1234.6],
    ['round(1250, -2)', {}, 1300],
    ['round(ceil(exp(ln(2))), 2)', {}, 2],
    ['pow(2, 10)', {}, 1024],
    ['true or false and false', {}, 1],
    ['not 1 = 2', {}, 1],
    ['not A in (1, 2)', { A: 3 }, 1],
    ['P and false', { P: null }, 0],
    ['P or true', { P: null }, 1],
    ['P and true', { P: null }, null],
    ['A = null', { A: 1 }, null],
    ['A in (1, null)', { A: 1 }, 1],
    ['A in (2, null)', { A: 1 }, null],
    ['sum(A, B)', { A: null, B: 2 }, 2],
    ['sum(A, B)', {}, null],
    ['count(A, T, P)', { T: 'x' }, 1],
    ['sum(A = 1, B = 1)', { A: 1, B: 1 }, 2],
    ["if(A > 1, 'old', 'young')", { A: null }, null],
    ["case(A < 2, 'low', A < 4, 'mid', 'high')", { A: 3 }, 'mid'],
    ["case(A < 2, 'low')", { A: 3 }, null],
    ['label(B)', { B: 1 }, 'Yes'],
    ['label(B)', { B: 2 }, null],
    ["trim(lower(' ÄB '))", {}, 'äb'],
    ["len('a😀')", {}, 2],
    ["concat(T, '-', 1.50)", { T: 'x' }, 'x-1.5'],
    ['concat(T, U)', { T: 'x', U: null }, null],
    ["contains(T, 'B')", { T: 'abc' }, 0],
    ['year(D) * 10000 + month(D) * 100 + day(D)', { D: date('2024-02-29') }, 20240229],
    ["D < '2024-03'", { D: date('2024-02-29') }, 1],
    ["datediff(D, '2024-03-01')", { D: date('2024-02-28') }, 2],
    ["datediff('2024-01-31', '2024-03-30', 'months')", {}, 1],
    ["datediff('2024-03-30', '2024-01-31', 'months')", {}, -1],
    ["datediff('2000-02-29', '2018-02-28', 'years')", {}, 17],
    ["datediff(D, '2024-03-01', 'years')", { D: null }, null],
    ["max(D, '2024-03-01')", { D: null }, date('2024-03-01')],
  ])('%s with %j is %j', (source, cells, expected) => {
    const found = value(source, cells);
    expect(found).toEqual(expected);
  });

  it('is null if the resulting text is too long', () => {
    expect(
      value(`concat(${Array.from({ length: 50 }, () => 'T').join(',')})`, { T: 'x'.repeat(1_000) }),
    ).toBeNull();
  });
});
