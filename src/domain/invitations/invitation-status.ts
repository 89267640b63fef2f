import { SURVEY_STATUS, type SurveyStatus, waveStatusOf } from '../survey/status.ts';

/**
 * The statuses on the way to a complete response, in order, followed by the statuses that end an invitation early.
 * `kept`: the email was not sent, because no mail server is configured; it can be read in the outbox.
 */
export const INVITATION_STATUSES = [
  'queued',
  'kept',
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
  kept: ['queued'],
  sent: ['queued', 'kept'],
  opened: ['queued', 'kept', 'sent'],
  started: ['queued', 'kept', 'sent', 'opened'],
  completed: ['queued', 'kept', 'sent', 'opened', 'started'],
  // Only the invitation email itself can fail; later failures belong to a reminder.
  failed: ['queued', 'kept'],
  // A respondent who answers has received the email, so it did not bounce.
  bounced: ['queued', 'kept', 'sent', 'opened'],
  opted_out: ['queued', 'kept', 'sent', 'opened', 'started'],
  suppressed: ['queued'],
};

/** Returns the statuses that can change to this status. */
export const statusesBefore = (status: InvitationStatus): readonly InvitationStatus[] => REACHED_FROM[status];

/** Returns the status after an event; an event that arrives too late does not change the status. */
export const nextInvitationStatus = (
  current: InvitationStatus,
  reported: InvitationStatus,
): InvitationStatus => (REACHED_FROM[reported].includes(current) ? reported : current);

/** The statuses that allow a reminder: an email was written, and the invitation was neither completed, bounced nor opted out. */
export const REMINDABLE_STATUSES = [
  'kept',
  'sent',
  'opened',
  'started',
] as const satisfies readonly InvitationStatus[];

type Counts = Readonly<Record<InvitationStatus, number>>;

/** Counts the invitations that were sent and did not bounce, and the kept ones, whose links people get in another way. */
const countDelivered = (counts: Counts): number =>
  counts.kept + counts.sent + counts.opened + counts.started + counts.completed + counts.opted_out;

/** Returns the completed share of delivered invitations, in percent with one decimal; null if no invitation was delivered. */
export function responseRate(counts: Counts): number | null {
  const delivered = countDelivered(counts);
  return delivered === 0 ? null : Math.round((counts.completed / delivered) * 1_000) / 10;
}

/** The state of the survey, wave and link that an email leads to. */
export interface CampaignTarget {
  surveyStatus: SurveyStatus;
  linkState: 'active' | 'paused';
  isLinkDeleted: boolean;
  expiresAt: Date | null;
  /** Dates of the link's wave; both null: the link has no wave. */
  waveStart: Date | null;
  waveEnd: Date | null;
}

/** `closed`: emails must not be sent any more; `waiting`: emails must wait. */
export type SendingState = { state: 'open' } | { state: 'waiting' | 'closed'; code: string; reason: string };

/** Evaluates whether emails can be sent now. */
export function evaluateSendingState(target: CampaignTarget, now: Date): SendingState {
  const closedState = (code: string, reason: string): SendingState => ({ state: 'closed', code, reason });
  if (target.surveyStatus === SURVEY_STATUS.draft)
    return closedState('survey_not_published', 'the survey is not published');
  if (target.surveyStatus !== SURVEY_STATUS.active)
    return closedState('survey_closed', 'the survey is closed');
  if (target.isLinkDeleted) return closedState('link_deleted', 'the link was deleted');
  if (target.expiresAt !== null && target.expiresAt <= now)
    return closedState('link_expired', 'the link has expired');
  const wave = waveStatusOf({ start: target.waveStart, end: target.waveEnd }, now);
  if (wave === 'ended') return closedState('wave_ended', 'the wave has ended');
  if (wave === 'scheduled')
    return { state: 'waiting', code: 'wave_not_open', reason: 'the wave has not begun' };
  if (target.linkState === 'paused')
    return { state: 'waiting', code: 'link_paused', reason: 'the link is paused' };
  return { state: 'open' };
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const RETRY_DELAYS_SECONDS = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR];

/** Returns the delay before retrying an email that failed temporarily, in seconds; null: no more retries. */
export const retryAfterSeconds = (attempts: number): number | null => RETRY_DELAYS_SECONDS[attempts] ?? null;
