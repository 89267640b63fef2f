import type { TypedNode } from '../../../../src/domain/expressions/check-expression.ts';

export type Value = number | string | null;
export type Row = Readonly<Record<string, Value>>;

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);

const OF_PRESENT: Record<string, (a: never, b: never) => Value> = {
  '+': (a: number, b: number) => finite(a + b),
  '-': (a: number, b: number) => finite(a - b),
  '*': (a: number, b: number) => finite(a * b),
  '/': (a: number, b: number) => finite(a / b),
  '%': (a: number, b: number) => finite(a % b),
  '^': (a: number, b: number) => finite(a ** b),
  '=': (a: Value, b: Value) => Number(a === b),
  '!=': (a: Value, b: Value) => Number(a !== b),
  '<': (a: number, b: number) => Number(a < b),
  '<=': (a: number, b: number) => Number(a <= b),
  '>': (a: number, b: number) => Number(a > b),
  '>=': (a: number, b: number) => Number(a >= b),
  'unary -': (a: number) => -a,
  not: (a: number) => 1 - a,
  abs: (a: number) => Math.abs(a),
  sqrt: (a: number) => finite(Math.sqrt(a)),
  floor: (a: number) => Math.floor(a),
  len: (a: string) => [...a].length,
  upper: (a: string) => a.toUpperCase(),
  contains: (a: string, b: string) => Number(a.includes(b)),
};

/** Evaluates an expression in one row recursively; null is missing. The reference for the column loops. */
export function interpret(node: TypedNode, row: Row): Value {
  if (node.kind === 'constant') return Number.isNaN(node.value) ? null : node.value;
  if (node.kind === 'column') return row[node.name] ?? null;
  const args = node.args.map((arg) => interpret(arg, row));
  const there = args.filter((arg) => arg !== null);
  const sum = (there as number[]).reduce((total, value) => total + value, 0);
  const some = (value: () => number) => (there.length === 0 ? null : finite(value()));
  switch (node.name) {
    case 'and':
      return args.includes(0) ? 0 : args.includes(null) ? null : 1;
    case 'or':
      return args.includes(1) ? 1 : args.includes(null) ? null : 0;
    case 'in':
      if (args[0] !== null && args.slice(1).includes(args[0]!)) return 1;
      return args.includes(null) ? null : 0;
    case 'if':
    case 'case':
      return branch(args);
    case 'isnull':
      return Number(args[0] === null);
    case 'coalesce':
      return there[0] ?? null;
    case 'count':
      return there.length;
    case 'sum':
      return some(() => sum);
    case 'mean':
      return some(() => sum / there.length);
    case 'min':
      return some(() => Math.min(...(there as number[])));
    case 'max':
      return some(() => Math.max(...(there as number[])));
    case 'concat':
      return args.includes(null) ? null : args.join('');
    default:
      return there.length < args.length ? null : OF_PRESENT[node.name]!(args[0] as never, args[1] as never);
  }
}

function branch([condition, value, ...rest]: Value[]): Value {
  if (value === undefined) return condition ?? null;
  if (condition === null) return null;
  return condition === 1 ? value : branch(rest);
}
