import { z } from 'zod';
import { anyone } from '../../http/access.ts';
import { data, withReply } from '../../http/reply.ts';
import { answersInput, externalId, languageTag, submissionId } from '../answers-input.ts';
import { defineRoute } from '../route.ts';
import { respondentFileRoutes } from './files.ts';
import { linkParams, responseParams } from './respondent-params.ts';
import { presentSurvey, respondentSurveySchema } from './respondent-survey.ts';

const hidden = z
  .record(
    z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,47}$/, 'must be letters, digits and _'),
    z.string().max(500),
  )
  .refine((value) => Object.keys(value).length <= 50, 'has more than 50 values');

const submissionSchema = z.strictObject({
  submission_id: submissionId.optional(),
  answers: answersInput,
  status: z
    .enum(['complete', 'partial'])
    .default('complete')
    .describe('A wish: the server decides the status, and all times'),
  language: languageTag.optional(),
  external_id: externalId.optional().describe('Required through a panel link'),
  hidden: hidden.optional().describe('Values that came with the link'),
});

const statusSchema = z.enum(['complete', 'partial', 'screened_out']);

const outcomeSchema = z
  .strictObject({
    response_id: z.int(),
    response_token: z.string().describe('Lets this respondent continue; keep it secret'),
    response_status: statusSchema,
    status_reason: z.string().nullable(),
    redirect_url: z.string().nullable(),
  })
  .meta({ id: 'SubmissionOutcome' });

const progressSchema = z
  .strictObject({
    response_id: z.int(),
    response_status: statusSchema,
    next_page_id: z.int().nullable().describe('null: nothing is left to ask'),
    ended: z.boolean(),
  })
  .meta({ id: 'SubmissionProgress' });

const CLOSED = 'The survey is closed, the link is paused or full, or the response has already ended';

/** What respondents call; their links are their only credential. */
export const publicRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/public/s/:token',
    operationId: 'getRespondentSurvey',
    summary: 'What a respondent is asked',
    access: anyone,
    rateLimit: 'public',
    params: linkParams,
    reply: data(respondentSurveySchema),
    errors: { 409: CLOSED, 410: 'The link has expired' },
    async handler({ services, params }) {
      const { prepared } = await services.collection.open(params.token);
      return presentSurvey(prepared.definition);
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/public/s/:token/responses',
    operationId: 'submitResponse',
    summary: 'Hand in a response, or begin one',
    description:
      'Every answer is checked by the rules of its question. A retry with the same `submission_id` writes nothing and gives the first ' +
      'result again (200 instead of 201). An acknowledged response is on disk. A response handed in complete in one call has no duration.',
    access: anyone,
    rateLimit: 'public',
    params: linkParams,
    body: submissionSchema,
    reply: data(outcomeSchema),
    status: 201,
    errors: { 409: CLOSED, 410: 'The link has expired' },
    async handler({ services, params, body }) {
      const written = await services.collection.submit(params.token, {
        submissionId: body.submission_id ?? null,
        answers: body.answers,
        status: body.status,
        language: body.language ?? null,
        externalId: body.external_id ?? null,
        hidden: body.hidden ?? null,
      });
      const outcome = {
        response_id: written.response_id,
        response_token: written.response_token,
        response_status: written.response_status,
        status_reason: written.status_reason,
        redirect_url: null,
      };
      return withReply(outcome, { status: written.created ? 201 : 200 });
    },
  }),
  defineRoute({
    method: 'patch',
    path: '/api/public/s/:token/responses/:responseToken',
    operationId: 'saveResponsePage',
    summary: 'Save a page of a response that has begun',
    description: 'Answers that were given before and are not in this call stay; null takes one back.',
    access: anyone,
    rateLimit: 'public',
    params: responseParams,
    body: z.strictObject({
      answers: answersInput,
      page_id: z
        .int()
        .positive()
        .optional()
        .describe('The page that was filled in; absent: none was finished'),
    }),
    reply: data(progressSchema),
    errors: { 409: CLOSED },
    async handler({ services, params, body }) {
      const input = { answers: body.answers, pageId: body.page_id ?? null };
      const { response, nextPageId } = await services.collection.save(
        params.token,
        params.responseToken,
        input,
      );
      return {
        response_id: response.response_id,
        response_status: response.response_status,
        next_page_id: nextPageId,
        ended: nextPageId === null,
      };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/public/s/:token/responses/:responseToken/complete',
    operationId: 'completeResponse',
    summary: 'End a response',
    description:
      'Everything that was saved, and what comes with the call, is judged as a whole; answers that ended hidden are dropped. ' +
      'A retry gives the same result.',
    access: anyone,
    rateLimit: 'public',
    params: responseParams,
    body: z.strictObject({ answers: answersInput.default({}) }),
    reply: data(outcomeSchema),
    errors: { 409: CLOSED },
    async handler({ services, params, body }) {
      const response = await services.collection.complete(params.token, params.responseToken, {
        answers: body.answers,
      });
      return {
        response_id: response.response_id,
        response_token: response.response_token,
        response_status: response.response_status,
        status_reason: response.status_reason,
        redirect_url: null,
      };
    },
  }),
  ...respondentFileRoutes,
];
