import type { StoredAnswers } from '../domain/answers/codec.ts';
import type { ResponseQuality } from '../domain/quality/quality-flag.ts';
import type { ResponseRow, ResponseState, ResponseStatus } from '../domain/dataset/response-row.ts';

/** As domain/quality/flag-review.ts has them: a flag without a review is pending. */
const REVIEWS = `jsonb_path_query_array(quality, '$.flags[*].review')`;
const QUALITY_STATUS = `CASE WHEN coalesce(jsonb_array_length(quality -> 'flags'), 0) = 0 THEN NULL
    WHEN ${REVIEWS} @> '["confirmed"]' THEN 'confirmed'
    WHEN jsonb_array_length(${REVIEWS}) < jsonb_array_length(quality -> 'flags') THEN 'pending' ELSE 'dismissed' END`;
const QUALITY_FLAGS = `(SELECT string_agg(name, ';' ORDER BY name COLLATE "C") FROM (
    SELECT DISTINCT flag ->> 'check' AS name FROM jsonb_array_elements(quality -> 'flags') AS flag) AS checks)`;

/** Metadata columns as PostgreSQL reads them. Times are milliseconds since 1970, flags 0 and 1. */
export const METADATA_SQL: ReadonlyMap<string, string> = new Map([
  ['response_id', 'response_id'],
  ['submission_id', 'submission_id'],
  ['response_status', 'response_status'],
  ['status_reason', 'status_reason'],
  ['end_reason', 'end_reason'],
  ['started_at', milliseconds('started_at')],
  ['completed_at', milliseconds('completed_at')],
  ['updated_at', milliseconds('updated_at')],
  ['duration_seconds', 'duration_seconds'],
  ['last_page_id', 'last_page_id'],
  ['language', 'language'],
  ['link_id', 'link_id'],
  ['wave_id', 'wave_id'],
  ['respondent_id', 'respondent_id'],
  ['external_id', 'external_id'],
  ['survey_version', 'survey_version'],
  ['is_test', 'is_test::integer'],
  ['edited', '(originals IS NOT NULL)::integer'],
  ['quality_status', QUALITY_STATUS],
  ['quality_flags', QUALITY_FLAGS],
]);

/** What every dataset holds of a response. */
export const STATE = `response_id, response_status, is_test, deleted_at IS NOT NULL AS is_deleted,
  coalesce(quality @> '{"flags":[{"review":"confirmed"}]}', false) AS has_confirmed_flags`;
/** A whole response; of the tables responses and surveys (as s). */
export const ROW = `${STATE}, originals IS NOT NULL AS is_edited, ${milliseconds('started_at')} AS started_at,
  ${milliseconds('completed_at')} AS completed_at, duration_seconds, submission_id, status_reason, end_reason, ${milliseconds('updated_at')} AS updated_at, last_page_id, language, link_id,
  wave_id, respondent_id, external_id, survey_version, quality, answers`;

/**
 * The zone whose days times are rounded to, of the table surveys; null where they are exact.
 */
export const DAY_ZONE = 'CASE WHEN is_anonymous THEN time_zone END AS day_zone';

/** An anonymous survey shows only the day (in its time zone), so that no respondent is recognized by the moment of answering; filters and sorting see the day too. */
function milliseconds(column: string): string {
  const result = `CASE WHEN s.is_anonymous THEN date_trunc('day', ${column}, s.time_zone) ELSE ${column} END`;
  return `floor(extract(epoch FROM ${result}) * 1000)::bigint`;
}

/** Condition on responses that a transaction outside a snapshot wrote; binds the snapshot twice. The first half uses the index. */
export const NOT_IN_SNAPSHOT =
  'changed_xid >= pg_snapshot_xmin(?::pg_snapshot) AND NOT pg_visible_in_snapshot(changed_xid, ?::pg_snapshot)';

/** As STATE is read. */
export interface StateRow {
  response_id: number;
  response_status: ResponseStatus;
  is_test: boolean;
  is_deleted: boolean;
  has_confirmed_flags: boolean;
}

/** As ROW is read. */
export interface WholeRow extends StateRow {
  is_edited: boolean;
  started_at: number;
  completed_at: number | null;
  duration_seconds: number | null;
  submission_id: string | null;
  status_reason: string | null;
  end_reason: string | null;
  updated_at: number;
  last_page_id: number | null;
  language: string | null;
  link_id: number | null;
  wave_id: number | null;
  respondent_id: number | null;
  external_id: string | null;
  survey_version: number;
  quality: ResponseQuality | null;
  answers: StoredAnswers;
}

/** Texts of responses: a metadata column, the answers to a question, or what was typed beside its options. */
export interface TextSource {
  kind: 'metadata' | 'answer' | 'other';
  /** Of the metadata column or the question. */
  code: string;
}

/** The bytes of a text; what it binds is the question's code. */
export function bytesOf({ kind, code }: TextSource): string {
  if (kind === 'answer') return 'octet_length(answers ->> ?)';
  if (kind === 'other') {
    // Of one choice, or of each of several.
    const texts = `jsonb_path_query(answers -> ?, 'lax $.other') AS other`;
    return `(SELECT max(octet_length(other #>> '{}')) FROM ${texts})`;
  }
  const column = METADATA_SQL.get(code);
  if (column === undefined) throw new Error(`${code} is no metadata column that is loaded`);
  return `octet_length(${column})`;
}

export function stateOf(row: StateRow): ResponseState {
  return {
    responseId: row.response_id,
    status: row.response_status,
    isTest: row.is_test,
    isDeleted: row.is_deleted,
    hasConfirmedFlags: row.has_confirmed_flags,
  };
}

/** Every member written out: spreading `stateOf` takes three times as long, and exports make millions of these. */
export function wholeRow(row: WholeRow): ResponseRow {
  return {
    responseId: row.response_id,
    status: row.response_status,
    isTest: row.is_test,
    isDeleted: row.is_deleted,
    hasConfirmedFlags: row.has_confirmed_flags,
    isEdited: row.is_edited,
    startedAtMs: row.started_at,
    completedAtMs: row.completed_at,
    durationSeconds: row.duration_seconds,
    submissionId: row.submission_id,
    statusReason: row.status_reason,
    endReason: row.end_reason,
    updatedAtMs: row.updated_at,
    lastPageId: row.last_page_id,
    language: row.language,
    linkId: row.link_id,
    waveId: row.wave_id,
    respondentId: row.respondent_id,
    externalId: row.external_id,
    surveyVersion: row.survey_version,
    quality: row.quality,
    answers: row.answers,
  };
}
