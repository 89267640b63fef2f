import { isDeepStrictEqual } from 'node:util';
import type { SurveyScope } from '../../domain/access/scopes.ts';
import { takesOptions } from '../../domain/questions/registry.ts';
import { type Question, questionsOf, type SurveyDefinition } from '../../domain/survey/definition.ts';
import { namesOfSurvey } from '../../domain/survey/logic/read-logic.ts';
import { findFrozenChanges } from '../../domain/survey/publishing/publish-check.ts';
import { reconcileOptions } from '../../domain/questions/options.ts';
import { withCarriedOptions } from '../../domain/survey/carried-options.ts';
import { nextQuestionCode } from '../../domain/survey/question-codes.ts';
import { MAX_OPTIONS_OF_SURVEY, MAX_QUESTIONS } from '../../domain/survey/survey-export.ts';
import { listQuestionTexts } from '../../domain/survey/translations/translatable-texts.ts';
import {
  findUnknownConfirmed,
  updateTranslationSources,
} from '../../domain/survey/translations/translation-sources.ts';
import { limitReached, quote } from '../../lib/error-messages.ts';
import {
  type AppError,
  conflict,
  type ErrorDetail,
  invalidFields,
  notFound,
  type Precondition,
} from '../../lib/errors.ts';
import { idsWithItemAt, refuseIncompleteOrder } from '../../lib/item-order.ts';
import { requireEntry, requireItem, requireValue } from '../../lib/require-value.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Store } from '../../repositories/store.ts';
import { refuseClashWithDerived, refuseIfUsedByDerived, surveyObject } from './survey-lock.ts';
import {
  type BuiltQuestion,
  draftQuestion,
  finishQuestion,
  fixedByData,
  type QuestionChanges,
  type QuestionDraft,
} from './question-builder.ts';

const MAX_PROBLEMS = 100;

export type NewQuestion = QuestionChanges & Required<Pick<QuestionChanges, 'pageId' | 'type' | 'text'>>;

/** A question to add, and its path in the request: empty, or `pages[0].questions[2].`. */
interface NewQuestionAt {
  at: string;
  question: NewQuestion;
}

interface BuiltQuestions {
  /** The stored definition with the new questions, each at the end of its page. */
  definition: SurveyDefinition;
  added: { question: Question; highestOptionCode: number }[];
}

/**
 * Builds new questions without storing them. A question without a code gets the next free `Q<n>`. Throws 400 with
 * every problem, and 409 for a taken code or a survey that is full.
 */
export async function buildNewQuestions({
  repositories,
  scope,
  stored,
  inputs,
}: {
  repositories: Repositories;
  scope: SurveyScope;
  stored: SurveyDefinition;
  inputs: readonly NewQuestionAt[];
}): Promise<BuiltQuestions> {
  const codes = questionsOf(stored, 'all').map((question) => question.code);
  if (codes.length + inputs.length > MAX_QUESTIONS) {
    throw conflict(
      'too_many_questions',
      `${limitReached({ owner: 'A survey', max: MAX_QUESTIONS, unit: 'question' })}, retired ones included`,
    );
  }
  const { columns: derived } = await repositories.derivedColumns.loadCurrent(scope.surveyId);
  const given = inputs.flatMap(({ question }) => question.code ?? []);
  const takenCodes = [...codes, ...derived.map((column) => column.column_code), ...given];
  const ids = await repositories.questions.reserveIds(inputs.length);
  const draft: SurveyDefinition = {
    ...stored,
    pages: stored.pages.map((page) => ({ ...page, questions: [...page.questions] })),
  };
  const pages = new Map(draft.pages.map((page) => [page.id, page]));
  const drafts: QuestionDraft[] = [];
  const problems: ErrorDetail[] = [];
  for (const [index, { at, question }] of inputs.entries()) {
    const code = nextQuestionCode(takenCodes);
    if (question.code === undefined) takenCodes.push(code);
    const context = { isNew: true, hasData: false, highestCode: 0, at };
    const drafted = draftQuestion({
      definition: draft,
      before: blank(requireItem(ids, index, 'question id'), code),
      changes: question,
      context,
    });
    if (!drafted.ok) {
      problems.push(...drafted.problems);
      continue;
    }
    drafts.push(drafted.value);
    const newQuestion = drafted.value.question;
    requireEntry(pages, newQuestion.pageId, 'page').questions.push(newQuestion);
  }
  if (problems.length > 0) throw invalidFields(problems.slice(0, MAX_PROBLEMS));

  const names = namesOfSurvey(withCarriedOptions(draft));
  const added: BuiltQuestions['added'] = [];
  for (const one of drafts) {
    const finished = finishQuestion(one, draft, names);
    if (!finished.ok) {
      problems.push(...finished.problems);
      continue;
    }
    const { question, highestOptionCode = 0 } = finished.value;
    added.push({ question, highestOptionCode });
    const onPage = requireEntry(pages, question.pageId, 'page').questions;
    onPage[onPage.indexOf(one.question)] = question;
  }
  if (problems.length > 0) throw invalidFields(problems.slice(0, MAX_PROBLEMS));
  if (derived.length > 0) {
    for (const { question } of added) await refuseClashWithDerived(repositories, scope, question);
  }
  refuseTooManyOptions(draft);
  return { definition: draft, added };
}

