import type { Database } from '../db/connect.ts';
import { queryCount, queryRow } from '../db/rows.ts';
import type { AnswerState, ResponsePatch } from '../domain/responses/response-row.ts';
import { requireValue } from '../lib/require-value.ts';
import type { CurrentState } from '../domain/dataset/changed-cells.ts';
import { countRows, type IdPage, selectIdPage } from './list-queries.ts';
import type { ColumnBefore, DataChangeTable, ResponseTable } from './tables/responses.ts';
import { findUserNames } from './users.ts';

const EDITABLE = [
  'response_id',
  'response_status',
  'status_reason',
  'answers',
  'originals',
  'quality',
] as const;

/** A locked response before an edit. Moments are ISO 8601 with microseconds, so that undo restores them exactly. */
export interface EditableRow extends Pick<ResponseTable, (typeof EDITABLE)[number]> {
  started_at: string;
  completed_at: string | null;
  deleted_at: string | null;
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

/** A response that a change touched, with what is needed to compare it before and after the change. */
export interface ChangedRow {
  responseId: number;
  before: ResponsePatch;
  /** What later changes replaced, oldest first. */
  later: ResponsePatch[];
  current: CurrentState;
}

const COLUMNS = [
  'change_id',
  'operation',
  'user_id',
  'reason',
  'column_codes',
  'rows_changed',
  'cells_changed',
  'details',
  'columns_before',
  'undone_at',
  'undone_by',
] as const;

export type DataChangeRow = Pick<DataChangeTable, (typeof COLUMNS)[number] | 'created_at'> & {
  /** null: the change has no user, or the user no longer exists. */
  user_name: string | null;
};

/** Applies a patch p to the response r. Members that the patch does not name keep their value. */
const APPLY = `
  answers = (r.answers - coalesce((SELECT array_agg(a.key) FROM jsonb_each(p.patch -> 'answers') a WHERE a.value = '[]'), '{}'))
    || coalesce((SELECT jsonb_object_agg(a.key, a.value -> 0) FROM jsonb_each(p.patch -> 'answers') a WHERE a.value <> '[]'), '{}'),
  originals = CASE WHEN jsonb_exists(p.patch, 'originals') THEN nullif(p.patch -> 'originals', 'null') ELSE r.originals END,
  response_status = coalesce(p.patch ->> 'status', r.response_status),
  status_reason = CASE WHEN jsonb_exists(p.patch, 'statusReason') THEN p.patch ->> 'statusReason' ELSE r.status_reason END,
  completed_at = CASE WHEN jsonb_exists(p.patch, 'completedAt') THEN iso_timestamp(p.patch ->> 'completedAt') ELSE r.completed_at END,
  deleted_at = CASE WHEN jsonb_exists(p.patch, 'deletedAt') THEN iso_timestamp(p.patch ->> 'deletedAt') ELSE r.deleted_at END,
  quality = CASE WHEN jsonb_exists(p.patch, 'quality') THEN nullif(p.patch -> 'quality', 'null') ELSE r.quality END,
  quota_cells = CASE WHEN r.wave_id IS NOT NULL AND jsonb_exists(p.patch, 'status') THEN coalesce(r.quota_cells, '{}') ELSE r.quota_cells END,
  updated_at = now()`;

/** Whether a change concerned nothing but columns that are erased. */
const ONLY_ERASED = `rows_changed = 0 AND columns_before <> '[]'
  AND NOT EXISTS (SELECT FROM jsonb_array_elements(columns_before) AS part WHERE NOT jsonb_exists(part, 'erased'))`;

/** Changes of collected data, and the log that undoes them. */
export class DataChangeRepository {
  constructor(private readonly db: Database) {}

  async reserveId(): Promise<number> {
    // Raw SQL: the builder does not know sequences.
    const row = requireValue(
      await queryRow<{ id: number }>(this.db, `SELECT nextval('data_change_ids') AS id`),
      'data change id',
    );
    return row.id;
  }

