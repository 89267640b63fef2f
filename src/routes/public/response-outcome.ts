import { z } from 'zod';
import { RESPONSE_STATUSES } from '../../domain/dataset/response-row.ts';
import { redirectUrlOf } from '../../domain/survey/settings/redirects.ts';
import type { OpenResponseRow, WrittenResponse } from '../../repositories/responses.ts';
import type { Progress } from '../../services/collection/collection.ts';
import type { ResolvedLink } from '../../services/collection/link-resolver.ts';
import type { SubmissionResult } from '../../services/collection/submissions.ts';
import { presentSurvey, respondentSurveySchema } from './respondent-survey.ts';
import { answersSchema } from '../answers-input.ts';

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

export const outcomeSchema = z
  .strictObject({
    ...ending,
    response_token: z.string().describe('Secret token for continuing this response'),
  })
  .meta({ id: 'SubmissionOutcome' });

export const submittedSchema = outcomeSchema
  .extend({
    response_token: z
      .string()
      .nullable()
      .describe(
        'Secret token for continuing this response. null, like status_reason and redirect_url, if a submission_id is repeated without the ' +
          'client_secret of the first request',
      ),
  })
  .meta({ id: 'SubmittedResponse' });

const nextPage = {
  next_page_id: z.int().nullable().describe('null: no questions are left'),
  ended: z.boolean(),
};

export const progressSchema = z.strictObject({ ...ending, ...nextPage }).meta({ id: 'SubmissionProgress' });

export const resumedSchema = z
  .strictObject({
    ...ending,
    ...nextPage,
    submission_id: z.string().nullable(),
    answers: answersSchema,
    last_page_id: z.int().nullable().describe('The last submitted page'),
    language: z.string().nullable(),
    hidden: z.record(z.string(), z.string()).describe('Hidden values from the URL of the link'),
    survey_version: z.int(),
    survey: respondentSurveySchema,
  })
  .meta({ id: 'ResumedResponse' });

type Standing = Pick<
  WrittenResponse & OpenResponseRow,
  'response_id' | 'response_status' | 'status_reason' | 'external_id'
>;

function presentEnding({ redirects, settings }: ResolvedLink, response: Standing) {
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
    ),
  };
}

export const presentOutcome = (link: ResolvedLink, response: Standing & { response_token: string }) => ({
  ...presentEnding(link, response),
  response_token: response.response_token,
});

export const presentSubmission = ({
  link: link,
  written,
  isFirstSender,
}: SubmissionResult): z.input<typeof submittedSchema> =>
  isFirstSender
    ? presentOutcome(link, written)
    : {
        response_id: written.response_id,
        response_status: written.response_status,
        status_reason: null,
        redirect_url: null,
        response_token: null,
      };

export const presentProgress = ({ link: link, response, nextPageId }: Progress) => ({
  ...presentEnding(link, response),
  next_page_id: nextPageId,
  ended: nextPageId === null,
});

export function presentResumed(progress: Progress): z.input<typeof resumedSchema> {
  const { link: link, prepared, response } = progress;
  return {
    ...presentProgress(progress),
    submission_id: response.submission_id,
    answers: response.answers,
    last_page_id: response.last_page_id,
    language: response.language,
    hidden: response.hidden ?? {},
    survey_version: prepared.definition.version,
    survey: presentSurvey(prepared.definition, link),
  };
}
