import type { StoredAnswers } from '../../../domain/answers/codec.ts';
import { isNoAnswer, isRecord } from '../../../domain/answers/read-result.ts';
import type { Question } from '../../../domain/survey/definition.ts';
import type { PreparedDefinition } from '../../../domain/survey/prepared-definition.ts';
import { parseAnswer } from './validate-answer.ts';

type Inputs = Readonly<Record<string, unknown>>;

/**
 * Returns the entered answers for the evaluation of logic. On pages up to `pageId` (null: none), a question without a ticked option has
 * the answer that submitting its page would give it.
 */
export function answersForLogic(
  prepared: PreparedDefinition,
  inputs: Inputs,
  pageId: number | null,
): StoredAnswers {
  const answers = Object.create(null) as StoredAnswers;
  const current = prepared.pages.findIndex(({ page }) => page.id === pageId);
  prepared.pages.forEach(({ questions }, index) => {
    for (const { question } of questions) {
      const { code } = question;
      const isReached = index <= current && hasCheckboxes(question) && !question.settings.hidden;
      const input = isReached ? submittedInput(question, inputs[code]) : inputs[code];
      if (isReached || Object.hasOwn(inputs, code)) answers[code] = parseAnswer(question, input);
    }
  });
  return answers;
}

/**
 * Returns the answers to questions of submitted pages for the server: null if a question was shown and not answered, [] if no option was
 * ticked.
 */
export function answersForServer(
  prepared: PreparedDefinition,
  inputs: Inputs,
  codes: readonly string[],
): Record<string, unknown> {
  return Object.fromEntries(
    codes.flatMap((code) => {
      const preparedQuestion = prepared.byCode.get(code);
      if (preparedQuestion === undefined) return [];
      return [
        [
          code,
          parseAnswer(preparedQuestion.question, submittedInput(preparedQuestion.question, inputs[code])),
        ],
      ];
    }),
  );
}

function hasCheckboxes(question: Question): boolean {
  return (
    question.type === 'multiple_choice' ||
    (question.type === 'matrix' && question.settings.matrix_type === 'multiple')
  );
}

/** Returns an input as a submitted page has it: no ticked option is the answer `[]`. */
function submittedInput(question: Question, input: unknown): unknown {
  if (!hasCheckboxes(question)) return input;
  if (question.type !== 'matrix') return isNoAnswer(input) ? [] : input;
  const rows = question.settings.rows.map(({ row_code: row }): [string, unknown] => [row, []]);
  return { ...Object.fromEntries(rows), ...(isRecord(input) ? input : {}) };
}
