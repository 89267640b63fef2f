import type { StoredAnswer } from '../answers/codec.ts';
import type { ResponseQuality } from '../quality/quality-flag.ts';

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
