import { formatList, mustBe, notAllowedFor, quote, unknownValue } from '../../../lib/error-messages.ts';
import type { ErrorDetail } from '../../../lib/errors.ts';
import { optionValues } from '../../questions/answers/codec.ts';
import type { CheckedExpression } from '../../expressions/check-expression.ts';
import { evaluateExpression, readExpression } from '../../expressions/evaluate-expression.ts';
import {
  acceptsLabels,
  type ComparisonFields,
  type ConditionNames,
  readCondition,
} from '../../survey/logic/read-condition.ts';
import {
  type Comparison,
  comparisonsIn,
  type Condition,
  type ConditionScalar,
  isGroup,
  type Operator,
} from '../../questions/condition.ts';
import type { ColumnCatalog } from '../column-catalog.ts';
import type { ColumnSpec } from '../../columns/column-spec.ts';
import { spanOfWritten } from '../../columns/dates.ts';
import { expressionColumns, expressionSources } from '../expression-columns.ts';
import type { Dataset } from '../dataset.ts';
import {
  type ComparisonProblem,
  compileComparison,
  type FilterTarget,
  type Narrow,
  resolveTarget,
} from './filter-comparison.ts';

type RightSideResult = { ok: true; right: ConditionScalar[] } | { ok: false; problem: ComparisonProblem };

/** The column properties used to check the right side. */
type RightSide = Pick<ColumnSpec, 'columnCode' | 'type' | 'values' | 'source' | 'precision' | 'timeZone'>;

const LISTED_VALUES = 5;

const TEXT_OPERATORS: ReadonlySet<Operator> = new Set(['starts_with', 'ends_with']);
const SUBSTRING_OPERATORS: ReadonlySet<Operator> = new Set(['contains', 'not_contains']);
const ORDER_OPERATORS: ReadonlySet<Operator> = new Set([
  'gt',
  'gte',
  'lt',
  'lte',
  'between',
  'before',
  'after',
]);
const UNARY: ReadonlySet<Operator> = new Set(['answered', 'not_answered']);

const DATE_LIKE = /^\d{4}-\d{2}/;

function isNumeric(value: ConditionScalar): boolean {
  if (typeof value === 'string') return value.trim() !== '' && Number.isFinite(Number(value));
  return typeof value === 'number' && Number.isFinite(value);
}

function unknownOption({ columnCode, values }: RightSide, value: ConditionScalar): ComparisonProblem {
  const accepted = formatList(values, LISTED_VALUES, (option) => quote(option.value));
  return { message: unknownValue(value, `a value of ${columnCode}`, { accepted }), isUnknownReference: true };
}

/** Returns the problem of one right-side value for that column, or null. */
function valueProblem(spec: RightSide, operator: Operator, value: ConditionScalar): ComparisonProblem | null {
  switch (spec.type) {
    case 'categorical':
    case 'multiple':
      if (TEXT_OPERATORS.has(operator)) return null;
      if (ORDER_OPERATORS.has(operator)) {
        if (isNumeric(value) || DATE_LIKE.test(String(value))) return null;
        return { message: mustBe(`a number to compare with ${spec.columnCode}`, value) };
      }
      return spec.values.some((option) => option.value === String(value)) ? null : unknownOption(spec, value);
    case 'binary':
      if (isNumeric(value) || typeof value === 'boolean') return null;
      return { message: mustBe(`0 or 1 to compare with ${spec.columnCode}`, value) };
    case 'number':
    case 'rank':
      if (TEXT_OPERATORS.has(operator) || SUBSTRING_OPERATORS.has(operator) || isNumeric(value)) return null;
      return { message: mustBe(`a number to compare with ${spec.columnCode}`, value) };
    case 'date': {
      if (TEXT_OPERATORS.has(operator) || SUBSTRING_OPERATORS.has(operator)) return null;
      if (spanOfWritten(spec, String(value)) !== null) return null;
      const precision = spec.precision ?? 'date';
      const isMoment = spec.source === 'metadata';
      const example = {
        year: '2026',
        month: '2026-11',
        date: '2026-11-21',
        datetime: '2026-11-21T08:30',
        time: '08:30',
      };
      const expected = isMoment
        ? '2026-11-21 or 2026-11-21T08:30, or 2026-11-21T08:30:00Z with an offset'
        : example[precision];
      return { message: mustBe(`a date such as ${expected} to compare with ${spec.columnCode}`, value) };
    }
    case 'text':
      return null;
    case 'file':
      return {
        message: `${operator} ${notAllowedFor(spec.columnCode, 'it contains files; accepted: answered, not_answered')}`,
      };
  }
}

