import type { Question } from '../questions/registry.ts';
import type { PageLogic, Skip } from '../questions/logic-schema.ts';

export type { Option } from '../questions/question.ts';
export type { Question, QuestionType, QuestionWithType } from '../questions/registry.ts';

export interface Page {
  id: number;
  title: string | null;
  description: string | null;
  logic: PageLogic | null;
  retired: boolean;
  /** In survey order. */
  questions: Question[];
}

/** The pages and questions of a survey, in order, including retired ones. */
export interface SurveyDefinition {
  surveyId: number;
  /** The published version; 0 for a draft that was never published. */
  version: number;
  name: string;
  description: string | null;
  pages: Page[];
}

/** Returns all questions in order; retired ones only with `include` 'all'. */
export function questionsOf(definition: SurveyDefinition, include: 'live' | 'all' = 'live'): Question[] {
  return definition.pages
    .filter((page) => include === 'all' || !page.retired)
    .flatMap((page) => page.questions.filter((question) => include === 'all' || !question.retired));
}

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

function respondentQuestion({ translationSources: _, ...question }: Question): Question {
  if (question.settings.hidden) {
    const settings = {
      ...question.settings,
      report_label: null,
      description: null,
      image_url: null,
      image_alt: null,
      media_url: null,
      media_alt: null,
      media_captions: null,
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
