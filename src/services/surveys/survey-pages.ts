import type { SurveyScope } from '../../domain/access/scopes.ts';
import type { Page, Question, SurveyDefinition } from '../../domain/survey/definition.ts';
import { idsWithItemAt, positionProblem, refuseIncompleteOrder } from '../../lib/item-order.ts';
import {
  findUnknownSkipTargets,
  namesOfSurvey,
  readPageLogic,
} from '../../domain/survey/logic/read-logic.ts';
import type { PageLogic } from '../../domain/questions/logic-schema.ts';
import { MAX_PAGES } from '../../domain/survey/survey-export.ts';
import { listPageTexts } from '../../domain/survey/translations/translatable-texts.ts';
import type { TranslationSources } from '../../domain/questions/question.ts';
import { updateTranslationSources } from '../../domain/survey/translations/translation-sources.ts';
import { limitReached, sizeAtMost } from '../../lib/error-messages.ts';
import { conflict, invalid, invalidFields, notFound, type Precondition } from '../../lib/errors.ts';
import { requireValue } from '../../lib/require-value.ts';
import type { PageFields } from '../../repositories/questions.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Store } from '../../repositories/store.ts';
import type { SurveyRow } from '../../repositories/surveys.ts';
import { refuseIfUsedByDerived, surveyObject } from './survey-lock.ts';

const MAX_LOGIC_CHARACTERS = 100_000;

/** A page as the client sends it; its logic is not parsed yet. */
export interface PageInput {
  title: string | null;
  description: string | null;
  logic: unknown;
  /** From 1; undefined: at the end. */
  position?: number | undefined;
}

/** undefined: unchanged. */
export type PageChanges = { [K in keyof PageInput]?: PageInput[K] | undefined };

/** Changes the pages of a survey's draft; the survey is read as a whole. */
export class SurveyPageService {
  constructor(private readonly store: Store) {}

  /** Creates a page at `position`, by default at the end. */
  create(scope: SurveyScope, { title, description, logic, position }: PageInput): Promise<Page> {
    return surveyObject.change(this.store, scope, async (repositories) => {
      const definition = await repositories.definitions.loadDraft(scope.surveyId);
      if (definition.pages.length >= MAX_PAGES) {
        throw conflict(
          'too_many_pages',
          `${limitReached({ owner: 'A survey', max: MAX_PAGES, unit: 'page' })}, retired ones included`,
        );
      }
      const [reserved] = await repositories.questions.reservePageIds(1);
      const id = requireValue(reserved, 'page id');
      const fields = { title, description, logic: pageLogicOf({ definition, input: logic, before: null }) };
      await repositories.questions.addPages(scope, [{ ...fields, id }]);
      await movePage({ repositories, scope, pages: definition.pages, pageId: id, position });
      const result = { ...fields, id, retired: false, questions: [] };
      return { result, action: 'page_created', details: { page_id: id } };
    });
  }

  async update(
    scope: SurveyScope,
    pageId: number,
    changes: PageChanges,
    precondition?: Precondition<Page>,
  ): Promise<Page> {
    return surveyObject.change(this.store, scope, async (repositories, survey) => {
      const definition = await repositories.definitions.loadDraft(scope.surveyId);
      const before = livePage(definition, pageId);
      precondition?.(before);
      const after: PageFields = {
        title: changes.title === undefined ? before.title : changes.title,
        description: changes.description === undefined ? before.description : changes.description,
        logic:
          changes.logic === undefined
            ? before.logic
            : pageLogicOf({ definition, input: changes.logic, before: before.logic }),
      };
      const page = { ...before, ...after };
      if (changes.position === undefined && JSON.stringify(page) === JSON.stringify(before))
        return { result: before, action: null };
      await movePage({
        repositories,
        scope,
        pages: definition.pages,
        pageId,
        position: changes.position,
      });
      await repositories.questions.savePage(scope, pageId, after);
      const sources = sourcesOfPages(survey, [before], [page]);
      if (sources !== survey.translation_sources)
        await repositories.surveys.saveTranslationSources(scope, sources);
      return { result: page, action: 'page_updated', details: { page_id: pageId } };
    });
  }

