import type { Database } from '../db/connect.ts';
import { queryRow } from '../db/rows.ts';
import { countRows, type IdPage, selectIdPage } from './list-queries.ts';
import type { ResponseCommentTable } from './tables/responses.ts';
import type { UserTable } from './tables/users.ts';

interface SurveyKey {
  organizationId: number;
  surveyId: number;
}

const COLUMNS = ['comment_id', 'response_id', 'user_id', 'comment_text'] as const;

export type CommentRow = Pick<ResponseCommentTable, (typeof COLUMNS)[number] | 'created_at'> &
  Pick<UserTable, 'user_name'>;

export interface CommentPage extends IdPage {
  /** null: of every response. */
  responseId: number | null;
}

/** Comments of team members on single responses. Comments of a deleted response are never returned. */
export class ResponseCommentRepository {
  constructor(private readonly db: Database) {}

  /** Oldest first. Returns one row more than `limit` if there are more. */
  async listPage(key: SurveyKey, { responseId, ...page }: CommentPage): Promise<CommentRow[]> {
    const columns = { created_at: 'response_comments.created_at' };
    return selectIdPage(
      this.queryVisible(key, responseId).select<CommentRow[]>(...COLUMNS, 'user_name', columns),
      { idColumn: 'comment_id', order: 'oldest_first' },
      page,
    );
  }

  async count(key: SurveyKey, responseId: number | null): Promise<number> {
    return countRows(this.queryVisible(key, responseId));
  }

  async find(key: SurveyKey, commentId: number): Promise<CommentRow | null> {
    const comment = await this.queryVisible(key, null)
      .first(...COLUMNS, 'user_name', { created_at: 'response_comments.created_at' })
      .where('comment_id', commentId);
    return comment ?? null;
  }

  /** Returns null when the survey has no such response, or it is deleted or a preview. */
  async add(
    { organizationId, surveyId }: SurveyKey,
    comment: { responseId: number; userId: number; text: string },
  ): Promise<CommentRow | null> {
    // Raw SQL: an INSERT inside WITH, joined with the author in the same statement.
    return queryRow(
      this.db,
      `WITH added AS (
         INSERT INTO response_comments (survey_id, response_id, organization_id, user_id, comment_text)
         SELECT survey_id, response_id, ?, ?, ? FROM responses
         WHERE survey_id = ? AND response_id = ? AND deleted_at IS NULL AND NOT is_preview
         RETURNING *)
       SELECT ${COLUMNS.join(', ')}, user_name, added.created_at FROM added JOIN users USING (organization_id, user_id)`,
      [organizationId, comment.userId, comment.text, surveyId, comment.responseId],
    );
  }

  async remove({ organizationId, surveyId }: SurveyKey, commentId: number): Promise<void> {
    await this.db('response_comments')
      .where({ organization_id: organizationId, survey_id: surveyId, comment_id: commentId })
      .delete();
  }

  async hasAny(surveyId: number): Promise<boolean> {
    const comment = await this.db('response_comments').first('comment_id').where({ survey_id: surveyId });
    return comment !== undefined;
  }

  /** The number of comments by response_id; responses without comments are absent. */
  async countByResponse(surveyId: number, responseIds: readonly number[]): Promise<Map<number, number>> {
    const rows = await this.db('response_comments')
      .select('response_id')
      .count<{ response_id: number; count: number }[]>('* as count')
      .where({ survey_id: surveyId })
      .whereRaw('response_id = ANY(?::bigint[])', [[...responseIds]])
      .groupBy('response_id');
    return new Map(rows.map((row) => [row.response_id, row.count]));
  }

  private queryVisible({ organizationId, surveyId }: SurveyKey, responseId: number | null) {
    const comments = this.db('response_comments')
      .join('responses', (on) => on.using(['survey_id', 'response_id']))
      .join('users', (on) => on.using(['organization_id', 'user_id']))
      .where({ organization_id: organizationId, survey_id: surveyId })
      .whereNull('responses.deleted_at');
    return responseId === null ? comments : comments.where({ response_id: responseId });
  }
}
