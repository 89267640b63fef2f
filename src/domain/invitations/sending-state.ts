import { SURVEY_STATUS, type SurveyStatus } from '../survey/publishing/survey-status.ts';
import { waveStatusOf } from '../survey/wave-status.ts';

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
