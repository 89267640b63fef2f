import { previousCode, readPreviousCode } from '../../../../../domain/survey/previous-codes.ts';
import { takesList, takesRange, takesValue } from '../../question-types/operators.ts';
import { noAnswersOf } from '../../question-types/no-answers.ts';
import { studioTypeOf } from '../../question-types/registry.ts';
import type { ComparedSide, Operator } from '../../question-types/question-type.ts';
import type { Condition, EditorQuestion } from '../editor-content.ts';
import { readTypedNumber, typedForm } from '../../data/typed-number.ts';

type Comparison = Extract<Condition, { operator: string }>;
type Value = string | number | boolean;
export type Connector = 'and' | 'or';

/** A comparison while it is edited. */
export interface ConditionRow {
  /** What is compared: an answer, a value of the link, or an attribute of the respondent. */
  type: 'question' | 'hidden' | 'attribute' | 'arm';
  /** Code of the question, or name of the value. */
  code: string;
  /** A part of the answer, such as a row of a matrix. */
  part: string | null;
  operator: Operator;
  /** Option values, or numbers, texts and dates as typed: two with `between`. */
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

export const NO_ROWS: ConditionRows = { connector: 'and', groups: [] };

/** Values of the link and attributes are texts; texts of numbers are compared as numbers. */
const NAMED_VALUE: ComparedSide = {
  operators: [
    'equals',
    'not_equals',
    'in',
    'not_in',
    'contains',
    'not_contains',
    'gte',
    'lte',
    'answered',
    'not_answered',
  ],
  value: { kind: 'text', inputType: 'text' },
};

const ARM: ComparedSide = {
  operators: ['equals', 'not_equals', 'answered', 'not_answered'],
  value: { kind: 'text', inputType: 'text' },
};

/** The left side of a row; undefined if the question does not exist. */
export function sideOf(row: ConditionRow, questions: readonly EditorQuestion[]): ComparedSide | undefined {
  if (row.type === 'arm') return ARM;
  if (row.type !== 'question') return NAMED_VALUE;
  const question = questionOf(row, questions);
  if (question === undefined) return undefined;
  const { whole, parts } = studioTypeOf(question).comparison;
  const side = row.part === null || parts === null ? whole(question) : parts.side(question);
  const offersReasons = noAnswersOf(question.question_settings).length > 0;
  return offersReasons ? { ...side, operators: [...side.operators, 'gave_reason'] } : side;
}

export const questionOf = (
  { type, code }: Pick<ConditionRow, 'type' | 'code'>,
  questions: readonly EditorQuestion[],
): EditorQuestion | undefined =>
  type === 'question' ? questions.find(({ question_code: each }) => each === code) : undefined;

/** Returns a row for the question, or for its first part, with the default operator. */
export function rowForQuestion(question: EditorQuestion): ConditionRow {
  const { whole, parts } = studioTypeOf(question).comparison;
  const [first] = parts?.list(question) ?? [];
  const side = parts !== null && first !== undefined ? parts.side(question) : whole(question);
  return {
    type: 'question',
    code: question.question_code,
    part: first?.code ?? null,
    operator: side.operators[0] ?? 'answered',
    values: [],
  };
}

/** Returns a row for a value whose name is still to be entered. */
export const rowForValue = (type: 'hidden' | 'attribute'): ConditionRow => ({
  type,
  code: '',
  part: null,
  operator: 'equals',
  values: [],
});

/** Returns a row for the arm of a block, which is still to be chosen. */
export const rowForArm = (code: string): ConditionRow => ({
  type: 'arm',
  code,
  part: null,
  operator: 'equals',
  values: [],
});

export const isGroup = (condition: Condition): condition is Exclude<Condition, Comparison> =>
  'conditions' in condition;

function toRow(condition: Condition): ConditionRow | null {
  if (isGroup(condition)) return null;
  const { left, operator, right } = condition;
  if (left.type === 'column') return null;
  // An earlier answer is edited as that to a question with another code.
  const [type, code] =
    left.type === 'previous'
      ? (['question', previousCode(left.code)] as const)
      : ([left.type, left.code] as const);
  const row = { type, code, part: left.row_code ?? null, operator };
  if (right === undefined) return { ...row, values: [] };
  if (Array.isArray(right) && !takesList(operator) && !takesRange(operator)) return null;
  const values = [right].flat();
  return {
    ...row,
    values: values.map((value) => (typeof value === 'number' ? typedForm(value) : String(value))),
  };
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

/** Returns the rows of a stored condition; null if rows cannot show it, such as groups within groups of groups. */
export function toConditionRows(condition: Condition): ConditionRows | null {
  const flat = toGroup(condition);
  if (flat !== null) return { connector: 'and', groups: flat.rows.length === 0 ? [] : [flat] };
  if (!isGroup(condition)) return null;
  const groups = condition.conditions.map(toGroup);
  if (groups.includes(null)) return null;
  return { connector: condition.connector, groups: groups.filter((group) => group !== null) };
}

/** Whether a row can be saved: it has all values, and compared numbers have one meaning. */
function isComplete({ code, operator, values }: ConditionRow, side: ComparedSide | undefined): boolean {
  if (code === '') return false;
  if (!takesValue(operator)) return true;
  const filled = values.filter((value) => value.trim() !== '');
  if (operator === 'gave_reason') return filled.length > 0;
  if (side?.value.kind === 'number' && filled.some((value) => readTypedNumber(value, null).value === null))
    return false;
  return takesRange(operator) ? filled.length === 2 : filled.length > 0;
}

export const isEveryRowComplete = (
  { groups }: ConditionRows,
  questions: readonly EditorQuestion[],
): boolean => groups.every(({ rows }) => rows.every((row) => isComplete(row, sideOf(row, questions))));

function toComparison(row: ConditionRow, side: ComparedSide | undefined): Comparison {
  const { code, part, operator } = row;
  const previous = readPreviousCode(code);
  const left = {
    ...(previous === null ? { type: row.type, code } : { type: 'previous' as const, code: previous }),
    ...(part === null ? {} : { row_code: part }),
  };
  if (!takesValue(operator)) return { left, operator };
  const valueOf = (text: string): Value => {
    const number =
      side?.value.kind === 'number' && operator !== 'gave_reason' ? readTypedNumber(text, null).value : null;
    return number ?? text;
  };
  const values = row.values.filter((value) => value.trim() !== '').map(valueOf);
  if (takesList(operator) || takesRange(operator)) return { left, operator, right: values };
  return { left, operator, right: values[0] ?? '' };
}

/** Returns the condition of the complete rows in the format of the API; null if there are none. */
export function fromConditionRows(
  { connector, groups }: ConditionRows,
  questions: readonly EditorQuestion[],
): Condition | null {
  const conditions = groups.flatMap((group): Condition[] => {
    const comparisons = group.rows.flatMap((row) => {
      const side = sideOf(row, questions);
      return isComplete(row, side) ? [toComparison(row, side)] : [];
    });
    const [only] = comparisons;
    if (only === undefined) return [];
    return comparisons.length === 1 ? [only] : [{ connector: group.connector, conditions: comparisons }];
  });
  const [only] = conditions;
  if (only === undefined) return null;
  return conditions.length === 1 ? only : { connector, conditions };
}
