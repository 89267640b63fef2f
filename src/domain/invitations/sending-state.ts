import { SURVEY_STATUS, type SurveyStatus } from '../survey/publishing/survey-status.ts';
import { waveStatusOf } from '../survey/wave-status.ts';

/** What people who get a mail would meet at the address in it. */
export interface CampaignTarget {
  surveyStatus: SurveyStatus;
  linkState: 'active' | 'paused';
  isLinkDeleted: boolean;
  expiresAt: Date | null;
  /** Of the link's wave; null, both: it has none. */
  waveStart: Date | null;
  waveEnd: Date | null;
}

/** `shut`: nobody is to be sent there, for good; `waiting`: not yet. */
export type SendingState = { is: 'open' } | { is: 'waiting' | 'shut'; code: string; reason: string };

/** Whether mails may go out now. */
export function sendingStateOf(way: CampaignTarget, now: Date): SendingState {
  const shut = (code: string, why: string): SendingState => ({ is: 'shut', code, reason: why });
  if (way.surveyStatus === SURVEY_STATUS.draft)
    return shut('survey_not_published', 'the survey is not published');
  if (way.surveyStatus !== SURVEY_STATUS.active) return shut('survey_closed', 'the survey is closed');
  if (way.isLinkDeleted) return shut('link_deleted', 'the link was deleted');
  if (way.expiresAt !== null && way.expiresAt <= now) return shut('link_expired', 'the link has expired');
  const wave = waveStatusOf({ start: way.waveStart, end: way.waveEnd }, now);
  if (wave === 'ended') return shut('wave_ended', 'the wave has ended');
  if (wave === 'scheduled') return { is: 'waiting', code: 'wave_not_open', reason: 'the wave has not begun' };
  if (way.linkState === 'paused') return { is: 'waiting', code: 'link_paused', reason: 'the link is paused' };
  return { is: 'open' };
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const RETRY_DELAYS_SECONDS = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR];

/** How long a mail waits that was refused for now so many times before, in seconds; null: it is not tried again. */
export const retryAfterSeconds = (attempts: number): number | null => RETRY_DELAYS_SECONDS[attempts] ?? null;
