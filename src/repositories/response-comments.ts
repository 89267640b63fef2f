import type { Database } from '../db/connect.ts';
import { countOf, rowOf, rowsOf } from '../db/rows.ts';

interface SurveyKey {
  organizationId: number;
  surveyId: number;
}

export interface CommentRow {
  comment_id: number;
  response_id: number;
  user_id: number;
  user_name: string;
  comment_text: string;
  created_at: Date;
}

export interface CommentPage {
  /** null: of every response. */
  responseId: number | null;
  /** Go on after this comment. */
  afterId: number;
  skip: number;
  limit: number;
}

/** A comment is shown as long as its response is. */
const SHOWN = `response_comments c JOIN users u USING (organization_id, user_id)
  JOIN responses r ON r.survey_id = c.survey_id AND r.response_id = c.response_id AND r.deleted_at IS NULL`;
const COLUMNS = 'comment_id, c.response_id, user_id, user_name, comment_text, c.created_at';

/** What people say about single responses. */
export class ResponseCommentRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  /** In the order in which they were written. */
  page(
    { organizationId, surveyId }: SurveyKey,
    { responseId, afterId, skip, limit }: CommentPage,
  ): Promise<CommentRow[]> {
    return rowsOf(
      this.db,
      `SELECT ${COLUMNS} FROM ${SHOWN}
       WHERE organization_id = ? AND c.survey_id = ? AND (?::bigint IS NULL OR c.response_id = ?) AND comment_id > ?
       ORDER BY comment_id OFFSET ? LIMIT ?`,
      [organizationId, surveyId, responseId, responseId, afterId, skip, limit],
    );
  }

  async count({ organizationId, surveyId }: SurveyKey, responseId: number | null): Promise<number> {
    const row = await rowOf<{ count: number }>(
      this.db,
      `SELECT count(*) FROM ${SHOWN}
       WHERE organization_id = ? AND c.survey_id = ? AND (?::bigint IS NULL OR c.response_id = ?)`,
      [organizationId, surveyId, responseId, responseId],
    );
    return row!.count;
  }

  find({ organizationId, surveyId }: SurveyKey, commentId: number): Promise<CommentRow | null> {
    return rowOf(
      this.db,
      `SELECT ${COLUMNS} FROM ${SHOWN} WHERE organization_id = ? AND c.survey_id = ? AND comment_id = ?`,
      [organizationId, surveyId, commentId],
    );
  }

  /** null: the survey has no such response, or no longer. */
  async add(
    { organizationId, surveyId }: SurveyKey,
    comment: { responseId: number; userId: number; text: string },
  ): Promise<CommentRow | null> {
    return rowOf(
      this.db,
      `WITH added AS (
         INSERT INTO response_comments (survey_id, response_id, organization_id, user_id, comment_text)
         SELECT survey_id, response_id, ?, ?, ? FROM responses
         WHERE survey_id = ? AND response_id = ? AND deleted_at IS NULL AND NOT is_preview
         RETURNING *)
       SELECT ${COLUMNS} FROM added c JOIN users u USING (organization_id, user_id)`,
      [organizationId, comment.userId, comment.text, surveyId, comment.responseId],
    );
  }

  async remove({ organizationId, surveyId }: SurveyKey, commentId: number): Promise<void> {
    await countOf(
      this.db,
      `DELETE FROM response_comments WHERE organization_id = ? AND survey_id = ? AND comment_id = ?`,
      [organizationId, surveyId, commentId],
    );
  }

  async hasAny(surveyId: number): Promise<boolean> {
    const row = await rowOf(this.db, `SELECT 1 FROM response_comments WHERE survey_id = ? LIMIT 1`, [
      surveyId,
    ]);
    return row !== null;
  }

  /** How many comments each of the responses has; those without any are not in it. */
  async counts(surveyId: number, responseIds: readonly number[]): Promise<Map<number, number>> {
    const rows = await rowsOf<{ response_id: number; count: number }>(
      this.db,
      `SELECT response_id, count(*) FROM response_comments
       WHERE survey_id = ? AND response_id = ANY(?::bigint[]) GROUP BY response_id`,
      [surveyId, responseIds],
    );
    return new Map(rows.map((row) => [row.response_id, row.count]));
  }
}
