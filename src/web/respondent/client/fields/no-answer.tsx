import { type SurveyDefinition, questionsOf } from '../../../../domain/survey/definition.ts';
import type { FieldProps } from './field-module.ts';

let module: typeof import('./no-answer-choices.tsx') | undefined;

/** Loads the reasons instead of an answer, if a question offers any. */
export async function loadNoAnswer(definition: SurveyDefinition): Promise<void> {
  if (questionsOf(definition).some(({ settings }) => settings.no_answers.length > 0))
    module = await import('./no-answer-choices.tsx');
}

/** The reasons that the question offers instead of an answer. */
export function NoAnswer(props: FieldProps) {
  return module !== undefined && <module.NoAnswerChoices {...props} />;
}
