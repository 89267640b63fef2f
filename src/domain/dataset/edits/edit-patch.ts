import type { StoredAnswers } from '../../answers/codec.ts';
import { answersEqual } from '../../answers/answers-equal.ts';
import type { AnswerState, AnswerStates, ResponsePatch } from './response-patch.ts';

/** What an edit looks at of a stored response. */
export interface EditableAnswers {
  answers: StoredAnswers;
  /** What earlier edits replaced; null: nothing. */
  originals: AnswerStates | null;
}

/** The answer of a question as it stands. */
export function answerState(answers: StoredAnswers, questionCode: string): AnswerState {
  return Object.hasOwn(answers, questionCode) ? [answers[questionCode] ?? null] : [];
}

/** What the question's answer was before anybody edited it. */
export function originalAnswer({ answers, originals }: EditableAnswers, questionCode: string): AnswerState {
  return originals !== null && Object.hasOwn(originals, questionCode)
    ? originals[questionCode]!
    : answerState(answers, questionCode);
}

/**
 * What becomes of a response whose questions are to have these answers, and what puts it back; null when it has them already.
 * The first edit of a question keeps what it replaces among the originals; one that brings the original back takes it out again.
 */
export function createEditPatch(
  response: EditableAnswers,
  wanted: AnswerStates,
): { before: ResponsePatch; after: ResponsePatch } | null {
  const originals = new Map(Object.entries(response.originals ?? {}));
  const before = new Map<string, AnswerState>();
  const after = new Map<string, AnswerState>();
  for (const [code, state] of Object.entries(wanted)) {
    const now = answerState(response.answers, code);
    if (statesEqual(now, state)) continue;
    before.set(code, now);
    after.set(code, state);
    const original = originals.get(code);
    if (original === undefined) originals.set(code, now);
    else if (statesEqual(original, state)) originals.delete(code);
  }
  if (after.size === 0) return null;
  return {
    before: { answers: Object.fromEntries(before), originals: response.originals },
    after: {
      answers: Object.fromEntries(after),
      originals: originals.size === 0 ? null : Object.fromEntries(originals),
    },
  };
}

function statesEqual([a]: AnswerState, [b]: AnswerState): boolean {
  if (a === undefined || b === undefined) return a === b;
  return answersEqual(a, b);
}
