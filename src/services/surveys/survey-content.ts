import type { SurveyScope } from '../../domain/access/scopes.ts';
import { type Page, PLAIN_PAGE, type SurveyDefinition } from '../../domain/survey/definition.ts';
import { withCarriedOptions } from '../../domain/survey/carried-options.ts';
import { MAX_PAGES } from '../../domain/survey/survey-export.ts';
import { limitReached } from '../../lib/error-messages.ts';
import { conflict } from '../../lib/errors.ts';
import { requireItem } from '../../lib/require-value.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import { buildNewQuestions, type NewQuestion } from './questions.ts';
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
  id: number;
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
  const contents: Omit<PageAt, 'id'>[] = pages.map((page, index) => ({ ...page, at: `pages[${index}].` }));
  if (questions.length > 0) {
    contents.unshift({ title: null, description: null, logic: null, questions, at: '' });
  }
  if (contents.length === 0) return;
  if (contents.length > MAX_PAGES)
    throw conflict('too_many_pages', limitReached({ owner: 'A survey', max: MAX_PAGES, unit: 'page' }));
  const ids = await repositories.questions.reservePageIds(contents.length);
  const given = contents.map((page, index): PageAt => ({ ...page, id: requireItem(ids, index, 'page id') }));
  const stored = await repositories.definitions.storedDraft(scope.surveyId);
  const empty = given.map(({ id, title, description }): Page => ({
    id,
    title,
    description,
    logic: null,
    ...PLAIN_PAGE,
    retired: false,
    questions: [],
  }));
  const inputs = given.flatMap((page) =>
    page.questions.map((question, questionIndex) => ({
      at: `${page.at}questions[${questionIndex}].`,
      question: { ...question, pageId: page.id },
    })),
  );
  const built = await buildNewQuestions({ repositories, scope, stored: { ...stored, pages: empty }, inputs });
  await repositories.questions.addPages(scope, withLogic(empty, given, withCarriedOptions(built.definition)));
  await repositories.questions.add(scope, built.added);
}

function withLogic(pages: readonly Page[], given: readonly PageAt[], definition: SurveyDefinition): Page[] {
  return pages.map((page, index) => {
    const { logic, at } = requireItem(given, index, 'page');
    return {
      ...page,
      logic: pageLogicOf({ definition, input: logic, before: null, field: `${at}page_logic` }),
    };
  });
}