/** Throws 409 if a survey has too many options, including carried-forward ones. */
function refuseTooManyOptions(stored: SurveyDefinition): void {
  const all = questionsOf(withCarriedOptions(stored), 'all');
  const count = all.reduce((sum, { options }) => sum + options.length, 0);
  if (count > MAX_OPTIONS_OF_SURVEY) {
    throw conflict(
      'too_many_options',
      `${limitReached({ owner: 'A survey', max: MAX_OPTIONS_OF_SURVEY, unit: 'option' })} in total`,
    );
  }
}

function blank(id: number, code: string): Question {
  return {
    id,
    pageId: 0,
    type: 'text',
    text: '',
    code,
    required: false,
    // Replaced before storing: the type determines the settings.
    settings: {} as never,
    options: [],
    retired: false,
  };
}

/** Changes the questions of a survey's draft; the survey is read as a whole. */
export class QuestionService {
  constructor(private readonly store: Store) {}

  /**
   * Creates a question at `position`, by default at the end of its page. Without a code it gets the next free `Q<n>`.
   */
  async create(scope: SurveyScope, question: NewQuestion): Promise<Question> {
    return surveyObject.change(this.store, scope, async (repositories) => {
      const stored = await repositories.definitions.storedDraft(scope.surveyId);
      const built = await buildNewQuestions({ repositories, scope, stored, inputs: [{ at: '', question }] });
      const { id } = requireItem(built.added, 0, 'created question').question;
      await repositories.questions.add(scope, built.added);
      if (question.position !== undefined) {
        await moveQuestion({
          repositories,
          scope,
          surveyDefinition: built.definition,
          questionId: id,
          position: question.position,
        });
      }
      const created = requireValue(questionIn(withCarriedOptions(built.definition), id), 'created question');
      return { result: created, action: 'question_created', details: { question_id: id } };
    });
  }

  async update(
    scope: SurveyScope,
    questionId: number,
    input: QuestionChanges,
    precondition?: Precondition<Question>,
  ): Promise<Question> {
    return surveyObject.change(this.store, scope, async (repositories, survey) => {
      const stored = await repositories.definitions.storedDraft(scope.surveyId);
      const shownDefinition = withCarriedOptions(stored);
      const before = questionIn(stored, questionId);
      const shown = questionIn(shownDefinition, questionId);
      const history = await repositories.questions.findHistory(scope, questionId);
      if (before === undefined || shown === undefined || history === null) throw notFound('question');
      if (!isLive(stored, before) && input.retired !== false) throw questionRetired();
      precondition?.(shown);
      const fixed = history.published || (await repositories.surveys.hasResponses(scope.surveyId));
      const changes = withoutCarriedForward(input, before, shown);
      const highestCode = Math.max(history.highest_option_code, ...shown.options.map(({ code }) => code));
      const { question: changedQuestion, highestOptionCode } = buildChanged({
        stored,
        shown,
        before,
        changes,
        context: {
          isNew: false,
          hasData: fixed,
          highestCode,
          at: '',
        },
      });
      const question = withTranslationSources(changedQuestion, {
        stored,
        shown,
        before,
        confirmed: changes.confirmedTranslations,
      });
      if (!isLive(stored, question)) throw questionRetired();
      const after = withReplaced(stored, question);
      const shownAfterDefinition = withCarriedOptions(after);
      const shownAfter = requireValue(questionIn(shownAfterDefinition, questionId), 'changed question');
      const problems = fixed ? findFrozenChanges(shown, shownAfter) : [];
      if (fixed && before.options.length === 0) problems.push(...lostOptionProblems(shown, shownAfter));
      if (problems.length > 0) throw fixedByData(problems);
      const isMoved = changes.position !== undefined || question.pageId !== before.pageId;
      if (!isMoved && isDeepStrictEqual(question, before)) return { result: shown, action: null };
      if (!isMoved && isSameForRespondents(question, before) && survey.published_revision === survey.revision)
        await repositories.surveys.markNextUnchanged(scope);
      await refuseClashWithDerived(repositories, scope, shownAfter);
      const [changedBefore, changedAfter] = changedQuestions(shownDefinition, shownAfterDefinition);
      await refuseIfUsedByDerived({ repositories, scope, before: changedBefore, after: changedAfter });
      refuseTooManyOptions(after);
      await repositories.questions.save(scope, question, {
        moved: question.pageId !== before.pageId,
        highestOptionCode,
      });
      if (changes.position !== undefined) {
        await moveQuestion({
          repositories,
          scope,
          surveyDefinition: after,
          questionId,
          position: changes.position,
        });
      }
      return { result: shownAfter, action: 'question_updated', details: { question_id: questionId } };
    });
  }

