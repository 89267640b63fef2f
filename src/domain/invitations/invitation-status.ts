/** The statuses on the way to a complete response, in order, followed by the statuses that end an invitation early. */
export const INVITATION_STATUSES = [
  'queued',
  'sent',
  'opened',
  'started',
  'completed',
  'failed',
  'bounced',
  'opted_out',
  'suppressed',
] as const;
export type InvitationStatus = (typeof INVITATION_STATUSES)[number];

/**
 * The statuses from which each status can be reached. A status only moves forward and can skip steps, for example when a page is opened
 * before the mail server confirms the email. Final statuses never change.
 */
const REACHED_FROM: Readonly<Record<InvitationStatus, readonly InvitationStatus[]>> = {
  queued: [],
  sent: ['queued'],
  opened: ['queued', 'sent'],
  started: ['queued', 'sent', 'opened'],
  completed: ['queued', 'sent', 'opened', 'started'],
  // Only the invitation email itself can fail; later failures belong to a reminder.
  failed: ['queued'],
  // A respondent who answers has received the email, so it did not bounce.
  bounced: ['queued', 'sent', 'opened'],
  opted_out: ['queued', 'sent', 'opened', 'started'],
  suppressed: ['queued'],
};

/** Returns the statuses that can change to this status. */
export const statusesBefore = (status: InvitationStatus): readonly InvitationStatus[] => REACHED_FROM[status];

/** Returns the status after an event; an event that arrives too late does not change the status. */
export const nextInvitationStatus = (
  current: InvitationStatus,
  reported: InvitationStatus,
): InvitationStatus => (REACHED_FROM[reported].includes(current) ? reported : current);

/** The statuses that allow a reminder: the email was sent, and the invitation was neither completed, bounced nor opted out. */
export const REMINDABLE_STATUSES = [
  'sent',
  'opened',
  'started',
] as const satisfies readonly InvitationStatus[];

type Counts = Readonly<Record<InvitationStatus, number>>;

/** Counts the invitations that were sent and did not bounce. */
const countDelivered = (counts: Counts): number =>
  counts.sent + counts.opened + counts.started + counts.completed + counts.opted_out;

/** Returns the completed share of delivered invitations, in percent with one decimal; null if no invitation was delivered. */
export function responseRate(counts: Counts): number | null {
  const delivered = countDelivered(counts);
  return delivered === 0 ? null : Math.round((counts.completed / delivered) * 1_000) / 10;
}
