import { quote, unknownObject } from '../../../lib/error-messages.ts';
import type { PreviousQuestions, SurveyDefinition } from '../definition.ts';
import { readLoopedCode } from '../loop-codes.ts';
import { previousCode, readPreviousCode } from '../previous-codes.ts';
import { usesPrevious } from '../previous-questions.ts';
import type { SurveySettings } from '../survey-settings.ts';
import { comparisonMismatch, type PublishProblem } from './publish-check.ts';
import { findReferences, type Reference } from './references.ts';

const SETTING = 'survey_settings.previous_survey_id';

/** What a survey refers to with earlier answers. */
export interface PreviousState {
  settings: SurveySettings;
  /** The survey of `previous_survey_id`, or this one; null: it is deleted or in another workspace. */
  source: { isAnonymous: boolean } | null;
  /** Of the published version. */
  published: PreviousQuestions | null;
}

/**
 * Returns references to earlier answers that do not exist, and why a survey cannot use any. Expressions are checked by calculation-check.ts.
 *
 * @param definition with its loops written out
 */
export function findPreviousProblems(definition: SurveyDefinition, state: PreviousState): PublishProblem[] {
  if (!usesPrevious(definition, state.settings)) return [];
  const general = generalProblem(definition, state);
  if (general !== null) return [general];
  return findReferences(definition).flatMap((reference): PublishProblem[] => {
    const message = referenceProblem(reference, definition);
    if (message === null) return [];
    const { field, question } = reference;
    return [
      {
        code: 'dangling_reference',
        message,
        field,
        ...(question !== null && { question_code: question.code }),
      },
    ];
  });
}

function generalProblem(
  { previous }: SurveyDefinition,
  { settings, source, published }: PreviousState,
): PublishProblem | null {
  const problem = (message: string): PublishProblem => ({
    code: 'impossible_settings',
    message,
    field: SETTING,
  });
  if (settings.anonymous)
    return problem('An anonymous survey stores nothing about who answers, so it cannot use earlier answers');
  if (source === null)
    return problem(
      `The survey ${settings.previous_survey_id} with the earlier answers is deleted or in another workspace`,
    );
  if (source.isAnonymous)
    return problem(
      'The earlier survey is anonymous: its answers belong to no respondent, so they cannot be used',
    );
  const isOther = published !== null && published.surveyId !== (previous?.surveyId ?? null);
  return isOther && published.questions.length > 0
    ? problem(
        'The earlier answers of the published survey come from another survey, and would be in the same columns: duplicate the survey to use those of this one',
      )
    : null;
}

function referenceProblem({ target, location }: Reference, { previous }: SurveyDefinition): string | null {
  if (target.kind !== 'previous' || location === 'expression') return null;
  const questions = (previous?.questions ?? []).filter(({ retired }) => !retired);
  const question = questions.find(({ code }) => code === previousCode(target.code));
  if (question !== undefined)
    return target.comparison === null ? null : comparisonMismatch(question, target.comparison);
  const looped = questions.find(
    ({ code }) => readLoopedCode(readPreviousCode(code) ?? code)?.authored === target.code,
  );
  return looped === undefined
    ? `${unknownObject({ kind: 'question', idOrCode: target.code, scope: 'with answers in the earlier survey' })}`
    : `${quote(target.code)} is in a loop of the earlier survey: name the item too, such as ${readPreviousCode(looped.code)}`;
}
