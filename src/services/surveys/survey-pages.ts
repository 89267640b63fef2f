import type { SurveyScope } from '../../domain/access/scopes.ts';
import { armProblem } from '../../domain/survey/block-input.ts';
import { blockAtPlace, gatherPages, interruptedBlock } from '../../domain/survey/block-structure.ts';
import { type Arrangement, type Block, blocksAround } from '../../domain/survey/blocks.ts';
import {
  type Page,
  PLAIN_PAGE,
  type Question,
  type SurveyDefinition,
} from '../../domain/survey/definition.ts';
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
import { limitReached, quote, sizeAtMost, unknownObject } from '../../lib/error-messages.ts';
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
  blockId?: number | null | undefined;
  /** The arm of the block that sees the page. */
  arm?: string | null | undefined;
  arrangement?: Arrangement | null | undefined;
  /** From 1; undefined: at the end. */
  position?: number | undefined;
}

/** undefined: unchanged. */
export type PageChanges = { [K in keyof PageInput]?: PageInput[K] | undefined };

/** Changes the pages of a survey's draft; the survey is read as a whole. */
export class SurveyPageService {
  constructor(private readonly store: Store) {}

  /** Creates a page at `position`, by default at the end. */
  create(scope: SurveyScope, input: PageInput): Promise<Page> {
    const { title, description, logic, position } = input;
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
      const fields: Page = {
        ...PLAIN_PAGE,
        id,
        title,
        description,
        logic: pageLogicOf({ definition, input: logic, before: null }),
        arrangement: input.arrangement ?? null,
        retired: false,
        questions: [],
      };
      const { page: result, order } = placePage({
        definition: { ...definition, pages: [...definition.pages, fields] },
        page: fields,
        changes: input,
        position,
      });
      await repositories.questions.addPages(scope, [result]);
      if (order !== null) await repositories.questions.setPageOrder(scope, order);
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
      const after: Pick<PageFields, 'title' | 'description' | 'logic' | 'arrangement'> = {
        arrangement: changes.arrangement === undefined ? before.arrangement : changes.arrangement,
        title: changes.title === undefined ? before.title : changes.title,
        description: changes.description === undefined ? before.description : changes.description,
        logic:
          changes.logic === undefined
            ? before.logic
            : pageLogicOf({ definition, input: changes.logic, before: before.logic }),
      };
      const { page, order } = placePage({
        definition,
        page: { ...before, ...after },
        changes,
        position: changes.position,
      });
      if (changes.position === undefined && JSON.stringify(page) === JSON.stringify(before))
        return { result: before, action: null };
      if (order !== null) await repositories.questions.setPageOrder(scope, order);
      await repositories.questions.savePage(scope, pageId, page);
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
      const { pages, blocks } = await repositories.definitions.loadDraft(scope.surveyId);
      const live = pages.filter((page) => !page.retired);
      const liveIds = live.map((page) => page.id);
      refuseIncompleteOrder({ field: 'page_ids', given: pageIds, existingIds: liveIds, kind: 'page' });
      const byId = new Map(live.map((page) => [page.id, page]));
      const result = pageIds.flatMap((id) => byId.get(id) ?? []);
      const interrupted = interruptedBlock(result, blocks);
      if (interrupted !== null) throw invalid('page_ids', apartMessage(interrupted));
      await repositories.questions.setPageOrder(scope, pageIds);
      return { result, action: 'pages_reordered' };
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

const apartMessage = ({ code, title }: Block): string =>
  `the pages of the block ${quote(title ?? code)} must follow each other; put a page into another block with block_id`;

/**
 * Returns the page in its block, and the ids of all pages in their new order; null: the order stays. Without a block in the request, a page
 * that is moved out of its block, or into another, belongs to the block at its new place. Throws 400.
 */
function placePage({
  definition: { pages, blocks },
  page,
  changes,
  position,
}: {
  definition: SurveyDefinition;
  page: Page;
  changes: PageChanges;
  position: number | undefined;
}): { page: Page; order: readonly number[] | null } {
  if (
    changes.blockId !== undefined &&
    changes.blockId !== null &&
    !blocks.some(({ id, retired }) => id === changes.blockId && !retired)
  )
    throw invalid(
      'block_id',
      unknownObject({ kind: 'block', idOrCode: changes.blockId, scope: 'in this survey' }),
    );
  if (position !== undefined) {
    const problem = positionProblem(pages, page.id, position);
    if (problem !== null) throw invalid('position', problem);
  }
  const moved = position === undefined ? null : idsWithItemAt(pages, page.id, position);
  const byId = new Map(pages.map((each) => [each.id, each]));
  const ordered = moved === null ? pages : moved.flatMap((id) => byId.get(id) ?? []);
  const ownBlockId = position === undefined ? page.blockId : blockAtPlace(ordered, blocks, page.id);
  const blockId = changes.blockId === undefined ? ownBlockId : changes.blockId;
  const arm = changes.arm === undefined ? (blockId === page.blockId ? page.arm : null) : changes.arm;
  const problem = armProblem(
    blocks.find(({ id }) => id === blockId),
    arm,
  );
  if (problem !== null) throw invalid('shown_to_arm', problem);
  const placed = { ...page, blockId, arm };
  const withPlaced = ordered.map((each) => (each.id === page.id ? placed : each));
  const interrupted = interruptedBlock(withPlaced, blocks);
  if (interrupted === null) return { page: placed, order: moved };
  if (position !== undefined) throw invalid('position', apartMessage(interrupted));
  return { page: placed, order: gatherIntoBlock(withPlaced, blocks, placed) };
}

/** Returns the order in which the page follows the last page of its block. */
function gatherIntoBlock(pages: readonly Page[], blocks: readonly Block[], page: Page): number[] {
  const last = pages.findLastIndex(
    (each) => each.id !== page.id && blocksAround(blocks, each.blockId).some(({ id }) => id === page.blockId),
  );
  const others = pages.filter(({ id }) => id !== page.id);
  const place = last === -1 ? pages.indexOf(page) : others.indexOf(pages[last] ?? page) + 1;
  return gatherPages([...others.slice(0, place), page, ...others.slice(place)], blocks, [page.id]);
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

/** Parses the logic of a page. `before`: its current logic. `field`: its path in the request. Throws 400 with every problem. */
export function pageLogicOf({
  definition,
  input,
  before,
  field = 'page_logic',
  read = readPageLogic,
}: {
  definition: SurveyDefinition;
  input: unknown;
  before: PageLogic | null;
  field?: string | undefined;
  read?: typeof readPageLogic | undefined;
}): PageLogic | null {
  const size = JSON.stringify(input ?? null).length;
  if (size > MAX_LOGIC_CHARACTERS) {
    throw invalid(field, sizeAtMost(MAX_LOGIC_CHARACTERS, 'character of JSON', size));
  }
  const result = read(input, namesOfSurvey(definition), field);
  if (!result.ok) throw invalidFields(result.problems);
  const problems = findUnknownSkipTargets(result.logic, before, definition);
  if (problems.length === 0) return result.logic;
  throw invalidFields(problems.map((problem) => ({ ...problem, field: `${field}.${problem.field}` })));
}
