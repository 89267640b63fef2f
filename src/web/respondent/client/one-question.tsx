import type { RespondentSettings } from '../../../domain/survey/survey-settings.ts';
import type { Session } from './session.ts';

let module: typeof import('./one-question-keys.tsx') | undefined;

/** Loads the keys of the layout with one question at a time, if the survey has it. */
export async function loadOneQuestion({ layout }: RespondentSettings): Promise<void> {
  if (layout === 'one_question') module = await import('./one-question-keys.tsx');
}

/** Returns what gets the focus on a new screen: its heading, or its only question. */
export const focusTarget = (): HTMLElement | null =>
  module === undefined ? document.querySelector('main h1') : module.focusTarget();

/** Answers by keys, and says which key goes on. */
export function OneQuestion(props: { session: Session }) {
  return module !== undefined && <module.QuestionKeys {...props} />;
}
