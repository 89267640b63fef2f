import { SURVEY_STATUS, type SurveyStatus } from './publishing/lifecycle.ts';

export type LinkStatus = 'active' | 'paused' | 'full' | 'closed' | 'expired';

/** What a link does for whoever follows it now; where several reasons keep it shut, the one that lasts longest is said. */
export function linkStatusOf(
  link: {
    state: 'active' | 'paused';
    quota: number | null;
    completeCount: number;
    expiresAt: Date | null;
  },
  surveyStatus: SurveyStatus,
  now: Date,
): LinkStatus {
  if (link.expiresAt !== null && link.expiresAt <= now) return 'expired';
  if (surveyStatus !== SURVEY_STATUS.active) return 'closed';
  if (link.quota !== null && link.completeCount >= link.quota) return 'full';
  return link.state;
}
