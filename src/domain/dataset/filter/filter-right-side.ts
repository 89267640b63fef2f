import { formatList } from '../../../lib/format-list.ts';
import { quote } from '../../../lib/quote.ts';
import type { ConditionScalar, Operator } from '../../survey/logic/condition.ts';
import type { ColumnSpec } from '../columns/column-spec.ts';
import { dateSpan } from '../columns/date-text.ts';

type RightSideResult = { ok: true; right: ConditionScalar[] } | { ok: false; message: string };

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

function unknownOptionMessage({ columnCode, values }: RightSide, value: ConditionScalar): string {
  const known = formatList(values, LISTED_VALUES, (option) => quote(option.value));
  return `${columnCode} has no value ${quote(value)}; its values: ${known}`;
}

/** Returns what is wrong with one right-side value for that column, or null. */
function valueProblem(spec: RightSide, operator: Operator, value: ConditionScalar): string | null {
  switch (spec.type) {
    case 'categorical':
    case 'multiple':
      if (TEXT_OPERATORS.has(operator)) return null;
      if (ORDER_OPERATORS.has(operator)) {
        if (isNumeric(value) || DATE_LIKE.test(String(value))) return null;
        return `${operator} compares ${spec.columnCode} with a number, not with ${quote(value)}`;
      }
      return spec.values.some((option) => option.value === String(value))
        ? null
        : unknownOptionMessage(spec, value);
    case 'binary':
      if (isNumeric(value) || typeof value === 'boolean') return null;
      return `${spec.columnCode} is 0 or 1, not ${quote(value)}`;
    case 'number':
    case 'rank':
      if (TEXT_OPERATORS.has(operator) || SUBSTRING_OPERATORS.has(operator) || isNumeric(value)) return null;
      return `${spec.columnCode} holds numbers, not ${quote(value)}`;
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
      const wanted = isMoment ? '2026-11-21, or 2026-11-21T08:30:00Z with its offset' : example[precision];
      return `${spec.columnCode} is compared with a date such as ${wanted}, not ${quote(value)}`;
    }
    case 'text':
      return null;
    case 'file':
      return `${spec.columnCode} holds files; only answered and not_answered can be asked of it`;
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
    const message = valueProblem(spec, operator, value);
    if (message !== null) return { ok: false, message };
  }
  const isFlag = spec.type === 'binary';
  return {
    ok: true,
    right: isFlag ? values.map((value) => (typeof value === 'boolean' ? Number(value) : value)) : values,
  };
}
