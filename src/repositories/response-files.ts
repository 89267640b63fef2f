import { anyOf } from '../db/any-of.ts';
import type { Database } from '../db/connect.ts';
import { queryCount } from '../db/rows.ts';
import type { ResponseStatus } from '../domain/responses/response-row.ts';
import { countRows } from './list-queries.ts';
import { surveyIdsOf } from './response-counts.ts';
import type { ResponseFileTable } from './tables/responses.ts';

/** An upload that begins. */
interface NewFile {
  surveyId: number;
  fileId: string;
  responseId: number;
  questionCode: string;
  storedName: string;
  originalName: string;
  contentType: string;
}

const COLUMNS = [
  'file_id',
  'response_id',
  'question_code',
  'stored_name',
  'original_name',
  'content_type',
  'size_bytes',
  'sha256',
] as const;

/** A completely stored file. */
export type FileRow = Pick<ResponseFileTable, (typeof COLUMNS)[number] | 'created_at'> & {
  size_bytes: number;
  sha256: string;
};

/** The last file of the previous page. */
export interface FilePlace {
  responseId: number;
  fileId: string;
}

export interface FileSelection {
  status: readonly ResponseStatus[];
  includeTest: boolean;
}

/** The response's saved answer names the file. Until then only its respondent may see it. */
const NAMED = 'answers -> question_code @> to_jsonb(file_id::text)';

const FIRST_UUID = '00000000-0000-0000-0000-000000000000';

/** Incomplete, or named by no saved answer; binds the moment before which it was created. */
const ORPHANED = `response_files.deleted_at IS NULL AND created_at < ?
  AND (stored_at IS NULL OR responses.response_id IS NULL OR (${NAMED}) IS NOT TRUE)`;

/**
 * Files that respondents upload as answers: the rows about them, not their bytes. Counts the bytes sent to a survey on a day (UTC) and the
 * bytes stored for an organization.
 */
export class ResponseFileRepository {
  constructor(private readonly db: Database) {}

  /** Inserts the row before the first byte is stored. */
  async create(file: NewFile): Promise<void> {
    await this.db('response_files').insert({
      survey_id: file.surveyId,
      file_id: file.fileId,
      response_id: file.responseId,
      question_code: file.questionCode,
      stored_name: file.storedName,
      original_name: file.originalName,
      content_type: file.contentType,
    });
  }

  /** Records that all bytes are stored. */
  async markStored(
    surveyId: number,
    fileId: string,
    { sizeBytes, sha256 }: { sizeBytes: number; sha256: string },
  ): Promise<FileRow> {
    const [row] = await this.db('response_files')
      .where({ survey_id: surveyId, file_id: fileId })
      .update({ size_bytes: sizeBytes, sha256, stored_at: this.db.fn.now() }, [...COLUMNS, 'created_at']);
    return row as FileRow;
  }

  /** The stored files of one response, oldest first. */
  async listOfResponse(surveyId: number, responseId: number): Promise<FileRow[]> {
    const rows = await this.db('response_files')
      .select(...COLUMNS, 'created_at')
      .where({ survey_id: surveyId, response_id: responseId, deleted_at: null })
      .whereNotNull('stored_at')
      .orderBy(['created_at', 'file_id']);
    return rows as FileRow[];
  }

  /** A stored file that an answer of a response names which is not deleted; null when there is none. */
  async findNamed(surveyId: number, fileId: string): Promise<FileRow | null> {
    const row = await this.queryWithRespondent(surveyId)
      .first(...COLUMNS, 'created_at')
      .where({ file_id: fileId });
    return (row ?? null) as FileRow | null;
  }

  /** Files of the selected responses, by response_id and file_id. `after` null: from the first. */
  async listPage({
    surveyId,
    selection,
    after,
    limit,
  }: {
    surveyId: number;
    selection: FileSelection;
    after: FilePlace | null;
    limit: number;
  }): Promise<FileRow[]> {
    const rows = await this.querySelected(surveyId, selection)
      .select(...COLUMNS, 'created_at')
      .whereRaw('(response_id, file_id) > (?::bigint, ?::uuid)', [
        after?.responseId ?? 0,
        after?.fileId ?? FIRST_UUID,
      ])
      .orderBy(['response_id', 'file_id'])
      .limit(limit);
    return rows as FileRow[];
  }

  async count(surveyId: number, selection: FileSelection): Promise<number> {
    return countRows(this.querySelected(surveyId, selection));
  }

  /** Hides the file from every reader; a scheduled task removes its bytes. */
  async markDeleted(surveyId: number, fileId: string): Promise<void> {
    await this.db('response_files')
      .where({ survey_id: surveyId, file_id: fileId })
      .update({ deleted_at: this.db.fn.now() });
  }

  /**
   * Marks at most `atMost` files as deleted that were created before a moment and are incomplete, or that no saved answer names.
   * Returns whether there were any. Call within a transaction: the lock on the responses keeps out a concurrent save that names one.
   */
  async markOrphans(before: Date, atMost: number): Promise<boolean> {
    const candidates = await this.db('response_files')
      .leftJoin('responses', (on) => on.using(['survey_id', 'response_id']))
      .select('survey_id', 'file_id', 'response_id')
      .whereRaw(ORPHANED, [before])
      .limit(atMost);
    if (candidates.length === 0) return false;
    let marked = 0;
    for (const surveyId of surveyIdsOf(candidates)) {
      const files = candidates.filter((candidate) => candidate.survey_id === surveyId);
      marked += await this.markOrphansOfSurvey(surveyId, files, before);
    }
    return marked > 0;
  }

