/** On their way to a complete response, in order; then the ways in which it ends before. */
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
 * From where each status can be reached. It only moves forward, steps may be left out (a page is opened while the mail server has not
 * said yet that it took the mail), and an exit is left no more.
 */
const REACHED_FROM: Readonly<Record<InvitationStatus, readonly InvitationStatus[]>> = {
  queued: [],
  sent: ['queued'],
  opened: ['queued', 'sent'],
  started: ['queued', 'sent', 'opened'],
  completed: ['queued', 'sent', 'opened', 'started'],
  // It could not be sent at all; afterwards whatever goes wrong is the reminder's.
  failed: ['queued'],
  // Whoever answers has got it.
  bounced: ['queued', 'sent', 'opened'],
  opted_out: ['queued', 'sent', 'opened', 'started'],
  suppressed: ['queued'],
};

/** The statuses in which an invitation may get this one. */
export const statusesBefore = (status: InvitationStatus): readonly InvitationStatus[] => REACHED_FROM[status];

/** What an invitation is after something happened; whatever comes too late changes nothing. */
export const nextInvitationStatus = (
  current: InvitationStatus,
  reported: InvitationStatus,
): InvitationStatus => (REACHED_FROM[reported].includes(current) ? reported : current);

/** Whose mail went out and who have not opted out, bounced or completed: whom a reminder may be for. */
export const REMINDABLE_STATUSES = [
  'sent',
  'opened',
  'started',
] as const satisfies readonly InvitationStatus[];

type Counts = Readonly<Record<InvitationStatus, number>>;

/** Invitations whose mail went out, as far as anybody knows. */
const countDelivered = (counts: Counts): number =>
  counts.sent + counts.opened + counts.started + counts.completed + counts.opted_out;

/** Completes of what was delivered, in percent with one decimal; null: nothing was. */
export function responseRate(counts: Counts): number | null {
  const delivered = countDelivered(counts);
  return delivered === 0 ? null : Math.round((counts.completed / delivered) * 1_000) / 10;
}
