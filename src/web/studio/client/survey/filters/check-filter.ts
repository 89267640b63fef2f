import { texts } from '../../../texts.ts';
import { readTypedNumber } from '../../data/typed-number.ts';
import { arityOf } from '../../question-types/operators.ts';
import { sideOfOperator } from '../../question-types/filter-sides.ts';
import type { FilterInput, FilterSide, Operator } from '../../question-types/question-type.ts';

const { problems } = texts.filters;

/** A problem of the value at an index. */
export interface FilterProblem {
  index: number;
  message: string;
}

const PATTERNS: Readonly<Record<Exclude<FilterInput, 'number'>, RegExp>> = {
  text: /\S/,
  date: /^\d{4}-\d{2}-\d{2}$/,
  datetime: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/,
  time: /^\d{2}:\d{2}$/,
  month: /^\d{4}-(0[1-9]|1[0-2])$/,
  year: /^\d{4}$/,
};

/** Returns a typed value as it is stored: numbers in their shortest form. */
export function normalizeFilterValue(text: string, input: FilterInput): string {
  const number = input === 'number' ? readTypedNumber(text, null).value : null;
  return number === null ? text.trim() : String(number);
}

function valueProblem(text: string, input: FilterInput): string | null {
  if (input === 'number') return readTypedNumber(text, null).problem;
  return PATTERNS[input].test(text) ? null : problems[input];
}

const isBelow = (a: string, b: string, input: FilterInput): boolean =>
  // Dates of the same precision sort as texts.
  input === 'number' ? numberOf(a) < numberOf(b) : a < b;

const numberOf = (text: string): number => readTypedNumber(text, null).value ?? NaN;

/** Returns the first problem of the typed or chosen values; null if the filter can be applied. */
export function findFilterProblem(
  operator: Operator,
  values: readonly string[],
  side: FilterSide,
): FilterProblem | null {
  const { input, values: listed } = sideOfOperator(side, operator);
  const arity = arityOf(operator);
  if (arity === 'none') return null;
  if (listed.length > 0 && arity !== 'range') {
    const isTyped = arity === 'one' && input === 'number';
    if (!isTyped) return values.some((value) => value !== '') ? null : { index: 0, message: problems.choose };
  }
  const expected = arity === 'list' ? Math.max(1, values.length) : arity === 'range' ? 2 : 1;
  for (let index = 0; index < expected; index++) {
    const message = valueProblem(values[index] ?? '', input);
    if (message !== null) return { index, message };
  }
  const [low = '', high = ''] = values;
  if (arity === 'range' && isBelow(high, low, input))
    return { index: 1, message: input === 'number' ? problems.order : problems.dateOrder };
  return null;
}
