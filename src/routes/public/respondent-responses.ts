import { z } from 'zod';
import { RESPONSE_STATUSES } from '../../domain/responses/response-row.ts';
import { MAX_PAGE_SECONDS } from '../../domain/quality/speeder.ts';
import {
  hiddenNameSchema,
  MAX_HIDDEN_VALUE_CHARACTERS,
  MAX_HIDDEN_VALUES,
} from '../../domain/survey/hidden-values.ts';
import { redirectUrlOf } from '../../domain/survey/survey-settings.ts';
import { anyone } from '../../http/access.ts';
import { dataReply, withReply } from '../../http/reply.ts';
import { getTimeZone, UTC } from '../../lib/time-zone.ts';
import { onlyAllowed } from '../../lib/error-messages.ts';
import { invalid } from '../../lib/errors.ts';
import type { OpenResponseRow, WrittenResponse } from '../../repositories/responses.ts';
import type { Progress } from '../../services/collection/collection.ts';
import type { ResolvedLink } from '../../services/collection/link-resolver.ts';
import { exitSignerOf } from '../../services/collection/panel-entries.ts';
import type { SubmissionResult } from '../../services/collection/submissions.ts';
import { answersInput, answersSchema, externalId, languageTag, submissionId } from '../request-fields.ts';
import { defineRoute } from '../define-route.ts';
import { linkParams, presentSurvey, respondentSurveySchema, responseParams } from './respondent-survey.ts';

const ending = {
  response_id: z.int(),
  response_status: z.enum(RESPONSE_STATUSES),
  status_reason: z
    .enum(['screen_out', 'over_quota', 'quality'])
    .nullable()
    .describe('Why the respondent was screened out'),
  redirect_url: z
    .string()
    .nullable()
    .describe(
      'Where to redirect the respondent: by the redirects of the link, otherwise the redirect_url of the survey',
    ),
};

const arms = z
  .record(z.string(), z.string())
  .optional()
  .describe('The arms that the server has assigned to the response so far, by block_id; absent: none');

/** Left out where there are none. */
const presentArms = (assigned: Readonly<Record<string, string>>) =>
  Object.keys(assigned).length === 0 ? {} : { arms: assigned };

const outcomeSchema = z
  .strictObject({
    ...ending,
    response_token: z.string().describe('Secret token for continuing this response'),
  })
  .meta({ id: 'SubmissionOutcome' });

const submittedSchema = outcomeSchema
  .extend({
    response_token: z
      .string()
      .nullable()
      .describe(
        'Secret token for continuing this response. null, like status_reason and redirect_url, if a submission_id is repeated without the ' +
          'client_secret of the first request',
      ),
    arms,
  })
  .meta({ id: 'SubmittedResponse' });

const previousAnswers = answersSchema.describe(
  'Answers of the respondent in an earlier response, to which conditions and texts of the survey refer, by codes such as `previous.Q3`',
);

const nextPage = {
  next_page_id: z.int().nullable().describe('null: no questions are left'),
  ended: z.boolean(),
  survey_closed: z
    .boolean()
    .describe(
      'The survey has closed, or the wave of the response has ended. The response can be finished for one hour after that; it then stays partial',
    ),
};

const progressSchema = z.strictObject({ ...ending, ...nextPage, arms }).meta({ id: 'SubmissionProgress' });

const resumedSchema = z
  .strictObject({
    ...ending,
    ...nextPage,
    arms,
    submission_id: z.string().nullable(),
    answers: answersSchema,
    previous_answers: previousAnswers,
    last_page_id: z.int().nullable().describe('The last submitted page'),
    language: z.string().nullable(),
    hidden: z.record(z.string(), z.string()).describe('Stored hidden values from the URL of the link'),
    survey_version: z.int(),
    started_at: z
      .string()
      .describe(
        'The day on which the response was started, `YYYY-MM-DD`: in UTC, of an anonymous survey in its `timezone`',
      ),
    survey: respondentSurveySchema,
  })
  .meta({ id: 'ResumedResponse' });

const movedSchema = resumedSchema
  .extend({ response_token: z.string().describe('The new token; the previous one has ended') })
  .meta({ id: 'MovedResponse' });

type Standing = Pick<
  WrittenResponse & OpenResponseRow,
  'response_id' | 'response_status' | 'status_reason' | 'external_id'
>;

