import { isDeepStrictEqual } from 'node:util';
import type { SurveyScope } from '../../domain/access/scopes.ts';
import {
  type Option,
  type Page,
  type Question,
  questionsOf,
  type SurveyDefinition,
} from '../../domain/survey/definition.ts';
import { withCarriedOptions } from '../../domain/survey/carried-options.ts';
import { compareVersions, type VersionChange } from '../../domain/survey/versions/compare-versions.ts';
import { notFound } from '../../lib/errors.ts';
import type { SurveyVersionRow } from '../../repositories/definitions.ts';
import type { IdPage } from '../../repositories/list-queries.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Store } from '../../repositories/store.ts';
import type { SurveyRow } from '../../repositories/surveys.ts';
import { sourcesOfPages } from './survey-pages.ts';
import { changedSources } from './surveys.ts';
import { lockSurvey, signalSurveyChange, surveyAuditEntry } from './survey-lock.ts';

/** What is compared: a published version or the draft. */
type VersionName = number | 'draft';

interface RestoredVersion {
  /** False: the draft was like the version before. */
  isChanged: boolean;
  /** What is still different, because collected data need it. */
  remaining: VersionChange[];
}

/** The published versions of a survey. */
export class SurveyVersionService {
  constructor(private readonly store: Store) {}

  list(scope: SurveyScope, page: IdPage): Promise<{ found: SurveyVersionRow[]; total: number }> {
    return this.store.snapshot(({ definitions }) => definitions.listVersions(scope, page));
  }

  async get(
    scope: SurveyScope,
    version: number,
  ): Promise<SurveyVersionRow & { definition: SurveyDefinition }> {
    const found = await this.store.read.definitions.findVersion(scope, version);
    if (found === null) throw notFound('version');
    return found;
  }

  compare(scope: SurveyScope, before: VersionName, after: VersionName): Promise<VersionChange[]> {
    return this.store.snapshot(async (repositories) =>
      compareVersions(
        await loadVersion(repositories, scope, before),
        await loadVersion(repositories, scope, after),
      ),
    );
  }

  /**
   * Makes the draft what the version was. Questions and options keep their ids and codes; those that the version does not have are
   * retired, not deleted. Rows of a matrix that the version does not have remain, because they may have data.
   */
  restore(scope: SurveyScope, version: number): Promise<RestoredVersion> {
    return this.store.transaction(async (repositories) => {
      const row = await lockSurvey(repositories, scope);
      const target = await loadVersion(repositories, scope, version);
      const draft = await repositories.definitions.loadDraft(scope.surveyId);
      const differences = compareVersions(target, draft);
      if (differences.length === 0) return { isChanged: false, remaining: differences };
      await writeVersion({ repositories, scope, row, target });
      const restored = await repositories.definitions.loadDraft(scope.surveyId);
      const remaining = compareVersions(target, restored);
      if (compareVersions(draft, restored).length === 0) return { isChanged: false, remaining };
      const revision = await repositories.surveys.incrementRevision(scope);
      if (version === row.published_version && remaining.length === 0)
        await repositories.surveys.markUnchanged(scope);
      const action = 'version_restored';
      await repositories.audit.record(surveyAuditEntry(scope, action, { version }));
      await signalSurveyChange(repositories, { scope, action, revision });
      return { isChanged: true, remaining };
    });
  }
}

async function loadVersion(
  { definitions }: Repositories,
  scope: SurveyScope,
  name: VersionName,
): Promise<SurveyDefinition> {
  if (name === 'draft') return definitions.loadDraft(scope.surveyId);
  const found = await definitions.findVersion(scope, name);
  if (found === null) throw notFound('version');
  return found.definition;
}

async function writeVersion({
  repositories,
  scope,
  row,
  target,
}: {
  repositories: Repositories;
  scope: SurveyScope;
  row: SurveyRow;
  target: SurveyDefinition;
}): Promise<void> {
  const { questions, surveys } = repositories;
  const stored = await repositories.definitions.storedDraft(scope.surveyId);
  const pages = target.pages.filter((page) => !page.retired);
  await writeBlocks(repositories, scope, stored, target);
  await writePages(repositories, scope, stored, pages);
  const known = new Map(questionsOf(stored, 'all').map((question) => [question.id, question]));
  const wanted = questionsOf(target).map((question) => restoredQuestion(question, known.get(question.id)));
  const kept = new Set(wanted.map(({ id }) => id));
  for (const question of withoutCarriedOptions(target, wanted)) {
    const before = known.get(question.id);
    const history = await questions.findHistory(scope, question.id);
    const codes = question.options.map(({ code }) => code);
    const highestOptionCode = Math.max(history?.highest_option_code ?? 0, ...codes);
    if (before === undefined) await questions.add(scope, [{ question, highestOptionCode }]);
    else if (!isDeepStrictEqual(before, question))
      await questions.save(scope, question, { moved: false, highestOptionCode });
  }
  const surplus = [...known.values()].filter((question) => !question.retired && !kept.has(question.id));
  await questions.removeOrRetire(
    scope,
    surplus.map(({ id }) => id),
    true,
  );
  await questions.setPageOrder(
    scope,
    pages.map(({ id }) => id),
  );
  await questions.setOrder(
    scope,
    wanted.map(({ id }) => id),
  );
  const restored = {
    ...row,
    survey_name: target.name,
    survey_description: target.description,
    survey_arrangement: target.arrangement,
  };
  const withPages = { ...row, translation_sources: sourcesOfPages(row, stored.pages, pages) };
  const sources = changedSources(withPages, restored);
  if (
    row.survey_name !== target.name ||
    row.survey_description !== target.description ||
    !isDeepStrictEqual(row.survey_arrangement, target.arrangement) ||
    sources !== row.translation_sources
  )
    await surveys.save(scope, { ...restored, translation_sources: sources }, false);
}

