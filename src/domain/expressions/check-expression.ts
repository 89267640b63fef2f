import { textToDate } from '../columns/dates.ts';
import {
  catchInvalidExpression,
  type ExpressionResult,
  InvalidExpressionError,
  parseExpression,
  type Span,
  type SyntaxNode,
} from './parse-expression.ts';
import {
  findSimilar,
  formatList,
  quote,
  sizeAtLeast,
  sizeAtMost,
  unknownObject,
  unknownValue,
} from '../../lib/error-messages.ts';
import { resolveOptionValue } from '../columns/resolve-option-value.ts';

export type ExpressionType = 'number' | 'text' | 'boolean' | 'date';

/** A column in expressions. Coded columns are numbers (those of their options) with labels. */
export interface ExpressionColumn {
  type: ExpressionType;
  /** The exact name, if the expression can use another case. Absent: the name in the expression. */
  name?: string;
  /** From number to label, for `label(column)`. */
  labels?: ReadonlyMap<number, string>;
  /** Its options. A text compared with the column names one by value or label. */
  options?: readonly { value: string; number: number; label: string; missing: boolean }[];
  /** A number that is 0 or 1 and can be used as a boolean. */
  isFlag?: boolean;
  /** Whether a missing value means "none" (no wave, no review) and is equal to no value, while a missing answer is unknown. */
  isMetadata?: boolean;
  /** Dates only: the span that a text beside it denotes; null if it is no date. A plain date is a day of the column's time zone. */
  spanOf?: (written: string) => { first: number; last: number } | null;
  /** Timestamps only: the time zone of their years, months and days. */
  timeZone?: string;
  /** The reason why expressions cannot read the column. */
  problem?: string;
}

/** The columns that an expression can name. */
export type ExpressionColumns = Pick<ReadonlyMap<string, ExpressionColumn>, 'get' | 'keys'>;

/** A type-checked expression. Numbers, booleans (0 and 1) and dates (milliseconds since 1970 UTC) are all numbers here; NaN is missing. */
export type TypedNode = Span & { type: ExpressionType } & (
    | { kind: 'constant'; value: number | string | null }
    | {
        kind: 'column';
        name: string;
        labels: ReadonlyMap<number, string> | null;
        isFlag: boolean;
        isMetadata: boolean;
        /** Numbers of options flagged as missing that a comparison names: they are read, others are missing. */
        named: readonly number[];
      }
    | { kind: 'call'; name: string; args: TypedNode[] }
  );

/** A node whose type depends on its context if it is `null`. */
type OpenNode = TypedNode | (Span & { kind: 'null'; type: 'null' });

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
function coerceToType(node: OpenNode, wanted: ExpressionType): TypedNode {
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
    check: (args) => ({
      // At most `max` arguments are passed.
      args: args.flatMap((arg, index) => {
        const type = types[index];
        return type === undefined ? [] : coerceToType(arg, type);
      }),
      type: result,
    }),
  };
}

/** Arguments of the same type. */
function sameTypeArguments(
  [min, max]: readonly [min: number, max: number],
  allowed: readonly ExpressionType[],
  result: ExpressionType | 'same',
): Signature {
  return {
    min,
    max,
    check(args) {
      const type = commonType(args, allowed);
      return { args: args.map((arg) => coerceToType(arg, type)), type: result === 'same' ? type : result };
    },
  };
}

