import type { StoredAnswers } from '../../answers/codec.ts';
import { answersEqual } from '../../answers/answers-equal.ts';
import type { AnswerState, AnswerStates, ResponsePatch } from './response-patch.ts';

/** The parts of a stored response that an edit needs. */
export interface EditableAnswers {
  answers: StoredAnswers;
  /** The answers that previous edits replaced; null if there are none. */
  originals: AnswerStates | null;
}

/** Returns the current answer of a question. */
export function answerState(answers: StoredAnswers, questionCode: string): AnswerState {
  return Object.hasOwn(answers, questionCode) ? [answers[questionCode] ?? null] : [];
}

/** Returns a question's answer as submitted, before any edit. */
export function originalAnswer({ answers, originals }: EditableAnswers, questionCode: string): AnswerState {
  return originals !== null && Object.hasOwn(originals, questionCode)
    ? originals[questionCode]!
    : answerState(answers, questionCode);
}

/**
 * Creates the patch that sets these answers and the patch that reverts it; null if nothing changes. The first edit of a question stores the
 * replaced answer among the originals; an edit that restores the original removes it.
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
    if (areStatesEqual(now, state)) continue;
    before.set(code, now);
    after.set(code, state);
    const original = originals.get(code);
    if (original === undefined) originals.set(code, now);
    else if (areStatesEqual(original, state)) originals.delete(code);
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

function areStatesEqual([a]: AnswerState, [b]: AnswerState): boolean {
  if (a === undefined || b === undefined) return a === b;
  return answersEqual(a, b);
}