/** Writes the blocks of the version and retires all others. Arms that were added later remain, retired. */
async function writeBlocks(
  { blocks }: Repositories,
  scope: SurveyScope,
  stored: SurveyDefinition,
  target: SurveyDefinition,
): Promise<void> {
  const wanted = new Map(target.blocks.filter(({ retired }) => !retired).map((block) => [block.id, block]));
  const known = new Map(stored.blocks.map((block) => [block.id, block]));
  // A parent is added before the blocks within it.
  const missing = [...wanted.values()].filter(({ id }) => !known.has(id));
  await blocks.add(
    scope,
    missing.map((block) => ({ ...block, parentId: null })),
  );
  for (const block of missing) if (block.parentId !== null) await blocks.save(scope, block);
  for (const before of stored.blocks) {
    const block = wanted.get(before.id);
    const codes = block?.arms.map(({ code }) => code) ?? [];
    const later = before.arms
      .filter(({ code }) => !codes.includes(code))
      .map((arm) => ({ ...arm, retired: true }));
    const after =
      block === undefined ? { ...before, retired: true } : { ...block, arms: [...block.arms, ...later] };
    if (!isDeepStrictEqual(before, after)) await blocks.save(scope, after);
  }
}

/** Writes the pages of the version and retires all others. */
async function writePages(
  { questions }: Repositories,
  scope: SurveyScope,
  stored: SurveyDefinition,
  pages: readonly Page[],
): Promise<void> {
  const known = new Map(stored.pages.map((page) => [page.id, page]));
  const missing = pages.filter(({ id }) => !known.has(id));
  if (missing.length > 0) await questions.addPages(scope, missing);
  for (const page of pages) {
    const before = known.get(page.id);
    if (before !== undefined && !isSamePage(before, page)) await questions.savePage(scope, page.id, page);
  }
  await questions.unretirePages(
    scope,
    pages.filter(({ id }) => known.get(id)?.retired === true).map(({ id }) => id),
  );
  const kept = new Set(pages.map(({ id }) => id));
  await questions.retirePages(
    scope,
    stored.pages.filter(({ id, retired }) => !retired && !kept.has(id)).map(({ id }) => id),
  );
}

const isSamePage = (one: Page, other: Page): boolean =>
  one.title === other.title &&
  one.description === other.description &&
  one.blockId === other.blockId &&
  one.arm === other.arm &&
  isDeepStrictEqual(one.arrangement, other.arrangement) &&
  isDeepStrictEqual(one.logic, other.logic);

/** The question of the version with what collected data need: retired options, and rows that were added later. */
function restoredQuestion(question: Question, draft: Question | undefined): Question {
  if (draft === undefined) return question;
  const codes = new Set(question.options.map(({ code }) => code));
  const added = draft.options.filter(({ code }) => !codes.has(code));
  const lastOrder = Math.max(0, ...question.options.map(({ order }) => order));
  const options = [
    ...question.options,
    ...added.map((option, index): Option => ({ ...option, order: lastOrder + index + 1, retired: true })),
  ];
  return { ...question, options, settings: withAddedRows(question, draft) } as Question;
}

function withAddedRows({ settings }: Question, draft: Question): Question['settings'] {
  if (!('rows' in settings) || !('rows' in draft.settings)) return settings;
  const codes = new Set(settings.rows.map((row) => row.row_code));
  return {
    ...settings,
    rows: [...settings.rows, ...draft.settings.rows.filter((row) => !codes.has(row.row_code))],
  };
}

/** A version has the options that a question carries forward; they are not stored with the question if they still come from there. */
function withoutCarriedOptions(target: SurveyDefinition, wanted: readonly Question[]): Question[] {
  const emptied = wanted.map((question): Question =>
    question.settings.logic?.carry_forward === undefined ? question : { ...question, options: [] },
  );
  const byId = new Map(emptied.map((question) => [question.id, question]));
  const carried = withCarriedOptions({
    ...target,
    pages: target.pages.map((page) => ({
      ...page,
      questions: page.questions.flatMap(({ id }) => byId.get(id) ?? []),
    })),
  });
  const carriedById = new Map(questionsOf(carried, 'all').map((question) => [question.id, question]));
  return wanted.map((question, index) => {
    const isCarried = isDeepStrictEqual(carriedById.get(question.id)?.options, question.options);
    return isCarried ? (emptied[index] ?? question) : question;
  });
}
