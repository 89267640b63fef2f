import type { StoredAnswers } from '../questions/answers/codec.ts';

/** Begins the codes under which a survey knows the questions of an earlier one. No question code has a dot. */
const PREFIX = 'previous.';

/** Returns the code under which a survey knows a question of an earlier one: `previous.Q3`. */
export const previousCode = (code: string): string => PREFIX + code;

/** Returns the code that the question has in the earlier survey; null: it is a question of this survey. */
export const readPreviousCode = (code: string): string | null =>
  code.startsWith(PREFIX) ? code.slice(PREFIX.length) : null;

/** Returns the answers of a response that come from an earlier one. */
export const previousAnswersIn = (answers: Readonly<StoredAnswers>): StoredAnswers =>
  Object.fromEntries(Object.entries(answers).filter(([code]) => readPreviousCode(code) !== null));
