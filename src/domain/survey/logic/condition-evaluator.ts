import type { StoredAnswer } from '../../answers/codec.ts';
import { valueOfChoice } from '../../answers/read-options.ts';
import { isRecord } from '../../answers/read-result.ts';
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
  switch (question.type) {
    case 'single_choice':
    case 'dropdown':
      return { kind: 'choice', values: [valueOfChoice(answer as string)] };
    case 'multiple_choice':
    case 'ranking':
    case 'file_upload':
      return { kind: 'choice', values: (answer as string[]).map(valueOfChoice) };
    case 'matrix': {
      if (!isRecord(answer)) return null;
      const rows = rowCode === undefined ? Object.keys(answer) : [rowCode];
      const answeredRows = rows.filter((row) => Object.hasOwn(answer, row));
      const values = answeredRows.flatMap((row) => answer[row] as string | string[]);
      return answeredRows.length === 0 ? null : { kind: 'choice', values };
    }
    case 'number':
    case 'scale':
    case 'slider':
    case 'nps':
      return { kind: 'number', value: answer as number };
    case 'date':
      return { kind: 'date', text: answer as string };
    case 'text':
      return { kind: 'text', text: answer as string };
  }
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
  switch (question.type) {
    case 'single_choice':
    case 'dropdown':
      return withheld.has(valueOfChoice(answer as string)) ? null : answer;
    case 'multiple_choice':
    case 'ranking': {
      const chosen = answer as string[];
      const left = chosen.filter((choice) => !withheld.has(valueOfChoice(choice)));
      return left.length === 0 && chosen.length > 0 ? null : left;
    }
    case 'matrix': {
      const rows = Object.entries(answer as { [rowCode: string]: string | string[] }).flatMap(
        ([rowCode, row]): [string, string | string[]][] => {
          if (!Array.isArray(row)) return withheld.has(row) ? [] : [[rowCode, row]];
          const left = row.filter((value) => !withheld.has(value));
          return left.length === 0 && row.length > 0 ? [] : [[rowCode, left]];
        },
      );
      return rows.length === 0 ? null : Object.fromEntries(rows);
    }
    default:
      return answer;
  }
}
