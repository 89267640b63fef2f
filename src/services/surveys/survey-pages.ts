import type { SurveyScope } from '../../domain/access/scopes.ts';
import type { Page, Question } from '../../domain/survey/definition.ts';
import type { PageLogic } from '../../domain/survey/logic/logic.ts';
import { unknownTargets } from '../../domain/survey/logic/skip-targets.ts';
import { MAX_PAGES } from '../../domain/survey/transfer/survey-export.ts';
import { conflict, invalid, invalidFields, notFound } from '../../lib/errors.ts';
import { sameIds } from '../../lib/same-ids.ts';
import type { PageFields } from '../../repositories/pages.ts';
import type { Repositories, Store } from '../../repositories/store.ts';
import { refuseWhileRead } from './derived-guards.ts';
import { lockSurvey, surveyEntry } from './survey-lock.ts';

const MAX_LOGIC_CHARACTERS = 100_000;

/** absent: keep. */
export type PageChanges = { [K in keyof PageFields]?: PageFields[K] | undefined };

/** The pages of a survey's draft. Reading them is reading the survey. */
export class SurveyPageService {
  private readonly store: Store;

  constructor(store: Store) {
    this.store = store;
  }

  /** After the pages that are there. */
  create(scope: SurveyScope, page: PageFields): Promise<Page> {
    return this.changing(scope, 'page_created', async (repositories) => {
      const { pages } = await repositories.definitions.draft(scope.surveyId);
      if (pages.length >= MAX_PAGES) {
        throw conflict('too_many_pages', `A survey has at most ${MAX_PAGES} pages, retired ones included`);
      }
      await checkLogic(repositories, scope, page.logic, null);
      const [id] = await repositories.pages.reserveIds(1);
      await repositories.pages.add(scope, [{ ...page, id: id! }]);
      return { ...page, id: id!, retired: false, questions: [] };
    });
  }

  async update(scope: SurveyScope, pageId: number, changes: PageChanges): Promise<Page> {
    return this.store.transaction(async (repositories) => {
      await lockSurvey(repositories, scope);
      const before = await livePage(repositories, scope, pageId);
      const after: PageFields = {
        title: changes.title === undefined ? before.title : changes.title,
        description: changes.description === undefined ? before.description : changes.description,
        logic: changes.logic === undefined ? before.logic : changes.logic,
      };
      await checkLogic(repositories, scope, after.logic, before.logic);
      const page = { ...before, ...after };
      if (JSON.stringify(page) === JSON.stringify(before)) return before;
      await repositories.pages.save(scope, pageId, after);
      await noteChange(repositories, scope, 'page_updated', pageId);
      return page;
    });
  }

  /** With its questions. Where data exist, or may, both stay, retired. */
  async delete(scope: SurveyScope, pageId: number): Promise<void> {
    await this.changing(scope, 'page_deleted', async (repositories) => {
      const page = await livePage(repositories, scope, pageId);
      const keepAll = await repositories.surveys.hasResponses(scope.surveyId);
      if (!keepAll) await refuseWhileRead(repositories, scope, await removable(repositories, scope, page));
      await repositories.questions.removeOrRetire(
        scope,
        page.questions.map((question) => question.id),
        keepAll,
      );
      if (keepAll || (await repositories.questions.isOnPage(scope, pageId))) {
        await repositories.pages.retire(scope, pageId);
      } else {
        await repositories.pages.remove(scope, pageId);
      }
      return page;
    });
  }

  async reorder(scope: SurveyScope, pageIds: readonly number[]): Promise<Page[]> {
    return this.store.transaction(async (repositories) => {
      await lockSurvey(repositories, scope);
      const { pages } = await repositories.definitions.draft(scope.surveyId);
      const live = pages.filter((page) => !page.retired);
      const problems = sameIds('page_ids', pageIds, live, 'page');
      if (problems.length > 0) throw invalidFields(problems);
      await repositories.pages.setOrder(scope, pageIds);
      await noteChange(repositories, scope, 'pages_reordered', null);
      const byId = new Map(live.map((page) => [page.id, page]));
      return pageIds.map((id) => byId.get(id)!);
    });
  }

  private changing(
    scope: SurveyScope,
    what: string,
    work: (repositories: Repositories) => Promise<Page>,
  ): Promise<Page> {
    return this.store.transaction(async (repositories) => {
      await lockSurvey(repositories, scope);
      const page = await work(repositories);
      await noteChange(repositories, scope, what, page.id);
      return page;
    });
  }
}

async function livePage(repositories: Repositories, scope: SurveyScope, pageId: number): Promise<Page> {
  const { pages } = await repositories.definitions.draft(scope.surveyId);
  const page = pages.find((one) => one.id === pageId && !one.retired);
  if (page === undefined) throw notFound('page');
  return page;
}

/** Those that deleting the page removes for good: nobody was ever asked them. */
async function removable(repositories: Repositories, scope: SurveyScope, page: Page): Promise<Question[]> {
  const questions: Question[] = [];
  for (const question of page.questions) {
    const history = await repositories.questions.history(scope, question.id);
    if (history?.published !== true) questions.push(question);
  }
  return questions;
}

async function checkLogic(
  repositories: Repositories,
  scope: SurveyScope,
  logic: PageLogic | null,
  before: PageLogic | null,
): Promise<void> {
  const size = JSON.stringify(logic).length;
  if (size > MAX_LOGIC_CHARACTERS) {
    throw invalid('page_logic', `is ${size} characters of JSON; at most ${MAX_LOGIC_CHARACTERS} are allowed`);
  }
  if (logic?.skip === undefined) return;
  const definition = await repositories.definitions.draft(scope.surveyId);
  const problems = unknownTargets(logic, before, definition);
  if (problems.length > 0) {
    throw invalidFields(problems.map((problem) => ({ ...problem, field: `page_logic.${problem.field}` })));
  }
}

async function noteChange(
  repositories: Repositories,
  scope: SurveyScope,
  what: string,
  pageId: number | null,
): Promise<void> {
  await repositories.surveys.raiseRevision(scope);
  await repositories.audit.record(
    surveyEntry(scope, what, pageId === null ? undefined : { page_id: pageId }),
  );
}
