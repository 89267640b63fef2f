import type { StoredAnswer, StoredAnswers } from '../answers/codec.ts';
import { typeOf } from '../questions/registry.ts';
import type { Question, SurveyDefinition } from '../survey/definition.ts';
import { questionsOf } from '../survey/definition.ts';
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
    const givenAnswers = givenValues(answers[question.code] ?? null, check.row_code);
    const expected = [check.expected].flat();
    if (passes(question, givenAnswers, expected)) return [];
    return [
      {
        check: 'attention_check',
        severity: 'high',
        metric: 'answer',
        value: givenAnswers.length === 0 ? null : givenAnswers.join(', ').slice(0, MAX_SHOWN_CHARACTERS),
        threshold: expected.join(', ').slice(0, MAX_SHOWN_CHARACTERS),
        column_codes: [check.row_code === undefined ? question.code : `${question.code}_${check.row_code}`],
      },
    ];
  });
}

const MAX_SHOWN_CHARACTERS = 200;

/** The chosen or typed values as texts; for a matrix, those of one row or of all rows. */
function givenValues(answer: StoredAnswer | null, rowCode: string | undefined): string[] {
  if (answer === null) return [];
  if (typeof answer !== 'object') return [String(answer)];
  if (Array.isArray(answer))
    return answer.map((choice) => (typeof choice === 'string' ? choice : choice.value));
  if (rowCode !== undefined)
    return Object.hasOwn(answer, rowCode) ? [answer[rowCode as keyof typeof answer]].flat() : [];
  return 'value' in answer && 'other' in answer ? [String(answer.value)] : Object.values(answer).flat();
}

/**
 * The answer is one of the expected values; for multiple choices exactly the expected set; for texts ignoring case and surrounding
 * spaces.
 */
function passes(question: Question, values: readonly string[], expected: readonly string[]): boolean {
  if (values.length === 0) return false;
  return typeOf(question).passesCheck(values, expected);
}
