import type { Database } from '../db/connect.ts';
import { countOf, rowOf, rowsOf } from '../db/rows.ts';
import type { StoredAnswers } from '../domain/answers/codec.ts';
import type { AnswerStates, ResponsePatch } from '../domain/dataset/edits/response-patch.ts';
import type { ResponseStatus } from '../domain/dataset/response-row.ts';
import type { ResponseQuality } from '../domain/quality/quality-flag.ts';
import type { DerivedColumnFields } from './derived-columns.ts';

/** A response as an edit finds it. */
export interface EditableRow {
  response_id: number;
  response_status: ResponseStatus;
  status_reason: string | null;
  started_at: string;
  completed_at: string | null;
  deleted_at: string | null;
  answers: StoredAnswers;
  originals: AnswerStates | null;
  quality: ResponseQuality | null;
}

export interface ColumnBefore {
  column_id: number;
  /** null: there was none. */
  before: DerivedColumnFields | null;
}

interface NewDataChange {
  changeId: number;
  operation: string;
  userId: number | null;
  reason: string | null;
  columnCodes: readonly string[];
  rowsChanged: number;
  cellsChanged: number;
  details: Record<string, unknown>;
  columnsBefore: readonly ColumnBefore[];
}

export interface DataChangeRow {
  change_id: number;
  operation: string;
  user_id: number | null;
  user_name: string | null;
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

export interface ChangesPage {
  /** null: from the latest. */
  beforeId: number | null;
  skip: number;
  limit: number;
}

/** The members that a patch p does not name keep their value of the response r. */
const APPLY = `
  answers = (r.answers - coalesce((SELECT array_agg(a.key) FROM jsonb_each(p.patch -> 'answers') a WHERE a.value = '[]'), '{}'))
    || coalesce((SELECT jsonb_object_agg(a.key, a.value -> 0) FROM jsonb_each(p.patch -> 'answers') a WHERE a.value <> '[]'), '{}'),
  originals = CASE WHEN jsonb_exists(p.patch, 'originals') THEN nullif(p.patch -> 'originals', 'null') ELSE r.originals END,
  response_status = coalesce(p.patch ->> 'status', r.response_status),
  status_reason = CASE WHEN jsonb_exists(p.patch, 'statusReason') THEN p.patch ->> 'statusReason' ELSE r.status_reason END,
  completed_at = CASE WHEN jsonb_exists(p.patch, 'completedAt') THEN (p.patch ->> 'completedAt')::timestamptz ELSE r.completed_at END,
  deleted_at = CASE WHEN jsonb_exists(p.patch, 'deletedAt') THEN (p.patch ->> 'deletedAt')::timestamptz ELSE r.deleted_at END,
  quality = CASE WHEN jsonb_exists(p.patch, 'quality') THEN nullif(p.patch -> 'quality', 'null') ELSE r.quality END,
  quota_cells = CASE WHEN r.wave_id IS NOT NULL AND jsonb_exists(p.patch, 'status') THEN coalesce(r.quota_cells, '{}') ELSE r.quota_cells END,
  updated_at = now()`;

const CHANGE = `change_id, operation, c.user_id, u.user_name, reason, column_codes, rows_changed, cells_changed, details,
  columns_before, c.created_at, undone_at, undone_by`;

/** Changes of collected data: making them, and the log by which they are undone. */
export class DataChangeRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  async reserveId(): Promise<number> {
    const row = await rowOf<{ id: number }>(this.db, `SELECT nextval('data_change_ids') AS id`);
    return row!.id;
  }

  /** Holds these responses until the transaction ends, in the order of their ids; what is no response of the survey is passed over. */
  lockRows(surveyId: number, responseIds: readonly number[]): Promise<EditableRow[]> {
    return rowsOf(
      this.db,
      `SELECT response_id, response_status, status_reason, to_json(started_at) #>> '{}' AS started_at, to_json(completed_at) #>> '{}' AS completed_at,
         to_json(deleted_at) #>> '{}' AS deleted_at, answers, originals, quality
       FROM responses WHERE survey_id = ? AND response_id = ANY(?::bigint[]) AND NOT is_preview
       ORDER BY response_id FOR UPDATE`,
      [surveyId, responseIds],
    );
  }

