import type { Question } from '../survey/definition.ts';
import {
  type Comparison,
  type Condition,
  type ConditionScalar,
  isGroup,
  type Operator,
} from '../survey/logic/condition.ts';

const MAX_TEXT = 80;

/** `_`: the right side. */
const WORDS: Record<Operator, string> = {
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
  before: 'is before _',
  after: 'is after _',
};

/**
 * A condition as a person would say it, with the words of the survey: `“Your age?” is between 18 and 34 and “Gender?” is “Female”`.
 * A condition without any part is `everybody`.
 *
 * @param questionOf the question of a code, retired ones too
 */
export function conditionInWords(
  condition: Condition,
  questionOf: (code: string) => Question | undefined,
): string {
  if (!isGroup(condition)) return comparisonInWords(condition, questionOf);
  const { connector, conditions } = condition;
  if (conditions.length === 0) return 'everybody';
  const [only] = conditions;
  if (conditions.length === 1) return conditionInWords(only!, questionOf);
  return conditions
    .map((part) => {
      const words = conditionInWords(part, questionOf);
      const isMixed = isGroup(part) && part.conditions.length > 1 && part.connector !== connector;
      return isMixed ? `(${words})` : words;
    })
    .join(` ${connector} `);
}

function comparisonInWords(
  { left, operator, right }: Comparison,
  questionOf: (code: string) => Question | undefined,
): string {
  const question = left.type === 'question' ? questionOf(left.code) : undefined;
  const given = right === undefined ? [] : [right].flat();
  const told = given.map((value) => valueInWords(value, question));
  const words = operator === 'between' ? told.join(' and ') : listed(told);
  return `${leftInWords(left, question)} ${WORDS[operator].replace('_', () => words)}`;
}

function leftInWords(
  { type, code, row_code: row }: Comparison['left'],
  question: Question | undefined,
): string {
  if (type === 'hidden') return `the link's ${code}`;
  if (type === 'attribute') return `the respondent's ${code}`;
  if (question === undefined) return code;
  const rows = question.type === 'matrix' ? question.settings.rows : [];
  const rowLabel = rows.find(({ row_code: rowCode }) => rowCode === row)?.row_label ?? row;
  const text = quoted(question.text);
  return `${rowLabel === undefined ? text : `${text}, ${quoted(rowLabel)}`}${question.retired ? ' (no longer asked)' : ''}`;
}

function valueInWords(value: ConditionScalar, question: Question | undefined): string {
  const option = question?.options.find((one) => one.value === String(value));
  if (option !== undefined) return quoted(option.label);
  return typeof value === 'string' && !/^-?\d/.test(value) ? quoted(value) : String(value);
}

function quoted(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return `“${line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT)}…` : line}”`;
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
