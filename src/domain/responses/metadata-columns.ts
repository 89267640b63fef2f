import { FLAG_VALUES } from '../questions/answers/codec.ts';
import { listFlaggedChecks, qualityStatus, REVIEW_STATES } from './quality-flag.ts';
import type { ColumnSpec, ColumnValue } from '../columns/column-spec.ts';
import { RESPONSE_STATUSES, type ResponseRow } from './response-row.ts';

/** Reads the value of a response: dates in milliseconds, flags as 0 or 1. */
type Reader = (row: ResponseRow) => string | number | null;

/** A column present in every survey. */
export interface MetadataColumn {
  spec: ColumnSpec;
  read: Reader;
}

/** Describes a column that the server fills. */
export function metadataSpec(
  columnCode: string,
  label: string,
  { type, ...extras }: Pick<ColumnSpec, 'type'> & Partial<ColumnSpec>,
): ColumnSpec {
  return {
    columnCode,
    label,
    questionId: null,
    type,
    measure: 'nominal',
    source: 'metadata',
    values: [],
    editable: false,
    retired: false,
    precision: null,
    ...extras,
  };
}

/** Returns values numbered in order. */
export const columnValues = (values: readonly { value: string; label: string }[]): ColumnValue[] =>
  values.map(({ value, label }, index) => ({
    code: index + 1,
    value,
    number: index + 1,
    label,
    missing: false,
  }));

const column = (spec: ColumnSpec, read: Reader): MetadataColumn => ({ spec, read });

const timestamp = (columnCode: string, label: string) =>
  metadataSpec(columnCode, label, { type: 'date', measure: 'scale', precision: 'datetime' });
/** Ids and version numbers are nominal. */
const id = (columnCode: string, label: string) => metadataSpec(columnCode, label, { type: 'number' });
const text = (columnCode: string, label: string) => metadataSpec(columnCode, label, { type: 'text' });
const flag = (columnCode: string, label: string) =>
  metadataSpec(columnCode, label, { type: 'binary', values: [...FLAG_VALUES] });

const STATUS_LABELS = { complete: 'Complete', partial: 'Partial', screened_out: 'Screened out' };
const status = metadataSpec('response_status', 'Status', {
  type: 'categorical',
  values: columnValues(RESPONSE_STATUSES.map((value) => ({ value, label: STATUS_LABELS[value] }))),
});
const REVIEW_LABELS = { pending: 'Pending', confirmed: 'Confirmed', dismissed: 'Dismissed' };
const quality = metadataSpec('quality_status', 'Quality flags reviewed', {
  type: 'categorical',
  values: columnValues(REVIEW_STATES.map((value) => ({ value, label: REVIEW_LABELS[value] }))),
});
/** Time taken for the response, in seconds. */
export const DURATION_COLUMN = 'duration_seconds';
const duration = metadataSpec(DURATION_COLUMN, 'Duration in seconds', { type: 'number', measure: 'scale' });

/** Its values are the survey's waves; the catalog adds their names. */
export const WAVE_COLUMN = 'wave_id';

/** The published version that the respondent answered; 0 before the first. */
export const VERSION_COLUMN = 'survey_version';

/** Marks deleted rows, for outputs that include them. */
export const DELETED_FLAG = column(flag('deleted', 'Deleted'), (row) => Number(row.isDeleted));

/** In the order of a data file. Their codes are reserved for questions and derived columns. */
export const METADATA_COLUMNS: readonly MetadataColumn[] = [
  column(id('response_id', 'Response'), (row) => row.responseId),
  column(text('submission_id', 'Submission'), (row) => row.submissionId),
  column(status, (row) => row.status),
  column(text('status_reason', 'Reason of the status'), (row) => row.statusReason),
  column(text('end_reason', 'Reason given by the skip rule'), (row) => row.endReason),
  column(timestamp('started_at', 'Started at'), (row) => row.startedAtMs),
  column(timestamp('completed_at', 'Completed at'), (row) => row.completedAtMs),
  column(timestamp('updated_at', 'Last changed at'), (row) => row.updatedAtMs),
  column(duration, (row) => row.durationSeconds),
  column(id('last_page_id', 'Last page'), (row) => row.lastPageId),
  column(text('language', 'Language'), (row) => row.language),
  column(id('link_id', 'Link'), (row) => row.linkId),
  column(id(WAVE_COLUMN, 'Wave'), (row) => row.waveId),
  column(id('respondent_id', 'Respondent'), (row) => row.respondentId),
  column(text('external_id', 'External id'), (row) => row.externalId),
  column(id(VERSION_COLUMN, 'Survey version'), (row) => row.surveyVersion),
  column(flag('is_test', 'Test response'), (row) => Number(row.isTest)),
  column(flag('edited', 'Edited'), (row) => Number(row.isEdited)),
  column(quality, (row) => qualityStatus(row.quality)),
  column(text('quality_flags', 'Quality flags'), (row) => listFlaggedChecks(row.quality)),
];
