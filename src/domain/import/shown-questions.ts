import type { StoredAnswers } from '../answers/codec.ts';
import { NO_RESPONDENT_CONTEXT } from '../survey/logic/respondent-context.ts';
import type { PreparedDefinition } from '../survey/prepared-definition.ts';
import { evaluateLogic, type SurveyEnd } from '../survey/logic/evaluate-logic.ts';

/** The questions that a response was shown, according to its answers. */
export interface ShownQuestions {
  has(questionCode: string): boolean;
  end: SurveyEnd | null;
}

/** Evaluates the survey's logic, if any; otherwise every question that is not hidden is shown. */
export function createShownQuestions(
  prepared: PreparedDefinition,
): (answers: StoredAnswers) => ShownQuestions {
  const everything = new Set<string>();
  let hasLogic = false;
  for (const { page, questions } of prepared.pages) {
    hasLogic ||= page.logic !== null;
    for (const { question } of questions) {
      hasLogic ||= question.settings.logic !== null;
      if (!question.settings.hidden) everything.add(question.code);
    }
  }
  if (!hasLogic) {
    const all: ShownQuestions = { has: (code) => everything.has(code), end: null };
    return () => all;
  }
  return (answers) => {
    const answerOf = (code: string) => (Object.hasOwn(answers, code) ? answers[code] : undefined);
    const route = evaluateLogic(prepared, ({ question }) => answerOf(question.code), NO_RESPONDENT_CONTEXT);
    return { has: (code) => route.shown.has(code), end: route.end };
  };
}
