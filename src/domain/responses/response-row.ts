import type { StoredAnswer, StoredAnswers } from '../questions/answers/codec.ts';
import type { Presentation } from './presentation.ts';
import type { ResponseQuality } from './quality-flag.ts';

/** In the order of their codes in data files: 1, 2, 3. */
export const RESPONSE_STATUSES = ['complete', 'partial', 'screened_out'] as const;
export type ResponseStatus = (typeof RESPONSE_STATUSES)[number];

/** The part of a response that a dataset always holds. */
export interface ResponseState {
  responseId: number;
  status: ResponseStatus;
  isTest: boolean;
  isDeleted: boolean;
  /** Whether a reviewer confirmed one of its quality flags. */
  hasConfirmedFlags: boolean;
}

/** A whole response. Times are milliseconds since 1970 UTC. */
export interface ResponseRow extends ResponseState {
  isEdited: boolean;
  startedAtMs: number;
  completedAtMs: number | null;
  durationSeconds: number | null;
  submissionId: string | null;
  statusReason: string | null;
  /** The `reason` of the skip rule that ended the response. Never sent to a respondent. */
  endReason: string | null;
  updatedAtMs: number;
  lastPageId: number | null;
  language: string | null;
  linkId: number | null;
  waveId: number | null;
  respondentId: number | null;
  externalId: string | null;
  surveyVersion: number;
  /** null: no quality check flagged the response. */
  quality: ResponseQuality | null;
  /** null: nothing was random. */
  presentation: Presentation | null;
  /** Seconds by page_id. */
  pageTimes: Readonly<Record<string, number>> | null;
  /** By question code: null is shown and skipped, an absent key is not shown. */
  answers: Readonly<Record<string, StoredAnswer | null>>;
}

/** Encodes status (index in RESPONSE_STATUSES, bits 0 and 1) and flags in one byte, so that one table lookup decides on a row. */
const STATUS_BITS = 3;
const TEST = 4;
const DELETED = 8;
const CONFIRMED_FLAGS = 16;
export const ROW_STATES = 32;

/** Returns the state byte of a response, below ROW_STATES. */
export function rowState(response: Omit<ResponseState, 'responseId'>): number {
  return (
    RESPONSE_STATUSES.indexOf(response.status) |
    (response.isTest ? TEST : 0) |
    (response.isDeleted ? DELETED : 0) |
    (response.hasConfirmedFlags ? CONFIRMED_FLAGS : 0)
  );
}

export const isTestState = (state: number): boolean => (state & TEST) !== 0;
export const hasConfirmedFlagsState = (state: number): boolean => (state & CONFIRMED_FLAGS) !== 0;
/** Whether the response is neither a test nor deleted. */
export const isRealState = (state: number): boolean => (state & (TEST | DELETED)) === 0;

export interface StateFilter {
  status: readonly ResponseStatus[];
  includeTest: boolean;
  includeConfirmed: boolean;
  includeDeleted: boolean;
}

/** Returns a table by row state: 1 for included states. */
export function includedStates(filter: StateFilter): Uint8Array {
  const counted = new Set(filter.status);
  const excluded =
    (filter.includeTest ? 0 : TEST) |
    (filter.includeConfirmed ? 0 : CONFIRMED_FLAGS) |
    (filter.includeDeleted ? 0 : DELETED);
  return Uint8Array.from({ length: ROW_STATES }, (_, state) => {
    const status = RESPONSE_STATUSES[state & STATUS_BITS];
    return status !== undefined && counted.has(status) && (state & excluded) === 0 ? 1 : 0;
  });
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

/** Whether two responses have the same answers to the same questions. */
export function allAnswersEqual(a: StoredAnswers, b: StoredAnswers): boolean {
  const codes = Object.keys(a);
  return (
    codes.length === Object.keys(b).length &&
    codes.every((code) => Object.hasOwn(b, code) && answersEqual(a[code] ?? null, b[code] ?? null))
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

/** Returns all answers as submitted, before any edit. */
export function originalAnswers({ answers, originals }: EditableAnswers): StoredAnswers {
  const submitted = { ...answers };
  for (const [code, [answer]] of Object.entries(originals ?? {}))
    if (answer === undefined) delete submitted[code];
    else submitted[code] = answer;
  return submitted;
}

type AnswerPatch = Required<Pick<ResponsePatch, 'answers' | 'originals'>>;

/**
 * Creates the patch that sets these answers and the patch that reverts it; null if nothing changes. The first edit of a question stores the
 * replaced answer among the originals; an edit that restores the original removes it.
 */
export function createEditPatch(
  response: EditableAnswers,
  wanted: AnswerStates,
): { before: AnswerPatch; after: AnswerPatch } | null {
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
