import type { QuestionAnswers } from '../questions/question-type.ts';
import { codecFor } from '../questions/registry.ts';
import type { Option, Page, Question, SurveyDefinition } from './definition.ts';

export interface PreparedQuestion {
  question: Question;
  codec: QuestionAnswers;
  /** The name of the question's answer in problems. */
  field: string;
  /** The options that are not retired. */
  options: readonly Option[];
  retired: boolean;
}

/** Positions of live pages and questions. */
export interface QuestionPositions {
  pageIndexById: ReadonlyMap<number, number>;
  questionPositionById: ReadonlyMap<number, { pageIndex: number; questionIndex: number }>;
}

/** A definition with precomputed lookups, for code that processes thousands of responses. Read-only. */
export interface PreparedDefinition {
  definition: SurveyDefinition;
  /** Live pages with their live questions, in order. */
  pages: { page: Page; questions: PreparedQuestion[] }[];
  /** All questions by code, including retired ones. */
  byCode: ReadonlyMap<string, PreparedQuestion>;
  /** Maps lower-case codes to codes in their original spelling. */
  byFoldedCode: ReadonlyMap<string, string>;
  /** Positions of live pages and questions in `pages`. */
  positions: QuestionPositions;
}

export function prepareDefinition(definition: SurveyDefinition): PreparedDefinition {
  const byCode = new Map<string, PreparedQuestion>();
  for (const page of definition.pages) {
    for (const question of page.questions) {
      byCode.set(question.code, {
        question,
        codec: codecFor(question),
        field: `answers.${question.code}`,
        options: question.options.filter((option) => !option.retired),
        retired: page.retired || question.retired,
      });
    }
  }
  const pages = definition.pages
    .filter((page) => !page.retired)
    .map((page) => ({
      page,
      questions: page.questions
        .filter((question) => !question.retired)
        .flatMap((question) => byCode.get(question.code) ?? []),
    }));
  return {
    definition,
    pages,
    byCode,
    byFoldedCode: new Map([...byCode.keys()].map((code) => [code.toLowerCase(), code])),
    positions: {
      pageIndexById: new Map(pages.map(({ page }, index) => [page.id, index])),
      questionPositionById: new Map(
        pages.flatMap(({ questions }, pageIndex) =>
          questions.map(({ question }, questionIndex) => [question.id, { pageIndex, questionIndex }]),
        ),
      ),
    },
  };
}
