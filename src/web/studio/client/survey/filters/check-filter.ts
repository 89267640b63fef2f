import { texts } from '../../../texts.ts';
import { arityOf } from '../../question-types/operators.ts';
import type { FilterInput, FilterSide, Operator } from '../../question-types/question-type.ts';

const { problems } = texts.filters;

/** A problem of the value at an index. */
export interface FilterProblem {
  index: number;
  message: string;
}

const PATTERNS: Readonly<Record<FilterInput, RegExp>> = {
  number: /^-?\d{1,15}(\.\d{1,15})?$/,
  text: /\S/,
  date: /^\d{4}-\d{2}-\d{2}$/,
  datetime: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/,
  time: /^\d{2}:\d{2}$/,
  month: /^\d{4}-(0[1-9]|1[0-2])$/,
  year: /^\d{4}$/,
};

const isBelow = (a: string, b: string, input: FilterInput): boolean =>
  // Dates of the same precision sort as texts.
  input === 'number' ? Number(a) < Number(b) : a < b;

/** Returns the first problem of the typed or chosen values; null if the filter can be applied. */
export function findFilterProblem(
  operator: Operator,
  values: readonly string[],
  { input, values: listed }: FilterSide,
): FilterProblem | null {
  const arity = arityOf(operator);
  if (arity === 'none') return null;
  if (listed.length > 0 && arity !== 'range') {
    const isTyped = arity === 'one' && input === 'number';
    if (!isTyped) return values.some((value) => value !== '') ? null : { index: 0, message: problems.choose };
  }
  const expected = arity === 'list' ? Math.max(1, values.length) : arity === 'range' ? 2 : 1;
  for (let index = 0; index < expected; index++)
    if (!PATTERNS[input].test(values[index] ?? '')) return { index, message: problems[input] };
  const [low = '', high = ''] = values;
  if (arity === 'range' && isBelow(high, low, input))
    return { index: 1, message: input === 'number' ? problems.order : problems.dateOrder };
  return null;
}
