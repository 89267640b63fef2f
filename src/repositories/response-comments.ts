import type { Database } from '../db/connect.ts';
import { requireEntry, requireRow } from '../lib/require-value.ts';
import { countRows, type IdPage, selectIdPage } from './list-queries.ts';
import type { ResponseCommentTable } from './tables/responses.ts';
import type { UserTable } from './tables/users.ts';
import { findUserNames } from './users.ts';

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
    const comments = this.queryVisible(key, responseId).select(...COLUMNS, {
      created_at: 'response_comments.created_at',
    });
    return this.withUserNames(
      await selectIdPage(comments, { idColumn: 'comment_id', order: 'oldest_first' }, page),
    );
  }

  async count(key: SurveyKey, responseId: number | null): Promise<number> {
    return countRows(this.queryVisible(key, responseId));
  }

  async find(key: SurveyKey, commentId: number): Promise<CommentRow | null> {
    const comments = await this.queryVisible(key, null)
      .select(...COLUMNS, { created_at: 'response_comments.created_at' })
      .where('comment_id', commentId);
    return (await this.withUserNames(comments))[0] ?? null;
  }

  /** Returns null when the survey has no such response, or it is deleted or a preview. */
  async add(
    { organizationId, surveyId }: SurveyKey,
    comment: { responseId: number; userId: number; text: string },
  ): Promise<CommentRow | null> {
    const response = await this.db('responses')
      .first('response_id')
      .where({ survey_id: surveyId, response_id: comment.responseId, deleted_at: null, is_preview: false });
    if (response === undefined) return null;
    const added = await this.db('response_comments')
      .insert({
        survey_id: surveyId,
        response_id: comment.responseId,
        organization_id: organizationId,
        user_id: comment.userId,
        comment_text: comment.text,
      })
      .returning([...COLUMNS, 'created_at']);
    return requireRow(await this.withUserNames(added), 'response_comments');
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

  /** Users can be on another server than comments. */
  private async withUserNames<Row extends { user_id: number }>(
    comments: readonly Row[],
  ): Promise<(Row & Pick<UserTable, 'user_name'>)[]> {
    const names = await findUserNames(
      this.db,
      comments.map((row) => row.user_id),
    );
    return comments.map((row) => ({ ...row, user_name: requireEntry(names, row.user_id, 'user') }));
  }

  private queryVisible({ organizationId, surveyId }: SurveyKey, responseId: number | null) {
    const comments = this.db('response_comments')
      .join('responses', (on) => on.using(['survey_id', 'response_id']))
      .where({ organization_id: organizationId, survey_id: surveyId })
      .whereNull('responses.deleted_at');
    return responseId === null ? comments : comments.where({ response_id: responseId });
  }
}
