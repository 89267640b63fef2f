import type { StoredAnswers } from '../../domain/questions/answers/codec.ts';
import type { ColumnSpec, StoredColumnValue } from '../../domain/columns/column-spec.ts';
import type { AnswerStates, ResponsePatch, ResponseStatus } from '../../domain/responses/response-row.ts';
import type { DerivedDefinition } from '../../domain/derived/derived-column.ts';
import type { Presentation } from '../../domain/responses/presentation.ts';
import type { PageTimes } from '../../domain/quality/speeder.ts';
import type { ResponseQuality } from '../../domain/responses/quality-flag.ts';
import type { Table } from './table.ts';

export interface ResponseTable {
  survey_id: number;
  response_id: number;
  submission_id: string | null;
  response_token: string;
  response_status: ResponseStatus;
  status_reason: string | null;
  survey_version: number;
  link_id: number | null;
  /** The response to an anonymous survey came through a link of one person. */
  hides_link: boolean;
  wave_id: number | null;
  respondent_id: number | null;
  external_id: string | null;
  language: string | null;
  last_page_id: number | null;
  is_test: boolean;
  started_at: Date;
  completed_at: Date | null;
  updated_at: Date;
  duration_seconds: number | null;
  deleted_at: Date | null;
  answers: StoredAnswers;
  /** What edits replaced, by question code; null: nothing was edited. */
  originals: AnswerStates | null;
  /** Values of the link's hidden fields. */
  hidden: Record<string, string> | null;
  changed_xid: string;
  /** The oid of the table that it was written in. */
  changed_in: number;
  is_preview: boolean;
  end_reason: string | null;
  page_times: PageTimes | null;
  /** null: nothing was random. */
  presentation: Presentation | null;
  address_hash: string | null;
  fingerprint: string | null;
  quality: ResponseQuality | null;
  consented_at: Date | null;
  is_seeded: boolean;
  seed_removal: number | null;
  quota_cells: number[] | null;
  client_secret_hash: string | null;
  /** The time zone to whose days the database rounds the times of a response to an anonymous survey; null: they are exact. */
  day_zone: string | null;
  /** It is in progress, so that its times are not rounded yet. */
  has_exact_times: boolean;
  /** The response whose answers it carries; null: none. */
  previous_survey_id: number | null;
  previous_response_id: number | null;
}

interface ArmCountTable {
  survey_id: number;
  block_id: number;
  arm_code: string;
  slot: number;
  completes: number;
}

interface ArmReservationTable {
  survey_id: number;
  block_id: number;
  response_token: string;
  arm_code: string;
  reserved_until: Date;
}

interface ResponseCountTable {
  survey_id: number;
  link_id: number;
  slot: number;
  response_count: number;
  complete_count: number;
}

interface HourlyCompletesTable {
  survey_id: number;
  /** Hours since 1970 UTC. */
  hour: number;
  slot: number;
  quarter_1: number;
  quarter_2: number;
  quarter_3: number;
  quarter_4: number;
}

export interface ResponseFileTable {
  survey_id: number;
  file_id: string;
  response_id: number;
  question_code: string;
  stored_name: string;
  original_name: string;
  content_type: string;
  size_bytes: number | null;
  sha256: string | null;
  created_at: Date;
  stored_at: Date | null;
  deleted_at: Date | null;
  reserved_bytes: number;
}

export interface ResponseCommentTable {
  survey_id: number;
  comment_id: number;
  response_id: number;
  organization_id: number;
  user_id: number;
  comment_text: string;
  created_at: Date;
}

/** A derived column as it was before a change. */
export interface ColumnBefore {
  column_id: number;
  /** null: the change created the column, or the column is erased. */
  before: DerivedColumnFields | null;
  /** The column was deleted and is erased since, so the change cannot be undone. */
  erased?: true;
}

