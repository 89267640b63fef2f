import { SURVEY_STATUS, type SurveyStatus } from './publishing/survey-status.ts';

export const LINK_STATUSES = ['active', 'paused', 'full', 'closed', 'expired'] as const;
export type LinkStatus = (typeof LINK_STATUSES)[number];

/** The most responses that may complete through it: a unique link is for one, whatever else was set. */
export const linkLimit = (type: 'open' | 'unique' | 'panel', quota: number | null): number | null =>
  type === 'unique' ? 1 : quota;

/** What a link does for whoever follows it now; where several reasons keep it shut, the one that lasts longest is said. */
export function linkStatusOf(
  link: {
    state: 'active' | 'paused';
    quota: number | null;
    completeCount: number;
    expiresAt: Date | null;
    /** False: no wave is open in which anybody could begin. */
    inOpenWave: boolean;
  },
  surveyStatus: SurveyStatus,
  now: Date,
): LinkStatus {
  if (link.expiresAt !== null && link.expiresAt <= now) return 'expired';
  if (surveyStatus !== SURVEY_STATUS.active || !link.inOpenWave) return 'closed';
  if (link.quota !== null && link.completeCount >= link.quota) return 'full';
  return link.state;
}
