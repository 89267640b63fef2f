import type { SurveyScope } from '../../domain/access/scopes.ts';
import { type Question, questionsOf, type SurveyDefinition } from '../../domain/survey/definition.ts';
import { changesFixedByData } from '../../domain/survey/publishing/fixed-by-data.ts';
import { nextQuestionCode } from '../../domain/survey/questions/question-codes.ts';
import { MAX_QUESTIONS } from '../../domain/survey/transfer/survey-export.ts';
import { type AppError, conflict, invalidFields, notFound } from '../../lib/errors.ts';
import { sameIds } from '../../lib/same-ids.ts';
import type { Repositories, Store } from '../../repositories/store.ts';
import { buildQuestion, type QuestionChanges } from './question-builder.ts';
import { refuseClashWithDerived, refuseWhileRead } from './derived-guards.ts';
import { lockSurvey, surveyEntry } from './survey-lock.ts';

/** In the whole survey: a definition must fit into memory many times over. */
const MAX_OPTIONS_OF_SURVEY = 100_000;

/** The questions of a survey's draft. Reading them is reading the survey. */
export class QuestionService {
  private readonly store: Store;

  constructor(store: Store) {
    this.store = store;
  }

  /** At the end of its page. Without a code it gets the next free `Q<n>`. */
  async create(
    scope: SurveyScope,
    input: QuestionChanges & Required<Pick<QuestionChanges, 'pageId' | 'type' | 'text'>>,
  ): Promise<Question> {
    return this.store.transaction(async (repositories) => {
      await lockSurvey(repositories, scope);
      const definition = await repositories.definitions.draft(scope.surveyId);
      const codes = questionsOf(definition, 'all').map((question) => question.code);
      const { columns: derived } = await repositories.derivedColumns.current(scope.surveyId);
      const taken = [...codes, ...derived.map((column) => column.column_code)];
      if (codes.length >= MAX_QUESTIONS) {
        throw conflict(
          'too_many_questions',
          `A survey has at most ${MAX_QUESTIONS} questions, retired ones included`,
        );
      }
      const [id] = await repositories.questions.reserveIds(1);
      const built = buildQuestion(definition, blank(id!, nextQuestionCode(taken)), input, {
        isNew: true,
        fixed: false,
        highestCode: 0,
      });
      await refuseClashWithDerived(repositories, scope, built.question);
      await repositories.questions.add(scope, [
        { question: built.question, highestOptionCode: built.highestOptionCode ?? 0 },
      ]);
      await refuseTooManyOptions(repositories, scope, built.question);
      await noteChange(repositories, scope, 'question_created', id!);
      return built.question;
    });
  }

  async update(scope: SurveyScope, questionId: number, changes: QuestionChanges): Promise<Question> {
    return this.store.transaction(async (repositories) => {
      await lockSurvey(repositories, scope);
      const definition = await repositories.definitions.draft(scope.surveyId);
      const before = questionsOf(definition, 'all').find((question) => question.id === questionId);
      const history = await repositories.questions.history(scope, questionId);
      if (before === undefined || history === null) throw notFound('question');
      if (!isLive(definition, before) && changes.retired !== false) throw retired();
      const fixed = history.published || (await repositories.surveys.hasResponses(scope.surveyId));
      const built = buildQuestion(definition, before, changes, {
        isNew: false,
        fixed,
        highestCode: history.highest_option_code,
      });
      const after = built.question;
      if (!isLive(definition, after)) throw retired();
      const problems = fixed ? changesFixedByData(before, after) : [];
      if (problems.length > 0) throw fixedByData(problems);
      if (JSON.stringify(after) === JSON.stringify(before)) return before;
      await refuseClashWithDerived(repositories, scope, after);
      await refuseWhileRead(repositories, scope, [before], [after]);
      await repositories.questions.save(scope, after, {
        moved: after.pageId !== before.pageId,
        highestOptionCode: built.highestOptionCode,
      });
      await refuseTooManyOptions(repositories, scope, after);
      await noteChange(repositories, scope, 'question_updated', questionId);
      return after;
    });
  }

  /** Where data exist, or may, it stays, retired; else 409 while derived columns read it. */
  async delete(scope: SurveyScope, questionId: number): Promise<void> {
    await this.store.transaction(async (repositories) => {
      await lockSurvey(repositories, scope);
      const definition = await repositories.definitions.draft(scope.surveyId);
      const question = questionsOf(definition).find((one) => one.id === questionId);
      if (question === undefined) throw notFound('question');
      const keepAll = await repositories.surveys.hasResponses(scope.surveyId);
      const history = await repositories.questions.history(scope, questionId);
      if (!keepAll && history?.published !== true) await refuseWhileRead(repositories, scope, [question]);
      await repositories.questions.removeOrRetire(scope, [questionId], keepAll);
      await noteChange(repositories, scope, 'question_deleted', questionId);
    });
  }

  /** Within each page the questions follow the given order. */
  async reorder(scope: SurveyScope, questionIds: readonly number[]): Promise<Question[]> {
    return this.store.transaction(async (repositories) => {
      await lockSurvey(repositories, scope);
      const definition = await repositories.definitions.draft(scope.surveyId);
      const problems = sameIds('question_ids', questionIds, questionsOf(definition), 'question');
      if (problems.length > 0) throw invalidFields(problems);
      await repositories.questions.setOrder(scope, questionIds);
      await noteChange(repositories, scope, 'questions_reordered', null);
      return questionsOf(await repositories.definitions.draft(scope.surveyId));
    });
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
    // Replaced before anybody sees it: the type decides what they are.
    settings: {} as never,
    options: [],
    retired: false,
  };
}

function isLive(definition: SurveyDefinition, question: Question): boolean {
  return !question.retired && definition.pages.some((page) => page.id === question.pageId && !page.retired);
}

function retired(): AppError {
  return conflict(
    'question_retired',
    'The question is retired: send "retired": false, and a page_id if its page is retired too, to ask it again',
  );
}

function fixedByData(problems: { field: string; message: string }[]): AppError {
  const [first] = problems;
  return conflict('fixed_by_data', `${first!.field}: ${first!.message}`, problems);
}

async function refuseTooManyOptions(
  repositories: Repositories,
  scope: SurveyScope,
  question: Question,
): Promise<void> {
  if (question.options.length === 0) return;
  if ((await repositories.questions.optionCount(scope)) > MAX_OPTIONS_OF_SURVEY) {
    throw conflict('too_many_options', `A survey has at most ${MAX_OPTIONS_OF_SURVEY} options in all`);
  }
}

async function noteChange(
  repositories: Repositories,
  scope: SurveyScope,
  what: string,
  questionId: number | null,
): Promise<void> {
  await repositories.surveys.raiseRevision(scope);
  await repositories.audit.record(
    surveyEntry(scope, what, questionId === null ? undefined : { question_id: questionId }),
  );
}
