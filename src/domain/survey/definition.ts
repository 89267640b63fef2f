import type { Question } from '../questions/registry.ts';
import type { PageLogic } from './logic/logic.ts';

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