  /** Deletes a question; retires it instead if it has or may have data. Throws 409 if derived columns read it. */
  async delete(scope: SurveyScope, questionId: number, precondition?: Precondition<Question>): Promise<void> {
    await surveyObject.change(this.store, scope, async (repositories) => {
      const definition = await repositories.definitions.loadDraft(scope.surveyId);
      const question = questionsOf(definition).find((one) => one.id === questionId);
      if (question === undefined) throw notFound('question');
      precondition?.(question);
      const keepAll = await repositories.surveys.hasResponses(scope.surveyId);
      const history = await repositories.questions.findHistory(scope, questionId);
      if (!keepAll && history?.published !== true)
        await refuseIfUsedByDerived({ repositories, scope, before: [question] });
      await repositories.questions.removeOrRetire(scope, [questionId], keepAll);
      return { result: undefined, action: 'question_deleted', details: { question_id: questionId } };
    });
  }

  /** Orders the questions within each page. */
  async reorder(scope: SurveyScope, questionIds: readonly number[]): Promise<Question[]> {
    return surveyObject.change(this.store, scope, async (repositories) => {
      const definition = await repositories.definitions.loadDraft(scope.surveyId);
      const existingIds = questionsOf(definition).map((question) => question.id);
      refuseIncompleteOrder({ field: 'question_ids', given: questionIds, existingIds, kind: 'question' });
      await repositories.questions.setOrder(scope, questionIds);
      const result = questionsOf(await repositories.definitions.loadDraft(scope.surveyId));
      return { result, action: 'questions_reordered' };
    });
  }
}

const questionIn = (definition: SurveyDefinition, id: number): Question | undefined =>
  questionsOf(definition, 'all').find((question) => question.id === id);

/** Drops options and translations that were carried forward from another question and are sent back unchanged. */
function withoutCarriedForward(changes: QuestionChanges, before: Question, shown: Question): QuestionChanges {
  if (before.options.length > 0 || shown.options.length === 0) return changes;
  const { options, settings, ...rest } = changes;
  const applied: QuestionChanges = rest;
  if (options !== undefined && !isSameOptions(options ?? [], shown)) applied.options = options;
  if (settings === undefined || settings === null) return { ...applied, settings };
  const { translations, ...others } = settings;
  const isSame = isDeepStrictEqual(translations, shown.settings.translations);
  return { ...applied, settings: isSame ? others : settings };
}

function isSameOptions(
  options: NonNullable<QuestionChanges['options']>,
  { type, options: existing }: Question,
): boolean {
  const input = { type, existing, input: options, dataExist: true, highestCode: 0 };
  const result = reconcileOptions(input);
  return result.ok && isDeepStrictEqual(result.options, existing);
}

/**
 * Applies changes to a stored question. Carried-forward options become its own if it gets other options or loses
 * `carry_forward`. Throws 400 with every problem.
 */
