import { z } from 'zod';
import { MAX_PAGE_SECONDS } from '../../domain/quality/page-times.ts';
import { anyone } from '../../http/access.ts';
import { data, withReply } from '../../http/reply.ts';
import { invalid } from '../../lib/errors.ts';
import { answersInput, externalId, languageTag, submissionId } from '../answers-input.ts';
import { defineRoute } from '../define-route.ts';
import { linkParams, responseParams } from './respondent-params.ts';
import {
  outcomeSchema,
  presentOutcome,
  presentProgress,
  presentResumed,
  presentSubmission,
  progressSchema,
  resumedSchema,
  submittedSchema,
} from './response-outcome.ts';
import { presentSurvey, respondentSurveySchema } from './respondent-survey.ts';

const hidden = z
  .record(
    z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,47}$/, 'must be letters, digits and _'),
    z.string().max(500),
  )
  .refine((value) => Object.keys(value).length <= 50, 'has more than 50 values');

const clientSecret = z
  .string()
  .regex(/^[A-Za-z0-9_-]{20,128}$/, 'must be 20 to 128 random letters, digits, - and _');

const submissionSchema = z.strictObject({
  submission_id: submissionId.optional(),
  client_secret: clientSecret
    .optional()
    .describe(
      'Random, made by the client and kept by it; needs `submission_id`. A retry with both returns the first result again, its token included',
    ),
  answers: answersInput,
  status: z
    .enum(['complete', 'partial'])
    .default('complete')
    .describe('A wish: the server decides the status, and all times'),
  language: languageTag.optional(),
  external_id: externalId.optional().describe('Required through a panel link'),
  hidden: hidden
    .optional()
    .describe(
      'Values for logic, quotas and texts (`{{hidden.name}}`); the survey page takes them from its address: `?name=Eva`. They are no columns of the data',
    ),
  consent: z.boolean().default(false).describe('Must be true where the survey has a `consent_text`'),
  fingerprint: z
    .string()
    .regex(/^[A-Za-z0-9_-]{16,128}$/, 'must be 16 to 128 letters, digits, - and _')
    .optional()
    .describe('An opaque hash of the device; kept only where the survey looks for duplicates of it'),
  opened: z
    .string()
    .max(64)
    .optional()
    .describe('The `opened` that came with the survey: the response then begins at that moment, else now'),
});

const openedSurveySchema = respondentSurveySchema
  .extend({ opened: z.string().describe('Send it back with the response, whose time begins here') })
  .meta({ id: 'OpenedSurvey' });

const CLOSED =
  'The survey is closed, no wave of it is open (`wave_not_open`, `wave_ended`), the link is paused or full (`quota_full`), or the response has already ended';
const GONE = 'The link has expired, or was deleted';

