import { z } from 'zod';
import { idParam } from '../../http/paging.ts';
import { dataReply, emptyReply } from '../../http/reply.ts';
import { defineRoute } from '../define-route.ts';
import { onSurvey, surveyQuery } from '../guards.ts';
import {
  countsOf,
  deliverySchema,
  presentTotals,
  sumStatusCounts,
  TOTALS_EXAMPLE,
  totalsFields,
} from './invitations.ts';

const campaignFields = {
  campaign_id: z.int(),
  link_id: z.int(),
  kind: z.enum(['invitation', 'reminder', 'resend']),
};

const waitingSchema = z
  .strictObject({
    ...campaignFields,
    email_count: z.int(),
    reason: z
      .string()
      .describe('For people: the reply of the mail server, the daily limit, or a survey that is not open'),
    next_attempt_at: z.iso.datetime(),
  })
  .meta({ id: 'WaitingInvitations' });

const scheduledSchema = z
  .strictObject({
    ...campaignFields,
    send_at: z.iso.datetime(),
    email_count: z.int(),
  })
  .meta({ id: 'ScheduledInvitations' });

const params = z.strictObject({ surveyId: idParam });

export const invitationSummaryRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/surveys/:surveyId/invite/summary',
    operationId: 'getInvitationSummary',
    summary: 'Get the invitation summary',
    description: 'Counts the invitations of the survey by status, in total and per link.',
    access: onSurvey('view'),
    params,
    query: surveyQuery,
    reply: dataReply(
      z
        .strictObject({
          survey_id: z.int(),
          delivery: deliverySchema,
          ...totalsFields,
          links: z.array(
            z.strictObject({
              link_id: z.int(),
              link_name: z.string(),
              wave_id: z.int().nullable(),
              wave_name: z.string().nullable(),
              ...totalsFields,
            }),
          ),
          scheduled: z
            .array(scheduledSchema)
            .describe(
              'Emails that are sent at a time to come, the next first; their invitations count as queued',
            ),
          waiting: z
            .array(waitingSchema)
            .describe(
              'Emails that are due but cannot be sent at the moment; their invitations count as queued',
            ),
        })
        .meta({ id: 'InvitationSummary' }),
    ),
    replyExample: {
      survey_id: 1,
      delivery: 'smtp' as const,
      ...TOTALS_EXAMPLE,
      links: [
        {
          link_id: 2,
          link_name: 'By mail',
          wave_id: 1,
          wave_name: 'Spring',
          ...TOTALS_EXAMPLE,
        },
      ],
      scheduled: [
        {
          campaign_id: 5,
          link_id: 2,
          kind: 'invitation' as const,
          send_at: '2026-12-01T08:00:00.000Z',
          email_count: 120,
        },
      ],
      waiting: [
        {
          campaign_id: 4,
          link_id: 2,
          kind: 'invitation' as const,
          email_count: 40,
          reason: 'The mail server did not accept the email: connect ECONNREFUSED 192.0.2.7:587',
          next_attempt_at: '2026-11-30T09:02:00.000Z',
        },
      ],
    },
    async handler({ services, scope }) {
      const links = await services.invitations.listLinkSummaries(scope);
      return {
        survey_id: scope.surveyId,
        delivery: services.invitations.delivery,
        ...presentTotals(sumStatusCounts(links)),
        links: links.map((row) => ({
          link_id: row.link_id,
          link_name: row.link_name,
          wave_id: row.wave_id,
          wave_name: row.wave_name,
          ...presentTotals(countsOf(row)),
        })),
        scheduled: (await services.invitations.listScheduled(scope)).map((row) => ({
          campaign_id: row.campaign_id,
          link_id: row.link_id,
          kind: row.campaign_kind,
          send_at: row.send_at.toISOString(),
          email_count: row.mail_count,
        })),
        waiting: (await services.invitations.listWaiting(scope)).map((row) => ({
          campaign_id: row.campaign_id,
          link_id: row.link_id,
          kind: row.campaign_kind,
          email_count: row.mail_count,
          reason: row.wait_reason,
          next_attempt_at: row.wait_until.toISOString(),
        })),
      };
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/api/surveys/:surveyId/invite/scheduled/:campaignId',
    operationId: 'cancelScheduledInvitations',
    summary: 'Cancel scheduled invitations',
    description:
      'Cancels emails that were to be sent at `send_at`, with their reminders. Recipients who get no email can be invited again.',
    access: onSurvey('edit'),
    params: params.extend({ campaignId: idParam }),
    query: surveyQuery,
    reply: emptyReply,
    errors: { 409: '`already_sent`: the emails are being sent, or were sent or canceled already' },
    handler: ({ services, scope, params: { campaignId } }) =>
      services.invitations.cancelScheduled(scope, campaignId),
  }),
];