function buildChanged({
  stored,
  shown,
  before,
  changes,
  context,
}: {
  stored: SurveyDefinition;
  shown: Question;
  before: Question;
  changes: QuestionChanges;
  context: Parameters<typeof draftQuestion>[0]['context'];
}): BuiltQuestion {
  const known = changes.options === undefined ? before : { ...before, options: shown.options };
  const drafted = draftQuestion({ definition: stored, before: known, changes, context });
  if (!drafted.ok) throw invalidFields(drafted.problems);
  const definition = withReplaced(stored, drafted.value.question);
  const finished = finishQuestion(drafted.value, definition, namesOfSurvey(withCarriedOptions(definition)));
  if (!finished.ok) throw invalidFields(finished.problems);
  const { question } = finished.value;
  const isOnItsOwn = question.settings.logic?.carry_forward === undefined && takesOptions(question.type);
  return isOnItsOwn && changes.options === undefined && before.options.length < shown.options.length
    ? { question: { ...question, options: shown.options }, highestOptionCode: context.highestCode }
    : finished.value;
}

/** Returns the question with what is known of its outdated translations. Throws 400 for a confirmed translation that does not exist. */
function withTranslationSources(
  { translationSources: _, ...question }: Question,
  {
    stored,
    shown,
    before,
    confirmed,
  }: {
    stored: SurveyDefinition;
    shown: Question;
    before: Question;
    confirmed: QuestionChanges['confirmedTranslations'];
  },
): Question {
  const changed = question as Question;
  const problems = findUnknownConfirmed(confirmed, changed.settings.translations);
  if (problems.length > 0) throw invalidFields(problems.slice(0, MAX_PROBLEMS));
  // Labels that the question carries forward are among its texts.
  const shownAfter = questionIn(withCarriedOptions(withReplaced(stored, changed)), question.id) ?? changed;
  const translationSources = updateTranslationSources({
    before: { texts: listQuestionTexts(shown), translations: before.settings.translations },
    after: { texts: listQuestionTexts(shownAfter), translations: changed.settings.translations },
    sources: before.translationSources ?? {},
    confirmed,
  });
  return Object.keys(translationSources).length === 0 ? changed : { ...changed, translationSources };
}

/** Whether only what is known of outdated translations differs. */
function isSameForRespondents(
  { translationSources: _, ...one }: Question,
  { translationSources: __, ...other }: Question,
): boolean {
  return isDeepStrictEqual(one, other);
}

function withReplaced(definition: SurveyDefinition, question: Question): SurveyDefinition {
  const isMoved = !definition.pages.some(
    ({ id, questions }) => id === question.pageId && questions.some((one) => one.id === question.id),
  );
  return {
    ...definition,
    pages: definition.pages.map((page) => {
      const questions = isMoved
        ? page.questions.filter(({ id }) => id !== question.id)
        : page.questions.map((one) => (one.id === question.id ? question : one));
      return {
        ...page,
        questions: isMoved && page.id === question.pageId ? [...questions, question] : questions,
      };
    }),
  };
}

/**
 * Reports options with data that would be lost because the question carries them forward from another question than
 * before.
 */
function lostOptionProblems(before: Question, after: Question): ErrorDetail[] {
  const left = new Set(after.options.map(({ code, value }) => `${code} ${value}`));
  const lost = before.options.find(({ code, value }) => !left.has(`${code} ${value}`));
  if (lost === undefined) return [];
  const message = `option ${quote(lost.value)} has data and stays: give the question options of its own`;
  return [{ field: 'question_settings.logic.carry_forward', message }];
}

/** Returns the questions whose options or columns may differ, before and after the change. */
function changedQuestions(before: SurveyDefinition, after: SurveyDefinition): [Question[], Question[]] {
  const known = new Map(questionsOf(before, 'all').map((question) => [question.id, question]));
  const changed = questionsOf(after, 'all').filter((question) => known.get(question.id) !== question);
  return [changed.flatMap(({ id }) => known.get(id) ?? []), changed];
}

async function moveQuestion({
  repositories,
  scope,
  surveyDefinition: { pages },
  questionId,
  position,
}: {
  repositories: Repositories;
  scope: SurveyScope;
  surveyDefinition: SurveyDefinition;
  questionId: number;
  position: number;
}): Promise<void> {
  const ids = pages.flatMap(({ questions }) =>
    questions.some(({ id }) => id === questionId)
      ? idsWithItemAt(questions, questionId, position)
      : questions.map(({ id }) => id),
  );
  await repositories.questions.setOrder(scope, ids);
}

function isLive(definition: SurveyDefinition, question: Question): boolean {
  return !question.retired && definition.pages.some((page) => page.id === question.pageId && !page.retired);
}

function questionRetired(): AppError {
  return conflict(
    'question_retired',
    'The question is retired: send "retired": false, and a page_id if its page is retired too, to ask it again',
  );
}
