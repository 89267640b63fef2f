import type { StoredAnswers } from '../../../domain/answers/codec.ts';
import type { PreparedDefinition } from '../../../domain/survey/prepared-definition.ts';
import { answerOf } from './problem-words.ts';

type Inputs = Readonly<Record<string, unknown>>;

/** Everything that was entered, as the engine takes it. */
export function enteredAnswers(prepared: PreparedDefinition, inputs: Inputs): StoredAnswers {
  const answers = Object.create(null) as StoredAnswers;
  for (const { questions } of prepared.pages) {
    for (const { question } of questions) {
      const { code } = question;
      if (Object.hasOwn(inputs, code)) answers[code] = answerOf(question, inputs[code]);
    }
  }
  return answers;
}

/** The answers to these questions, as the server takes them: null is shown and not answered. */
export function answersToSend(
  prepared: PreparedDefinition,
  inputs: Inputs,
  codes: readonly string[],
): Record<string, unknown> {
  return Object.fromEntries(
    codes.flatMap((code) => {
      const known = prepared.byCode.get(code);
      return known ? [[code, answerOf(known.question, inputs[code])]] : [];
    }),
  );
}
