import { textToDate } from '../dataset/columns/date-text.ts';
import { InvalidExpressionError, type Span } from './expression-error.ts';
import type { ExpressionType, OpenNode, TypedNode } from './typed-expression.ts';

/** The arguments and the result of a function or operator. */
interface Signature {
  min: number;
  max: number;
  /** Throws InvalidExpressionError at an argument of the wrong type. */
  check(args: OpenNode[]): { args: TypedNode[]; type: ExpressionType };
}

const ANY: readonly ExpressionType[] = ['number', 'text', 'boolean', 'date'];
const ORDERED: readonly ExpressionType[] = ['number', 'text', 'date'];
const DATE_FORMS = ['date', 'datetime', 'month', 'year'] as const;
/** More than any expression can have. */
const MANY = 2_000;

/** Assigns a type to `null` and parses a text as a date where a date is expected. */
export function coerce(node: OpenNode, wanted: ExpressionType): TypedNode {
  const { position, length } = node;
  if (node.type === 'null')
    return { kind: 'constant', type: wanted, value: wanted === 'text' ? null : NaN, position, length };
  if (node.type === wanted) return node;
  if (wanted === 'boolean' && isFlag(node)) return { ...node, type: 'boolean' };
  if (wanted === 'date' && node.kind === 'constant' && typeof node.value === 'string')
    return { kind: 'constant', type: 'date', value: dateOf(node.value, node), position, length };
  throw new InvalidExpressionError(`this is a ${node.type} where a ${wanted} belongs`, node);
}

/** A column of 0 and 1: a number, or a boolean where one is expected. */
function isFlag(node: OpenNode): node is TypedNode & { kind: 'column' } {
  return node.kind === 'column' && node.isFlag;
}

function dateOf(text: string, at: Span): number {
  for (const form of DATE_FORMS) {
    const date = textToDate(text, form);
    if (!Number.isNaN(date)) return date;
  }
  throw new InvalidExpressionError(`"${text}" is not a date such as '2026-01-31'`, at);
}

/**
 * Returns a common type for `args`: date if one is a date (texts beside it can be dates), otherwise the type of the first typed argument.
 * 0/1 columns take the type of the others.
 */
function commonType(args: readonly OpenNode[], allowed: readonly ExpressionType[]): ExpressionType {
  const typed = args.filter((arg): arg is TypedNode => arg.type !== 'null');
  const deciding = typed.find(({ type }) => type === 'date') ?? typed.find((arg) => !isFlag(arg)) ?? typed[0];
  const found = deciding?.type ?? 'number';
  const fits = (arg: TypedNode) =>
    allowed.includes(arg.type) ||
    (found === 'date' && arg.type === 'text') ||
    (allowed.includes('boolean') && isFlag(arg));
  const wrong = typed.find((arg) => !fits(arg));
  if (wrong)
    throw new InvalidExpressionError(`this is a ${wrong.type} where ${anyOf(allowed)} belongs`, wrong);
  return found;
}

function anyOf(types: readonly ExpressionType[]): string {
  return types.map((type) => `a ${type}`).join(' or ');
}

/** Exactly these argument types. */
function fixedArguments(types: readonly ExpressionType[], result: ExpressionType, optional = 0): Signature {
  return {
    min: types.length - optional,
    max: types.length,
    check: (args) => ({ args: args.map((arg, index) => coerce(arg, types[index]!)), type: result }),
  };
}

/** Arguments of the same type. */
function sameTypeArguments(
  min: number,
  max: number,
  allowed: readonly ExpressionType[],
  result: ExpressionType | 'same',
): Signature {
  return {
    min,
    max,
    check(args) {
      const type = commonType(args, allowed);
      return { args: args.map((arg) => coerce(arg, type)), type: result === 'same' ? type : result };
    },
  };
}

/** Arguments that each have one of these types. */
function independentArguments(
  min: number,
  max: number,
  allowed: readonly ExpressionType[],
  result: ExpressionType,
): Signature {
  return {
    min,
    max,
    check: (args) => ({ args: args.map((arg) => coerce(arg, commonType([arg], allowed))), type: result }),
  };
}

