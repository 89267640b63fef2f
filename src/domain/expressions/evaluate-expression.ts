import { runToCompletion } from '../../lib/run-to-completion.ts';
import type { CheckedExpression } from './check-expression.ts';
import type { ColumnSource } from './column-source.ts';
import { LoopCompiler } from './compile-loops.ts';

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
): Generator<number, ExpressionValues> {
  const compiler = new LoopCompiler(sources, Math.min(CHUNK_ROWS, rowCount));
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
): ExpressionValues {
  return runToCompletion(evaluateInChunks(expression, sources, rowCount));
}
