import { z } from 'zod';
import { RESPONSE_STATUSES } from '../../domain/responses/response-row.ts';
import { idNumber, idParam, pagingQuery, parseIdPage, toListPage } from '../../http/paging.ts';
import { dataReply, emptyReply, listReply } from '../../http/reply.ts';
import { answersInput, externalId, languageTag, submissionId } from '../request-fields.ts';
import { defineRoute } from '../define-route.ts';
import { onSurvey, surveyQuery } from '../guards.ts';
import type { CommentRow } from '../../repositories/response-comments.ts';
import { addResponsesExample } from './rows-examples.ts';

const MAX_ROWS = 10_000;
const MAX_BODY_BYTES = 10_000_000;

/** ISO 8601 with an offset, because a time without one is ambiguous. */
const moment = z.iso
  .datetime({ offset: true, error: 'must be an ISO 8601 time with its offset, such as 2026-03-01T09:30:00Z' })
  .transform((value) => new Date(value));

const rowSchema = z.strictObject({
  submission_id: submissionId.optional(),
  answers: answersInput,
  status: z.enum(RESPONSE_STATUSES).default('complete'),
  started_at: moment.optional(),
  completed_at: moment.optional(),
  external_id: externalId.optional(),
  language: languageTag.optional(),
});

const detailSchema = z.strictObject({ field: z.string(), message: z.string() });

const params = z.strictObject({ surveyId: idParam });
const query = surveyQuery;

export const addRowsRoute = defineRoute({
  method: 'post',
  path: '/api/responses/:surveyId/rows',
  operationId: 'addResponses',
  summary: 'Create responses',
  description:
    `Creates up to ${MAX_ROWS} responses, for integrations. Each row is checked like a response of a respondent. With ` +
    '`atomic` (the default), one invalid row rejects the whole request; otherwise valid rows are stored together and invalid ' +
    'rows reported. A row with a known `submission_id` is not stored again.',
  access: onSurvey('edit'),
  params,
  query,
  body: z.strictObject({
    rows: z.array(rowSchema).min(1).max(MAX_ROWS),
    atomic: z.boolean().default(true),
  }),
  example: addResponsesExample,
  maxBodyBytes: MAX_BODY_BYTES,
  reply: dataReply(
    z
      .strictObject({
        created: z.int(),
        existing: z.int().describe('Rows whose submission_id already existed; skipped'),
        failed: z.int(),
        response_ids: z.array(z.int().nullable()).describe('In the order of the rows; null for a failed row'),
        errors: z.array(z.strictObject({ index: z.int(), details: z.array(detailSchema) })),
        dropped: z
          .array(z.strictObject({ index: z.int(), details: z.array(detailSchema) }))
          .describe('Answers that are not stored, because the logic does not show their question or option'),
      })
      .meta({
        id: 'CreatedResponses',
        examples: [
          {
            created: 2,
            existing: 0,
            failed: 1,
            response_ids: [413, 414, null],
            errors: [
              { index: 2, details: [{ field: 'answers.Q2', message: 'must be between 16 and 99, not 12' }] },
            ],
            dropped: [],
          },
        ],
      }),
  ),
  status: 201,
  errors: { 409: 'The survey is not published or is closed' },
  async handler({ services, scope, body }) {
    const added = await services.responseRows.add(
      scope,
      body.rows.map((row) => ({
        submissionId: row.submission_id ?? null,
        answers: row.answers,
        status: row.status,
        startedAt: row.started_at ?? null,
        completedAt: row.completed_at ?? null,
        externalId: row.external_id ?? null,
        language: row.language ?? null,
      })),
      body.atomic,
    );
    return {
      created: added.created,
      existing: added.existing,
      failed: added.errors.length,
      response_ids: added.responses.map((response) => response?.response_id ?? null),
      errors: added.errors,
      dropped: added.dropped,
    };
  },
});

const MAX_COUNT = 10_000;
const MAX_SEED = 2 ** 31 - 1;

const count = z.int().nonnegative();