  /** Locks these responses until the transaction ends, by response_id. Ids that the survey does not have are left out. */
  async lockRows(surveyId: number, responseIds: readonly number[]): Promise<EditableRow[]> {
    return this.db('responses')
      .select(...EDITABLE, {
        started_at: this.db.raw<string>(`to_json(started_at) #>> '{}'`),
        completed_at: this.db.raw<string | null>(`to_json(completed_at) #>> '{}'`),
        deleted_at: this.db.raw<string | null>(`to_json(deleted_at) #>> '{}'`),
      })
      .where({ survey_id: surveyId, is_preview: false })
      .whereRaw('response_id = ANY(?::bigint[])', [[...responseIds]])
      .orderBy('response_id')
      .forUpdate();
  }

  /** Writes the changed responses and the patches that undo it. A response that the change touched before keeps its first `before`. */
  async patch(
    surveyId: number,
    changeId: number,
    rows: readonly { responseId: number; before: ResponsePatch; after: ResponsePatch }[],
  ): Promise<void> {
    // Raw SQL: bulk statements from JSON recordsets.
    await queryCount(
      this.db,
      `INSERT INTO data_change_rows (survey_id, change_id, response_id, before)
       SELECT ?, ?, id, before FROM json_to_recordset(?::json) AS g (id bigint, before jsonb) ON CONFLICT DO NOTHING`,
      [surveyId, changeId, JSON.stringify(rows.map(({ responseId: id, before }) => ({ id, before })))],
    );
    // Raw SQL: as above.
    await queryCount(
      this.db,
      `UPDATE responses r SET ${APPLY} FROM json_to_recordset(?::json) AS p (id bigint, patch jsonb)
       WHERE r.survey_id = ? AND r.response_id = p.id`,
      [JSON.stringify(rows.map(({ responseId: id, after: patch }) => ({ id, patch }))), surveyId],
    );
  }

  /** Records responses that the change created. Undoing it deletes them. */
  async recordCreated({
    surveyId,
    changeId,
    responseIds,
    deletedAt,
  }: {
    surveyId: number;
    changeId: number;
    responseIds: readonly number[];
    deletedAt: Date;
  }): Promise<void> {
    // Raw SQL: a bulk insert from unnest.
    await queryCount(
      this.db,
      `INSERT INTO data_change_rows (survey_id, change_id, response_id, before)
       SELECT ?, ?, id, jsonb_build_object('deletedAt', ?::text) FROM unnest(?::bigint[]) AS id`,
      [surveyId, changeId, deletedAt.toISOString(), responseIds],
    );
  }

  /** The response_id of the responses that the change touched, ascending. */
  async listResponseIds(surveyId: number, changeId: number): Promise<number[]> {
    return this.db('data_change_rows')
      .where({ survey_id: surveyId, change_id: changeId })
      .orderBy('response_id')
      .pluck('response_id');
  }

  /** The responses that the change touched, by response_id, with one more than `limit` if there are more. */
  async listChangedRows(
    surveyId: number,
    changeId: number,
    page: IdPage,
  ): Promise<{ found: ChangedRow[]; total: number }> {
    const touched = () => this.db('data_change_rows').where({ survey_id: surveyId, change_id: changeId });
    const rows = await selectIdPage(
      touched().select('response_id', 'before'),
      { idColumn: 'response_id', order: 'oldest_first' },
      page,
    );
    const ids = rows.map(({ response_id: id }) => id);
    const later = await this.db('data_change_rows')
      .select('response_id', 'before')
      .where({ survey_id: surveyId })
      .where('change_id', '>', changeId)
      .whereRaw('response_id = ANY(?::bigint[])', [ids])
      .orderBy('change_id');
    const current = new Map(
      (await this.currentRowsOf(surveyId, ids)).map((row) => [row.response_id, row] as const),
    );
    const found = rows.flatMap(({ response_id: responseId, before }): ChangedRow[] => {
      const now = current.get(responseId);
      if (now === undefined) return [];
      return [
        {
          responseId,
          before,
          later: later.flatMap((each) => (each.response_id === responseId ? [each.before] : [])),
          current: {
            answers: Object.fromEntries(
              Object.entries(now.answers).map(([code, answer]): [string, AnswerState] => [code, [answer]]),
            ),
            status: now.response_status,
            deletedAt: now.deleted_at?.toISOString() ?? null,
            quality: now.quality,
          },
        },
      ];
    });
    return { found, total: await countRows(touched()) };
  }

