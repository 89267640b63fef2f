import { withReasons } from '../../../domain/questions/answers/no-answer.ts';
import type { QuestionAnswers } from '../../../domain/questions/question-type.ts';
import type { QuestionType } from '../../../domain/questions/registry.ts';

/** The build of the page replaces domain/questions/registry.ts by this module (vite.config.ts): answers come with the fields of a survey. */
const answersByType = new Map<QuestionType, QuestionAnswers>();

export function registerAnswers(type: QuestionType, answers: QuestionAnswers): void {
  answersByType.set(type, withReasons(answers));
}

/** Returns how answers to the question are read, compared and shown. */
export function codecFor({ type }: { type: QuestionType }): QuestionAnswers {
  const answers = answersByType.get(type);
  if (answers === undefined) throw new Error(`The answers of "${type}" are not loaded`);
  return answers;
}