export const seedRoutes = [
  defineRoute({
    method: 'post',
    path: '/api/responses/:surveyId/seed',
    operationId: 'seedResponses',
    summary: 'Create synthetic responses',
    description:
      'Creates plausible test responses that follow the logic of the published survey and pass its validation: uneven ' +
      'distributions, correlated items, some drop-outs, screen-outs where the logic has them, and times over the last 14 days. ' +
      'The same survey, languages and `seed` give the same answers. The responses are marked `is_test`: they appear in the grid ' +
      'and count in statistics, weights, insights and exports until the survey has real responses (from then on with ' +
      '`include_test=true`), but never on public dashboards, in quotas or for links. Requires a published survey.',
    access: onSurvey('edit'),
    params,
    query,
    body: z.strictObject({
      count: z.int().min(1).max(MAX_COUNT).default(100),
      seed: z.int().min(0).max(MAX_SEED).optional().describe('Default: a random seed, returned in the reply'),
    }),
    example: {
      count: 50,
      seed: 7,
    },
    reply: dataReply(
      z
        .strictObject({
          created: count,
          seed: count,
          complete: count,
          partial: count,
          screened_out: count,
          left_out: z
            .array(z.string())
            .describe(
              'Questions that cannot be generated, such as file uploads; they are skipped even if required',
            ),
        })
        .meta({ id: 'SeededResponses' }),
    ),
    status: 201,
    errors: { 409: 'The survey was never published' },
    replyExample: { created: 200, seed: 1, complete: 171, partial: 24, screened_out: 5, left_out: [] },
    async handler({ services, scope, body }) {
      const seeded = await services.responseSeed.add(scope, body.count, body.seed ?? null);
      return {
        created: seeded.created,
        seed: seeded.seed,
        ...seeded.byStatus,
        left_out: [...seeded.skippedQuestions],
      };
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/api/responses/:surveyId/seed',
    operationId: 'deleteSeededResponses',
    summary: 'Delete synthetic responses',
    description:
      'Deletes all synthetic responses of this survey; imported test responses remain. Succeeds with 204 also if there are ' +
      'none. Not part of the change log: undoing an earlier change does not restore them.',
    access: onSurvey('edit'),
    params,
    query,
    reply: emptyReply,
    handler: ({ services, scope }) => services.responseSeed.remove(scope),
  }),
];

const MAX_COMMENT_CHARACTERS = 5_000;

const commentSchema = z
  .strictObject({
    comment_id: z.int(),
    response_id: z.int(),
    user_id: z.int(),
    user_name: z.string(),
    comment_text: z.string(),
    created_at: z.iso.datetime(),
  })
  .meta({
    id: 'ResponseComment',
    examples: [
      {
        comment_id: 1,
        response_id: 17,
        user_id: 2,
        user_name: 'Ada Admin',
        comment_text: 'Called back on Monday; the age was wrong.',
        created_at: '2026-10-06T08:05:00.000Z',
      },
    ],
  });

const presentComment = (row: CommentRow): z.input<typeof commentSchema> => ({
  comment_id: row.comment_id,
  response_id: row.response_id,
  user_id: row.user_id,
  user_name: row.user_name,
  comment_text: row.comment_text,
  created_at: row.created_at.toISOString(),
});

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
      const part = parseIdPage(query);
      const page = { ...part, responseId: query.response_id ?? null };
      const { found, total } = await services.responseComments.list(scope, page);
      return toListPage({
        found,
        limit: part.limit,
        total,
        positionOf: (row) => row.comment_id,
        present: presentComment,
      });
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
        .max(MAX_COMMENT_CHARACTERS, `must have at most ${MAX_COMMENT_CHARACTERS} characters`),
    }),
    example: {
      response_id: 1,
      comment_text: 'Called back on Monday; the age was wrong.',
    },
    reply: dataReply(commentSchema),
    status: 201,
    async handler({ services, scope, body }) {
      return presentComment(await services.responseComments.add(scope, body.response_id, body.comment_text));
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
