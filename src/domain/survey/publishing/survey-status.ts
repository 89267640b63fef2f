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
