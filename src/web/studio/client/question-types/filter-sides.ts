import type { FilterInput, FilterSide, FilterValue, Operator, QuestionContent } from './question-type.ts';
import { ANSWERED } from './shared-parts.ts';

/** Longer scales are compared with typed numbers. */
const MAX_LISTED_POINTS = 11;

const TYPED = { values: [], groups: [] } as const;

/** The side with the values of an operator: one names the reasons that respondents gave instead of an answer. */
export const sideOfOperator = (side: FilterSide, operator: Operator): FilterSide =>
  operator === 'gave_reason'
    ? { ...side, kind: 'choice', values: side.reasons ?? [], groups: [], input: 'text' }
    : side;

/** A choice from listed values. */
export const listFilter = (
  values: readonly FilterValue[],
  operators: readonly Operator[],
  kind: 'choice' | 'choices' | 'flags' = 'choice',
): FilterSide => ({ kind, operators, values, groups: [], input: 'text' });

const optionValues = ({ options }: QuestionContent): FilterValue[] =>
  options.map(({ option_value: value, option_label: label }) => ({ value, label }));

export const ONLY_ANSWERED_FILTER = listFilter([], ANSWERED);
export const oneChoiceFilter = (question: QuestionContent): FilterSide =>
  listFilter(optionValues(question), ['in', 'not_in', ...ANSWERED]);
export const severalChoicesFilter = (question: QuestionContent): FilterSide =>
  listFilter(optionValues(question), ['in', 'includes_all', 'includes_none', ...ANSWERED], 'choices');

/** "From" comes first, because most filters of numbers and dates have a lower limit. */
export const BOUNDS: readonly Operator[] = ['gte', 'lte', 'between'];

export const numberFilter = (operators: readonly Operator[]): FilterSide => ({
  kind: 'number',
  operators,
  ...TYPED,
  input: 'number',
});

export const NUMBER_FILTER = numberFilter([...BOUNDS, 'equals', ...ANSWERED]);

export const pointValue = (point: number, label = ''): FilterValue => ({
  value: String(point),
  label: label === '' ? String(point) : `${point} – ${label}`,
});

/** Points of a scale. A short one is a list to choose from. */
export const pointsFilter = (
  points: readonly FilterValue[],
  groups: FilterSide['groups'] = [],
): FilterSide =>
  points.length > MAX_LISTED_POINTS
    ? NUMBER_FILTER
    : {
        kind: 'number',
        operators: ['in', 'not_in', ...BOUNDS, ...ANSWERED],
        values: points,
        groups,
        input: 'number',
      };

export const TEXT_FILTER: FilterSide = {
  kind: 'text',
  operators: ['contains', 'not_contains', 'equals', ...ANSWERED],
  ...TYPED,
  input: 'text',
};

export const dateFilter = (
  input: Exclude<FilterInput, 'number' | 'text'>,
  operators: readonly Operator[] = [...BOUNDS, 'equals', ...ANSWERED],
): FilterSide => ({
  kind: 'date',
  operators,
  ...TYPED,
  input,
});