/** `now`: when the exit of a panel is signed. */
function presentEnding(link: ResolvedLink, response: Standing, now: Date) {
  const { redirects, settings } = link;
  return {
    response_id: response.response_id,
    response_status: response.response_status,
    // Only these values are ever stored.
    status_reason: response.status_reason as z.input<typeof outcomeSchema>['status_reason'],
    redirect_url: redirectUrlOf(
      {
        status: response.response_status,
        statusReason: response.status_reason,
        externalId: response.external_id,
      },
      redirects,
      settings.redirect_url,
      exitSignerOf(link, now),
    ),
  };
}

const presentOutcome = (link: ResolvedLink, response: Standing & { response_token: string }, now: Date) => ({
  ...presentEnding(link, response, now),
  response_token: response.response_token,
});

const presentSubmission = (
  { link, written, isFirstSender, arms }: SubmissionResult,
  now: Date,
): z.input<typeof submittedSchema> =>
  isFirstSender
    ? { ...presentOutcome(link, written, now), ...presentArms(arms) }
    : {
        response_id: written.response_id,
        response_status: written.response_status,
        status_reason: null,
        redirect_url: null,
        response_token: null,
      };

const presentProgress = ({ link, response, nextPageId, arms }: Progress, now: Date) => ({
  ...presentEnding(link, response, now),
  next_page_id: nextPageId,
  ...presentArms(arms),
  ended: nextPageId === null,
  survey_closed: link.isClosed || (response.wave_end_date !== null && response.wave_end_date <= now),
});

function presentResumed(progress: Progress, now: Date): z.input<typeof resumedSchema> {
  const { link, prepared, response } = progress;
  return {
    ...presentProgress(progress, now),
    submission_id: response.submission_id,
    answers: response.answers,
    previous_answers: progress.previous ?? {},
    last_page_id: response.last_page_id,
    language: response.language,
    hidden: response.hidden ?? {},
    survey_version: prepared.definition.version,
    started_at: getTimeZone(response.day_zone ?? UTC).dayOf(response.started_at.getTime()),
    survey: presentSurvey(prepared.definition, link),
  };
}

const hidden = z
  .record(hiddenNameSchema, z.string().max(MAX_HIDDEN_VALUE_CHARACTERS))
  .refine(
    (value) => Object.keys(value).length <= MAX_HIDDEN_VALUES,
    `must have at most ${MAX_HIDDEN_VALUES} values`,
  );

const clientSecret = z
  .string()
  .regex(/^[A-Za-z0-9_-]{20,128}$/, 'must be 20 to 128 random letters, digits, - and _');

const signedAt = z
  .union([z.string().max(20), z.int().min(0)])
  .describe(
    'Time of the `signature`, in seconds since 1970, as the panel added it to the address. Only links of panels use it',
  );

const signature = z
  .string()
  .max(200)
  .describe(
    'The signature of the panel for the link, the external_id and `signed_at`: HMAC-SHA-256 in 64 hexadecimal digits. A link with ' +
      '`requires_signature` refuses entries without a valid one (403), with one older than 15 minutes and with one that has started a ' +
      'response (410). With `opened` of the same signature, its age counts until the survey was opened',
  );

const submissionSchema = z.strictObject({
  submission_id: submissionId.optional(),
  client_secret: clientSecret
    .optional()
    .describe(
      'A random secret of the client; requires `submission_id`. A retry with both returns the first result again, including its token',
    ),
  answers: answersInput,
  status: z
    .enum(['complete', 'partial'])
    .default('complete')
    .describe('The requested status; the server decides the actual status and all times'),
  language: languageTag.optional(),
  external_id: externalId.optional().describe('Required for panel links'),
  hidden: hidden
    .optional()
    .describe(
      'Values for logic, quotas and texts (`{{hidden.name}}`). The survey page reads them from its URL: `?name=Eva`. They are not data columns. ' +
        'Those that the survey neither uses nor declares in `survey_settings.hidden_values` are dropped',
    ),
  consent: z.boolean().default(false).describe('Must be true if the survey has a `consent_text`'),
  fingerprint: z
    .string()
    .regex(/^[A-Za-z0-9_-]{16,128}$/, 'must be 16 to 128 letters, digits, - and _')
    .optional()
    .describe('An opaque hash of the device; stored only if the survey detects duplicates by device'),
  opened: z
    .string()
    .max(64)
    .optional()
    .describe('The `opened` value returned with the survey: start time of the response. Default: now'),
  signed_at: signedAt.optional(),
  signature: signature.optional(),
  previous_answers: answersInput
    .optional()
    .describe(
      'Only for a preview, otherwise ignored: sample answers of an earlier response, by codes such as `previous.Q3`',
    ),
});

