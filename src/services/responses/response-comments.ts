import { type Caller, isAdmin } from '../../domain/access/caller.ts';
import type { SurveyScope } from '../../domain/access/scopes.ts';
import { onlyPermittedTo } from '../../lib/error-messages.ts';
import { notFound } from '../../lib/errors.ts';
import type { CommentPage, CommentRow } from '../../repositories/response-comments.ts';
import type { Store } from '../../repositories/store.ts';

/** Returns counts by response; responses without comments are omitted. */
export type CommentCounter = (responseIds: readonly number[]) => Promise<ReadonlyMap<number, number>>;

const NO_COMMENTS: ReadonlyMap<number, number> = new Map();

/** Comments on single responses. */
export class ResponseCommentService {
  constructor(private readonly store: Store) {}

  async list(scope: SurveyScope, page: CommentPage): Promise<{ found: CommentRow[]; total: number }> {
    const { responseComments, responseData } = this.store.read;
    if (page.responseId !== null) {
      if (!(await responseData.isVisible(scope.surveyId, page.responseId))) throw notFound('response');
    }
    const [found, total] = await Promise.all([
      responseComments.listPage(scope, page),
      responseComments.count(scope, page.responseId),
    ]);
    return { found, total };
  }

  /** Returns a counter of comments; it runs no queries if the survey has no comments. */
  async createCounter(scope: SurveyScope): Promise<CommentCounter> {
    const { responseComments } = this.store.read;
    if (!(await responseComments.hasAny(scope.surveyId))) return () => Promise.resolve(NO_COMMENTS);
    return (responseIds) => responseComments.countByResponse(scope.surveyId, responseIds);
  }

  add(scope: SurveyScope, responseId: number, text: string): Promise<CommentRow> {
    return this.store.transaction(async ({ responseComments, audit }) => {
      const added = await responseComments.add(scope, { responseId, userId: scope.userId, text });
      if (added === null) throw notFound('response');
      await audit.record(auditEntry(scope, 'added', added));
      return added;
    });
  }

  /** Deletes the caller's own comment; admins can delete any comment. */
  remove(scope: SurveyScope, caller: Pick<Caller, 'role'>, commentId: number): Promise<void> {
    return this.store.transaction(async ({ responseComments, audit }) => {
      const comment = await responseComments.find(scope, commentId);
      if (comment === null) throw notFound('comment');
      if (comment.user_id !== scope.userId && !isAdmin(caller))
        throw onlyPermittedTo('the author or an admin', 'delete a comment');
      await responseComments.remove(scope, commentId);
      await audit.record(auditEntry(scope, 'deleted', comment));
    });
  }
}

const auditEntry = (scope: SurveyScope, action: string, comment: CommentRow) => ({
  by: scope,
  action: `comment.${action}`,
  objectType: 'survey',
  objectId: scope.surveyId,
  details: { comment_id: comment.comment_id, response_id: comment.response_id },
});
