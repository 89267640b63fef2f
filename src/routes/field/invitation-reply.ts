import { z } from 'zod';
import {
  INVITATION_STATUSES,
  type InvitationStatus,
  responseRate,
} from '../../domain/invitations/invitation-status.ts';
import { allows, type SurveyScope } from '../../domain/access/scopes.ts';
import type { InvitationRow, StatusCounts } from '../../repositories/invitations.ts';

export const invitationStatus = z.enum(INVITATION_STATUSES, {
  error: `must be one of ${INVITATION_STATUSES.join(', ')}`,
});

const moment = z.iso.datetime().nullable();

export const invitationSchema = z
  .strictObject({
    invitation_id: z.int(),
    link_id: z.int().describe('That they were invited through; their responses are of it'),
    wave_id: z.int().nullable(),
    respondent_id: z.int(),
    email: z.string().nullable().describe('null: the person was erased'),
    name: z.string().nullable(),
    invitation_status: invitationStatus,
    status_note: z.string().nullable().describe('The words of the mail server, or why nothing was sent'),
    link_url: z
      .string()
      .nullable()
      .describe(
        'Their own address into the survey, for one response; null to viewers, who could answer for them',
      ),
    mail_count: z.int().describe('Mails that went out, reminders included'),
    created_at: z.iso.datetime(),
    sent_at: moment,
    opened_at: moment,
    started_at: moment,
    completed_at: moment.describe('null, as the two before, of an anonymous survey'),
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
  link_url: allows(role, 'edit') ? `${baseUrl}/s/${row.link_token}` : null,
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
  .meta({ id: 'InvitationCounts', description: 'Each invitation counts once, in the status it has now' });

export const totalsFields = {
  total: count,
  counts: countsSchema,
  response_rate: z
    .number()
    .nullable()
    .describe(
      'Percent of completed among those whose mail went out: sent, opened, started, completed and opted_out; null: none did',
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
