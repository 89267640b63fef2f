import type { SurveyScope } from '../../domain/access/scopes.ts';
import type { Page, SurveyDefinition } from '../../domain/survey/definition.ts';
import { withCarriedOptions } from '../../domain/survey/questions/options.ts';
import { MAX_PAGES } from '../../domain/survey/transfer/survey-export.ts';
import { limitReached } from '../../lib/error-messages.ts';
import { conflict } from '../../lib/errors.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import { buildNewQuestions, type NewQuestion } from './new-questions.ts';
import { type PageInput, pageLogicOf } from './survey-pages.ts';

export type ContentQuestion = Omit<NewQuestion, 'pageId' | 'position'>;
type ContentPage = Omit<PageInput, 'position'> & { questions: readonly ContentQuestion[] };

/** The initial pages and questions of a survey. */
export interface SurveyContentInput {
  pages: readonly ContentPage[];
  /** Questions on a page before `pages`. */
  questions: readonly ContentQuestion[];
}

interface PageAt extends ContentPage {
  /** `pages[0].`; empty for the page of `questions`. */
  at: string;
}

/**
 * Adds the initial pages and questions of a survey, with the same checks as adding them one by one. Throws an error
 * that names the fields if any is invalid.
 */
export async function addContent(
  repositories: Repositories,
  scope: SurveyScope,
  { pages, questions }: SurveyContentInput,
): Promise<void> {
  const given: PageAt[] = pages.map((page, index) => ({ ...page, at: `pages[${index}].` }));
  if (questions.length > 0) {
    given.unshift({ title: null, description: null, logic: null, questions, at: '' });
  }
  if (given.length === 0) return;
  if (given.length > MAX_PAGES) throw conflict('too_many_pages', limitReached('A survey', MAX_PAGES, 'page'));
  const ids = await repositories.questions.reservePageIds(given.length);
  const stored = await repositories.definitions.storedDraft(scope.surveyId);
  const empty = given.map(({ title, description }, index): Page => ({
    id: ids[index]!,
    title,
    description,
    logic: null,
    retired: false,
    questions: [],
  }));
  const inputs = given.flatMap((page, index) =>
    page.questions.map((question, questionIndex) => ({
      at: `${page.at}questions[${questionIndex}].`,
      question: { ...question, pageId: ids[index]! },
    })),
  );
  const built = await buildNewQuestions(repositories, scope, { ...stored, pages: empty }, inputs);
  await repositories.questions.addPages(scope, withLogic(empty, given, withCarriedOptions(built.definition)));
  await repositories.questions.add(scope, built.added);
}

function withLogic(pages: readonly Page[], given: readonly PageAt[], definition: SurveyDefinition): Page[] {
  return pages.map((page, index) => {
    const { logic, at } = given[index]!;
    return { ...page, logic: pageLogicOf(definition, logic, null, at) };
  });
}