export interface DataChangeTable {
  survey_id: number;
  change_id: number;
  operation: string;
  user_id: number | null;
  reason: string | null;
  column_codes: string[];
  rows_changed: number;
  cells_changed: number;
  details: Record<string, unknown>;
  columns_before: ColumnBefore[];
  created_at: Date;
  undone_at: Date | null;
  undone_by: number | null;
}

interface DataChangeRowTable {
  survey_id: number;
  change_id: number;
  response_id: number;
  before: ResponsePatch;
}

export interface DerivedColumnTable {
  survey_id: number;
  column_id: number;
  column_code: string;
  label: string;
  column_type: ColumnSpec['type'];
  measure: ColumnSpec['measure'];
  column_values: StoredColumnValue[];
  date_precision: ColumnSpec['precision'];
  definition: DerivedDefinition;
  sources: string[];
  version: number;
  created_by: number | null;
  created_at: Date;
  updated_at: Date;
  deleted_at: Date | null;
}

/** What a change of a derived column can replace. `deleted_at` is ISO 8601 where it comes from JSON. */
export interface DerivedColumnFields extends Pick<
  DerivedColumnTable,
  | 'column_code'
  | 'label'
  | 'column_type'
  | 'measure'
  | 'column_values'
  | 'date_precision'
  | 'definition'
  | 'sources'
> {
  deleted_at: Date | string | null;
}

interface FrozenValueTable {
  survey_id: number;
  column_id: number;
  values_version: number;
  part: number;
  response_ids: Buffer;
  cells: Buffer;
}

export interface ResponseSegmentTable {
  segment_id: number;
  unit: string;
  survey_id: number;
  layout: Buffer;
  checksum: Buffer;
  data: Buffer;
}

/** Consecutive responses whose cells are stored together. */
export interface SegmentRange {
  segment_id: number;
  /** response_id of its last response; it begins after the last one of the range before. */
  last_id: number;
  rows: number;
}

export interface SurveySegmentTable {
  survey_id: number;
  snapshot: string;
  /** Where the snapshot is valid; see Watermark. */
  source: string;
  ranges: SegmentRange[];
  day_zone: string | null;
}

interface DailyUploadTable {
  survey_id: number;
  day: Date;
  bytes: number;
}

interface UploadTotalTable {
  organization_id: number;
  bytes: number;
}

declare module 'knex/types/tables.js' {
  interface Tables {
    responses: Table<
      ResponseTable,
      | 'response_id'
      | 'is_test'
      | 'started_at'
      | 'updated_at'
      | 'answers'
      | 'changed_xid'
      | 'changed_in'
      | 'is_preview'
      | 'hides_link'
      | 'has_exact_times'
      | 'is_seeded',
      'answers' | 'originals' | 'hidden' | 'page_times' | 'presentation' | 'quality'
    >;
    arm_counts: Table<ArmCountTable>;
    arm_reservations: Table<ArmReservationTable>;
    response_counts: Table<ResponseCountTable>;
    hourly_completes: Table<HourlyCompletesTable>;
    response_files: Table<ResponseFileTable, 'created_at' | 'reserved_bytes'>;
    response_comments: Table<ResponseCommentTable, 'comment_id' | 'created_at'>;
    data_changes: Table<
      DataChangeTable,
      'change_id' | 'column_codes' | 'details' | 'columns_before' | 'created_at',
      'column_codes' | 'details' | 'columns_before'
    >;
    data_change_rows: Table<DataChangeRowTable, never, 'before'>;
    derived_columns: Table<
      DerivedColumnTable,
      'column_id' | 'column_values' | 'sources' | 'version' | 'created_at' | 'updated_at',
      'column_values' | 'definition' | 'sources'
    >;
    frozen_values: Table<FrozenValueTable>;
    response_segments: Table<ResponseSegmentTable>;
    survey_segments: Table<SurveySegmentTable, never, 'ranges'>;
    daily_uploads: Table<DailyUploadTable>;
    upload_totals: Table<UploadTotalTable>;
  }
}
