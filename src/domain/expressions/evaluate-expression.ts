import {
  type CheckedExpression,
  checkExpression,
  type ColumnSource,
  type ExpressionColumns,
  type ExpressionType,
  type TypedNode,
} from './check-expression.ts';
import { type ExpressionResult, spanOf } from './parse-expression.ts';
import { runToCompletion } from '../../lib/concurrency.ts';
import { LoopCompiler, type LoopOptions } from './compile-loops.ts';

/** Rows per chunk: the buffer of each step then stays in the processor's cache, and the steps of 2,000 characters need 16 MB. */
const CHUNK_ROWS = 2_048;

/** NaN is null; booleans are 0 and 1, dates milliseconds since 1970 UTC. */
type ExpressionValues =
  { kind: 'numbers'; values: Float64Array } | { kind: 'texts'; texts: (string | null)[] };

/**
 * Evaluates an expression in each of `rowCount` rows, chunk by chunk. Yields the number of finished rows, so that the caller can yield to
 * other tasks. `sources` has every column of `columnNames`, with the checked type.
 */
export function* evaluateInChunks(
  { root, type }: CheckedExpression,
  sources: ReadonlyMap<string, ColumnSource>,
  rowCount: number,
  options: LoopOptions = {},
): Generator<number, ExpressionValues> {
  const compiler = new LoopCompiler(sources, Math.min(CHUNK_ROWS, rowCount), options);
  if (type === 'text') {
    const evaluate = compiler.texts(root);
    const texts: (string | null)[] = [];
    for (let first = 0; first < rowCount; first += CHUNK_ROWS) {
      const count = Math.min(CHUNK_ROWS, rowCount - first);
      const chunk = evaluate(first, count);
      for (let row = 0; row < count; row++) texts.push(chunk[row] ?? null);
      yield first + count;
    }
    return { kind: 'texts', texts };
  }
  const evaluate = compiler.numbers(root);
  const values = new Float64Array(rowCount);
  for (let first = 0; first < rowCount; first += CHUNK_ROWS) {
    const count = Math.min(CHUNK_ROWS, rowCount - first);
    values.set(evaluate(first, count).subarray(0, count), first);
    yield first + count;
  }
  return { kind: 'numbers', values };
}

/** Evaluates all rows at once. */
export function evaluateExpression(
  expression: CheckedExpression,
  sources: ReadonlyMap<string, ColumnSource>,
  rowCount: number,
  options: LoopOptions = {},
): ExpressionValues {
  return runToCompletion(evaluateInChunks(expression, sources, rowCount, options));
}

/** Checks an expression like checkExpression, and rejects parts that can have no value, such as `1 / 0` or `9 ^ 9 ^ 9`. */
export function readExpression(
  source: string,
  columns: ExpressionColumns,
  wanted?: ExpressionType,
): ExpressionResult<CheckedExpression> {
  const checked = checkExpression(source, columns, wanted);
  if (!checked.ok) return checked;
  const invalidPart = partWithoutValue(checked.value.root);
  if (invalidPart === null) return checked;
  return { ok: false, error: { message: 'this has no finite value', ...spanOf(invalidPart, invalidPart) } };
}

/** The smallest part that is computed from constants only and has no numeric value. */
function partWithoutValue(node: TypedNode): TypedNode | null {
  if (node.kind !== 'call') return null;
  for (const arg of node.args) {
    const found = partWithoutValue(arg);
    if (found !== null) return found;
  }
  if (node.type !== 'number' || !isCalculated(node)) return null;
  const values = evaluateExpression({ type: 'number', columnNames: [], root: node }, new Map(), 1);
  return values.kind === 'numbers' && Number.isNaN(values.values[0]) ? node : null;
}

/** Whether the node is computed from constants only. Expressions with a null are excluded, because their missing value is intended. */
function isCalculated(node: TypedNode): boolean {
  if (node.kind === 'column' || node.type !== 'number') return false;
  return node.kind === 'constant' ? !Number.isNaN(node.value) : node.args.every(isCalculated);
}
