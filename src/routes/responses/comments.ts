import { z } from 'zod';
import { idNumber, idParam, pagingQuery, parseAscendingPage, toListPage } from '../../http/paging.ts';
import { dataReply, emptyReply, listReply } from '../../http/reply.ts';
import type { CommentRow } from '../../repositories/response-comments.ts';
import { onSurvey, surveyQuery } from '../guards.ts';
import { defineRoute } from '../define-route.ts';

const MAX_CHARACTERS = 5_000;

const commentSchema = z
  .strictObject({
    comment_id: z.int(),
    response_id: z.int(),
    user_id: z.int(),
    user_name: z.string(),
    comment_text: z.string(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'ResponseComment' });

const present = (row: CommentRow): z.input<typeof commentSchema> => ({
  comment_id: row.comment_id,
  response_id: row.response_id,
  user_id: row.user_id,
  user_name: row.user_name,
  comment_text: row.comment_text,
  created_at: row.created_at.toISOString(),
});

const params = z.strictObject({ surveyId: idParam });
const query = surveyQuery;

/** Viewers of the survey can comment on responses; a comment does not change the data. */
export const commentRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/responses/:surveyId/comments',
    operationId: 'listComments',
    summary: 'List comments',
    description:
      'Returns comments oldest first. Comments on a deleted response are hidden until it is restored.',
    access: onSurvey('view'),
    params,
    query: query.extend({
      response_id: idParam.optional().describe('Only comments on this response'),
      ...pagingQuery,
    }),
    reply: listReply(commentSchema),
    async handler({ services, scope, query }) {
      const part = parseAscendingPage(query);
      const page = { ...part, responseId: query.response_id ?? null };
      const { found, total } = await services.responseComments.list(scope, page);
      return toListPage(found, { limit: part.limit, total }, (row) => row.comment_id, present);
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/responses/:surveyId/comments',
    operationId: 'addComment',
    summary: 'Create a comment',
    description:
      'Allowed for editors and viewers; with an API key, the comment is written as the owner of the key. Comments are not part ' +
      'of the data: they change no `updated_at` and cannot be undone.',
    access: onSurvey('view'),
    params,
    query,
    body: z.strictObject({
      response_id: idNumber,
      comment_text: z
        .string()
        .trim()
        .min(1, 'must not be empty')
        .max(MAX_CHARACTERS, `must have at most ${MAX_CHARACTERS} characters`),
    }),
    example: {
      response_id: 1,
      comment_text: 'Called back on Monday; the age was wrong.',
    },
    reply: dataReply(commentSchema),
    status: 201,
    async handler({ services, scope, body }) {
      return present(await services.responseComments.add(scope, body.response_id, body.comment_text));
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/api/responses/:surveyId/comments/:commentId',
    operationId: 'deleteComment',
    summary: 'Delete a comment',
    description: 'Users can delete their own comments, admins all comments.',
    access: { ...onSurvey('view'), resource: 'survey: view; comment: own, or admin' },
    params: params.extend({ commentId: idParam }),
    query,
    reply: emptyReply,
    handler: ({ services, scope, caller, params }) =>
      services.responseComments.remove(scope, caller, params.commentId),
  }),
];
