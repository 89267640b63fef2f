import { listInWords } from '../../../lib/list-in-words.ts';
import { isNoAnswerReason, noAnswerLabel } from '../../columns/no-answer.ts';
import { typeOf } from '../../questions/registry.ts';
import type { Question } from '../definition.ts';
import { previousCode } from '../previous-codes.ts';
import {
  type Comparison,
  type Condition,
  type ConditionScalar,
  isGroup,
  type Operator,
} from '../../questions/condition.ts';

const MAX_TEXT = 80;

/** `_`: the right side. */
const OPERATOR_PHRASES: Record<Operator, string> = {
  equals: 'is _',
  not_equals: 'is not _',
  contains: 'contains _',
  not_contains: 'does not contain _',
  starts_with: 'starts with _',
  ends_with: 'ends with _',
  gt: 'is more than _',
  gte: 'is at least _',
  lt: 'is less than _',
  lte: 'is at most _',
  between: 'is between _',
  in: 'is one of _',
  not_in: 'is none of _',
  includes_any: 'includes any of _',
  includes_all: 'includes all of _',
  includes_none: 'includes none of _',
  answered: 'is answered',
  not_answered: 'is not answered',
  gave_reason: 'is answered with _',
  before: 'is before _',
  after: 'is after _',
};

/** With one value. */
const SINGLE_VALUE_PHRASES = new Map<Operator, string>([
  ['in', 'is _'],
  ['not_in', 'is not _'],
  ['includes_any', 'includes _'],
  ['includes_all', 'includes _'],
  ['includes_none', 'does not include _'],
]);

/** The labels of the left side of a comparison. */
export interface OperandLabels {
  text: string;
  /** The part that the comparison names, such as a row of a matrix. */
  row?: string | undefined;
  values: readonly { value: string; label: string }[];
  retired: boolean;
}

/** Returns undefined if there are no labels for the code. */
type OperandLabeler = (left: Comparison['left']) => OperandLabels | undefined;

/**
 * Describes a condition in English with the survey's labels: `“Your age?” is between 18 and 34 and “Gender?” is “Female”`. An empty
 * condition is `all respondents`.
 */
export function describeCondition(condition: Condition, sideOf: OperandLabeler): string {
  if (!isGroup(condition)) return describeComparison(condition, sideOf);
  const { connector, conditions } = condition;
  const [first, ...others] = conditions;
  if (first === undefined) return 'all respondents';
  if (others.length === 0) return describeCondition(first, sideOf);
  return conditions
    .map((part) => {
      const words = describeCondition(part, sideOf);
      const isMixed = isGroup(part) && part.conditions.length > 1 && part.connector !== connector;
      return isMixed ? `(${words})` : words;
    })
    .join(` ${connector} `);
}

/** @param questionOf returns the question with a code, including retired questions */
export function labelsFromQuestions(questionOf: (code: string) => Question | undefined): OperandLabeler {
  return ({ type, code, row_code: row }) => {
    const question =
      type === 'question'
        ? questionOf(code)
        : type === 'previous'
          ? questionOf(previousCode(code))
          : undefined;
    if (question === undefined) return undefined;
    const parts = typeOf(question).comparison.parts?.list(question) ?? [];
    return {
      text: question.text,
      row: parts.find((part) => part.code === row)?.label ?? row,
      values: question.options,
      retired: question.retired,
    };
  };
}

function describeComparison({ left, operator, right }: Comparison, sideOf: OperandLabeler): string {
  const side = sideOf(left);
  const given = right === undefined ? [] : [right].flat();
  const values = given.map((value) =>
    operator === 'gave_reason' ? describeReason(value) : describeValue(value, side),
  );
  const words = operator === 'between' ? values.join(' and ') : listInWords(values, 'en');
  const singleValuePhrase = values.length === 1 ? SINGLE_VALUE_PHRASES.get(operator) : undefined;
  return `${describeLeftSide(left, side)} ${(singleValuePhrase ?? OPERATOR_PHRASES[operator]).replace('_', () => words)}`;
}

function describeLeftSide({ type, code }: Comparison['left'], side: OperandLabels | undefined): string {
  if (type === 'hidden') return `the link's ${code}`;
  if (type === 'attribute') return `the respondent's ${code}`;
  if (type === 'arm') return `the arm of ${code}`;
  const time = type === 'previous' ? 'the earlier answer to ' : '';
  if (side === undefined) return `${time}${code}`;
  const text = quoteShortened(side.text);
  const row = side.row === undefined ? '' : `, ${quoteShortened(side.row)}`;
  return `${time}${text}${row}${side.retired ? ' (no longer asked)' : ''}`;
}

function describeValue(value: ConditionScalar, side: OperandLabels | undefined): string {
  const known = side?.values.find((one) => one.value === String(value));
  if (known !== undefined) return quoteShortened(known.label);
  return typeof value === 'string' && !/^-?\d/.test(value) ? quoteShortened(value) : String(value);
}

const describeReason = (value: ConditionScalar): string =>
  isNoAnswerReason(value) ? quoteShortened(noAnswerLabel({ reason: value, label: null })) : String(value);

function quoteShortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return `“${line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT)}…` : line}”`;
}
