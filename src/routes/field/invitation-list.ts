import { z } from 'zod';
import { idParam, pagingQuery, parseDescendingPage, toListPage } from '../../http/paging.ts';
import { emptyReply, listReply } from '../../http/reply.ts';
import { onSurvey } from '../guards.ts';
import { inWorkspace, surveyQuery } from '../in-workspace.ts';
import { defineRoute } from '../define-route.ts';
import {
  countsOf,
  invitationSchema,
  invitationStatus,
  presentInvitation,
  presentTotals,
  totalsFields,
} from './invitation-reply.ts';

const params = z.strictObject({ surveyId: idParam });

export const invitationListRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/surveys/:surveyId/invitations',
    operationId: 'listInvitations',
    summary: 'List invitations',
    description:
      'Returns the newest invitation first. `opened` means that the personal link was requested; some mail servers do this ' +
      'automatically. `link_url` requires edit permission.',
    access: onSurvey('view'),
    params,
    query: surveyQuery.extend({
      link_id: idParam.optional().describe('Only invitations through this link'),
      invitation_status: invitationStatus.optional(),
      respondent_id: idParam.optional().describe('Only invitations of this respondent'),
      ...pagingQuery,
    }),
    reply: listReply(invitationSchema),
    async handler({ services, scope, query, request }) {
      const part = parseDescendingPage(query);
      const { found, total } = await services.invitations.list(
        scope,
        {
          linkId: query.link_id ?? null,
          status: query.invitation_status ?? null,
          respondentId: query.respondent_id ?? null,
        },
        part,
      );
      return toListPage(
        found,
        { ...part, total },
        (row) => row.invitation_id,
        (row) => presentInvitation(row, scope, request.baseUrl),
      );
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/surveys/:surveyId/invitations/:invitationId/bounce',
    operationId: 'reportBounce',
    summary: 'Report a bounced email',
    description:
      'Records a bounce that the mail server reported later. Invitations of respondents who already started the survey keep ' +
      'their status.',
    access: onSurvey('edit'),
    params: params.extend({ invitationId: idParam }),
    query: surveyQuery,
    body: z.strictObject({ reason: z.string().trim().min(1).max(1_000).default('reported') }),
    example: {
      reason: '550 5.1.1 mailbox not found',
    },
    reply: emptyReply,
    handler: ({ services, scope, params: { invitationId }, body }) =>
      services.invitations.bounce(scope, invitationId, body.reason),
  }),
  defineRoute({
    method: 'get',
    path: '/api/surveys/waves/distributions',
    operationId: 'listDistributions',
    summary: 'List distributions',
    description: 'Returns one row per link that was used for invitations, newest first.',
    access: inWorkspace('view'),
    query: z.strictObject({
      workspace_id: idParam.optional().describe('Default: the current workspace'),
      survey_id: idParam.optional().describe('Only this survey'),
      wave_id: idParam.optional().describe('Only this wave'),
      ...pagingQuery,
    }),
    reply: listReply(
      z
        .strictObject({
          survey_id: z.int(),
          survey_name: z.string(),
          wave_id: z.int().nullable(),
          wave_name: z.string().nullable(),
          link_id: z.int(),
          link_name: z.string(),
          mails_sent: z.int().describe('Including reminders'),
          last_sent_at: z.iso.datetime().nullable(),
          ...totalsFields,
        })
        .meta({ id: 'InvitationDistribution' }),
    ),
    async handler({ services, scope, query }) {
      const part = parseDescendingPage(query);
      const { found, total } = await services.invitations.listDistributions(
        scope,
        { surveyId: query.survey_id ?? null, waveId: query.wave_id ?? null },
        part,
      );
      return toListPage(
        found,
        { ...part, total },
        (row) => row.link_id,
        (row) => ({
          survey_id: row.survey_id,
          survey_name: row.survey_name,
          wave_id: row.wave_id,
          wave_name: row.wave_name,
          link_id: row.link_id,
          link_name: row.link_name,
          mails_sent: row.mails_sent,
          last_sent_at: row.last_sent_at?.toISOString() ?? null,
          ...presentTotals(countsOf(row)),
        }),
      );
    },
  }),
];
