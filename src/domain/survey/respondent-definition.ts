import type { Skip } from './logic/logic.ts';
import type { Page, Question, SurveyDefinition } from './definition.ts';

/**
 * The part of a definition that may be sent to respondents: nothing retired, no reasons of skip rules, and of a hidden question only what
 * logic needs.
 */
export function respondentDefinition(definition: SurveyDefinition): SurveyDefinition {
  return {
    ...definition,
    pages: definition.pages
      .filter((page) => !page.retired)
      .map((page): Page => ({
        ...page,
        logic: withoutReasons(page.logic),
        questions: page.questions.filter((question) => !question.retired).map(respondentQuestion),
      })),
  };
}

function respondentQuestion(question: Question): Question {
  if (question.settings.hidden) {
    const settings = {
      ...question.settings,
      report_label: null,
      description: null,
      translations: null,
      logic: null,
    };
    return { ...question, text: '', options: [], settings } as Question;
  }
  return {
    ...question,
    options: question.options.filter((option) => !option.retired),
    // Report labels are not sent to respondents.
    settings: {
      ...question.settings,
      report_label: null,
      logic: withoutReasons(question.settings.logic),
    },
  } as Question;
}

/** Removes screen-out reasons, which only workspace members may see. */
function withoutReasons<T extends { skip?: Skip[] | undefined } | null>(logic: T): T {
  if (logic?.skip === undefined) return logic;
  return { ...logic, skip: logic.skip.map(({ reason: _, ...rule }) => rule) };
}