/** Checks the right-side values against the column; for 0/1 columns, true and false become 1 and 0. */
function checkRightSide(
  spec: RightSide,
  operator: Operator,
  right: ConditionScalar | ConditionScalar[] | undefined,
): RightSideResult {
  if (UNARY.has(operator)) return { ok: true, right: [] };
  const values = right === undefined ? [] : Array.isArray(right) ? right : [right];
  // The schema of conditions accepts reasons only.
  if (operator === 'gave_reason') return { ok: true, right: values };
  for (const value of values) {
    const problem = valueProblem(spec, operator, value);
    if (problem !== null) return { ok: false, problem };
  }
  const isFlag = spec.type === 'binary';
  return {
    ok: true,
    right: isFlag ? values.map((value) => (typeof value === 'boolean' ? Number(value) : value)) : values,
  };
}

/** A condition or expression compiled for the columns of one catalog. */
export interface CompiledFilter {
  /** The source, which can be stored and compiled again. */
  readonly condition: Condition | string;
  /** Load codes that must be loaded first. */
  readonly loadCodes: readonly string[];
  /** Codes of the columns and questions it reads. */
  readonly codes: readonly string[];
  /** Without comparisons: every response matches. */
  readonly matchesAll: boolean;
  /** Removes from a mask (1 counts, 0 does not) the rows for which the condition does not hold. */
  narrow: Narrow;
  /** Returns a mask with 1 for every row for which the condition holds. */
  evaluate(dataset: Dataset): Uint8Array;
}

/** Each comparison scans all responses, so a larger number is a mistake or an attack. */
const MAX_COMPARISONS = 200;

type FilterResult = { ok: true; filter: CompiledFilter } | { ok: false; problems: ErrorDetail[] };

function columnsOf(target: FilterTarget) {
  return target.kind === 'column' ? [target.column] : target.columns;
}

function rightSideOf(target: FilterTarget): RightSide {
  if (target.kind === 'column') return target.column.spec;
  const { code, options } = target.question;
  return {
    columnCode: code,
    type: 'multiple',
    values: optionValues(options),
    source: 'question',
    precision: null,
  };
}

/** An empty group is true. Each part of an `or` starts from the rows that still count. */
function narrowTree(condition: Condition, leaves: ReadonlyMap<Comparison, Narrow>): Narrow {
  if (!isGroup(condition)) {
    const leaf = leaves.get(condition);
    if (!leaf) throw new Error(`comparison with ${condition.left.code} was not compiled`);
    return leaf;
  }
  const parts = condition.conditions.map((part) => narrowTree(part, leaves));
  if (condition.connector === 'and' || parts.length <= 1) {
    return (dataset, mask) => parts.forEach((part) => part(dataset, mask));
  }
  return (dataset, mask) => {
    const union = new Uint8Array(mask.length);
    for (const part of parts) {
      const branch = mask.slice();
      part(dataset, branch);
      for (let row = 0; row < union.length; row++) union[row]! |= branch[row]!;
    }
    mask.set(union);
  };
}

/**
 * Compiles a condition for a dataset's columns, or returns its problems: unknown codes, and values that a column does not have.
 * `fieldsByComparison` maps each comparison to its path in the request.
 *
 * Semantics are those of display logic (domain/questions/condition.ts). A missing answer (skipped or not shown) is unknown: every
 * comparison is false except `not_answered`. Metadata without a value satisfy not_equals, not_in and not_contains. An option flagged as
 * missing satisfies only operators that name it, such as `equals` and `in`: it has no place in an order, and is not "another answer".
 */
