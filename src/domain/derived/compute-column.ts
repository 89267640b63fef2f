import type { Column } from '../dataset/columns/columns.ts';
import type { Dataset } from '../dataset/dataset.ts';
import { expressionSources } from '../dataset/columns/expression-columns.ts';
import {
  type MissingReason,
  NOT_APPLICABLE,
  NOT_SHOWN,
  PRESENT,
  SKIPPED,
} from '../dataset/columns/missing.ts';
import type { CheckedExpression } from '../expressions/check-expression.ts';
import { evaluateInChunks } from '../expressions/evaluate-expression.ts';
import { ROWS_PER_YIELD } from './number-chunks.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/**
 * Returns the missing reason of an expression without a value: not shown if none of its columns was shown, skipped if one was skipped,
 * otherwise not applicable.
 */
function createReasonReader(sources: readonly Column[]): (row: number) => MissingReason {
  return (row) => {
    const reasons = sources.map((source) => source.missing(row));
    if (reasons.includes(SKIPPED)) return SKIPPED;
    return reasons.length > 0 && reasons.every((reason) => reason === NOT_SHOWN) ? NOT_SHOWN : NOT_APPLICABLE;
  };
}

/** Evaluates an expression for every row. */
export function* computeColumn(
  dataset: Dataset,
  expression: CheckedExpression,
  target: Column,
): Generator<void> {
  const { columnNames } = expression;
  const work = evaluateInChunks(expression, expressionSources(columnNames, dataset), dataset.rowCount);
  let step = work.next();
  for (; !step.done; step = work.next()) if (step.value % ROWS_PER_YIELD === 0) yield;
  const reasonAt = createReasonReader(columnNames.map((name) => dataset.column(name)));
  const result = step.value;
  if (result.kind === 'texts') {
    if (target.kind !== 'text') throw new Error(`${target.spec.columnCode} cannot store texts`);
    for (let row = 0; row < result.texts.length; row++) {
      if (row % ROWS_PER_YIELD === 0) yield;
      const text = result.texts[row] ?? null;
      if (text === null || text === '') target.setMissing(row, reasonAt(row));
      else target.set(row, text);
    }
    return;
  }
  yield* writeNumbers(result.values, target, reasonAt);
}

function* writeNumbers(
  numbers: Float64Array,
  target: Column,
  reasonAt: (row: number) => MissingReason,
): Generator<void> {
  const present = PRESENT;
  if (target.kind === 'binary') {
    const { source } = target;
    for (let row = 0; row < numbers.length; row++) {
      if (row % ROWS_PER_YIELD === 0) yield;
      const value = numbers[row]!;
      if (Number.isNaN(value)) source.setMissing(row, reasonAt(row));
      else {
        source.states[row] = present;
        source.words[row] = value;
      }
    }
    return;
  }
  if (target.kind !== 'numeric' && target.kind !== 'date')
    throw new Error(`${target.spec.columnCode} cannot store numbers`);
  const { values, states } = target;
  // Truncates dates to the day or minute, so that values with the same cell are equal.
  const unit = target.kind === 'numeric' ? 0 : target.spec.precision === 'datetime' ? MINUTE_MS : DAY_MS;
  for (let row = 0; row < numbers.length; row++) {
    if (row % ROWS_PER_YIELD === 0) yield;
    const value = numbers[row]!;
    if (Number.isNaN(value)) states[row] = reasonAt(row);
    else {
      values[row] = unit === 0 ? value : Math.floor(value / unit) * unit;
      states[row] = present;
    }
  }
}