  private currentRowsOf(surveyId: number, ids: readonly number[]) {
    return this.db('responses')
      .select('response_id', 'answers', 'response_status', 'deleted_at', 'quality')
      .where({ survey_id: surveyId, is_preview: false })
      .whereRaw('response_id = ANY(?::bigint[])', [[...ids]]);
  }

  /** Restores every response of a change, except seeded ones that were removed since. */
  async restoreRows(surveyId: number, changeId: number): Promise<void> {
    // Raw SQL: an UPDATE from a query, with JSON expressions for every column.
    await queryCount(
      this.db,
      `UPDATE responses r SET ${APPLY}
       FROM (SELECT response_id, before AS patch FROM data_change_rows WHERE survey_id = ? AND change_id = ?) p
       WHERE r.survey_id = ? AND r.response_id = p.response_id AND coalesce(r.seed_removal, 0) < ?`,
      [surveyId, changeId, surveyId, changeId],
    );
  }

  async add(surveyId: number, change: NewDataChange): Promise<void> {
    await this.db('data_changes').insert({
      survey_id: surveyId,
      change_id: change.changeId,
      operation: change.operation,
      user_id: change.userId,
      reason: change.reason,
      column_codes: JSON.stringify(change.columnCodes),
      rows_changed: change.rowsChanged,
      cells_changed: change.cellsChanged,
      details: JSON.stringify(change.details),
      columns_before: JSON.stringify(change.columnsBefore),
    });
  }

  /** Latest first. Returns one row more than `limit` if there are more. */
  async list(surveyId: number, page: IdPage): Promise<DataChangeRow[]> {
    const changes = this.db('data_changes')
      .select(...COLUMNS, 'created_at')
      .where({ survey_id: surveyId });
    return this.withUserNames(
      await selectIdPage(changes, { idColumn: 'change_id', order: 'newest_first' }, page),
    );
  }

  async count(surveyId: number): Promise<number> {
    return countRows(this.db('data_changes').where({ survey_id: surveyId }));
  }

  async find(surveyId: number, changeId: number): Promise<DataChangeRow | null> {
    const changes = await this.db('data_changes')
      .select(...COLUMNS, 'created_at')
      .where({ survey_id: surveyId, change_id: changeId });
    return (await this.withUserNames(changes))[0] ?? null;
  }

  /**
   * The change_id of at most 20 later changes that are not undone, latest first. Leaves out changes that concerned nothing but erased
   * columns: what they changed no longer exists.
   */
  async listLaterNotUndone(surveyId: number, changeId: number): Promise<number[]> {
    return this.db('data_changes')
      .where({ survey_id: surveyId })
      .where('change_id', '>', changeId)
      .whereNull('undone_at')
      .whereRaw(`NOT (${ONLY_ERASED})`)
      .orderBy('change_id', 'desc')
      .limit(20)
      .pluck('change_id');
  }

  async markUndone(surveyId: number, changeId: number, userId: number): Promise<void> {
    await this.db('data_changes')
      .where({ survey_id: surveyId, change_id: changeId })
      .update({ undone_at: this.db.fn.now(), undone_by: userId });
  }

  /** Users can be on another server than changes. */
  private async withUserNames<Row extends { user_id: number | null }>(
    changes: readonly Row[],
  ): Promise<(Row & Pick<DataChangeRow, 'user_name'>)[]> {
    const names = await findUserNames(
      this.db,
      changes.flatMap((row) => row.user_id ?? []),
    );
    return changes.map((row) => ({ ...row, user_name: names.get(row.user_id ?? 0) ?? null }));
  }
}