/** Arguments that each have one of these types. */
function independentArguments(
  [min, max]: readonly [min: number, max: number],
  allowed: readonly ExpressionType[],
  result: ExpressionType,
): Signature {
  return {
    min,
    max,
    check: (args) => ({
      args: args.map((arg) => coerceToType(arg, commonType([arg], allowed))),
      type: result,
    }),
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
      return { args: args.map((arg, index) => coerceToType(arg, condition(index) ? 'boolean' : type)), type };
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
    const dates = [coerceToType(from, 'date'), coerceToType(to, 'date')];
    return { args: unit ? [...dates, coerceToType(unit, 'text')] : dates, type: 'number' };
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
const equality = sameTypeArguments([2, 2], ANY, 'boolean');
const order = sameTypeArguments([2, 2], ORDERED, 'boolean');
const numeric = fixedArguments(['number'], 'number');
const textual = fixedArguments(['text'], 'text');
const total = independentArguments([1, MANY], ['number', 'boolean'], 'number');
const extreme = sameTypeArguments([1, MANY], ['number', 'date'], 'same');
const datePart = fixedArguments(['date'], 'number');

/** By symbol or word, as the parser names them. */
const OPERATORS: ReadonlyMap<string, Signature> = new Map([
  ...['+', '-', '*', '/', '%', '^'].map((sign) => [sign, arithmetic] as const),
  ...['=', '!='].map((sign) => [sign, equality] as const),
  ...['<', '<=', '>', '>='].map((sign) => [sign, order] as const),
  ['and', logic],
  ['or', logic],
  ['not', fixedArguments(['boolean'], 'boolean')],
  ['unary -', numeric],
  ['in', sameTypeArguments([2, MANY], ANY, 'boolean')],
]);

/** By name in lower case. */
const FUNCTIONS: ReadonlyMap<string, Signature> = new Map([
  ['if', { ...branches(3), min: 3 }],
  ['case', branches(MANY)],
  ['isnull', independentArguments([1, 1], ANY, 'boolean')],
  ['coalesce', sameTypeArguments([1, MANY], ANY, 'same')],
  ['sum', total],
  ['mean', total],
  ['count', independentArguments([1, MANY], ANY, 'number')],
  ['min', extreme],
  ['max', extreme],
  ...['abs', 'floor', 'ceil', 'ln', 'exp', 'sqrt'].map((name) => [name, numeric] as const),
  ['round', fixedArguments(['number', 'number'], 'number', 1)],
  ['pow', arithmetic],
  ['len', fixedArguments(['text'], 'number')],
  ...['lower', 'upper', 'trim'].map((name) => [name, textual] as const),
  ['concat', independentArguments([1, MANY], ['text', 'number'], 'text')],
  ['number', fixedArguments(['text'], 'number')],
  ['contains', fixedArguments(['text', 'text'], 'boolean')],
  ...['year', 'month', 'day'].map((name) => [name, datePart] as const),
  ['datediff', datediff],
  ['label', label],
]);

export type Texts = readonly (string | null)[];

/** The values of a column: NaN or null where missing. Coded columns are read in chunks, without a copy of the whole column. */
export type ColumnSource =
  | { kind: 'numbers'; values: Float64Array }
  | { kind: 'texts'; texts: Texts }
  /** Fills `into` with the values from row `first` on. `readerOf` keeps these numbers of options flagged as missing. */
  | { kind: 'read'; read: NumberReader; readerOf?: (named: readonly number[]) => NumberReader };

type NumberReader = (first: number, into: Float64Array) => void;

export interface CheckedExpression {
  type: ExpressionType;
  /** The columns it reads, without duplicates, in order of appearance and with their actual names. */
  columnNames: readonly string[];
  root: TypedNode;
}

/**
 * Parses an expression over these columns and determines its type, which must be `wanted` if given. The lookup of names decides whether
 * case matters. Errors are returned with their position.
 */
export function checkExpression(
  source: string,
  columns: ExpressionColumns,
  wanted?: ExpressionType,
): ExpressionResult<CheckedExpression> {
  return catchInvalidExpression(() => {
    const checker = new Checker(columns);
    const open = checker.check(parseExpression(source));
    const root = coerceToType(open, wanted ?? (open.type === 'null' ? 'number' : open.type));
    return { type: root.type, columnNames: [...checker.columnNames], root };
  });
}

class Checker {
  readonly columnNames = new Set<string>();
  readonly #columns: ExpressionColumns;

  constructor(columns: ExpressionColumns) {
    this.#columns = columns;
  }

  check(node: SyntaxNode): OpenNode {
    const { position, length } = node;
    switch (node.kind) {
      case 'number':
      case 'text':
        return { kind: 'constant', type: node.kind, value: node.value, position, length };
      case 'boolean':
        return { kind: 'constant', type: 'boolean', value: Number(node.value), position, length };
      case 'null':
        return { kind: 'null', type: 'null', position, length };
      case 'column':
        return this.#column(node);
      case 'call':
        return this.#call(node);
    }
  }

  #column(node: SyntaxNode & { kind: 'column' }): OpenNode {
    const { name: written, position, length } = node;
    const column = this.#columns.get(written);
    if (!column) {
      const name = truncateName(written);
      const message = FUNCTIONS.has(name.toLowerCase())
        ? `${unknownObject({ kind: 'column', idOrCode: name })}; ${name} is a function: ${name}(…)`
        : unknownObject({
            kind: 'column',
            idOrCode: name,
            scope: '',
            alternatives: { similar: findSimilar(name, this.#columns.keys()) },
          });
      throw new InvalidExpressionError(message, node);
    }
    if (column.problem !== undefined) throw new InvalidExpressionError(column.problem, node);
    const { name = written, type, labels = null, isFlag = false, isMetadata = false } = column;
    this.columnNames.add(name);
    return { kind: 'column', name, type, labels, isFlag, isMetadata, named: [], position, length };
  }

  #call(node: SyntaxNode & { kind: 'call' }): OpenNode {
    const { name, nameSpan, position, length } = node;
    const signature = OPERATORS.get(name) ?? FUNCTIONS.get(name);
    if (!signature) {
      const similar = findSimilar(name, FUNCTIONS.keys());
      throw new InvalidExpressionError(
        unknownObject({
          kind: 'function',
          idOrCode: truncateName(name),
          scope: '',
          alternatives: { similar },
        }),
        nameSpan,
      );
    }
    const { min, max } = signature;
    const given = node.args.length;
    if (given < min || given > max) {
      const message = given < min ? sizeAtLeast(min, 'argument', given) : sizeAtMost(max, 'argument', given);
      throw new InvalidExpressionError(`${name} ${message}`, nameSpan);
    }
    const args = this.#arguments(node);
    const dates = compareDates(node, args, (arg) => this.#columnOf(arg)?.spanOf);
    return dates ?? { kind: 'call', name, ...signature.check(args), position, length };
  }

  /**
   * In a comparison of a coded column with a text, the text names an option: `gender = "Female"`. Beside a timestamp, a text is a date in
   * its time zone, as are year, month and day.
   */
  #arguments({ name, args }: SyntaxNode & { kind: 'call' }): OpenNode[] {
    const checked = args.map((arg) => this.check(arg));
    const columns = checked.flatMap((arg) => this.#columnOf(arg) ?? []);
    const timestamp = columns.find(({ timeZone }) => timeZone !== undefined);
    if (timestamp !== undefined && !ORDERS.has(name) && !OPTION_COMPARISONS.has(name))
      return checked.map((arg) => inTimeZone(arg, timestamp, name));
    if (!OPTION_COMPARISONS.has(name)) return checked;
    const options = columns.find((column) => column.type === 'number' && column.options)?.options;
    if (options === undefined) return checked;
    const numbered = checked.map((arg) => replaceLabelByNumber(arg, options));
    return name === '!=' ? numbered : withNamedOptions(numbered, options);
  }

  #columnOf(arg: OpenNode): ExpressionColumn | undefined {
    return arg.kind === 'column' ? this.#columns.get(arg.name) : undefined;
  }
}

/** Order comparisons with the operator that has the operands swapped. */
const ORDERS: ReadonlyMap<string, string> = new Map([
  ['<', '>'],
  ['<=', '>='],
  ['>', '<'],
  ['>=', '<='],
]);

const DATE_PARTS: ReadonlySet<string> = new Set(['year', 'month', 'day']);

/** An argument beside a timestamp: a text as an instant, and a timestamp whose year, month or day is taken as local time. */
function inTimeZone(arg: OpenNode, { spanOf, timeZone }: ExpressionColumn, functionName: string): OpenNode {
  const { position, length } = arg;
  if (DATE_PARTS.has(functionName) && arg.type === 'date') {
    const zone: TypedNode = { kind: 'constant', type: 'text', value: timeZone ?? null, position, length };
    return { kind: 'call', name: 'local_time', type: 'date', args: [arg, zone], position, length };
  }
  const span = arg.kind === 'constant' && typeof arg.value === 'string' ? spanOf?.(arg.value) : undefined;
  return span == null ? arg : { kind: 'constant', type: 'date', value: span.first, position, length };
}

type SpanOf = NonNullable<ExpressionColumn['spanOf']>;

/**
 * Compares a date column with written dates, which denote spans: `completed_at = '2026-03-01'` is the whole day, `>` is after it. Null if
 * this is another call.
 */
function compareDates(
  { name, position, length }: SyntaxNode & { kind: 'call' },
  args: readonly OpenNode[],
  spanOfArgument: (arg: OpenNode) => SpanOf | undefined,
): TypedNode | null {
  if (!ORDERS.has(name) && !OPTION_COMPARISONS.has(name)) return null;
  const [left, right] = args;
  const isSwapped = right?.kind === 'column' && name !== 'in';
  const column = isSwapped ? right : left;
  const written = isSwapped ? [left] : args.slice(1);
  const spanOf = column === undefined ? undefined : spanOfArgument(column);
  if (column?.kind !== 'column' || spanOf === undefined) return null;
  const bounds: { first: TypedNode; last: TypedNode }[] = [];
  for (const arg of written) {
    if (arg?.kind !== 'constant' || typeof arg.value !== 'string') return null;
    const span = spanOf(arg.value);
    if (span === null)
      throw new InvalidExpressionError(`"${arg.value}" is not a date such as '2026-01-31'`, arg);
    const bound = (value: number): TypedNode => ({
      ...spanOfNode(arg),
      kind: 'constant',
      type: 'date',
      value,
    });
    bounds.push({ first: bound(span.first), last: bound(span.last) });
  }
  const call = (callName: string, callArgs: TypedNode[]): TypedNode => {
    return { kind: 'call', name: callName, type: 'boolean', args: callArgs, position, length };
  };
  const within = call('in_span', [column, ...bounds.flatMap(({ first, last }) => [first, last])]);
  if (name === '!=') return call('not', [within]);
  const order = isSwapped ? ORDERS.get(name) : name;
  const [bound] = bounds;
  if (order === undefined || !ORDERS.has(name) || bound === undefined) return within;
  return call(order, [column, order === '<' || order === '>=' ? bound.first : bound.last]);
}

const spanOfNode = ({ position, length }: Span): Span => ({ position, length });

/** Lets columns read the options flagged as missing that a comparison for equality names. */
function withNamedOptions(
  args: readonly OpenNode[],
  options: NonNullable<ExpressionColumn['options']>,
): OpenNode[] {
  const constants = new Set(args.flatMap((arg) => (arg.kind === 'constant' ? [arg.value] : [])));
  const named = options.filter(({ number, missing }) => missing && constants.has(number));
  if (named.length === 0) return [...args];
  const numbers = named.map(({ number }) => number);
  return args.map((arg) => (arg.kind === 'column' ? { ...arg, named: numbers } : arg));
}

/** Only comparisons for equality identify an option. */
const OPTION_COMPARISONS: ReadonlySet<string> = new Set(['=', '!=', 'in']);
const LISTED_LABELS = 5;

function replaceLabelByNumber(node: OpenNode, options: NonNullable<ExpressionColumn['options']>): OpenNode {
  if (node.kind !== 'constant' || typeof node.value !== 'string') return node;
  const text = node.value;
  const found = resolveOptionValue(text, options);
  if (typeof found === 'object') throw new InvalidExpressionError(found.message, node);
  const option = options.find(({ value }) => value === found);
  if (option === undefined) {
    const accepted = formatList(options, LISTED_LABELS, ({ label }) => quote(label));
    throw new InvalidExpressionError(unknownValue(text, 'an option', { accepted }), node);
  }
  return { ...node, type: 'number', value: option.number };
}

/** A name can have up to 2,000 characters; messages quote its beginning. */
function truncateName(name: string): string {
  return name.length > 60 ? `${name.slice(0, 60)}…` : name;
}
