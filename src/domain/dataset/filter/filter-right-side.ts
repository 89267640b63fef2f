import type { ComparisonProblem } from './filter-target.ts';
import { mustBe, notAllowedFor, unknownValue } from '../../../lib/error-messages.ts';
import { formatList } from '../../../lib/format-list.ts';
import { quote } from '../../../lib/quote.ts';
import type { ConditionScalar, Operator } from '../../survey/logic/condition.ts';
import type { ColumnSpec } from '../columns/column-spec.ts';
import { dateSpan } from '../columns/date-text.ts';

type RightSideResult = { ok: true; right: ConditionScalar[] } | { ok: false; problem: ComparisonProblem };

/** The column properties used to check the right side. */
export type RightSide = Pick<ColumnSpec, 'columnCode' | 'type' | 'values' | 'source' | 'precision'>;

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
      const precision = spec.precision ?? 'date';
      const isMoment = spec.source === 'metadata';
      if (dateSpan(String(value), precision, isMoment)) return null;
      const example = {
        year: '2026',
        month: '2026-11',
        date: '2026-11-21',
        datetime: '2026-11-21T08:30',
        time: '08:30',
      };
      const expected = isMoment ? '2026-11-21, or 2026-11-21T08:30:00Z with its offset' : example[precision];
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
export function checkRightSide(
  spec: RightSide,
  operator: Operator,
  right: ConditionScalar | ConditionScalar[] | undefined,
): RightSideResult {
  if (UNARY.has(operator)) return { ok: true, right: [] };
  const values = right === undefined ? [] : Array.isArray(right) ? right : [right];
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
