import type { ErrorDetail } from '../../lib/errors.ts';
import type { NoAnswerChoice } from '../columns/no-answer.ts';
import { type Question, typeOf } from './registry.ts';

/** The codes that a question gives to reasons, by whether they can be answers as well. */
interface CheckedCode {
  choice: NoAnswerChoice;
  index: number;
  /** Why the code can be an answer; null if it cannot, or if only a missing limit allows it. */
  conflict: string | null;
  /** Whether the code could be an answer because the question has no limit on its side. */
  isUnlimited: boolean;
}

function checkCodes(question: Question): CheckedCode[] {
  const { no_answers: choices } = question.settings;
  if (choices.length === 0) return [];
  const module = typeOf(question);
  const values = new Map(
    module.cells
      .columns(question)
      .flatMap((column) => column.values)
      .map(({ number, label }) => [number, label]),
  );
  const { min = null, max = null } = module.numberRange?.(question) ?? { min: Infinity };
  return choices.map((choice, index) => {
    const { code } = choice;
    const isInside = (min === null || code >= min) && (max === null || code <= max);
    const label = values.get(code);
    const conflict =
      label !== undefined
        ? `is the number of ${JSON.stringify(label)}`
        : isInside && min !== null && max !== null
          ? `can be an answer: answers are from ${min} to ${max}`
          : null;
    return { choice, index, conflict, isUnlimited: conflict === null && isInside };
  });
}

const ADVICE = 'choose a code that no answer can be, such as -97';

/** Returns the codes of reasons that are answers of the question. Fields are relative to the settings. */
export const noAnswerCodeProblems = (question: Question): ErrorDetail[] =>
  checkCodes(question).flatMap(({ choice, index, conflict }) =>
    conflict === null
      ? []
      : [{ field: `no_answers[${index}].code`, message: `${choice.code} ${conflict}; ${ADVICE}` }],
  );

/** Returns the codes of reasons that could be answers because the question limits its numbers on one side or not at all. */
export const unlimitedNoAnswerCodes = (question: Question): ErrorDetail[] =>
  checkCodes(question).flatMap(({ choice, index, isUnlimited }) =>
    isUnlimited
      ? [
          {
            field: `no_answers[${index}].code`,
            message: `${choice.code} stands for “${choice.reason}” of ${question.code} in files, and is an answer too: limit the numbers of the question, or ${ADVICE}`,
          },
        ]
      : [],
  );
