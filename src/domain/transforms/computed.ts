import { z } from 'zod';
import { FLAG_VALUES } from '../questions/answers/codec.ts';
import {
  type Column,
  type MissingReason,
  NOT_APPLICABLE,
  NOT_SHOWN,
  PRESENT,
  SKIPPED,
} from '../columns/columns.ts';
import type { CheckedExpression, ColumnSource, ExpressionColumns } from '../expressions/check-expression.ts';
import { evaluateInChunks, readExpression } from '../expressions/evaluate-expression.ts';
import { ROWS_PER_YIELD } from './numbers.ts';
import { type ColumnKind, type DerivedForm, derivedForm, NUMBER_FORM, TEXT_FORM } from './transform.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const MAX_EXPRESSION_BODY = 20_000;

/** In the order in which the type of an expression is tried. */
const COMPUTED_TYPES = ['number', 'text', 'boolean', 'date'] as const;
export type ComputedType = (typeof COMPUTED_TYPES)[number];

export interface ComputedRequest {
  kind: 'computed';
  expression: string;
  /** null: the type of the expression. */
  type: ComputedType | null;
}

/** The values of an expression over any number of columns. */
interface ComputedDefinition {
  kind: 'computed';
  expression: string;
  type: ComputedType;
}

/** The parser has a lower limit, whose error includes the position. */
const expression = z.string().max(MAX_EXPRESSION_BODY);
const type = z.enum(COMPUTED_TYPES).optional();
const changes = { expression: expression.optional(), type };

/** Returns the form of an expression's result; `withTime`: its dates can have a time. */
export function computedForm(type: ComputedType, withTime: boolean): DerivedForm {
  switch (type) {
    case 'number':
      return NUMBER_FORM;
    case 'text':
      return TEXT_FORM;
    case 'boolean':
      return derivedForm('binary', 'nominal', { values: [...FLAG_VALUES] });
    case 'date':
      return derivedForm('date', 'scale', { precision: withTime ? 'datetime' : 'date' });
  }
}

function draft({ expression, type }: ComputedRequest, columns: ExpressionColumns): ComputedDefinition {
  if (type !== null) return { kind: 'computed', expression, type };
  const possible = COMPUTED_TYPES.find((candidate) => readExpression(expression, columns, candidate).ok);
  return { kind: 'computed', expression, type: possible ?? 'number' };
}

/**
 * Returns the missing reason of an expression without a value: not shown if none of its columns was shown, skipped if one was skipped, the
 * reason that the respondent gave if it is the only one, otherwise not applicable.
 */
function createReasonReader(sources: readonly Column[]): (row: number) => MissingReason {
  return (row) => {
    const reasons = sources.map((source) => source.missing(row));
    if (reasons.includes(SKIPPED)) return SKIPPED;
    const missing = reasons.filter((reason) => reason !== null);
    const [first = NOT_APPLICABLE] = missing;
    const isShared = missing.every((reason) => reason === first);
    const isWhole = first !== NOT_SHOWN || missing.length === reasons.length;
    return isShared && isWhole ? first : NOT_APPLICABLE;
  };
}

/** The columns that an expression names, and the number of rows to evaluate. */
interface ExpressionData {
  sources: ReadonlyMap<string, ColumnSource>;
  columns: readonly Column[];
  rowCount: number;
}

/** Evaluates an expression for every row. Yields regularly. */
function* computeColumn(
  expression: CheckedExpression,
  { sources, columns, rowCount }: ExpressionData,
  target: Column,
): Generator<void> {
  const work = evaluateInChunks(expression, sources, rowCount);
  let step = work.next();
  for (; !step.done; step = work.next()) if (step.value % ROWS_PER_YIELD === 0) yield;
  const reasonAt = createReasonReader(columns);
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

const kind: ColumnKind<ComputedRequest, ComputedDefinition, typeof changes> = {
  kind: 'computed',
  definition: {
    schemaId: 'ComputedDefinition',
    fields: { expression: z.string(), type: z.enum(COMPUTED_TYPES) },
    present: (definition) => ({ expression: definition.expression, type: definition.type }),
  },
  changes: { fields: changes },
  update: (definition, changed) => ({
    kind: 'computed',
    expression: changed.expression ?? definition.expression,
    type: changed.type ?? definition.type,
  }),
};

/** Columns that are computed by an expression. The only kind without a source column: the expression names its columns. */
export const computedTransform = {
  ...kind,
  /** The operation in the change log; that of a transform is its kind. */
  changeOperation: 'computed_column' as const,
  operation: {
    path: 'computed-columns',
    operationId: 'addComputedColumn',
    summary: 'Create a computed column',
    /** `missingValues`: how expressions compare missing values. */
    description: (missingValues: string) =>
      'Creates a column from an expression, which also applies to later responses.\n\n' +
      '- **Columns** are referenced by code, ignoring case; a code that is a keyword needs backquotes.\n' +
      '- **Operators**: `+ - * / % ^`, comparisons, `and`, `or`, `not`, `in`.\n' +
      '- **Functions**: if, case, isnull, coalesce, sum, mean, min, max, count, abs, round, floor, ceil, ln, exp, sqrt, pow, len, ' +
      'lower, upper, trim, concat, contains, number, year, month, day, datediff, label.\n' +
      '- **Values**: a category is the number of its option: the `option_value` if that is a number, else the `option_code`; `label(Q1)` is its label. Options marked as missing are null. 0/1 columns can ' +
      'be used as booleans; a multiple choice is used by its 0/1 columns. Beside times such as started_at, a plain date is a day of the time zone of the survey; year, month and day are local too. Decimals are compared to 14 digits: `0.1 + 0.2 = 0.3`.\n' +
      `- **Missing values**: null makes the result of arithmetic null; sum, mean and count ignore it. ${missingValues}\n\n` +
      'Without `type`, the column has the type of the expression. If the expression is invalid, `details` has the position and ' +
      'length of the error.',
    example: {
      column_code: 'promoter',
      label: 'Is a promoter',
      type: 'boolean' as const,
      expression: 'Q6 >= 9',
    },
  },
  request: { fields: { expression, type } },
  draft,
  form: computedForm,
  compute: computeColumn,
};
