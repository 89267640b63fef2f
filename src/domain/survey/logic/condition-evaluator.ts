import type { StoredAnswer } from '../../answers/codec.ts';
import { codecFor } from '../../questions/registry.ts';
import type { RespondentContext, RespondentProfile } from './respondent-context.ts';
import { matchesCondition, type Operand } from './compare.ts';
import type { Comparison, Condition } from './condition.ts';
import type { Question } from '../definition.ts';
import type { PreparedDefinition } from '../prepared-definition.ts';

/**
 * Converts an answer to the left side of a comparison; null is missing. A matrix without a row code has the choices of all its rows. A
 * multiple choice with nothing ticked is answered, with no choices.
 */
export function operandOf(
  question: Question,
  answer: StoredAnswer | null | undefined,
  rowCode?: string,
): Operand | null {
  if (answer === null || answer === undefined) return null;
  return codecFor(question).operand(question, answer, rowCode);
}

/**
 * Creates a condition evaluator for one response. Questions that were not shown count as missing, so `answerOf` must return only answers of
 * shown and hidden questions.
 */
export function createEvaluator(
  prepared: PreparedDefinition,
  answerOf: (questionCode: string) => StoredAnswer | null | undefined,
  context: RespondentContext,
): (condition: Condition | null | undefined) => boolean {
  const lookUp = (left: Comparison['left']): Operand | null => {
    if (left.type !== 'question') return contextOperand(left, context);
    const preparedQuestion = prepared.byCode.get(left.code);
    return preparedQuestion ? operandOf(preparedQuestion.question, answerOf(left.code), left.row_code) : null;
  };
  return (condition) => condition === null || condition === undefined || matchesCondition(condition, lookUp);
}

/** Converts a hidden value or respondent attribute to the left side of a comparison; null is missing. */
export function contextOperand(
  { type, code }: Comparison['left'],
  { hidden, respondent }: RespondentContext,
): Operand | null {
  if (type === 'hidden') {
    const text = hidden.get(code);
    return text === undefined || text === '' ? null : { kind: 'text', text };
  }
  return type === 'attribute' && respondent !== null ? attributeOperand(respondent, code) : null;
}

function attributeOperand({ attributes }: RespondentProfile, name: string): Operand | null {
  const value = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  if (value === undefined || value === '') return null;
  return typeof value === 'number' ? { kind: 'number', value } : { kind: 'text', text: String(value) };
}

/** Removes withheld options from an answer; null if no choice remains. */
export function withoutOptions(
  question: Question,
  answer: StoredAnswer | null,
  withheld: ReadonlySet<string>,
): StoredAnswer | null {
  if (answer === null || withheld.size === 0) return answer;
  return codecFor(question).withoutOptions(question, answer, withheld);
}
