import { armColumnCode } from '../presentation-columns.ts';
import {
  formatList,
  notAllowedFor,
  quote,
  unknownObject,
  unknownValue,
  withArticle,
} from '../../../lib/error-messages.ts';
import type { ErrorDetail } from '../../../lib/errors.ts';
import { typeOf } from '../../questions/registry.ts';
import type { Question } from '../../survey/definition.ts';
import { previousCode } from '../../survey/previous-codes.ts';
import {
  compareOperands,
  type Comparison,
  type ConditionScalar,
  type Operand,
  type Operator,
} from '../../questions/condition.ts';
import { type Column, STATE_OF_NO_ANSWER } from '../../columns/columns.ts';
import { isNoAnswerReason } from '../../columns/no-answer.ts';
import {
  type CatalogColumn,
  type ColumnCatalog,
  partColumnAt,
  type QuestionColumns,
} from '../column-catalog.ts';
import type { ColumnSpec } from '../../columns/column-spec.ts';
import { type DateSpan, spanOfWritten } from '../../columns/dates.ts';
import { decimalSlack } from '../../expressions/decimals.ts';
import type { Dataset } from '../dataset.ts';
import {
  addRows,
  narrowBinary,
  narrowCategorical,
  narrowMultiple,
  narrowText,
  narrowToAbove,
  narrowToBelow,
  narrowToPresent,
  narrowToSpan,
  narrowToSpans,
  narrowToStates,
  type SetRelation,
} from './filter-loops.ts';

/** Removes from a mask the rows that a condition rejects. */
export type Narrow = (dataset: Dataset, mask: Uint8Array) => void;

/** Narrows a mask by one column. */
type ColumnNarrow = (column: Column, mask: Uint8Array) => void;

/** Returns the left operand of a comparison at one row, as in display logic. */
function operandAt(column: Column, row: number): Operand | null {
  const cell = column.cell(row);
  if (cell === null) return null;
  if (Array.isArray(cell)) return { kind: 'choice', values: cell };
  if (column.kind === 'categorical') return { kind: 'choice', values: [String(cell)] };
  if (typeof cell === 'number') return { kind: 'number', value: cell };
  return { kind: column.kind === 'date' ? 'date' : 'text', text: cell };
}

/** Evaluates display logic's `compare` row by row, for operators without a specialized loop: slower, with identical semantics. */
function narrowRowByRow(
  operator: Operator,
  right: ConditionScalar[],
  operand: (row: number) => Operand | null,
  mask: Uint8Array,
) {
  const rightSide = right.length === 1 ? right[0] : right;
  for (let row = 0; row < mask.length; row++) {
    if (mask[row] === 1 && !compareOperands(operand(row), operator, rightSide)) mask[row] = 0;
  }
}

/** Operators that hold for missing metadata: no wave is not wave 2. A missing answer is unknown, and no comparison holds for it. */
const NEGATIVE: ReadonlySet<Operator> = new Set(['not_equals', 'not_in', 'not_contains', 'includes_none']);

/** Operators that compare an option by its number. */
const ORDER: ReadonlySet<Operator> = new Set(['gt', 'gte', 'lt', 'lte', 'between', 'before', 'after']);

/** Operators that a missing answer, and so an option flagged as missing, never satisfies. Others name options. */
const excludesFlagged = (operator: Operator): boolean => ORDER.has(operator) || NEGATIVE.has(operator);

const DATE_LIKE = /^\d{4}-\d{2}/;

/** Evaluates each option once, then looks up each row. */
function compileCategorical(spec: ColumnSpec, operator: Operator, right: ConditionScalar[]): ColumnNarrow {
  const comparesNumbers = ORDER.has(operator) && !right.some((value) => DATE_LIKE.test(String(value)));
  const accepted = Uint8Array.from(spec.values, ({ value, number, missing }) => {
    if (missing && excludesFlagged(operator)) return 0;
    const left: Operand = comparesNumbers
      ? { kind: 'number', value: number }
      : { kind: 'choice', values: [value] };
    return Number(compareOperands(left, operator, right));
  });
  return (column, mask) => column.kind === 'categorical' && narrowCategorical(column, accepted, mask);
}

function compileBinary(operator: Operator, right: ConditionScalar[]): ColumnNarrow {
  const accepts = (value: number) => compareOperands({ kind: 'number', value }, operator, right);
  const [zero, one] = [accepts(0), accepts(1)];
  return (column, mask) => column.kind === 'binary' && narrowBinary(column, zero, one, mask);
}

const SET_RELATIONS: Partial<Record<Operator, SetRelation>> = {
  equals: 'exactly',
  not_equals: 'not_exactly',
  contains: 'any',
  not_contains: 'none',
  in: 'any',
  not_in: 'none',
  includes_any: 'any',
  includes_all: 'all',
  includes_none: 'none',
};

