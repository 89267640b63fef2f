import { SURVEY_STATUS, type SurveyStatus } from './publishing/survey-status.ts';

export const LINK_STATUSES = ['active', 'paused', 'full', 'closed', 'expired'] as const;
export type LinkStatus = (typeof LINK_STATUSES)[number];

/** The maximum number of complete responses of a link; a unique link has 1, whatever quota is set. */
export const linkLimit = (type: 'open' | 'unique' | 'panel', quota: number | null): number | null =>
  type === 'unique' ? 1 : quota;

/** The status of a link for respondents now. If several reasons close it, returns the most permanent one. */
export function linkStatusOf(
  link: {
    state: 'active' | 'paused';
    quota: number | null;
    completeCount: number;
    expiresAt: Date | null;
    /** Whether the link has no waves, or an open wave in which a respondent can start. */
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
