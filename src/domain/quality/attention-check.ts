import type { StoredAnswer, StoredAnswers } from '../answers/codec.ts';
import { partColumn, questionColumns } from '../dataset/columns/column-catalog.ts';
import { typeOf } from '../questions/registry.ts';
import type { Question, SurveyDefinition } from '../survey/definition.ts';
import { questionsOf } from '../survey/definition.ts';
import { operandOf } from '../survey/logic/condition-evaluator.ts';
import type { QualitySettings } from '../survey/settings/quality-settings.ts';
import type { QualityFlag } from './quality-flag.ts';

type Check = QualitySettings['attention_checks'][number];

/** Creates a flag for each failed check. Questions that were not shown are not evaluated; a shown but skipped question fails. */
export function findAttentionFlags(
  answers: Readonly<StoredAnswers>,
  definition: SurveyDefinition,
  checks: readonly Check[],
): QualityFlag[] {
  if (checks.length === 0) return [];
  const questions = new Map(questionsOf(definition).map((question) => [question.id, question]));
  return checks.flatMap((check): QualityFlag[] => {
    const question = questions.get(check.question_id);
    if (question === undefined || !Object.hasOwn(answers, question.code)) return [];
    const givenAnswers = givenValues(question, answers[question.code] ?? null, check.row_code);
    const expected = [check.expected].flat();
    if (passes(question, givenAnswers, expected)) return [];
    return [
      {
        check: 'attention_check',
        severity: 'high',
        metric: 'answer',
        value: givenAnswers.length === 0 ? null : givenAnswers.join(', ').slice(0, MAX_SHOWN_CHARACTERS),
        threshold: expected.join(', ').slice(0, MAX_SHOWN_CHARACTERS),
        column_codes: [checkedColumn(question, check.row_code)],
      },
    ];
  });
}

const MAX_SHOWN_CHARACTERS = 200;

/** The chosen or typed values as texts; for a question with parts, those of one part or of all. */
function givenValues(
  question: Question,
  answer: StoredAnswer | null,
  partCode: string | undefined,
): string[] {
  const operand = operandOf(question, answer, partCode);
  switch (operand?.kind) {
    case undefined:
      return [];
    case 'choice':
      return [...operand.values];
    case 'number':
      return [String(operand.value)];
    case 'text':
    case 'date':
      return [operand.text];
  }
}

/** Returns the column of the checked part; the code of the question without one. */
function checkedColumn(question: Question, partCode: string | undefined): string {
  if (partCode === undefined) return question.code;
  return partColumn(questionColumns(question), partCode)?.spec.columnCode ?? `${question.code}_${partCode}`;
}

/**
 * The answer is one of the expected values; for multiple choices exactly the expected set; for texts ignoring case and surrounding
 * spaces.
 */
function passes(question: Question, values: readonly string[], expected: readonly string[]): boolean {
  if (values.length === 0) return false;
  return typeOf(question).passesCheck(values, expected);
}