function compileMultiple(
  spec: ColumnSpec,
  operator: Operator,
  right: ConditionScalar[],
): ColumnNarrow | null {
  const relation = SET_RELATIONS[operator];
  if (!relation) return null;
  const options = right.map((wanted) => spec.values.findIndex(({ value }) => value === String(wanted)));
  const needsUsable = excludesFlagged(operator) && spec.values.some(({ missing }) => missing);
  return (column, mask) => {
    if (column.kind !== 'multiple') return;
    const states = needsUsable ? column.statesOfUsable() : column.states;
    narrowMultiple(column, states, { relation, options }, mask);
  };
}

/** Compares numbers and dates. A date on the right is the span it denotes; a number is a span of one point. */
function compileScalar(operator: Operator, spans: DateSpan[]): ColumnNarrow | null {
  const [span, upper = span] = spans;
  if (!span || !upper) return null;
  const loop = (narrow: (values: Float64Array, mask: Uint8Array) => void): ColumnNarrow => {
    return (column, mask) =>
      (column.kind === 'numeric' || column.kind === 'date') && narrow(column.values, mask);
  };
  const between = (first: number, last: number) =>
    loop((values, mask) => narrowToSpan(values, { first, last }, mask));
  switch (operator) {
    case 'equals':
      return between(span.first, span.last);
    case 'between':
      return between(span.first, upper.last);
    case 'gte':
      return between(span.first, Infinity);
    case 'lte':
      return between(-Infinity, span.last);
    case 'gt':
    case 'after':
      return loop((values, mask) => narrowToAbove(values, span.last, mask));
    case 'lt':
    case 'before':
      return loop((values, mask) => narrowToBelow(values, span.first, mask));
    case 'in':
    case 'includes_any':
      return loop((values, mask) => narrowToSpans(values, spans, 'in', mask));
    case 'not_equals':
    case 'not_in':
    case 'includes_none':
      return loop((values, mask) => narrowToSpans(values, spans, 'outside', mask));
    default:
      return null;
  }
}

function compileText(operator: Operator, right: ConditionScalar[]): ColumnNarrow | null {
  const wanted = right.map((value) => String(value).toLowerCase());
  const [part = ''] = wanted;
  const wantedTexts = new Set(wanted);
  const loops: Partial<Record<Operator, (folded: string) => boolean>> = {
    equals: (folded) => folded === part,
    not_equals: (folded) => folded !== part,
    contains: (folded) => folded.includes(part),
    not_contains: (folded) => !folded.includes(part),
    starts_with: (folded) => folded.startsWith(part),
    ends_with: (folded) => folded.endsWith(part),
    in: (folded) => wantedTexts.has(folded),
    includes_any: (folded) => wantedTexts.has(folded),
    not_in: (folded) => !wantedTexts.has(folded),
    includes_none: (folded) => !wantedTexts.has(folded),
  };
  const accepts = loops[operator];
  return accepts ? (column, mask) => column.kind === 'text' && narrowText(column, accepts, mask) : null;
}

/** The span of values that equal a number. Computed numbers differ from decimals by rounding errors: 0.1 + 0.2 equals 0.3. */
function spanOfNumber({ source }: ColumnSpec, value: ConditionScalar): DateSpan {
  const number = Number(value);
  const slack = source === 'derived' || source === 'weight' ? decimalSlack(number) : 0;
  return { first: number - slack, last: number + slack };
}

function compileColumn(spec: ColumnSpec, operator: Operator, right: ConditionScalar[]): ColumnNarrow | null {
  switch (spec.type) {
    case 'categorical':
      return compileCategorical(spec, operator, right);
    case 'binary':
      return compileBinary(operator, right);
    case 'multiple':
      return compileMultiple(spec, operator, right);
    case 'number':
    case 'rank':
      return compileScalar(
        operator,
        right.map((value) => spanOfNumber(spec, value)),
      );
    case 'date':
      return compileScalar(
        operator,
        right.flatMap((value) => spanOfWritten(spec, String(value)) ?? []),
      );
    case 'text':
      return compileText(operator, right);
    case 'file':
      return null;
  }
}

/** Reads all choices of a ranking, or of all rows of a matrix; null if there is no choice but `excluded` ones. */
function createChoiceReader(
  { question, columns }: Extract<FilterTarget, { kind: 'question' }>,
  excluded: ReadonlySet<string>,
  dataset: Dataset,
) {
  const stored = columns.map((column) => dataset.column(column));
  const { comparison } = typeOf(question);
  return (row: number): Operand | null => {
    let isAnswered = false;
    const values = stored.flatMap((column, index) => {
      const cell = column.cell(row);
      if (cell === null) return [];
      const choices = comparison.choicesInCell(question, index, cell);
      const used = choices.filter((value) => !excluded.has(value));
      isAnswered ||= used.length > 0 || choices.length === 0;
      return used;
    });
    return isAnswered ? { kind: 'choice', values } : null;
  };
}

/** Keeps the rows in which the column is missing for one of these reasons. A question with several columns has the reason in each. */
function keepReasons(entry: CatalogColumn, reasons: readonly ConditionScalar[]): Narrow {
  const states = reasons.flatMap((reason) => (isNoAnswerReason(reason) ? [STATE_OF_NO_ANSWER[reason]] : []));
  return (dataset, mask) => narrowToStates(dataset.column(entry), states, mask);
}