  /** Deletes a page with its questions; both are retired instead if they have or may have data. */
  async delete(scope: SurveyScope, pageId: number, precondition?: Precondition<Page>): Promise<void> {
    await surveyObject.change(this.store, scope, async (repositories) => {
      const page = livePage(await repositories.definitions.loadDraft(scope.surveyId), pageId);
      precondition?.(page);
      const keepAll = await repositories.surveys.hasResponses(scope.surveyId);
      if (!keepAll)
        await refuseIfUsedByDerived({
          repositories,
          scope,
          before: await listRemovableQuestions(repositories, scope, page),
        });
      await repositories.questions.removeOrRetire(
        scope,
        page.questions.map((question) => question.id),
        keepAll,
      );
      if (keepAll || (await repositories.questions.isOnPage(scope, pageId))) {
        await repositories.questions.retirePages(scope, [pageId]);
      } else {
        await repositories.questions.removePage(scope, pageId);
      }
      return { result: undefined, action: 'page_deleted', details: { page_id: pageId } };
    });
  }

  async reorder(scope: SurveyScope, pageIds: readonly number[]): Promise<Page[]> {
    return surveyObject.change(this.store, scope, async (repositories) => {
      const { pages } = await repositories.definitions.loadDraft(scope.surveyId);
      const live = pages.filter((page) => !page.retired);
      const liveIds = live.map((page) => page.id);
      refuseIncompleteOrder({ field: 'page_ids', given: pageIds, existingIds: liveIds, kind: 'page' });
      await repositories.questions.setPageOrder(scope, pageIds);
      const byId = new Map(live.map((page) => [page.id, page]));
      return { result: pageIds.flatMap((id) => byId.get(id) ?? []), action: 'pages_reordered' };
    });
  }
}

/** Returns what is known of outdated translations, which belong to the survey, after a change of pages. */
export function sourcesOfPages(
  { survey_settings: { translations }, translation_sources: sources }: SurveyRow,
  before: readonly Page[],
  after: readonly Page[],
): TranslationSources {
  return updateTranslationSources({
    before: { texts: before.flatMap(listPageTexts), translations },
    after: { texts: after.flatMap(listPageTexts), translations },
    sources,
  });
}

function livePage({ pages }: SurveyDefinition, pageId: number): Page {
  const page = pages.find((one) => one.id === pageId && !one.retired);
  if (page === undefined) throw notFound('page');
  return page;
}

/** Throws 400 for a position after the end. */
async function movePage({
  repositories,
  scope,
  pages,
  pageId,
  position,
}: {
  repositories: Repositories;
  scope: SurveyScope;
  pages: readonly Page[];
  pageId: number;
  position: number | undefined;
}): Promise<void> {
  if (position === undefined) return;
  const problem = positionProblem(pages, pageId, position);
  if (problem !== null) throw invalid('position', problem);
  await repositories.questions.setPageOrder(scope, idsWithItemAt(pages, pageId, position));
}

/** Returns the questions that deleting the page removes permanently: they were never published. */
async function listRemovableQuestions(
  repositories: Repositories,
  scope: SurveyScope,
  page: Page,
): Promise<Question[]> {
  const questions: Question[] = [];
  for (const question of page.questions) {
    const history = await repositories.questions.findHistory(scope, question.id);
    if (history?.published !== true) questions.push(question);
  }
  return questions;
}

/**
 * Parses the logic of a page. `before`: its current logic. `at`: path of the page in the request. Throws 400 with
 * every problem.
 */
export function pageLogicOf({
  definition,
  input,
  before,
  at = '',
}: {
  definition: SurveyDefinition;
  input: unknown;
  before: PageLogic | null;
  at?: string | undefined;
}): PageLogic | null {
  const field = `${at}page_logic`;
  const size = JSON.stringify(input ?? null).length;
  if (size > MAX_LOGIC_CHARACTERS) {
    throw invalid(field, sizeAtMost(MAX_LOGIC_CHARACTERS, 'character of JSON', size));
  }
  const read = readPageLogic(input, namesOfSurvey(definition), field);
  if (!read.ok) throw invalidFields(read.problems);
  const problems = findUnknownSkipTargets(read.logic, before, definition);
  if (problems.length === 0) return read.logic;
  throw invalidFields(problems.map((problem) => ({ ...problem, field: `${field}.${problem.field}` })));
}
