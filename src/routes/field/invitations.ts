import { z } from 'zod';
import { hasAccess, type SurveyScope } from '../../domain/access/scopes.ts';
import {
  INVITATION_STATUSES,
  type InvitationStatus,
  responseRate,
} from '../../domain/invitations/invitation-status.ts';
import { idParam, pagingQuery, parseIdPage, toListPage } from '../../http/paging.ts';
import { emptyReply, listReply } from '../../http/reply.ts';
import type { InvitationRow, StatusCounts } from '../../repositories/invitations.ts';
import { defineRoute } from '../define-route.ts';
import { inWorkspace, onSurvey, surveyQuery } from '../guards.ts';

export const invitationStatus = z.enum(INVITATION_STATUSES, {
  error: `must be one of ${INVITATION_STATUSES.join(', ')}`,
});

/** How the emails of invitations leave. */
export const deliverySchema = z
  .enum(['smtp', 'outbox'])
  .describe('outbox: no mail server is configured; the emails are not sent, but listed by `GET /api/outbox`');

const moment = z.iso.datetime().nullable();

const invitationSchema = z
  .strictObject({
    invitation_id: z.int(),
    link_id: z.int().describe('The link of the invitation; responses are attributed to it'),
    wave_id: z.int().nullable(),
    respondent_id: z.int(),
    email: z.string().nullable().describe('null: the respondent was erased'),
    name: z.string().nullable(),
    invitation_status: invitationStatus.describe(
      'kept: not sent, because no mail server is configured; see `GET /api/outbox`',
    ),
    status_note: z.string().nullable().describe('The message of the mail server, or why nothing was sent'),
    link_url: z
      .string()
      .nullable()
      .describe(
        'Personal link for one response; null if the caller cannot edit the survey, and in an anonymous survey, whose link shows whether it was answered',
      ),
    mail_count: z.int().describe('Number of emails sent, or kept in the outbox, including reminders'),
    created_at: z.iso.datetime(),
    sent_at: moment,
    opened_at: moment,
    started_at: moment,
    completed_at: moment.describe('null, like opened_at and started_at, in an anonymous survey'),
  })
  .meta({
    id: 'SurveyInvitation',
    examples: [
      {
        invitation_id: 21,
        link_id: 2,
        wave_id: 1,
        respondent_id: 7,
        email: 'lena@people.example',
        name: 'Lena Fischer',
        invitation_status: 'started',
        status_note: null,
        link_url: 'https://canvass.example.org/s/1A2qMjrA0m524A4qFfJF',
        mail_count: 2,
        created_at: '2026-10-01T07:59:00.000Z',
        sent_at: '2026-10-01T08:00:00.000Z',
        opened_at: '2026-10-01T17:20:00.000Z',
        started_at: '2026-10-01T17:21:00.000Z',
        completed_at: null,
      },
    ],
  });

const presentInvitation = (row: InvitationRow, { role }: SurveyScope, baseUrl: string) => ({
  invitation_id: row.invitation_id,
  link_id: row.link_id,
  wave_id: row.wave_id,
  respondent_id: row.respondent_id,
  email: row.respondent_email,
  name: row.respondent_name,
  invitation_status: row.invitation_status,
  status_note: row.status_note,
  link_url: hasAccess(role, 'edit') && !row.is_anonymous ? `${baseUrl}/s/${row.link_token}` : null,
  mail_count: row.mail_count,
  created_at: row.created_at.toISOString(),
  sent_at: row.sent_at?.toISOString() ?? null,
  opened_at: row.opened_at?.toISOString() ?? null,
  started_at: row.started_at?.toISOString() ?? null,
  completed_at: row.completed_at?.toISOString() ?? null,
});

const count = z.int().nonnegative();

