import { z } from 'zod';
import {
  INVITATION_STATUSES,
  type InvitationStatus,
  responseRate,
} from '../../domain/invitations/invitation-status.ts';
import { hasAccess, type SurveyScope } from '../../domain/access/scopes.ts';
import type { InvitationRow, StatusCounts } from '../../repositories/invitations.ts';

export const invitationStatus = z.enum(INVITATION_STATUSES, {
  error: `must be one of ${INVITATION_STATUSES.join(', ')}`,
});

const moment = z.iso.datetime().nullable();

export const invitationSchema = z
  .strictObject({
    invitation_id: z.int(),
    link_id: z.int().describe('The link of the invitation; responses are attributed to it'),
    wave_id: z.int().nullable(),
    respondent_id: z.int(),
    email: z.string().nullable().describe('null: the respondent was erased'),
    name: z.string().nullable(),
    invitation_status: invitationStatus,
    status_note: z.string().nullable().describe('The message of the mail server, or why nothing was sent'),
    link_url: z
      .string()
      .nullable()
      .describe('Personal link for one response; null if the caller cannot edit the survey'),
    mail_count: z.int().describe('Number of emails sent, including reminders'),
    created_at: z.iso.datetime(),
    sent_at: moment,
    opened_at: moment,
    started_at: moment,
    completed_at: moment.describe('null, like opened_at and started_at, in an anonymous survey'),
  })
  .meta({ id: 'SurveyInvitation' });

export const presentInvitation = (row: InvitationRow, { role }: SurveyScope, baseUrl: string) => ({
  invitation_id: row.invitation_id,
  link_id: row.link_id,
  wave_id: row.wave_id,
  respondent_id: row.respondent_id,
  email: row.respondent_email,
  name: row.respondent_name,
  invitation_status: row.invitation_status,
  status_note: row.status_note,
  link_url: hasAccess(role, 'edit') ? `${baseUrl}/s/${row.link_token}` : null,
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
    sent: count,
    opened: count,
    started: count,
    completed: count,
    failed: count,
    bounced: count,
    opted_out: count,
    suppressed: count,
  })
  .meta({ id: 'InvitationCounts', description: 'Number of invitations by current status' });

export const totalsFields = {
  total: count,
  counts: countsSchema,
  response_rate: z
    .number()
    .nullable()
    .describe(
      'completed as a percentage of the invitations that were sent (sent, opened, started, completed and opted_out); null if there are none',
    ),
};

export function countsOf(row: StatusCounts): StatusCounts {
  return Object.fromEntries(INVITATION_STATUSES.map((status) => [status, row[status]])) as StatusCounts;
}

export function presentTotals(counts: StatusCounts) {
  const total = INVITATION_STATUSES.reduce((sum, status) => sum + counts[status], 0);
  return { total, counts, response_rate: responseRate(counts) };
}

export function addedUp(rows: readonly StatusCounts[]): StatusCounts {
  const sum = (status: InvitationStatus) => rows.reduce((all, row) => all + row[status], 0);
  return Object.fromEntries(INVITATION_STATUSES.map((status) => [status, sum(status)])) as StatusCounts;
}
