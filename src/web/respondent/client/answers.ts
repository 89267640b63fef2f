import type { StoredAnswer, StoredAnswers } from '../../../domain/answers/codec.ts';
import { isNoAnswer, isRecord } from '../../../domain/answers/read-result.ts';
import { codecFor } from '../../../domain/questions/registry.ts';
import type { Question } from '../../../domain/survey/definition.ts';
import type { PreparedDefinition } from '../../../domain/survey/prepared-definition.ts';
import { fieldOf } from './fields/registry.ts';

/** What the respondent entered, by question code. */
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
      const isReached = index <= current && !question.settings.hidden;
      const input = isReached ? fieldOf(question).submittedInput(question, inputs[code]) : inputs[code];
      if (input !== undefined) answers[code] = parseAnswer(question, input);
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
      const known = prepared.byCode.get(code);
      if (known === undefined) return [];
      const { question } = known;
      return [[code, parseAnswer(question, fieldOf(question).submittedInput(question, inputs[code]))]];
    }),
  );
}

/**
 * Returns the answer as it would be stored, or null if the input is empty or invalid. If logic can withhold options, the limits of the
 * question are not checked here: they depend on the offered options.
 */
function parseAnswer(question: Question, input: unknown): StoredAnswer | null {
  const { options, carry_forward: carryForward } = question.settings.logic ?? {};
  const strictness = options === undefined && carryForward === undefined ? 'answer' : 'draft';
  const result = codecFor(question).read(question, fieldOf(question).toAnswer(question, input), strictness);
  return result.ok ? result.answer : null;
}

/** Returns whether an input is empty; an input with parts, such as the rows of a matrix, is empty if all of them are. */
export function isEmptyInput(input: unknown): boolean {
  return isNoAnswer(input) || (isRecord(input) && Object.values(input).every(isNoAnswer));
}