/** What respondents call; their links are their only credential. */
export const respondentRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/public/s/:token',
    operationId: 'getRespondentSurvey',
    summary: 'Get a survey to answer',
    description: 'The published survey as the respondents of the link see it.',
    access: anyone,
    rateLimit: 'public',
    params: linkParams,
    reply: data(openedSurveySchema),
    errors: { 409: CLOSED, 410: GONE },
    async handler({ services, params }) {
      const { link, prepared, opened } = await services.submissions.openSurvey(params.token);
      return { ...presentSurvey(prepared.definition, link), opened };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/public/s/:token/responses',
    operationId: 'submitResponse',
    summary: 'Submit or start a response',
    description:
      'Every answer is checked by the rules of its question. A repeated `submission_id` writes nothing and returns the stored response (200 ' +
      'instead of 201). Authors and viewers of the survey can read a `submission_id`, so it is not a credential: a repeat returns ' +
      '`response_token`, `status_reason` and `redirect_url` only with the `client_secret` of the first request, at any later time; otherwise ' +
      'they are null, and `response_id` and `response_status` remain. A client that begins a response (`partial`) and retries after a lost ' +
      'reply therefore sends a `client_secret`. An acknowledged response is on disk. A response handed in complete in one call has a duration only with `opened`. ' +
      'The survey is walked through with the answers: what a skip passes over is not asked for, and answers to it are dropped; a ' +
      'response that a skip screens out is stored as screened_out (201). A skip applies to a whole page, so required questions of that page need answers (400).',
    access: anyone,
    rateLimit: 'public',
    needsFreeDisk: 'answers',
    params: linkParams,
    body: submissionSchema,
    example: {
      submission_id: 'kiosk-0001',
      answers: {
        Q1: 'female',
        Q2: 34,
        Q8: 'north',
        Q3: ['coffee', 'water'],
        Q4: 4,
        Q5: { taste: '3', price: '2', choice: '2' },
        Q6: 9,
        Q7: 'Fresh beans and oat milk',
        Q9: ['taste', 'price'],
        Q10: '2021-05',
        Q11: 60,
      },
    },
    reply: data(submittedSchema),
    status: 201,
    alternateStatuses: {
      200: 'The response exists already under this submission_id; without its client_secret no token is returned',
    },
    errors: { 409: CLOSED, 410: GONE },
    async handler({ services, params, body, request }) {
      if (body.client_secret !== undefined && body.submission_id === undefined)
        throw invalid('client_secret', 'needs a submission_id, whose repeats it proves');
      const result = await services.submissions.submit(params.token, {
        submissionId: body.submission_id ?? null,
        clientSecret: body.client_secret ?? null,
        answers: body.answers,
        status: body.status,
        language: body.language ?? null,
        externalId: body.external_id ?? null,
        hidden: body.hidden ?? null,
        consent: body.consent,
        fingerprint: body.fingerprint ?? null,
        address: request.address,
        opened: body.opened ?? null,
      });
      return withReply(presentSubmission(result), { status: result.written.created ? 201 : 200 });
    },
  }),
  defineRoute({
    method: 'patch',
    path: '/api/public/s/:token/responses/:responseToken',
    operationId: 'saveResponsePage',
    summary: 'Save a page of answers',
    description:
      'Answers that were given before and are not in this call stay; null takes one back. Without page_id they are kept as they are, however ' +
      'unfinished. With it the page is handed in: its required questions need answers, and its skips are taken. A skip that screens out ends ' +
      'the response there and then. `ended` with status partial: nothing is left to ask, and `…/complete` ends the response. ' +
      'Through a link with a quota a response that was begun holds a place for 15 minutes after its last call. Whoever comes back later ' +
      'has the place again if it was not needed; finds all complete, and is stored as screened_out, over_quota, here as at the end; or ' +
      'finds the last ones held by others: 409 `quota_full`, nothing is changed, and a later call may find a place.',
    access: anyone,
    rateLimit: 'public',
    needsFreeDisk: 'answers',
    params: responseParams,
    body: z.strictObject({
      answers: answersInput,
      page_id: z
        .int()
        .positive()
        .optional()
        .describe('The page that was filled in; absent: none was finished'),
      page_seconds: z
        .number()
        .min(0)
        .max(MAX_PAGE_SECONDS)
        .optional()
        .describe(
          'How long page_id was looked at; believed up to what passed since the response was last written',
        ),
    }),
    example: {
      page_id: 1,
      answers: { Q1: 'male', Q2: 41, Q8: 'south' },
      page_seconds: 18,
    },
    reply: data(progressSchema),
    errors: { 409: CLOSED, 410: GONE },
    async handler({ services, params, body }) {
      const input = {
        answers: body.answers,
        pageId: body.page_id ?? null,
        pageSeconds: body.page_seconds ?? null,
      };
      return presentProgress(await services.collection.save(params.token, params.responseToken, input));
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/public/s/:token/responses/:responseToken',
    operationId: 'resumeResponse',
    summary: 'Resume a response',
    description:
      'For going on, on the same device or another: the answers so far, where they go on, and the survey in the version in which the response was ' +
      'begun. One that has ended says how.',
    access: anyone,
    rateLimit: 'public',
    params: responseParams,
    reply: data(resumedSchema),
    errors: { 409: CLOSED, 410: 'The preview has expired' },
    async handler({ services, params }) {
      const progress = await services.collection.resume(params.token, params.responseToken);
      return withReply(presentResumed(progress), { headers: { 'Cache-Control': 'no-store' } });
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/public/s/:token/responses/:responseToken/complete',
    operationId: 'completeResponse',
    summary: 'Complete a response',
    description:
      'Everything that was saved, and what comes with the call, is judged as a whole; answers that ended hidden are dropped. ' +
      'A retry gives the same result. Over the quota of its link it is stored as screened_out with the reason over_quota.',
    access: anyone,
    rateLimit: 'public',
    needsFreeDisk: 'answers',
    params: responseParams,
    body: z.strictObject({ answers: answersInput.default({}) }),
    example: {
      answers: { Q3: ['tea'], Q6: 7 },
    },
    reply: data(outcomeSchema),
    errors: { 409: CLOSED, 410: GONE },
    async handler({ services, params, body }) {
      const { link, response } = await services.collection.complete(params.token, params.responseToken, {
        answers: body.answers,
      });
      return presentOutcome(link, response);
    },
  }),
];
