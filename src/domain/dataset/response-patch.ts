import type { StoredAnswer, StoredAnswers } from '../answers/codec.ts';
import type { ResponseQuality } from '../quality/quality-flag.ts';
import type { ResponseStatus } from './response-row.ts';

/** Whether two stored answers are equal. Key order is ignored, list order is not. */
export function answersEqual(a: StoredAnswer | null, b: StoredAnswer | null): boolean {
  if (a === b) return true;
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, index) => answersEqual(item, b[index] ?? null))
    );
  }
  const left = membersOf(a);
  const right = membersOf(b);
  return (
    left.size === right.size &&
    [...left].every(([key, value]) => right.has(key) && answersEqual(value, right.get(key) ?? null))
  );
}

const membersOf = (answer: object): Map<string, StoredAnswer> =>
  new Map<string, StoredAnswer>(Object.entries(answer));

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
  const original =
    originals !== null && Object.hasOwn(originals, questionCode) ? originals[questionCode] : undefined;
  return original ?? answerState(answers, questionCode);
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

/** The answer of a question: `[answer]`, or `[]` if it was not shown. */
export type AnswerState = [] | [StoredAnswer | null];

/** Answers by question code. */
export type AnswerStates = Record<string, AnswerState>;

/** Changes to a stored response; absent fields stay unchanged. Timestamps are ISO 8601. */
export interface ResponsePatch {
  answers?: AnswerStates;
  /** The answers that edits replaced; null: the response is as submitted. */
  originals?: AnswerStates | null;
  status?: ResponseStatus;
  statusReason?: string | null;
  completedAt?: string | null;
  deletedAt?: string | null;
  quality?: ResponseQuality | null;
}
