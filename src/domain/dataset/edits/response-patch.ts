import type { StoredAnswer } from '../../answers/codec.ts';
import type { ResponseQuality } from '../../quality/quality-flag.ts';
import type { ResponseStatus } from '../response-row.ts';

/** An answer, or the place where there is none (the question was not shown): `[answer]` or `[]`. */
export type AnswerState = [] | [StoredAnswer | null];

/** By question code what each question's answer is to be, or was. */
export type AnswerStates = Record<string, AnswerState>;

/** What becomes of a stored response; what is not named stays as it is. Moments are ISO 8601. */
export interface ResponsePatch {
  answers?: AnswerStates;
  /** What edits replaced; null: nothing, the response is as it came. */
  originals?: AnswerStates | null;
  status?: ResponseStatus;
  statusReason?: string | null;
  completedAt?: string | null;
  deletedAt?: string | null;
  quality?: ResponseQuality | null;
}
