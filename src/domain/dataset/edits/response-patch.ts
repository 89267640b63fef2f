import type { StoredAnswer } from '../../answers/codec.ts';
import type { ResponseQuality } from '../../quality/quality-flag.ts';
import type { ResponseStatus } from '../response-row.ts';

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
