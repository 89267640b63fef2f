import { texts } from '../../texts.ts';
import type { Condition, EditorQuestion, QuestionType } from './editor-content.ts';

export type Operator = Extract<Condition, { operator: string }>['operator'];
type Value = string | number | boolean;
export type Connector = 'and' | 'or';

/** A comparison while it is edited. `values`: option values, or one number, text or date as typed. */
export interface ConditionRow {
  code: string;
  operator: Operator;
  values: readonly string[];
}

export interface ConditionGroupRows {
  connector: Connector;
  rows: readonly ConditionRow[];
}

/** A condition as the editor shows it: groups of rows, joined by `connector`. */
export interface ConditionRows {
  connector: Connector;
  groups: readonly ConditionGroupRows[];
}

const WITHOUT_VALUE: readonly Operator[] = ['answered', 'not_answered'];
const WITH_LIST: readonly Operator[] = ['in', 'not_in', 'includes_any', 'includes_all', 'includes_none'];

const ONE_CHOICE: readonly Operator[] = ['in', 'not_in', ...WITHOUT_VALUE];
const CHOICES: readonly Operator[] = ['includes_any', 'includes_all', 'includes_none', ...WITHOUT_VALUE];
const NUMBERS: readonly Operator[] = ['equals', 'not_equals', 'gte', 'lte', 'gt', 'lt', ...WITHOUT_VALUE];

/** The operators that the editor offers, by type of the question on the left. The first is the default. */
export const OPERATORS: Readonly<Record<QuestionType, readonly Operator[]>> = {
  single_choice: ONE_CHOICE,
  dropdown: ONE_CHOICE,
  multiple_choice: CHOICES,
  ranking: WITHOUT_VALUE,
  number: NUMBERS,
  scale: NUMBERS,
  slider: NUMBERS,
  nps: NUMBERS,
  text: ['contains', 'not_contains', 'equals', ...WITHOUT_VALUE],
  date: ['after', 'before', 'equals', ...WITHOUT_VALUE],
  matrix: WITHOUT_VALUE,
  constant_sum: WITHOUT_VALUE,
  file_upload: WITHOUT_VALUE,
};

const NUMERIC: ReadonlySet<QuestionType> = new Set<QuestionType>(['number', 'scale', 'slider', 'nps']);

export const takesValue = (operator: Operator): boolean => !WITHOUT_VALUE.includes(operator);
export const takesList = (operator: Operator): boolean => WITH_LIST.includes(operator);

/** Returns a row for the question with the default operator. */
export const rowFor = (question: EditorQuestion): ConditionRow => ({
  code: question.question_code,
  operator: OPERATORS[question.question_type][0] ?? 'answered',
  values: [],
});

const isGroup = (condition: Condition): condition is Extract<Condition, { conditions: unknown }> =>
  'conditions' in condition;

function toRow(condition: Condition): ConditionRow | null {
  if (isGroup(condition)) return null;
  const { left, operator, right } = condition as {
    left: { code: string; type?: string; row_code?: string };
    operator: Operator;
    right?: Value | Value[];
  };
  if ((left.type ?? 'question') !== 'question' || left.row_code !== undefined) return null;
  if (right === undefined) return { code: left.code, operator, values: [] };
  if (Array.isArray(right) && !takesList(operator)) return null;
  return { code: left.code, operator, values: [right].flat().map(String) };
}

function toGroup(condition: Condition): ConditionGroupRows | null {
  if (!isGroup(condition)) {
    const row = toRow(condition);
    return row === null ? null : { connector: 'and', rows: [row] };
  }
  const rows = condition.conditions.map(toRow);
  if (rows.includes(null)) return null;
  return { connector: condition.connector, rows: rows.filter((row) => row !== null) };
}

/** Returns the rows of a stored condition; null if rows cannot show it, such as deeper groups and values of the link. */
export function toConditionRows(condition: Condition): ConditionRows | null {
  if (!isGroup(condition)) {
    const group = toGroup(condition);
    return group === null ? null : { connector: 'and', groups: [group] };
  }
  const flat = toGroup(condition);
  if (flat !== null) return { connector: 'and', groups: [flat] };
  const groups = condition.conditions.map(toGroup);
  if (groups.includes(null)) return null;
  return { connector: condition.connector, groups: groups.filter((group) => group !== null) };
}

export const isComplete = ({ code, operator, values }: ConditionRow): boolean =>
  code !== '' && (!takesValue(operator) || values.some((value) => value !== ''));

function toComparison(row: ConditionRow, typeOf: (code: string) => QuestionType | undefined): Condition {
  const left = { type: 'question', code: row.code };
  if (!takesValue(row.operator)) return { left, operator: row.operator } as Condition;
  if (takesList(row.operator)) return { left, operator: row.operator, right: [...row.values] } as Condition;
  const [value = ''] = row.values;
  const type = typeOf(row.code);
  const number = Number(value);
  const isNumber = type !== undefined && NUMERIC.has(type) && value.trim() !== '' && !Number.isNaN(number);
  return { left, operator: row.operator, right: isNumber ? number : value } as Condition;
}

/** Returns the condition of the complete rows in the format of the API; null if there are none. */
export function fromConditionRows(
  { connector, groups }: ConditionRows,
  typeOf: (code: string) => QuestionType | undefined,
): Condition | null {
  const conditions = groups.flatMap((group) => {
    const comparisons = group.rows.filter(isComplete).map((row) => toComparison(row, typeOf));
    const [only] = comparisons;
    if (only === undefined) return [];
    return comparisons.length === 1 ? [only] : [{ connector: group.connector, conditions: comparisons }];
  });
  const [only] = conditions;
  if (only === undefined) return null;
  return conditions.length === 1 ? only : { connector, conditions };
}

/** Repeats a condition in words, such as "Which drinks? is any of “Coffee”, “Tea”". */
export function conditionInWords(condition: Condition, questions: readonly EditorQuestion[]): string {
  const words = texts.editor.logic;
  if (isGroup(condition)) {
    const parts = condition.conditions.map((each) => {
      const text = conditionInWords(each, questions);
      return isGroup(each) ? `(${text})` : text;
    });
    return parts.join(` ${words.connectors[condition.connector]} `);
  }
  const { left, operator, right } = condition as {
    left: { code: string; row_code?: string };
    operator: Operator;
    right?: Value | Value[];
  };
  const question = questions.find(({ question_code: code }) => code === left.code);
  const row = left.row_code === undefined ? '' : ` (${left.row_code})`;
  const name = `“${question?.question_text ?? left.code}”${row}`;
  if (right === undefined) return `${name} ${words.operators[operator]}`;
  const labelOf = (value: Value): string => {
    const option = question?.options.find(({ option_value: each }) => each === String(value));
    if (option !== undefined) return `“${option.option_label}”`;
    return typeof value === 'number' ? String(value) : `“${value}”`;
  };
  return `${name} ${words.operators[operator]} ${[right].flat().map(labelOf).join(', ')}`;
}
