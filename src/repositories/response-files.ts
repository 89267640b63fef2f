import type { Database } from '../db/connect.ts';
import { countOf, rowOf, rowsOf } from '../db/rows.ts';
import type { ResponseStatus } from '../domain/dataset/response-row.ts';

/** A file on its way in. */
interface NewFile {
  surveyId: number;
  fileId: string;
  responseId: number;
  questionCode: string;
  storedName: string;
  originalName: string;
  contentType: string;
}

export interface FileRow {
  file_id: string;
  response_id: number;
  question_code: string;
  stored_name: string;
  original_name: string;
  content_type: string;
  size_bytes: number;
  sha256: string;
  created_at: Date;
}

/** Where a list of files goes on. */
export interface FilePlace {
  responseId: number;
  fileId: string;
}

export interface FileSelection {
  status: readonly ResponseStatus[];
  includeTest: boolean;
}

const FILE = `f.file_id, f.response_id, f.question_code, f.stored_name, f.original_name, f.content_type, f.size_bytes, f.sha256,
  f.created_at`;
const STORED = 'f.stored_at IS NOT NULL AND f.deleted_at IS NULL';
/** Handed in: the response's saved answer names it. Until then a file is its respondent's alone. */
const NAMED = `r.answers -> f.question_code @> to_jsonb(f.file_id::text)`;
const HANDED_IN = `${STORED} AND r.deleted_at IS NULL AND ${NAMED}`;
const OF_RESPONSES = 'response_files f JOIN responses r USING (survey_id, response_id)';

const FIRST_UUID = '00000000-0000-0000-0000-000000000000';

const SELECTED = `f.survey_id = ? AND ${HANDED_IN} AND r.response_status = ANY(?) AND (?::boolean OR NOT r.is_test)`;
const selected = (surveyId: number, { status, includeTest }: FileSelection) => [
  surveyId,
  status,
  includeTest,
];

const ORPHANED = `f.deleted_at IS NULL AND f.created_at < ?
  AND (f.stored_at IS NULL OR r.response_id IS NULL OR (${NAMED}) IS NOT TRUE)`;

export class ResponseFileRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  /** Written before the first byte is stored. */
  async announce(file: NewFile): Promise<void> {
    await countOf(
      this.db,
      `INSERT INTO response_files (survey_id, file_id, response_id, question_code, stored_name, original_name, content_type)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      [
        file.surveyId,
        file.fileId,
        file.responseId,
        file.questionCode,
        file.storedName,
        file.originalName,
        file.contentType,
      ],
    );
  }

  /** The bytes are there. */
  async stored(
    surveyId: number,
    fileId: string,
    facts: { sizeBytes: number; sha256: string },
  ): Promise<FileRow> {
    const row = await rowOf<FileRow>(
      this.db,
      `UPDATE response_files f SET size_bytes = ?, sha256 = ?, stored_at = now()
       WHERE survey_id = ? AND file_id = ? RETURNING ${FILE}`,
      [facts.sizeBytes, facts.sha256, surveyId, fileId],
    );
    return row!;
  }

  /** What is stored for one response, in the order in which it came. */
  ofResponse(surveyId: number, responseId: number): Promise<FileRow[]> {
    return rowsOf(
      this.db,
      `SELECT ${FILE} FROM response_files f WHERE f.survey_id = ? AND f.response_id = ? AND ${STORED}
       ORDER BY f.created_at, f.file_id`,
      [surveyId, responseId],
    );
  }

  /** One that was handed in with a response that is not deleted. */
  handedIn(surveyId: number, fileId: string): Promise<FileRow | null> {
    return rowOf(
      this.db,
      `SELECT ${FILE} FROM ${OF_RESPONSES} WHERE f.survey_id = ? AND f.file_id = ? AND ${HANDED_IN}`,
      [surveyId, fileId],
    );
  }

  /** Those of the selected responses, by response, from a place on. */
  page(
    surveyId: number,
    selection: FileSelection,
    after: FilePlace | null,
    limit: number,
  ): Promise<FileRow[]> {
    return rowsOf(
      this.db,
      `SELECT ${FILE} FROM ${OF_RESPONSES} WHERE ${SELECTED} AND (f.response_id, f.file_id) > (?::bigint, ?::uuid)
       ORDER BY f.response_id, f.file_id LIMIT ?`,
      [...selected(surveyId, selection), after?.responseId ?? 0, after?.fileId ?? FIRST_UUID, limit],
    );
  }

  async count(surveyId: number, selection: FileSelection): Promise<number> {
    const row = await rowOf<{ count: number }>(
      this.db,
      `SELECT count(*) FROM ${OF_RESPONSES} WHERE ${SELECTED}`,
      selected(surveyId, selection),
    );
    return row!.count;
  }

  /** No longer there for anybody; its bytes are to be removed. */
  async markDeleted(surveyId: number, fileId: string): Promise<void> {
    await countOf(
      this.db,
      `UPDATE response_files SET deleted_at = now() WHERE survey_id = ? AND file_id = ?`,
      [surveyId, fileId],
    );
  }

  /**
   * Marks as deleted, some at a time: files from before the moment that are incomplete, or that no saved answer names. True: there
   * were any.
   * Call within a transaction: the responses stay locked against a save that names the file in this very moment.
   */
  async markOrphans(before: Date, atMost: number): Promise<boolean> {
    const candidates = await rowsOf<{ survey_id: number; file_id: string; response_id: number }>(
      this.db,
      `SELECT f.survey_id, f.file_id, f.response_id FROM response_files f LEFT JOIN responses r USING (survey_id, response_id)
       WHERE ${ORPHANED} LIMIT ?`,
      [before, atMost],
    );
    if (candidates.length === 0) return false;
    const surveyIds = candidates.map((candidate) => candidate.survey_id);
    await countOf(
      this.db,
      `SELECT 1 FROM responses JOIN (SELECT DISTINCT * FROM unnest(?::bigint[], ?::bigint[]) AS w (survey_id, response_id)) w
         USING (survey_id, response_id)
       WHERE survey_id = ANY(?::bigint[]) ORDER BY survey_id, response_id FOR UPDATE OF responses`,
      [surveyIds, candidates.map((candidate) => candidate.response_id), surveyIds],
    );
    const marked = await countOf(
      this.db,
      `UPDATE response_files SET deleted_at = now() WHERE survey_id = ANY(?::bigint[]) AND (survey_id, file_id) IN (
         SELECT f.survey_id, f.file_id FROM unnest(?::bigint[], ?::uuid[]) AS w (survey_id, file_id)
         JOIN response_files f USING (survey_id, file_id) LEFT JOIN responses r USING (survey_id, response_id)
         WHERE f.survey_id = ANY(?::bigint[]) AND ${ORPHANED})`,
      [surveyIds, surveyIds, candidates.map((candidate) => candidate.file_id), surveyIds, before],
    );
    return marked > 0;
  }

  /** Of every survey: files whose bytes are still to be removed. */
  deleted(atMost: number): Promise<{ survey_id: number; file_id: string; stored_name: string }[]> {
    return rowsOf(
      this.db,
      `SELECT survey_id, file_id, stored_name FROM response_files WHERE deleted_at IS NOT NULL LIMIT ?`,
      [atMost],
    );
  }
}
