import { ApiError } from '../../../shared/client/api.ts';
import { texts } from '../../texts.ts';
import { editorActionsTexts } from '../../texts/editor-actions.ts';
import { changeApi, type Schema } from '../data/api.ts';
import { studioTypeOf } from '../question-types/registry.ts';
import type { QuestionType } from '../question-types/question-type.ts';
import type { CommandHistory } from './command-history.ts';
import type { EditSaving } from './edit-saving.ts';
import {
  type Changes,
  type EditorQuestion,
  type NewQuestionFields,
  questionForRequest,
  withCodes,
  toEditorPage,
  toEditorQuestion,
} from './editor-content.ts';
import { pageKey, questionKey, type SurveyContent } from './survey-content.ts';

const NOT_FOUND = 404;

/** Adds, copies, deletes and moves pages and questions, and records how to revert it. All methods throw ApiError. */
export class SurveyStructure {
  private operation: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly surveyId: number,
    private readonly content: SurveyContent,
    private readonly saving: EditSaving,
    private readonly history: CommandHistory,
  ) {}

  /** Runs an operation of the user after the previous ones and with all edits saved, so that it starts from their result. */
  runAlone<T>(operation: () => Promise<T>): Promise<T> {
    const result = this.operation.then(async () => {
      await this.saving.flush();
      return operation();
    });
    this.operation = result.catch(() => undefined);
    return result;
  }

  /** Creates an empty page at the end and returns its id. */
  addPage(): Promise<number> {
    return this.runAlone(async () => {
      let id = await this.createPage({}, this.content.pages.length);
      this.history.record({
        label: texts.editor.pageAdded,
        undo: () => this.removePage(id),
        redo: async () => {
          id = await this.createPage({}, this.content.pages.length);
        },
      });
      return id;
    });
  }

  /** Creates a page below that of the question, and moves the question and those after it there. */
  splitPage(questionId: number): Promise<void> {
    return this.runAlone(async () => {
      const from = this.content.pageOf(questionId);
      if (from === undefined) return;
      const { page_id: fromId, block_id, shown_to_arm } = from;
      const keptCount = from.questionIds.indexOf(questionId);
      const moved = from.questionIds.slice(keptCount);
      const split = async () => {
        const pageIds = this.content.pages.map(({ page_id: id }) => id);
        const index = pageIds.indexOf(this.content.currentPageId(fromId)) + 1;
        const created = await this.createPage({ block_id, shown_to_arm }, index);
        for (const [order, id] of moved.entries()) await this.placeQuestion(id, created, order);
        return created;
      };
      let pageId = await split();
      this.history.record({
        label: editorActionsTexts.pageSplit,
        undo: async () => {
          for (const [order, id] of moved.entries()) await this.placeQuestion(id, fromId, keptCount + order);
          await this.removePage(pageId);
        },
        redo: async () => {
          pageId = await split();
        },
      });
    });
  }

  /**
   * Creates a question on the page, at the end unless `position` (from 1) is given, and returns its id. It is required if the one above
   * it is, because most authors require all questions or none.
   */
  async addQuestion(pageId: number, type: QuestionType, position?: number): Promise<number> {
    const fields = {
      question_required: this.questionAbove(pageId, position)?.question_required ?? false,
      question_type: type,
      question_text: texts.editor.newQuestion,
      ...studioTypeOf({ question_type: type }).initial,
    };
    const [id] = await this.addQuestions(pageId, [fields], position);
    if (id === undefined) throw new Error('The question was not created');
    return id;
  }

  private questionAbove(pageId: number, position?: number): EditorQuestion | undefined {
    const { pages } = this.content;
    const index = pages.findIndex(({ page_id: id }) => id === pageId);
    const before = pages.slice(0, index).flatMap(({ questionIds }) => questionIds);
    const onPage = pages[index]?.questionIds ?? [];
    const id = [...before, ...(position === undefined ? onPage : onPage.slice(0, position - 1))].at(-1);
    return id === undefined ? undefined : this.content.question(id);
  }

  /** Creates questions one below the other and returns their ids. Undo removes them together. */
  addQuestions(
    pageId: number,
    questions: readonly NewQuestionFields[],
    position?: number,
  ): Promise<number[]> {
    return this.runAlone(() => this.insertQuestions(pageId, questions, position));
  }

  /** Creates a copy below the question and returns its id. */
  duplicateQuestion(id: number): Promise<number> {
    return this.runAlone(async () => {
      const question = this.content.savedQuestion(this.content.currentQuestionId(id));
      const page = this.content.pageOf(id);
      if (question === undefined || page === undefined) return id;
      const position = page.questionIds.indexOf(id) + 2;
      // The copy gets the next free code.
      const fields = questionForRequest(question, null);
      const [copy = id] = await this.insertQuestions(page.page_id, [fields], position);
      return copy;
    });
  }

  /** Creates a copy below the page, with copies of its questions, and returns its id. Copied logic and placeholders refer to the copies. */
  duplicatePage(id: number): Promise<number> {
    return this.runAlone(async () => {
      const page = this.content.page(id);
      if (page === undefined) return id;
      const index = this.content.pages.indexOf(page) + 1;
      const questions = page.questionIds.flatMap((each) => this.content.savedQuestion(each) ?? []);
      const create = async () => {
        const { page_title, page_description, page_logic, block_id, shown_to_arm, page_arrangement } = page;
        const display = page_logic?.display === undefined ? null : { display: page_logic.display };
        const copy = await this.createPage(
          { page_title, page_description, page_logic: display, block_id, shown_to_arm, page_arrangement },
          index,
        );
        const codes = new Map<string, string>();
        for (const question of questions) {
          const fields = withCodes(questionForRequest(question, null), codes);
          const created = await this.createQuestion(copy, fields);
          codes.set(question.question_code, created.question_code);
        }
        return copy;
      };
      let copy = await create();
      this.history.record({
        label: texts.editor.pageDuplicated,
        undo: () => this.removePage(copy),
        redo: async () => {
          copy = await create();
        },
      });
      return copy;
    });
  }

  /** Deletes the question. Undo creates it again, or offers it again where data keep it. */
  deleteQuestion(id: number): Promise<void> {
    return this.runAlone(async () => {
      const question = this.content.savedQuestion(id);
      const page = this.content.pageOf(id);
      if (question === undefined || page === undefined) return;
      const pageId = page.page_id;
      const position = page.questionIds.indexOf(id) + 1;
      await this.removeQuestion(id);
      this.history.record({
        label: texts.editor.questionDeleted,
        undo: () => this.restoreQuestion(question, this.content.currentPageId(pageId), position),
        redo: () => this.removeQuestion(id),
      });
    });
  }

  /** Deletes the page with its questions. Undo creates them again; the caller asks first where that is not possible. */
  deletePage(id: number): Promise<void> {
    return this.runAlone(async () => {
      const page = this.content.page(id);
      if (page === undefined) return;
      const index = this.content.pages.indexOf(page);
      const questions = page.questionIds.flatMap((each) => this.content.savedQuestion(each) ?? []);
      await this.removePage(id);
      const { page_title, page_description, page_logic, block_id, shown_to_arm, page_arrangement } = page;
      const fields = { page_title, page_description, page_logic, block_id, shown_to_arm, page_arrangement };
      this.history.record({
        label: texts.editor.pageDeleted,
        undo: async () => {
          const newId = await this.createPage(fields, index);
          this.content.replacePageId(id, newId);
          for (const [order, question] of questions.entries())
            await this.restoreQuestion(question, newId, order + 1);
        },
        redo: () => this.removePage(id),
      });
    });
  }

  /** Moves the question to the index (from 0) on a page. */
  moveQuestion(id: number, pageId: number, index: number): Promise<void> {
    return this.runAlone(async () => {
      const from = this.content.pageOf(id);
      if (from === undefined) return;
      const fromIndex = from.questionIds.indexOf(id);
      if (from.page_id === pageId && fromIndex === index) return;
      await this.placeQuestion(id, pageId, index);
      this.history.record({
        label: texts.editor.questionMoved,
        undo: () => this.placeQuestion(id, from.page_id, fromIndex),
        redo: () => this.placeQuestion(id, pageId, index),
      });
    });
  }

  /** Moves the page to the index (from 0). */
  movePage(id: number, index: number): Promise<void> {
    return this.runAlone(async () => {
      const fromIndex = this.content.pages.findIndex(({ page_id: each }) => each === id);
      if (fromIndex === index || fromIndex < 0) return;
      await this.placePage(id, index);
      this.history.record({
        label: texts.editor.pageMoved,
        undo: () => this.placePage(id, fromIndex),
        redo: () => this.placePage(id, index),
      });
    });
  }

  private async insertQuestions(
    pageId: number,
    questions: readonly NewQuestionFields[],
    position?: number,
  ): Promise<number[]> {
    const created: EditorQuestion[] = [];
    for (const [order, fields] of questions.entries())
      created.push(
        await this.createQuestion(pageId, fields, position === undefined ? undefined : position + order),
      );
    const ids = created.map(({ question_id: id }) => id);
    const first = this.content.page(pageId)?.questionIds.indexOf(ids[0] ?? 0) ?? 0;
    let latest = created;
    this.history.record({
      label: texts.editor.questionsAdded(ids.length),
      undo: async () => {
        latest = latest.map((question) => ({
          ...(this.content.savedQuestion(this.content.currentQuestionId(question.question_id)) ?? question),
          question_id: question.question_id,
        }));
        for (const id of ids) await this.removeQuestion(id);
      },
      redo: async () => {
        for (const [order, question] of latest.entries())
          await this.restoreQuestion(question, this.content.currentPageId(pageId), first + order + 1);
      },
    });
    return ids;
  }

  private async createQuestion(
    pageId: number,
    fields: NewQuestionFields,
    position?: number,
  ): Promise<EditorQuestion> {
    const body = { ...fields, page_id: pageId, ...(position === undefined ? {} : { position }) };
    if (!isNewQuestion(body)) throw new TypeError('The question has no type or text');
    const created = toEditorQuestion(
      await this.saving.sendInOrder(() =>
        changeApi('post', '/api/surveys/{surveyId}/questions', { path: { surveyId: this.surveyId }, body }),
      ),
    );
    this.showQuestion(created, pageId, position);
    return created;
  }

  private showQuestion(question: EditorQuestion, pageId: number, position?: number): void {
    this.content.setSavedQuestion(question);
    this.content.setQuestion(question);
    this.arrange(
      this.content.pages.map((page) => {
        if (page.page_id !== pageId) return page;
        const index = position === undefined ? page.questionIds.length : position - 1;
        return { ...page, questionIds: page.questionIds.toSpliced(index, 0, question.question_id) };
      }),
    );
  }

  /** Offers a deleted question again: data keep it as retired, otherwise it is created with the same code. */
  private async restoreQuestion(question: EditorQuestion, pageId: number, position: number): Promise<void> {
    const previous = this.content.currentQuestionId(question.question_id);
    try {
      const restored = await changeApi('put', '/api/surveys/{surveyId}/questions/{questionId}', {
        path: { surveyId: this.surveyId, questionId: previous },
        body: { retired: false, page_id: pageId, position },
      });
      this.showQuestion(toEditorQuestion(restored), pageId, position);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== NOT_FOUND) throw error;
      const created = await this.createQuestion(pageId, questionForRequest(question), position);
      this.content.replaceQuestionId(previous, created.question_id);
    }
  }

  private async removeQuestion(id: number): Promise<void> {
    const questionId = this.content.currentQuestionId(id);
    await this.saving.sendInOrder(() =>
      changeApi('delete', '/api/surveys/{surveyId}/questions/{questionId}', {
        path: { surveyId: this.surveyId, questionId },
      }),
    );
    this.saving.discard(questionKey(questionId));
    this.arrange(
      this.content.pages.map((page) =>
        page.questionIds.includes(questionId)
          ? { ...page, questionIds: page.questionIds.filter((each) => each !== questionId) }
          : page,
      ),
    );
  }

  private async createPage(fields: Changes, index: number): Promise<number> {
    const page = toEditorPage(
      await this.saving.sendInOrder(() =>
        changeApi('post', '/api/surveys/{surveyId}/pages', {
          path: { surveyId: this.surveyId },
          body: { ...fields, position: index + 1 },
        }),
      ),
    );
    this.content.setSavedPage(page);
    this.arrange(this.content.pages.toSpliced(index, 0, page));
    return page.page_id;
  }

  private async removePage(id: number): Promise<void> {
    const pageId = this.content.currentPageId(id);
    await this.saving.sendInOrder(() =>
      changeApi('delete', '/api/surveys/{surveyId}/pages/{pageId}', {
        path: { surveyId: this.surveyId, pageId },
      }),
    );
    this.saving.discard(pageKey(pageId));
    for (const questionId of this.content.page(pageId)?.questionIds ?? [])
      this.saving.discard(questionKey(questionId));
    this.arrange(this.content.pages.filter(({ page_id: each }) => each !== pageId));
  }

  private async placeQuestion(id: number, page: number, index: number): Promise<void> {
    const questionId = this.content.currentQuestionId(id);
    const pageId = this.content.currentPageId(page);
    await this.saving.sendInOrder(() =>
      changeApi('put', '/api/surveys/{surveyId}/questions/{questionId}', {
        path: { surveyId: this.surveyId, questionId },
        body: { page_id: pageId, position: index + 1 },
      }),
    );
    this.arrange(
      this.content.pages.map((each) => {
        const others = each.questionIds.filter((other) => other !== questionId);
        if (each.page_id === pageId) return { ...each, questionIds: others.toSpliced(index, 0, questionId) };
        return others.length === each.questionIds.length ? each : { ...each, questionIds: others };
      }),
    );
  }

  private async placePage(id: number, index: number): Promise<void> {
    const pageId = this.content.currentPageId(id);
    await this.saving.sendInOrder(() =>
      changeApi('put', '/api/surveys/{surveyId}/pages/{pageId}', {
        path: { surveyId: this.surveyId, pageId },
        body: { position: index + 1 },
      }),
    );
    const moved = this.content.pages.filter(({ page_id: each }) => each === pageId);
    const others = this.content.pages.filter(({ page_id: each }) => each !== pageId);
    this.arrange(others.toSpliced(index, 0, ...moved));
  }

  private arrange(pages: Parameters<SurveyContent['arrange']>[0]): void {
    this.content.arrange(pages);
    this.saving.announceSaved();
  }
}

/** Narrows to the request; the API checks the settings and options, which differ by type. */
const isNewQuestion = (fields: Changes): fields is Schema<'NewQuestion'> =>
  typeof fields.page_id === 'number' &&
  typeof fields.question_text === 'string' &&
  typeof fields.question_type === 'string';
