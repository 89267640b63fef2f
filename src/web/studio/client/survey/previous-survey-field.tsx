import { SelectField } from '../../../shared/client/fields.tsx';
import { previousTexts as t } from '../../texts/previous.ts';
import type { Schema } from '../data/api.ts';
import { useQuery } from '../data/queries.ts';

const MAX_SURVEYS = 100;

/** The survey whose answers `{{previous.Q3}}` means. */
export function PreviousSurveyField({ survey }: { survey: Schema<'SurveyWithPages'> }) {
  const { previous_survey_id: chosen } = survey.survey_settings;
  const { data: surveys = [] } = useQuery('/api/surveys', {
    query: { workspace_id: survey.workspace_id, sort: '-survey_updated', limit: MAX_SURVEYS },
  });
  const others = surveys.filter(({ survey_id: id }) => id !== survey.survey_id);
  const isListed = chosen === null || others.some(({ survey_id: id }) => id === chosen);
  return (
    <SelectField
      // The list arrives after the field is shown.
      key={others.length}
      name="survey_settings.previous_survey_id"
      label={t.survey}
      hint={t.surveyHint}
      value={chosen === null ? '' : String(chosen)}
      options={[
        ['', t.earlierWaves],
        ...(isListed ? [] : [[String(chosen), t.otherSurvey(chosen)] as const]),
        ...others.map(({ survey_id: id, survey_name: name }) => [String(id), name] as const),
      ]}
    />
  );
}