const countsSchema = z
  .strictObject({
    queued: count,
    kept: count,
    sent: count,
    opened: count,
    started: count,
    completed: count,
    failed: count,
    bounced: count,
    opted_out: count,
    suppressed: count,
  })
  .meta({
    id: 'InvitationCounts',
    description:
      'Number of invitations by current status. In an anonymous survey `completed` counts the answers of earlier days through the link, ' +
      'in batches of at least five; others count as `sent`',
  });

/** An example of `totalsFields`. */
export const TOTALS_EXAMPLE = {
  total: 20,
  counts: {
    queued: 0,
    kept: 0,
    sent: 9,
    opened: 1,
    started: 2,
    completed: 8,
    failed: 0,
    bounced: 0,
    opted_out: 0,
    suppressed: 0,
  },
  response_rate: 40,
};

export const totalsFields = {
  total: count,
  counts: countsSchema,
  response_rate: z
    .number()
    .nullable()
    .describe(
      'completed as a percentage of the invitations that were sent or kept (kept, sent, opened, started, completed and opted_out); null if there are none',
    ),
};

export function countsOf(row: StatusCounts): StatusCounts {
  return Object.fromEntries(INVITATION_STATUSES.map((status) => [status, row[status]])) as StatusCounts;
}

export function presentTotals(counts: StatusCounts) {
  const total = INVITATION_STATUSES.reduce((sum, status) => sum + counts[status], 0);
  return { total, counts, response_rate: responseRate(counts) };
}

export function sumStatusCounts(rows: readonly StatusCounts[]): StatusCounts {
  const sum = (status: InvitationStatus) => rows.reduce((all, row) => all + row[status], 0);
  return Object.fromEntries(INVITATION_STATUSES.map((status) => [status, sum(status)])) as StatusCounts;
}

const params = z.strictObject({ surveyId: idParam });

export const invitationListRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/surveys/:surveyId/invitations',
    operationId: 'listInvitations',
    summary: 'List invitations',
    description:
      'Returns the newest invitation first. `opened` means that the personal link was requested; some mail servers do this ' +
      'automatically. `link_url` requires edit permission.\n\n' +
      'In an anonymous survey the status says nothing about answers: an invitation stays `sent` when its link is opened, started or ' +
      'completed. `mail_count` and `sent_at` count reminders as sent to everyone, though people who answered get none.',
    access: onSurvey('view'),
    params,
    query: surveyQuery.extend({
      link_id: idParam.optional().describe('Only invitations through this link'),
      invitation_status: invitationStatus.optional().describe('Only invitations with this status'),
      respondent_id: idParam.optional().describe('Only invitations of this respondent'),
      ...pagingQuery,
    }),
    reply: listReply(invitationSchema),
    async handler({ services, scope, query, request }) {
      const part = parseIdPage(query);
      const { found, total } = await services.invitations.list(
        scope,
        {
          linkId: query.link_id ?? null,
          status: query.invitation_status ?? null,
          respondentId: query.respondent_id ?? null,
        },
        part,
      );
      return toListPage({
        found,
        limit: part.limit,
        total,
        positionOf: (row) => row.invitation_id,
        present: (row) => presentInvitation(row, scope, request.baseUrl),
      });
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
    description:
      'Returns one row per link that was used for invitations, with its emails and response rate, newest first.',
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
        .meta({
          id: 'InvitationDistribution',
          examples: [
            {
              survey_id: 1,
              survey_name: 'Coffee at work',
              wave_id: 1,
              wave_name: 'Autumn 2026',
              link_id: 2,
              link_name: 'By mail',
              mails_sent: 26,
              last_sent_at: '2026-10-06T08:00:00.000Z',
              ...TOTALS_EXAMPLE,
            },
          ],
        }),
    ),
    async handler({ services, scope, query }) {
      const part = parseIdPage(query);
      const { found, total } = await services.invitations.listDistributions(
        scope,
        { surveyId: query.survey_id ?? null, waveId: query.wave_id ?? null },
        part,
      );
      return toListPage({
        found,
        limit: part.limit,
        total,
        positionOf: (row) => row.link_id,
        present: (row) => ({
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
      });
    },
  }),
];
