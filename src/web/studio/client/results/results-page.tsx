import { texts } from '../../texts.ts';
import { NotHereYet } from '../shell/not-here-yet.tsx';
import type { SurveyTabProps } from '../survey/survey-tab.ts';

export function ResultsPage(_props: SurveyTabProps) {
  return <NotHereYet area={texts.survey.results} offers={texts.unavailable.results} />;
}
