import { z } from 'zod';
import { withNamedPipes } from '../../domain/survey/logic/piping.ts';
import { RESPONSE_STATUSES } from '../../domain/dataset/response-row.ts';
import { dataReply } from '../../http/reply.ts';
import type { RespondentExport } from '../../services/field/respondents.ts';
import { defineRoute } from '../define-route.ts';
import {
  onRespondent,
  presentRespondent,
  respondentParams,
  respondentQuery,
  respondentSchema,
} from './respondents.ts';
import { invitationStatus } from './invitations.ts';

const byCode = z
  .record(z.string(), z.unknown())
  .meta({ override: { type: 'object', additionalProperties: true } });

const responseSchema = z.strictObject({
  response_id: z.int(),
  response_status: z.enum(RESPONSE_STATUSES),
  status_reason: z.string().nullable(),
  is_test: z.boolean(),
  is_deleted: z.boolean().describe('Deleted responses are stored but not counted'),
  external_id: z.string().nullable(),
  language: z.string().nullable(),
  started_at: z.iso.datetime(),
  completed_at: z.iso.datetime().nullable(),
  duration_seconds: z.number().nullable(),
  answers: byCode.describe('By question code. null: shown and skipped; `[]`: shown, no option selected'),
  originals: byCode.nullable().describe('Original values of edited answers'),
  hidden: byCode.nullable().describe('Hidden values from the URL of the link'),
});

const exportSchema = z
  .strictObject({
    respondent: respondentSchema,
    surveys: z.array(
      z.strictObject({
        survey_id: z.int(),
        survey_name: z.string(),
        questions: z.array(z.strictObject({ question_code: z.string(), question_text: z.string() })),
        responses: z.array(responseSchema),
      }),
    ),
    invitations: z.array(
      z.strictObject({
        survey_id: z.int(),
        survey_name: z.string(),
        invitation_status: invitationStatus,
        created_at: z.iso.datetime(),
        sent_at: z.iso.datetime().nullable(),
        opened_at: z.iso.datetime().nullable(),
        started_at: z.iso.datetime().nullable(),
        completed_at: z.iso.datetime().nullable(),
      }),
    ),
    responses_elsewhere: z
      .int()
      .describe('Number of responses to surveys that were moved to other workspaces'),
  })
  .meta({ id: 'RespondentExport' });

type Reply = z.input<typeof exportSchema>;

function present({ respondent, responses, questions, invitations, elsewhere }: RespondentExport): Reply {
  const surveys = new Map<number, Reply['surveys'][number]>();
  const textsOf = new Map<number, Map<string, string>>();
  for (const { survey_id: surveyId, question_code: code, question_text: text } of questions)
    textsOf.set(surveyId, (textsOf.get(surveyId) ?? new Map<string, string>()).set(code, text));
  for (const { survey_id: surveyId, survey_name: name, started_at, completed_at, ...response } of responses) {
    const survey = surveys.get(surveyId) ?? {
      survey_id: surveyId,
      survey_name: name,
      questions: questions
        .filter((question) => question.survey_id === surveyId)
        .map(({ question_code, question_text }) => ({
          question_code,
          question_text: withNamedPipes(question_text, (code) =>
            code === question_code ? undefined : textsOf.get(surveyId)?.get(code),
          ),
        })),
      responses: [],
    };
    surveys.set(surveyId, survey);
    survey.responses.push({
      response_id: response.response_id,
      response_status: response.response_status,
      status_reason: response.status_reason,
      is_test: response.is_test,
      is_deleted: response.is_deleted,
      external_id: response.external_id,
      language: response.language,
      started_at: started_at.toISOString(),
      completed_at: completed_at?.toISOString() ?? null,
      duration_seconds: response.duration_seconds,
      answers: response.answers,
      originals: response.originals,
      hidden: response.hidden,
    });
  }
  return {
    respondent: presentRespondent(respondent),
    surveys: [...surveys.values()],
    invitations: invitations.map((row) => ({
      survey_id: row.survey_id,
      survey_name: row.survey_name,
      invitation_status: row.invitation_status,
      created_at: row.created_at.toISOString(),
      sent_at: row.sent_at?.toISOString() ?? null,
      opened_at: row.opened_at?.toISOString() ?? null,
      started_at: row.started_at?.toISOString() ?? null,
      completed_at: row.completed_at?.toISOString() ?? null,
    })),
    responses_elsewhere: elsewhere,
  };
}

export const respondentExportRoute = defineRoute({
  method: 'get',
  path: '/api/surveys/respondents/:respondentId/export',
  operationId: 'exportRespondent',
  summary: 'Export a respondent',
  description:
    'Returns all data about a respondent: profile, invitations, and responses to surveys of the workspace (including deleted ' +
    'ones) with answers as stored and question texts. Responses to anonymous surveys cannot be linked to a respondent.',
  access: onRespondent('view'),
  params: respondentParams,
  query: respondentQuery,
  reply: dataReply(exportSchema),
  handler: async ({ services, scope }) => present(await services.respondents.export(scope)),
});
