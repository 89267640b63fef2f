import type { Schema } from '../data/api.ts';

/** What the frame of a survey gives to each of its tabs. */
export interface SurveyTabProps {
  survey: Schema<'SurveyWithPages'>;
  /** Whether the user may change the survey. */
  canEdit: boolean;
}
