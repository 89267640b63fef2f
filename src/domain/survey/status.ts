export const SURVEY_TYPES = ['quantitative', 'qualitative', 'mixed'] as const;
export type SurveyType = (typeof SURVEY_TYPES)[number];

/** survey_status in the API: 1 Draft, 2 Active, 3 Closed, 0 Deleted. */
export type SurveyStatus = 0 | 1 | 2 | 3;

export const SURVEY_STATUS = { deleted: 0, draft: 1, active: 2, closed: 3 } as const;

const NAMES: Record<SurveyStatus, string> = { 0: 'Deleted', 1: 'Draft', 2: 'Active', 3: 'Closed' };

/** Returns why this status change is not allowed; null if it is. Publish and delete have their own operations. */
export function statusChangeProblem(from: SurveyStatus, to: SurveyStatus): string | null {
  if (from === to) return null;
  if (to === SURVEY_STATUS.deleted) return 'DELETE the survey instead';
  if (from === SURVEY_STATUS.draft && to === SURVEY_STATUS.active) return 'publish the survey instead';
  const isPair = from !== SURVEY_STATUS.draft && to !== SURVEY_STATUS.draft;
  return isPair ? null : `a survey cannot go from ${from} (${NAMES[from]}) to ${to} (${NAMES[to]})`;
}

export const LINK_TYPES = ['open', 'unique', 'panel'] as const;
export type LinkType = (typeof LINK_TYPES)[number];

/** Names of links that their authors do not name. */
export const DEFAULT_LINK_NAMES: Readonly<Record<LinkType, string>> = {
  open: 'Public link',
  unique: 'Unique link',
  panel: 'Panel link',
};

/** What a user sets; see LinkStatus for the status that follows from it. */
export type LinkState = 'active' | 'paused';

export const LINK_STATUSES = ['active', 'paused', 'full', 'closed', 'expired'] as const;
export type LinkStatus = (typeof LINK_STATUSES)[number];

/** The maximum number of complete responses of a link; a unique link has 1, whatever quota is set. */
export const linkLimit = (type: LinkType, quota: number | null): number | null =>
  type === 'unique' ? 1 : quota;

/** The status of a link for respondents now. If several reasons close it, returns the most permanent one. */
export function linkStatusOf(
  link: {
    state: LinkState;
    quota: number | null;
    /** null: it is not shown, and neither is that the quota is reached. */
    completeCount: number | null;
    expiresAt: Date | null;
    /** Whether the survey has all the responses that it accepts. */
    isSurveyFull: boolean;
    /** Whether the link has no waves, or an open wave in which a respondent can start. */
    inOpenWave: boolean;
  },
  surveyStatus: SurveyStatus,
  now: Date,
): LinkStatus {
  if (link.expiresAt !== null && link.expiresAt <= now) return 'expired';
  if (surveyStatus !== SURVEY_STATUS.active || !link.inOpenWave) return 'closed';
  if (
    link.isSurveyFull ||
    (link.quota !== null && link.completeCount !== null && link.completeCount >= link.quota)
  )
    return 'full';
  return link.state;
}

export const WAVE_STATUSES = ['scheduled', 'active', 'ended'] as const;
export type WaveStatus = (typeof WAVE_STATUSES)[number];

/** Start null: open from the beginning; end null: never ends. */
interface WaveDates {
  start: Date | null;
  end: Date | null;
}

/** Returns the status at a time. The start is inclusive, the end exclusive. */
export function waveStatusOf({ start, end }: WaveDates, now: Date): WaveStatus {
  if (end !== null && end <= now) return 'ended';
  return start !== null && start > now ? 'scheduled' : 'active';
}
