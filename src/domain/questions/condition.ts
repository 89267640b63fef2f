import type { NoAnswerReason } from '../columns/no-answer.ts';

/**
 * The condition tree used by display logic, skips, filters and quota cells.
 *
 * A comparison with a missing left side is false, also for negative operators; use `not_answered` to test for missing. A reason instead of
 * an answer ("don't know") is missing too; `gave_reason` tests for it. Text is compared ignoring case, choices by option_value.
 */
export const OPERATORS = [
  'equals',
  'not_equals',
  'contains',
  'not_contains',
  'starts_with',
  'ends_with',
  'gt',
  'gte',
  'lt',
  'lte',
  'between',
  'in',
  'not_in',
  'includes_any',
  'includes_all',
  'includes_none',
  'answered',
  'not_answered',
  'gave_reason',
  'before',
  'after',
] as const;
export type Operator = (typeof OPERATORS)[number];

export type ConditionScalar = string | number | boolean;

export interface Comparison {
  /**
   * `question`: a question's answer, or the part named by row_code, such as a row of a matrix; `column`: a column of the dataset; `hidden`: a hidden value from the link;
   * `attribute`: an attribute of the personal link's respondent, by name; `arm`: the arm of a block, by its code; `previous`: the respondent's
   * earlier answer to a question, by the code that it has in the earlier survey.
   */
  left: {
    type: 'question' | 'column' | 'hidden' | 'attribute' | 'arm' | 'previous';
    code: string;
    row_code?: string | undefined;
  };
  operator: Operator;
  /** Absent for answered and not_answered; an array for between, in, not_in, includes_* and gave_reason. */
  right?: ConditionScalar | ConditionScalar[] | undefined;
}

interface ConditionGroup {
  connector: 'and' | 'or';
  /** An empty group is true. */
  conditions: Condition[];
}

export type Condition = Comparison | ConditionGroup;

export function isGroup(condition: Condition): condition is ConditionGroup {
  return 'conditions' in condition;
}

/** Every comparison in the tree, depth first. */
export function comparisonsIn(condition: Condition): Comparison[] {
  return isGroup(condition) ? condition.conditions.flatMap(comparisonsIn) : [condition];
}

/**
 * The left side of a comparison; null is missing: unanswered, not shown or unknown.
 * `choice` holds the chosen option_values: one for a single choice, several for multiple choice, ranking or a matrix row. An option flagged
 * as missing (`isMissing`) has no place in an order.
 */
export type Operand =
  | { kind: 'choice'; values: readonly string[]; isMissing?: boolean }
  | { kind: 'number'; value: number }
  | { kind: 'text'; text: string }
  | { kind: 'date'; text: string }
  | { kind: 'no_answer'; reason: NoAnswerReason };

type AnswerOperand = Exclude<Operand, { kind: 'no_answer' }>;

function foldCase(value: ConditionScalar): string {
  return String(value).toLowerCase();
}

function toNumber(value: ConditionScalar): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : NaN;
}

function isEqual(left: AnswerOperand, right: ConditionScalar): boolean {
  switch (left.kind) {
    case 'choice':
      return left.values.length === 1 && left.values[0] === String(right);
    case 'number':
      return left.value === toNumber(right);
    case 'date':
      return compareDateTexts(left.text, String(right)) === 0;
    case 'text':
      return foldCase(left.text) === foldCase(right);
  }
}

/** For choices: whether the value is among them. For a single value: whether they are equal. */
function includesValue(left: AnswerOperand, right: ConditionScalar): boolean {
  return left.kind === 'choice' ? left.values.includes(String(right)) : isEqual(left, right);
}

/** Compares dates to the precision of the shorter text: 14:30 on a day is neither before nor after that day. */
function compareDateTexts(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  const [a, b] = [left.slice(0, length), right.slice(0, length)];
  return a < b ? -1 : a > b ? 1 : 0;
}

const DATE_LIKE = /^\d{4}-\d{2}/;

const onlyValue = (values: readonly string[]): string | undefined =>
  values.length === 1 ? values[0] : undefined;