/** Compiles a comparison with a checked right side to a loop over its column. */
export function compileComparison(
  target: FilterTarget,
  operator: Comparison['operator'],
  right: ConditionScalar[],
): Narrow {
  if (operator === 'gave_reason') {
    const [first] = target.kind === 'question' ? target.columns : [target.column];
    if (first !== undefined) return keepReasons(first, right);
  }
  if (target.kind === 'question') {
    const flagged = target.question.options.filter(({ missing }) => missing).map(({ value }) => value);
    const excluded = new Set(excludesFlagged(operator) ? flagged : []);
    return (dataset, mask) =>
      narrowRowByRow(operator, right, createChoiceReader(target, excluded, dataset), mask);
  }
  const { column: entry } = target;
  if (operator === 'answered' || operator === 'not_answered') {
    const wanted = operator === 'answered' ? 'present' : 'missing';
    return (dataset, mask) => narrowToPresent(dataset.column(entry), wanted, mask);
  }
  const byColumn = compileColumn(entry.spec, operator, right);
  const narrow: ColumnNarrow =
    byColumn ?? ((column, mask) => narrowRowByRow(operator, right, (row) => operandAt(column, row), mask));
  const keepsMissing = entry.spec.source === 'metadata' && NEGATIVE.has(operator);
  return (dataset, mask) => {
    const column = dataset.column(entry);
    if (!keepsMissing) return narrow(column, mask);
    const absent = mask.slice();
    narrowToPresent(column, 'missing', absent);
    narrow(column, mask);
    addRows(mask, absent);
  };
}

/**
 * The left side of a comparison: one column, or a question that has several columns. For a ranking, and a matrix without row_code, all
 * choices count together, as in display logic.
 */
export type FilterTarget =
  | { kind: 'column'; column: CatalogColumn }
  | { kind: 'question'; question: Question; columns: CatalogColumn[] };

type TargetResult = { ok: true; target: FilterTarget } | { ok: false; problem: ComparisonProblem };

/** A problem of one side of a comparison. */
export type ComparisonProblem = Omit<ErrorDetail, 'field'>;

const LISTED_CODES = 5;

const unknownReference = (message: string): TargetResult => ({
  ok: false,
  problem: { message, isUnknownReference: true },
});

function columnTarget(found: CatalogColumn): TargetResult {
  return { ok: true, target: { kind: 'column', column: found } };
}

function unknownCode(code: string, catalog: ColumnCatalog): TargetResult {
  const similar = catalog.similarCodes(code);
  return unknownReference(
    unknownObject({ kind: 'column or question', idOrCode: code, scope: '', alternatives: { similar } }),
  );
}

/** Returns the columns of a question's choices, without texts; for a matrix with multiple answers, the sets of its rows. */
function choiceColumns(questionColumns: QuestionColumns): CatalogColumn[] {
  const { columns, sets } = questionColumns;
  const parts = sets.length > 0 ? sets : columns;
  return parts.flatMap(({ type }, index) =>
    type === 'text' ? [] : (partColumnAt(questionColumns, index) ?? []),
  );
}

/** Resolves the left side of a comparison. Questions and columns share one code namespace, so `left.type` does not distinguish them. */
export function resolveTarget(left: Comparison['left'], catalog: ColumnCatalog): TargetResult {
  const { row_code: rowCode } = left;
  const code = left.type === 'previous' ? previousCode(left.code) : left.code;
  if (left.type === 'hidden')
    return { ok: false, problem: { message: 'hidden values are not part of the data' } };
  if (left.type === 'attribute')
    return { ok: false, problem: { message: 'attributes of respondents are not part of the data' } };
  if (left.type === 'arm') {
    const arms = catalog.find(armColumnCode(code));
    return arms === undefined ? unknownCode(armColumnCode(code), catalog) : columnTarget(arms);
  }
  const questionColumns = catalog.question(code);
  if (rowCode !== undefined) {
    const parts = questionColumns && typeOf(questionColumns.question).comparison.parts;
    if (!parts) {
      return questionColumns || catalog.find(code)
        ? {
            ok: false,
            problem: { message: `row_code ${notAllowedFor(`${quote(code)}, which has no parts`)}` },
          }
        : unknownCode(code, catalog);
    }
    const found = catalog.partColumn(code, rowCode);
    if (found) return columnTarget(found);
    const { question } = questionColumns;
    const accepted = formatList(parts.list(question), LISTED_CODES, (part) => quote(part.code));
    return unknownReference(
      unknownValue(rowCode, `${withArticle(parts.partNoun)} of ${question.code}`, { accepted }),
    );
  }
  const found = catalog.find(code);
  if (found) return columnTarget(found);
  if (!questionColumns) return unknownCode(code, catalog);
  return {
    ok: true,
    target: {
      kind: 'question',
      question: questionColumns.question,
      columns: choiceColumns(questionColumns),
    },
  };
}