  private async markOrphansOfSurvey(
    surveyId: number,
    files: readonly Pick<ResponseFileTable, 'file_id' | 'response_id'>[],
    before: Date,
  ): Promise<number> {
    await this.db('responses')
      .select('response_id')
      .where({
        survey_id: surveyId,
        response_id: anyOf(
          this.db,
          files.map((file) => file.response_id),
        ),
      })
      .orderBy('response_id')
      .forUpdate();
    // Raw SQL: an array of UUIDs, and a condition on a left join.
    return queryCount(
      this.db,
      `UPDATE response_files SET deleted_at = now() WHERE survey_id = ? AND file_id IN (
         SELECT file_id FROM response_files LEFT JOIN responses USING (survey_id, response_id)
         WHERE survey_id = ? AND file_id = ANY(?::uuid[]) AND ${ORPHANED})`,
      [surveyId, surveyId, files.map((file) => file.file_id), before],
    );
  }

  /** Deleted files of all surveys whose bytes are not removed yet, in any order. */
  async listDeleted(
    atMost: number,
  ): Promise<Pick<ResponseFileTable, 'survey_id' | 'file_id' | 'stored_name'>[]> {
    return this.db('response_files')
      .select('survey_id', 'file_id', 'stored_name')
      .whereNotNull('deleted_at')
      .limit(atMost);
  }

  private queryWithRespondent(surveyId: number) {
    return this.db('response_files')
      .join('responses', (on) => on.using(['survey_id', 'response_id']))
      .where({ survey_id: surveyId })
      .whereNotNull('stored_at')
      .whereNull('response_files.deleted_at')
      .whereNull('responses.deleted_at')
      .whereRaw(NAMED);
  }

  private querySelected(surveyId: number, { status, includeTest }: FileSelection) {
    const files = this.queryWithRespondent(surveyId).whereRaw('response_status = ANY(?)', [[...status]]);
    return includeTest ? files : files.where({ is_test: false });
  }

  /**
   * Adds to the survey's day (YYYY-MM-DD) unless that exceeds `limitBytes` (0: no limit). False: nothing was added. The conditional
   * update locks the row, so that parallel uploads cannot exceed the limit together.
   */
  async addUploadToDay({
    surveyId,
    day,
    bytes,
    limitBytes,
  }: {
    surveyId: number;
    day: string;
    bytes: number;
    limitBytes: number;
  }): Promise<boolean> {
    // Raw SQL: a conditional INSERT … SELECT without a table, with a conditional update on conflict.
    const added = await queryCount(
      this.db,
      `INSERT INTO daily_uploads (survey_id, day, bytes) SELECT ?, ?::date, ?::bigint WHERE ?::bigint = 0 OR ?::bigint <= ?::bigint
       ON CONFLICT (survey_id, day) DO UPDATE SET bytes = daily_uploads.bytes + excluded.bytes
       WHERE ?::bigint = 0 OR daily_uploads.bytes + excluded.bytes <= ?::bigint`,
      [surveyId, day, bytes, limitBytes, bytes, limitBytes, limitBytes, limitBytes],
    );
    return added > 0;
  }

  /** Adds to the organization of the survey unless that exceeds `limitBytes` (0: no limit). False: nothing was added. */
  async addUploadToOrganization(surveyId: number, bytes: number, limitBytes: number): Promise<boolean> {
    // Raw SQL: a conditional INSERT … SELECT with a conditional update on conflict.
    const added = await queryCount(
      this.db,
      `INSERT INTO upload_totals (organization_id, bytes)
       SELECT organization_id, ?::bigint FROM surveys WHERE survey_id = ? AND (?::bigint = 0 OR ?::bigint <= ?::bigint)
       ON CONFLICT (organization_id) DO UPDATE SET bytes = upload_totals.bytes + excluded.bytes
       WHERE ?::bigint = 0 OR upload_totals.bytes + excluded.bytes <= ?::bigint`,
      [bytes, surveyId, limitBytes, bytes, limitBytes, limitBytes, limitBytes],
    );
    return added > 0;
  }

  /** Records in the file's row how many bytes of the organization's total belong to it. */
  async setOrganizationBytes(surveyId: number, fileId: string, bytes: number): Promise<void> {
    await this.db('response_files')
      .where({ survey_id: surveyId, file_id: fileId })
      .increment('reserved_bytes', bytes);
  }

  /** Deletes the file's row and takes its bytes from the organization's total. Call within a transaction. */
  async removeFile(surveyId: number, fileId: string): Promise<void> {
    const [removed] = await this.db('response_files')
      .where({ survey_id: surveyId, file_id: fileId })
      .delete('reserved_bytes');
    if (removed === undefined || removed.reserved_bytes === 0) return;
    const organization = this.db('surveys').select('organization_id').where({ survey_id: surveyId });
    await this.db('upload_totals')
      .where('organization_id', '=', organization)
      .update({ bytes: this.db.raw('greatest(0, bytes - ?::bigint)', [removed.reserved_bytes]) });
  }

  /** Deletes the days before `day` (YYYY-MM-DD), which no longer limit anything. */
  async removeUploadDaysBefore(day: string): Promise<void> {
    await this.db('daily_uploads').where('day', '<', day).delete();
  }
}