  /** Writes what the responses become, and what puts them back. A response that the change has touched before keeps its first `before`. */
  async patch(
    surveyId: number,
    changeId: number,
    rows: readonly { responseId: number; before: ResponsePatch; after: ResponsePatch }[],
  ): Promise<void> {
    await countOf(
      this.db,
      `WITH given AS (SELECT * FROM json_to_recordset(?::json) AS g (id bigint, before jsonb, patch jsonb)),
       noted AS (
         INSERT INTO data_change_rows (survey_id, change_id, response_id, before)
         SELECT ?, ?, id, before FROM given ON CONFLICT DO NOTHING)
       UPDATE responses r SET ${APPLY} FROM given p WHERE r.survey_id = ? AND r.response_id = p.id`,
      [
        JSON.stringify(rows.map(({ responseId: id, before, after: patch }) => ({ id, before, patch }))),
        surveyId,
        changeId,
        surveyId,
      ],
    );
  }

  /** Responses that were not there before the change: what puts them back is that they are deleted. */
  async noteCreated(
    surveyId: number,
    changeId: number,
    responseIds: readonly number[],
    deletedAt: Date,
  ): Promise<void> {
    await countOf(
      this.db,
      `INSERT INTO data_change_rows (survey_id, change_id, response_id, before)
       SELECT ?, ?, id, jsonb_build_object('deletedAt', ?::text) FROM unnest(?::bigint[]) AS id`,
      [surveyId, changeId, deletedAt.toISOString(), responseIds],
    );
  }

  /** Which responses the change touched, in the order of their ids. */
  async responsesOf(surveyId: number, changeId: number): Promise<number[]> {
    const rows = await rowsOf<{ response_id: number }>(
      this.db,
      `SELECT response_id FROM data_change_rows WHERE survey_id = ? AND change_id = ? ORDER BY response_id`,
      [surveyId, changeId],
    );
    return rows.map((row) => row.response_id);
  }

  /** Puts every response of a change back, but for seeded ones that were removed since. */
  async restoreRows(surveyId: number, changeId: number): Promise<void> {
    await countOf(
      this.db,
      `UPDATE responses r SET ${APPLY}
       FROM (SELECT response_id, before AS patch FROM data_change_rows WHERE survey_id = ? AND change_id = ?) p
       WHERE r.survey_id = ? AND r.response_id = p.response_id AND coalesce(r.seed_removal, 0) < ?`,
      [surveyId, changeId, surveyId, changeId],
    );
  }

  async add(surveyId: number, change: NewDataChange): Promise<void> {
    await countOf(
      this.db,
      `INSERT INTO data_changes (survey_id, change_id, operation, user_id, reason, column_codes, rows_changed, cells_changed,
         details, columns_before)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        surveyId,
        change.changeId,
        change.operation,
        change.userId,
        change.reason,
        JSON.stringify(change.columnCodes),
        change.rowsChanged,
        change.cellsChanged,
        JSON.stringify(change.details),
        JSON.stringify(change.columnsBefore),
      ],
    );
  }

  /** Latest first, those before `beforeId`, without the first `skip`. */
  list(surveyId: number, { beforeId, skip, limit }: ChangesPage): Promise<DataChangeRow[]> {
    return rowsOf(
      this.db,
      `SELECT ${CHANGE} FROM data_changes c LEFT JOIN users u USING (user_id)
       WHERE survey_id = ? AND change_id < coalesce(?::bigint, 9223372036854775807) ORDER BY change_id DESC OFFSET ? LIMIT ?`,
      [surveyId, beforeId, skip, limit],
    );
  }

  async count(surveyId: number): Promise<number> {
    const row = await rowOf<{ count: number }>(
      this.db,
      `SELECT count(*) FROM data_changes WHERE survey_id = ?`,
      [surveyId],
    );
    return row!.count;
  }

  find(surveyId: number, changeId: number): Promise<DataChangeRow | null> {
    return rowOf(
      this.db,
      `SELECT ${CHANGE} FROM data_changes c LEFT JOIN users u USING (user_id) WHERE survey_id = ? AND change_id = ?`,
      [surveyId, changeId],
    );
  }

  /** Changes made after this one that still stand, latest first. */
  async laterStanding(surveyId: number, changeId: number): Promise<number[]> {
    const rows = await rowsOf<{ change_id: number }>(
      this.db,
      `SELECT change_id FROM data_changes WHERE survey_id = ? AND change_id > ? AND undone_at IS NULL
       ORDER BY change_id DESC LIMIT 20`,
      [surveyId, changeId],
    );
    return rows.map((row) => row.change_id);
  }

  async noteUndone(surveyId: number, changeId: number, userId: number): Promise<void> {
    await countOf(
      this.db,
      `UPDATE data_changes SET undone_at = now(), undone_by = ? WHERE survey_id = ? AND change_id = ?`,
      [userId, surveyId, changeId],
    );
  }
}