/** Returns a negative number, zero or a positive number; null if the two cannot be ordered. */
function compareOrder(left: AnswerOperand, right: ConditionScalar): number | null {
  if (left.kind === 'date') return typeof right === 'string' ? compareDateTexts(left.text, right) : null;
  const raw = left.kind === 'number' ? left.value : left.kind === 'text' ? left.text : onlyValue(left.values);
  if (raw === undefined || (left.kind === 'choice' && left.isMissing)) return null;
  if (typeof raw === 'string' && typeof right === 'string' && DATE_LIKE.test(raw) && DATE_LIKE.test(right)) {
    return compareDateTexts(raw, right);
  }
  const difference = toNumber(raw) - toNumber(right);
  return Number.isNaN(difference) ? null : difference;
}

/** Returns the texts that contains, starts_with and ends_with search. */
function textsOf(left: AnswerOperand): string[] {
  switch (left.kind) {
    case 'choice':
      return left.values.map(foldCase);
    case 'number':
      return [String(left.value)];
    case 'text':
    case 'date':
      return [foldCase(left.text)];
  }
}

function testOperator(left: AnswerOperand, operator: Operator, right: ConditionScalar[]): boolean {
  const [first, second] = right;
  const ordered = (accepts: (difference: number) => boolean, bound = first) => {
    const difference = bound === undefined ? null : compareOrder(left, bound);
    return difference !== null && accepts(difference);
  };
  const inText = (accepts: (text: string, part: string) => boolean) =>
    first !== undefined && textsOf(left).some((text) => accepts(text, foldCase(first)));
  switch (operator) {
    case 'answered':
      return true;
    case 'not_answered':
    case 'gave_reason':
      return false;
    case 'equals':
      return first !== undefined && isEqual(left, first);
    case 'not_equals':
      return first !== undefined && !isEqual(left, first);
    case 'contains':
      return left.kind === 'choice'
        ? first !== undefined && includesValue(left, first)
        : inText((text, part) => text.includes(part));
    case 'not_contains':
      return !testOperator(left, 'contains', right);
    case 'starts_with':
      return inText((text, part) => text.startsWith(part));
    case 'ends_with':
      return inText((text, part) => text.endsWith(part));
    case 'gt':
    case 'after':
      return ordered((difference) => difference > 0);
    case 'gte':
      return ordered((difference) => difference >= 0);
    case 'lt':
    case 'before':
      return ordered((difference) => difference < 0);
    case 'lte':
      return ordered((difference) => difference <= 0);
    case 'between':
      return ordered((difference) => difference >= 0) && ordered((difference) => difference <= 0, second);
    case 'in':
    case 'includes_any':
      return right.some((value) => includesValue(left, value));
    case 'not_in':
    case 'includes_none':
      return !right.some((value) => includesValue(left, value));
    case 'includes_all':
      return right.every((value) => includesValue(left, value));
  }
}

/** Evaluates one comparison. A missing left side is false for every operator but not_answered and gave_reason. */
export function compareOperands(
  left: Operand | null,
  operator: Operator,
  right: ConditionScalar | ConditionScalar[] | undefined,
): boolean {
  const values = right === undefined ? [] : Array.isArray(right) ? right : [right];
  if (left?.kind === 'no_answer' && operator === 'gave_reason') return values.includes(left.reason);
  if (left === null || left.kind === 'no_answer') return operator === 'not_answered';
  return testOperator(left, operator, values);
}

/** Returns whether the condition is true; `operandOf` returns the left side of a comparison. */
export function matchesCondition(
  condition: Condition,
  operandOf: (left: Comparison['left']) => Operand | null,
): boolean {
  if (!isGroup(condition))
    return compareOperands(operandOf(condition.left), condition.operator, condition.right);
  const { connector, conditions } = condition;
  if (conditions.length === 0) return true;
  return connector === 'and'
    ? conditions.every((part) => matchesCondition(part, operandOf))
    : conditions.some((part) => matchesCondition(part, operandOf));
}
