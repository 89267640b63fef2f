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