const openedSurveySchema = respondentSurveySchema
  .extend({
    previous_answers: previousAnswers,
    opened: z.string().describe('Send it back with the response to set its start time'),
  })
  .meta({ id: 'OpenedSurvey' });

const CLOSED =
  'The survey is closed, no wave is active (`wave_not_open`, `wave_ended`), the link is paused or full (`quota_full`), or the response has already ended';
const GONE =
  'The link, the token of the response or the signature of the panel has expired or was used, or the link was deleted';
const REFUSED = 'The link requires a signature of its panel, and there is none or a wrong one';

/** Operations for respondents; the link token is the only credential. */
export const respondentRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/public/s/:token',
    operationId: 'getRespondentSurvey',
    summary: 'Get a survey to answer',
    description: 'Returns the published survey as respondents of this link see it.',
    access: anyone,
    rateLimit: 'public',
    params: linkParams,
    query: z.strictObject({
      external_id: externalId.optional().describe('The id of the panel member; only with `signature`'),
      signed_at: z.string().max(20).optional().describe('Time of the `signature`, in seconds since 1970'),
      signature: signature.optional(),
    }),
    reply: dataReply(openedSurveySchema),
    errors: { 403: REFUSED, 409: CLOSED, 410: GONE },
    async handler({ services, params, query }) {
      const { link, prepared, opened, previous } = await services.submissions.openSurvey(params.token, {
        externalId: query.external_id ?? null,
        signedAt: query.signed_at ?? null,
        signature: query.signature ?? null,
      });
      return { ...presentSurvey(prepared.definition, link), previous_answers: previous, opened };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/public/s/:token/responses',
    operationId: 'submitResponse',
    summary: 'Submit or start a response',
    description:
      'Stores a complete response (`status: complete`) or starts one that is continued page by page (`partial`).\n\n' +
      '- **Validation**: every answer is checked against its question. The logic is evaluated: questions that are skipped or ' +
      'hidden are not required, and answers to them are dropped. A skip rule applies to a whole page, so required questions of ' +
      'that page need answers (400). A response that is screened out is stored with the status screened_out (201).\n' +
      '- **Retries**: a repeated request with the same `submission_id`, `client_secret` and answers stores nothing and returns the existing ' +
      'response (200 instead of 201). If the secret or the answers differ, someone else has the `submission_id` (409). A ' +
      '`submission_id` is visible to users of the survey, so it is not a secret: `response_token`, `status_reason` and ' +
      '`redirect_url` are returned again only with the `client_secret` of the first request, otherwise they are null. A client ' +
      'that starts a response should therefore send a `client_secret`.\n' +
      '- **Durability**: a confirmed response is stored on disk.\n' +
      '- **Duration**: a response submitted in a single request has a duration only with `opened`.',
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
    reply: dataReply(submittedSchema),
    status: 201,
    alternateStatuses: {
      200: 'The response already exists under this `submission_id`; without its `client_secret` no token is returned',
    },
    errors: { 403: REFUSED, 409: `${CLOSED}; \`submission_id_taken\``, 410: GONE },
    replyExample: {
      response_id: 3126,
      response_status: 'complete',
      status_reason: null,
      redirect_url: null,
      response_token: 'puT8CzJeJ0k7GehYCZrpMTCpeP4ISZPi',
    },
    async handler({ services, params, body, request }) {
      if (body.client_secret !== undefined && body.submission_id === undefined)
        throw invalid('client_secret', onlyAllowed('with submission_id'));
      const result = await services.submissions.submit(params.token, {
        submissionId: body.submission_id ?? null,
        clientSecret: body.client_secret ?? null,
        answers: body.answers,
        status: body.status,
        language: body.language ?? null,
        previous: body.previous_answers,
        externalId: body.external_id ?? null,
        hidden: body.hidden ?? null,
        consent: body.consent,
        fingerprint: body.fingerprint ?? null,
        address: request.address,
        opened: body.opened ?? null,
        signedAt: body.signed_at === undefined ? null : String(body.signed_at),
        signature: body.signature ?? null,
      });
      return withReply(presentSubmission(result, services.links.now()), {
        status: result.written.created ? 201 : 200,
      });
    },
  }),
  defineRoute({
    method: 'patch',
    path: '/api/public/s/:token/responses/:responseToken',
    operationId: 'saveResponsePage',
    summary: 'Save a page of answers',
    description:
      'Merges the answers into the response: earlier answers are kept, null removes one.\n\n' +
      '- Without `page_id`, answers are saved without checking whether they are complete.\n' +
      '- With `page_id`, the page is submitted: its required questions need answers and its skip rules apply. A screen-out ends ' +
      'the response immediately. `ended: true` with the status partial means that no questions are left and `…/complete` can be ' +
      'called.\n' +
      '- With a quota on the link, a started response reserves a place for 15 minutes after its last request. A respondent who ' +
      'returns later gets a place if one is free. If the quota is complete, the response ends as screened_out with the reason ' +
      '`over_quota`. If the last places are reserved by others, the reply is 409 `quota_full`; nothing is stored, and a later ' +
      'request may succeed.',
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
        .describe('The submitted page; omit it to save an unfinished page'),
      page_seconds: z
        .number()
        .min(0)
        .max(MAX_PAGE_SECONDS)
        .optional()
        .describe('Time spent on the page; limited to the time since the response was last saved'),
    }),
    example: {
      page_id: 1,
      answers: { Q1: 'male', Q2: 41, Q8: 'south' },
      page_seconds: 18,
    },
    reply: dataReply(progressSchema),
    errors: { 409: CLOSED, 410: GONE },
    async handler({ services, params, body }) {
      const input = {
        answers: body.answers,
        pageId: body.page_id ?? null,
        pageSeconds: body.page_seconds ?? null,
      };
      const progress = await services.collection.save(params.token, params.responseToken, input);
      return presentProgress(progress, services.links.now());
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/public/s/:token/responses/:responseToken',
    operationId: 'resumeResponse',
    summary: 'Resume a response',
    description:
      'Returns the saved answers, the next page, and the survey in the version in which the response was started. For a finished ' +
      'response it returns the outcome, without answers. A token expires 30 days after the response was last saved (410 ' +
      '`response_expired`).',
    access: anyone,
    rateLimit: 'public',
    params: responseParams,
    reply: dataReply(resumedSchema),
    errors: { 409: CLOSED, 410: 'The preview or the token has expired' },
    async handler({ services, params }) {
      const progress = await services.collection.resume(params.token, params.responseToken);
      return withReply(presentResumed(progress, services.links.now()), {
        headers: { 'Cache-Control': 'no-store' },
      });
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/public/s/:token/responses/:responseToken/move',
    operationId: 'moveResponse',
    summary: 'Transfer a response',
    description:
      'Moves the response to another browser: returns it with a new token. The previous token and the `client_secret` of the ' +
      'first request end, so a person who knows only the earlier token can no longer read or change the response. The survey page calls this ' +
      'after the respondent has agreed. Repeating the request with the same `client_secret` returns the same token.',
    access: anyone,
    rateLimit: 'public',
    params: responseParams,
    body: z.strictObject({
      client_secret: clientSecret.describe('A random secret of the client that continues'),
      consent: z.boolean().default(false).describe('Must be true if the survey has a `consent_text`'),
    }),
    example: { client_secret: 'q8Vd2mXoT5rKcW1yHnBz' },
    reply: dataReply(movedSchema),
    errors: { 409: CLOSED, 410: GONE },
    async handler({ services, params, body }) {
      const { progress, responseToken } = await services.responseMoves.move(
        params.token,
        params.responseToken,
        { clientSecret: body.client_secret, consent: body.consent },
      );
      const moved = { ...presentResumed(progress, services.links.now()), response_token: responseToken };
      return withReply(moved, { headers: { 'Cache-Control': 'no-store' } });
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/public/s/:token/responses/:responseToken/complete',
    operationId: 'completeResponse',
    summary: 'Complete a response',
    description:
      'Validates all saved answers together with those of this request and completes the response. Answers to hidden questions ' +
      'are dropped. Repeating the request returns the same result. If the quota of the link is full, the response is stored as ' +
      'screened_out with the reason `over_quota`.',
    access: anyone,
    rateLimit: 'public',
    needsFreeDisk: 'answers',
    params: responseParams,
    body: z.strictObject({ answers: answersInput.default({}) }),
    example: {
      answers: { Q3: ['tea'], Q6: 7 },
    },
    reply: dataReply(outcomeSchema),
    errors: { 409: CLOSED, 410: GONE },
    async handler({ services, params, body }) {
      const { link, response } = await services.collection.complete(params.token, params.responseToken, {
        answers: body.answers,
      });
      return presentOutcome(link, response, services.links.now());
    },
  }),
];
