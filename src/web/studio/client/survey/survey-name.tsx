import { useState } from 'preact/hooks';
import { ApiError } from '../../../shared/client/api.ts';
import { errorMessage } from '../../../shared/client/form-errors.ts';
import { useSelectOnFocus } from '../../../shared/client/select-on-focus.ts';
import { texts } from '../../texts.ts';
import { changeApi } from '../data/api.ts';
import { reloadQueries } from '../data/queries.ts';
import type { SurveyTabProps } from './survey-tab.ts';

/** The name of the survey, which is edited in place: Enter or leaving the field saves it, Escape restores it. */
export function SurveyName({ survey: { survey_id: id, survey_name: name } }: Pick<SurveyTabProps, 'survey'>) {
  const selectUnnamed = useSelectOnFocus((value) => value === texts.create.unnamed);
  const [problem, setProblem] = useState<string | null>(null);
  const save = async (input: HTMLInputElement) => {
    const changed = input.value.trim();
    if (changed === name || changed === '') {
      input.value = name;
      setProblem(null);
      return;
    }
    try {
      await changeApi('put', '/api/surveys/{id}', { path: { id }, body: { survey_name: changed } });
      await reloadQueries('/api/surveys');
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setProblem(errorMessage(error));
    }
  };
  return (
    <>
      <input
        class="inline-field"
        aria-label={texts.survey.surveyName}
        aria-invalid={problem !== null}
        {...(problem === null ? {} : { 'aria-describedby': 'survey-name-problem' })}
        title={texts.survey.rename}
        autocomplete="off"
        defaultValue={name}
        {...selectUnnamed}
        onBlur={(event) => void save(event.currentTarget)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.value = name;
          if (event.key === 'Enter' || event.key === 'Escape') event.currentTarget.blur();
        }}
      />
      <p class="name-hint">{texts.survey.nameHint}</p>
      {problem !== null && (
        <p class="problem" id="survey-name-problem" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}