/** Whether the argument of if or case at `index` is a condition: condition, value, condition, value, …, and an optional default value. */
export function isCondition(index: number, count: number): boolean {
  return index % 2 === 0 && index < count - 1;
}

function branches(max: number): Signature {
  return {
    min: 2,
    max,
    check(args) {
      const condition = (index: number) => isCondition(index, args.length);
      const type = commonType(
        args.filter((_, index) => !condition(index)),
        ANY,
      );
      return { args: args.map((arg, index) => coerce(arg, condition(index) ? 'boolean' : type)), type };
    },
  };
}

const DATE_UNITS = ['days', 'weeks', 'months', 'years', 'hours', 'minutes'] as const;
export type DateUnit = (typeof DATE_UNITS)[number];

const datediff: Signature = {
  min: 2,
  max: 3,
  check(args) {
    const [from, to, unit] = args as [OpenNode, OpenNode, OpenNode?];
    if (unit && !(unit.kind === 'constant' && DATE_UNITS.some((known) => known === unit.value)))
      throw new InvalidExpressionError(`the unit is one of '${DATE_UNITS.join("', '")}'`, unit);
    const dates = [coerce(from, 'date'), coerce(to, 'date')];
    return { args: unit ? [...dates, coerce(unit, 'text')] : dates, type: 'number' };
  },
};

const label: Signature = {
  min: 1,
  max: 1,
  check(args) {
    const [column] = args as [OpenNode];
    if (column.kind !== 'column' || column.labels === null)
      throw new InvalidExpressionError('label takes the name of a column whose values have labels', column);
    return { args: [column], type: 'text' };
  },
};

const arithmetic = fixedArguments(['number', 'number'], 'number');
const logic = fixedArguments(['boolean', 'boolean'], 'boolean');
const equality = sameTypeArguments(2, 2, ANY, 'boolean');
const order = sameTypeArguments(2, 2, ORDERED, 'boolean');
const numeric = fixedArguments(['number'], 'number');
const textual = fixedArguments(['text'], 'text');
const total = independentArguments(1, MANY, ['number', 'boolean'], 'number');
const extreme = sameTypeArguments(1, MANY, ['number', 'date'], 'same');
const datePart = fixedArguments(['date'], 'number');

/** By symbol or word, as the parser names them. */
export const OPERATORS: ReadonlyMap<string, Signature> = new Map([
  ...['+', '-', '*', '/', '%', '^'].map((sign) => [sign, arithmetic] as const),
  ...['=', '!='].map((sign) => [sign, equality] as const),
  ...['<', '<=', '>', '>='].map((sign) => [sign, order] as const),
  ['and', logic],
  ['or', logic],
  ['not', fixedArguments(['boolean'], 'boolean')],
  ['unary -', numeric],
  ['in', sameTypeArguments(2, MANY, ANY, 'boolean')],
]);

/** By name in lower case. */
export const FUNCTIONS: ReadonlyMap<string, Signature> = new Map([
  ['if', { ...branches(3), min: 3 }],
  ['case', branches(MANY)],
  ['isnull', independentArguments(1, 1, ANY, 'boolean')],
  ['coalesce', sameTypeArguments(1, MANY, ANY, 'same')],
  ['sum', total],
  ['mean', total],
  ['count', independentArguments(1, MANY, ANY, 'number')],
  ['min', extreme],
  ['max', extreme],
  ...['abs', 'floor', 'ceil', 'ln', 'exp', 'sqrt'].map((name) => [name, numeric] as const),
  ['round', fixedArguments(['number', 'number'], 'number', 1)],
  ['pow', arithmetic],
  ['len', fixedArguments(['text'], 'number')],
  ...['lower', 'upper', 'trim'].map((name) => [name, textual] as const),
  ['concat', independentArguments(1, MANY, ['text', 'number'], 'text')],
  ['contains', fixedArguments(['text', 'text'], 'boolean')],
  ...['year', 'month', 'day'].map((name) => [name, datePart] as const),
  ['datediff', datediff],
  ['label', label],
]);
