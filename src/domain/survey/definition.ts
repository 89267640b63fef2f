import type { PageLogic } from './logic/logic.ts';
import type { SettingsOf } from './questions/question-settings.ts';
import type { QuestionType } from './questions/question-types.ts';

export type { QuestionType } from './questions/question-types.ts';

/** An option of a choice question; for a matrix, one of its columns. */
export interface Option {
  /** The permanent code in data files and statistics. Unique within the question, never reused. */
  code: number;
  /** The value in answers, filters and logic. Unique within the question. */
  value: string;
  label: string;
  order: number;
  image: string | null;
  /** Excludes every other option ("none of these"). */
  exclusive: boolean;
  /** Asks for a text beside it ("other, please specify"). */
  other: boolean;
  /** Keeps its position when options are shuffled. */
  anchor: boolean;
  /** "Don't know", "refused": chosen, but missing in statistics. */
  missing: boolean;
  /** No longer offered; existing data are kept. */
  retired: boolean;
}

interface QuestionOf<T extends QuestionType> {
  id: number;
  pageId: number;
  type: T;
  text: string;
  /** Variable code, unique within the survey ignoring case. */
  code: string;
  required: boolean;
  settings: SettingsOf<T>;
  options: Option[];
  retired: boolean;
}

/** A question; `type` determines its settings. */
export type Question = { [T in QuestionType]: QuestionOf<T> }[QuestionType];
export type QuestionWithType<T extends QuestionType> = Extract<Question, { type: T }>;

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