export function compileFilter(
  condition: Condition,
  catalog: ColumnCatalog,
  fieldsByComparison?: ReadonlyMap<Comparison, ComparisonFields>,
): FilterResult {
  const problems: ErrorDetail[] = [];
  const loadCodes = new Set<string>();
  const codes = new Set<string>();
  const leaves = new Map<Comparison, Narrow>();
  for (const comparison of comparisonsIn(condition)) {
    const fields = fieldsByComparison?.get(comparison) ?? {
      left: comparison.left.code,
      right: comparison.left.code,
    };
    const resolved = resolveTarget(comparison.left, catalog);
    if (!resolved.ok) {
      problems.push({ field: fields.left, ...resolved.problem });
      continue;
    }
    const checked = checkRightSide(rightSideOf(resolved.target), comparison.operator, comparison.right);
    if (!checked.ok) {
      problems.push({ field: fields.right, ...checked.problem });
      continue;
    }
    codes.add(comparison.left.code);
    for (const code of columnsOf(resolved.target).flatMap((column) => column.loadCodes)) loadCodes.add(code);
    leaves.set(comparison, compileComparison(resolved.target, comparison.operator, checked.right));
  }
  if (problems.length > 0) return { ok: false, problems };
  const narrow = narrowTree(condition, leaves);
  return createFilter({
    condition,
    loadCodes: [...loadCodes],
    codes: [...codes],
    matchesAll: leaves.size === 0,
    narrow,
  });
}

function createFilter(filter: Omit<CompiledFilter, 'evaluate'>): FilterResult {
  const evaluate = (dataset: Dataset) => {
    const mask = new Uint8Array(dataset.rowCount).fill(1);
    filter.narrow(dataset, mask);
    return mask;
  };
  return { ok: true, filter: { ...filter, evaluate } };
}

/** Names available to filters: columns and questions by code, questions by id, values by label. */
function catalogNames(catalog: ColumnCatalog): ConditionNames {
  return {
    codeOfId: (id) => catalog.questionById(id)?.question.code,
    codeAsWritten: ({ code }) => code,
    valuesOf(left, operator) {
      const resolved = acceptsLabels(operator) ? resolveTarget(left, catalog) : null;
      return resolved?.ok ? rightSideOf(resolved.target).values : [];
    },
  };
}

/**
 * Parses, checks and compiles a client's filter: a condition in any form that `readCondition` accepts, or an expression such as `Q1 >= 4
 * and gender = "Female"`. An empty filter (undefined, null, {}) matches every response. Problems contain the path in the request, starting
 * with `field`; those of an expression also the position.
 */
export function readFilter(input: unknown, catalog: ColumnCatalog, field = 'filter'): FilterResult {
  if (typeof input === 'string') {
    const compiled = compileExpressionFilter(input, catalog, field);
    return compiled.ok ? createFilter({ condition: input, matchesAll: false, ...compiled }) : compiled;
  }
  const parsed = readCondition(input ?? {}, catalogNames(catalog), {
    field,
    shortFormType: 'column',
    maxComparisons: MAX_COMPARISONS,
  });
  return parsed.ok ? compileFilter(parsed.condition, catalog, parsed.fields) : parsed;
}

/** Compiles an expression filter. Rows for which the expression is unknown do not pass. */
function compileExpressionFilter(
  text: string,
  catalog: ColumnCatalog,
  field: string,
):
  | { ok: true; loadCodes: string[]; codes: readonly string[]; narrow: Narrow }
  | { ok: false; problems: ErrorDetail[] } {
  const checked = readExpression(text, expressionColumns(catalog), 'boolean');
  if (!checked.ok) {
    const { message, position, length } = checked.error;
    const problem = { field, message: `${message} (position ${position})`, position, length };
    return { ok: false, problems: [problem] };
  }
  const codes = checked.value.columnNames;
  const loadCodes = new Set(codes.flatMap((code) => catalog.loadCodesOf(code) ?? []));
  return { ok: true, loadCodes: [...loadCodes], codes, narrow: narrowTo(checked.value) };
}

function narrowTo(expression: CheckedExpression): Narrow {
  return (dataset, mask) => {
    const sources = expressionSources(expression.columnNames, dataset);
    const result = evaluateExpression(expression, sources, mask.length, { ignoresCase: true });
    if (result.kind !== 'numbers') throw new Error('the filter expression is not boolean');
    const { values } = result;
    for (let row = 0; row < mask.length; row++) mask[row]! &= +(values[row] === 1);
  };
}
