import { ApiError, type FieldProblem } from '../../../shared/client/api.ts';
import { texts } from '../../texts.ts';
import { changeApi, readApi, type Schema } from '../data/api.ts';
import { reloadQueries } from '../data/queries.ts';
import { Autosave, type SaveStatus } from './autosave.ts';
import { CommandHistory } from './command-history.ts';
import {
  type Changes,
  type EditorPage,
  type EditorQuestion,
  nextOptionNumber,
  pageChanges,
  questionChanges,
  questionForRequest,
  type QuestionType,
  toEditorPage,
  toEditorQuestion,
  withAssignedCodes,
} from './editor-content.ts';
import { EDITOR_TYPES } from './question-types.ts';

type Survey = Schema<'SurveyWithPages'>;

const SESSION_ENDED = 401;
const NOT_FOUND = 404;
/** The rest of the studio is reloaded when the user pauses, because a survey can have 2,000 questions. */
const RELOAD_DELAY_MS = 1_500;
const NO_PROBLEMS: readonly FieldProblem[] = [];

const questionKey = (id: number) => `question-${id}`;
const pageKey = (id: number) => `page-${id}`;

const isTransient = (error: Error): boolean =>
  error instanceof ApiError && (error.kind === 'transient' || error.status === SESSION_ENDED);

/**
 * A survey that is being edited. It holds the content with the edits, saves them, and records how to revert them. Parts of the page
 * subscribe to a topic (`outline`, `status`, `saved`, `page-1`, `question-1`), so that a keystroke renders one question only.
 */
export class SurveyEditor {
  status: SaveStatus = { kind: 'saved' };
  pages: readonly EditorPage[] = [];
  readonly history = new CommandHistory(() => this.notify('status'));
  private readonly questions = new Map<number, EditorQuestion>();
  /** Pages and questions as the API has them, by key. */
  private readonly savedQuestions = new Map<number, EditorQuestion>();
  private readonly savedPages = new Map<number, EditorPage>();
  private readonly problems = new Map<string, readonly FieldProblem[]>();
  /** The highest option code that a question ever had; codes are not reused. */
  private readonly highestCodes = new Map<number, number>();
  /** What was deleted and created again has another id; commands of the history still name the first. */
  private readonly replacedPages = new Map<number, number>();
  private readonly replacedQuestions = new Map<number, number>();
  private readonly listeners = new Map<string, Set<() => void>>();
  private readonly autosave = new Autosave({
    save: (key) => this.inOrder(() => this.saveEdits(key)),
    isTransient,
    onStatus: (status) => {
      this.status = status;
      this.notify('status');
    },
  });
  private operation: Promise<unknown> = Promise.resolve();
  private running: Promise<unknown> = Promise.resolve();
  private reloadTimer: ReturnType<typeof setTimeout> | null = null;

  constructor(
    readonly surveyId: number,
    survey: Survey,
  ) {
    this.load(survey);
    if (survey.published_version !== null || survey.response_count > 0) void this.loadRetiredCodes();
  }

  subscribe(topic: string, listener: () => void): () => void {
    const listeners = this.listeners.get(topic) ?? new Set();
    this.listeners.set(topic, listeners.add(listener));
    return () => void listeners.delete(listener);
  }

  question(id: number): EditorQuestion | undefined {
    return this.questions.get(id);
  }

  page(id: number): EditorPage | undefined {
    return this.pages.find(({ page_id: each }) => each === id);
  }

  /** All questions in the order of the survey. */
  listQuestions(): EditorQuestion[] {
    return this.pages.flatMap(({ questionIds }) =>
      questionIds.flatMap((id) => {
        const question = this.questions.get(id);
        return question === undefined ? [] : [question];
      }),
    );
  }

  problemsOf(topic: string): readonly FieldProblem[] {
    return this.problems.get(topic) ?? NO_PROBLEMS;
  }

  get hasUnsaved(): boolean {
    return this.autosave.hasUnsaved;
  }

  /** Takes over the survey as reloaded, unless edits or their reload are under way. */
  acceptReloaded(survey: Survey): void {
    if (this.autosave.hasUnsaved || this.reloadTimer !== null) return;
    this.load(survey);
  }

  nextOptionNumber(id: number): number {
    const next = nextOptionNumber(this.questions.get(id)?.options ?? [], this.highestCodes.get(id));
    this.highestCodes.set(id, next);
    return next;
  }

  editQuestion(id: number, changes: Partial<EditorQuestion>): void {
    const question = this.questions.get(id);
    if (question === undefined) return;
    this.questions.set(id, { ...question, ...changes });
    this.autosave.schedule(questionKey(id));
    this.notify(questionKey(id));
  }

  editSettings(id: number, changes: Changes): void {
    const question = this.questions.get(id);
    if (question !== undefined)
      this.editQuestion(id, { question_settings: { ...question.question_settings, ...changes } });
  }

  editPage(id: number, changes: Partial<EditorPage>): void {
    this.pages = this.pages.map((page) => (page.page_id === id ? { ...page, ...changes } : page));
    this.autosave.schedule(pageKey(id));
    this.notify(pageKey(id));
  }

  /** Saves all edits now. */
  flush(): Promise<void> {
    return this.autosave.flush();
  }

  /** Creates an empty page at the end and returns its id. Throws ApiError. */
  addPage(): Promise<number> {
    return this.oneAtATime(async () => {
      let id = await this.createPage({}, this.pages.length);
      this.history.record({
        label: texts.editor.pageAdded,
        undo: () => this.removePage(id),
        redo: async () => {
          id = await this.createPage({}, this.pages.length);
        },
      });
      return id;
    });
  }

  /** Creates a question on the page, at the end unless `position` (from 1) is given, and returns its id. Throws ApiError. */
  addQuestion(pageId: number, type: QuestionType, position?: number): Promise<number> {
    const fields = {
      question_type: type,
      question_text: texts.editor.newQuestion,
      ...EDITOR_TYPES[type].initial,
    };
    return this.oneAtATime(() => this.insertQuestion(pageId, fields, position));
  }

  /** Creates a copy below the question and returns its id. */
  duplicateQuestion(id: number): Promise<number> {
    return this.oneAtATime(async () => {
      await this.flush();
      const question = this.savedQuestions.get(this.currentQuestionId(id));
      const page = this.pages.find(({ questionIds }) => questionIds.includes(id));
      if (question === undefined || page === undefined) return id;
      const fields = questionForRequest(question);
      // The copy gets the next free code.
      delete fields.question_code;
      return this.insertQuestion(page.page_id, fields, page.questionIds.indexOf(id) + 2);
    });
  }

  /** Deletes the question. Undo creates it again, or offers it again where data keep it. */
  deleteQuestion(id: number): Promise<void> {
    return this.oneAtATime(async () => {
      await this.flush();
      const question = this.savedQuestions.get(id);
      const page = this.pages.find(({ questionIds }) => questionIds.includes(id));
      if (question === undefined || page === undefined) return;
      const pageId = page.page_id;
      const position = page.questionIds.indexOf(id) + 1;
      await this.removeQuestion(id);
      this.history.record({
        label: texts.editor.questionDeleted,
        undo: () => this.restoreQuestion(question, this.currentPageId(pageId), position),
        redo: () => this.removeQuestion(id),
      });
    });
  }

  /** Deletes the page with its questions. Undo creates them again; the caller asks first where that is not possible. */
  deletePage(id: number): Promise<void> {
    return this.oneAtATime(async () => {
      await this.flush();
      const page = this.page(id);
      if (page === undefined) return;
      const index = this.pages.indexOf(page);
      const questions = page.questionIds.flatMap((each) => this.savedQuestions.get(each) ?? []);
      await this.removePage(id);
      const { page_title, page_description, page_logic } = page;
      this.history.record({
        label: texts.editor.pageDeleted,
        undo: async () => {
          const newId = await this.createPage({ page_title, page_description, page_logic }, index);
          this.replacedPages.set(id, newId);
          for (const [order, question] of questions.entries())
            await this.restoreQuestion(question, newId, order + 1);
        },
        redo: () => this.removePage(id),
      });
    });
  }

  /** Moves the question to the index (from 0) on a page. */
  moveQuestion(id: number, pageId: number, index: number): Promise<void> {
    return this.oneAtATime(async () => {
      await this.flush();
      const from = this.pages.find(({ questionIds }) => questionIds.includes(id));
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
    return this.oneAtATime(async () => {
      await this.flush();
      const fromIndex = this.pages.findIndex(({ page_id: each }) => each === id);
      if (fromIndex === index || fromIndex < 0) return;
      await this.placePage(id, index);
      this.history.record({
        label: texts.editor.pageMoved,
        undo: () => this.placePage(id, fromIndex),
        redo: () => this.placePage(id, index),
      });
    });
  }

  /** Reverts the last change and returns its name; null if there is none. Throws ApiError. */
  undo(): Promise<string | null> {
    return this.oneAtATime(async () => {
      await this.flush();
      return (await this.history.undo())?.label ?? null;
    });
  }

  redo(): Promise<string | null> {
    return this.oneAtATime(async () => {
      await this.flush();
      return (await this.history.redo())?.label ?? null;
    });
  }

  private load(survey: Survey): void {
    const questions = survey.pages.flatMap((page) => page.questions.map(toEditorQuestion));
    this.pages = survey.pages.map(toEditorPage);
    for (const page of this.pages) this.savedPages.set(page.page_id, page);
    const ids = new Set(questions.map(({ question_id: id }) => id));
    for (const id of this.questions.keys()) if (!ids.has(id)) this.questions.delete(id);
    for (const question of questions) {
      const id = question.question_id;
      const saved = this.savedQuestions.get(id);
      this.savedQuestions.set(id, question);
      this.rememberCodes(question);
      // Empty options that wait for their label stay.
      if (saved !== undefined && questionChanges(saved, question) === null) continue;
      this.questions.set(id, question);
      this.notify(questionKey(id));
    }
    for (const { page_id: id } of this.pages) this.notify(pageKey(id));
    this.notify('outline');
  }

  private rememberCodes(question: Pick<EditorQuestion, 'question_id' | 'options'>): void {
    const id = question.question_id;
    const highest = nextOptionNumber(question.options, this.highestCodes.get(id)) - 1;
    this.highestCodes.set(id, highest);
  }

  private async loadRetiredCodes(): Promise<void> {
    try {
      const { data } = await readApi('/api/surveys/{surveyId}/questions', {
        path: { surveyId: this.surveyId },
        query: { include_retired: true },
      });
      for (const question of data) this.rememberCodes(question);
    } catch (error) {
      // Without them, the API refuses a code that a retired option has, and the message is shown at the option.
      if (!(error instanceof ApiError)) throw error;
    }
  }

  private currentPageId(id: number): number {
    return latestId(this.replacedPages, id);
  }

  private currentQuestionId(id: number): number {
    return latestId(this.replacedQuestions, id);
  }

  /** Runs an operation of the user after the previous ones, so that it starts from their result. */
  private oneAtATime<T>(operation: () => Promise<T>): Promise<T> {
    const result = this.operation.then(operation);
    this.operation = result.catch(() => undefined);
    return result;
  }

  /** Sends one request after the other. */
  private inOrder<T>(action: () => Promise<T>): Promise<T> {
    const result = this.running.then(action);
    this.running = result.catch(() => undefined);
    return result;
  }

  private async saveEdits(key: string): Promise<void> {
    const [kind, id] = key.split('-') as [string, string];
    try {
      await (kind === 'page' ? this.savePage(Number(id)) : this.saveQuestion(Number(id)));
      this.setProblems(key, NO_PROBLEMS);
    } catch (error) {
      if (error instanceof ApiError && !isTransient(error)) this.setProblems(key, problemsIn(error));
      throw error;
    }
  }

  private setProblems(key: string, problems: readonly FieldProblem[]): void {
    if (this.problemsOf(key).length === 0 && problems.length === 0) return;
    this.problems.set(key, problems);
    this.notify(key);
  }

  private async saveQuestion(id: number): Promise<void> {
    const before = this.savedQuestions.get(id);
    const sent = this.questions.get(id);
    if (before === undefined || sent === undefined) return;
    const changes = questionChanges(before, sent);
    if (changes === null) return;
    await this.putQuestion(id, changes, sent);
    const after = this.savedQuestions.get(id) ?? sent;
    this.history.record({
      label: texts.editor.questionChanged,
      undo: () => this.putQuestion(id, questionChanges(after, before) ?? {}),
      redo: () => this.putQuestion(id, questionChanges(before, after) ?? {}),
    });
  }

  /** `sent`: the edits that the changes are from; null replaces the question by the reply. */
  private async putQuestion(id: number, changes: Changes, sent: EditorQuestion | null = null): Promise<void> {
    const current = this.currentQuestionId(id);
    const reply = toEditorQuestion(
      await changeApi('put', '/api/surveys/{surveyId}/questions/{questionId}', {
        path: { surveyId: this.surveyId, questionId: current },
        body: changes,
      }),
    );
    this.savedQuestions.set(current, reply);
    const latest = this.questions.get(current);
    const isTypeChange = 'question_type' in changes;
    if (latest === undefined || sent === null || (isTypeChange && latest === sent)) {
      this.questions.set(current, reply);
    } else {
      this.questions.set(current, {
        ...latest,
        question_code: latest === sent ? reply.question_code : latest.question_code,
        options: withAssignedCodes(latest.options, reply.options),
      });
    }
    this.rememberCodes(reply);
    this.notify(questionKey(current));
    this.reloadLater();
  }

  private async savePage(id: number): Promise<void> {
    const before = this.savedPages.get(id);
    const sent = this.page(id);
    if (before === undefined || sent === undefined) return;
    const changes = pageChanges(before, sent);
    if (changes === null) return;
    await this.putPage(id, changes);
    this.history.record({
      label: texts.editor.pageChanged,
      undo: () => this.putPage(id, pageChanges(sent, before) ?? {}),
      redo: () => this.putPage(id, changes),
    });
  }

  private async putPage(id: number, changes: Changes): Promise<void> {
    const pageId = this.currentPageId(id);
    const edited = this.page(pageId);
    const reply = await changeApi('put', '/api/surveys/{surveyId}/pages/{pageId}', {
      path: { surveyId: this.surveyId, pageId },
      body: changes,
    });
    const saved = toEditorPage(reply);
    this.savedPages.set(pageId, saved);
    // What was typed during the request stays.
    if (this.page(pageId) === edited)
      this.pages = this.pages.map((page) => (page.page_id === pageId ? saved : page));
    this.notify(pageKey(pageId));
    this.reloadLater();
  }

  private async insertQuestion(pageId: number, fields: Changes, position?: number): Promise<number> {
    await this.flush();
    const created = await this.createQuestion(pageId, fields, position);
    const id = created.question_id;
    const index = this.page(pageId)?.questionIds.indexOf(id) ?? 0;
    let last = created;
    this.history.record({
      label: texts.editor.questionAdded,
      undo: async () => {
        last = this.savedQuestions.get(this.currentQuestionId(id)) ?? last;
        await this.removeQuestion(id);
      },
      redo: () => this.restoreQuestion({ ...last, question_id: id }, this.currentPageId(pageId), index + 1),
    });
    return id;
  }

  private async createQuestion(pageId: number, fields: Changes, position?: number): Promise<EditorQuestion> {
    const body = { page_id: pageId, ...fields, ...(position === undefined ? {} : { position }) };
    const created = toEditorQuestion(
      await this.inOrder(() =>
        changeApi('post', '/api/surveys/{surveyId}/questions', {
          path: { surveyId: this.surveyId },
          body: body as unknown as Schema<'NewQuestion'>,
        }),
      ),
    );
    this.addLoadedQuestion(created, pageId, position);
    return created;
  }

  private addLoadedQuestion(question: EditorQuestion, pageId: number, position?: number): void {
    const id = question.question_id;
    this.questions.set(id, question);
    this.savedQuestions.set(id, question);
    this.rememberCodes(question);
    this.changeQuestionIds(pageId, (ids) =>
      ids.toSpliced(position === undefined ? ids.length : position - 1, 0, id),
    );
    this.reloadLater();
  }

  /** Offers a deleted question again: data keep it as retired, otherwise it is created with the same code. */
  private async restoreQuestion(question: EditorQuestion, pageId: number, position: number): Promise<void> {
    const id = question.question_id;
    const previous = this.currentQuestionId(id);
    try {
      const restored = await changeApi('put', '/api/surveys/{surveyId}/questions/{questionId}', {
        path: { surveyId: this.surveyId, questionId: previous },
        body: { retired: false, page_id: pageId, position },
      });
      this.addLoadedQuestion(toEditorQuestion(restored), pageId, position);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== NOT_FOUND) throw error;
      const created = await this.createQuestion(pageId, questionForRequest(question), position);
      this.replacedQuestions.set(previous, created.question_id);
    }
  }

  private async removeQuestion(id: number): Promise<void> {
    const questionId = this.currentQuestionId(id);
    await this.inOrder(() =>
      changeApi('delete', '/api/surveys/{surveyId}/questions/{questionId}', {
        path: { surveyId: this.surveyId, questionId },
      }),
    );
    this.autosave.discard(questionKey(questionId));
    this.pages = this.pages.map((page) =>
      page.questionIds.includes(questionId)
        ? { ...page, questionIds: page.questionIds.filter((each) => each !== questionId) }
        : page,
    );
    this.notifyOutline();
  }

  private async createPage(fields: Changes, index: number): Promise<number> {
    const created = await this.inOrder(() =>
      changeApi('post', '/api/surveys/{surveyId}/pages', {
        path: { surveyId: this.surveyId },
        body: { ...fields, position: index + 1 },
      }),
    );
    const page = toEditorPage(created);
    this.savedPages.set(page.page_id, page);
    this.pages = this.pages.toSpliced(index, 0, page);
    this.notifyOutline();
    return page.page_id;
  }

  private async removePage(id: number): Promise<void> {
    const pageId = this.currentPageId(id);
    await this.inOrder(() =>
      changeApi('delete', '/api/surveys/{surveyId}/pages/{pageId}', {
        path: { surveyId: this.surveyId, pageId },
      }),
    );
    this.autosave.discard(pageKey(pageId));
    for (const questionId of this.page(pageId)?.questionIds ?? [])
      this.autosave.discard(questionKey(questionId));
    this.pages = this.pages.filter(({ page_id: each }) => each !== pageId);
    this.notifyOutline();
  }

  private async placeQuestion(id: number, page: number, index: number): Promise<void> {
    const questionId = this.currentQuestionId(id);
    const pageId = this.currentPageId(page);
    await this.inOrder(() =>
      changeApi('put', '/api/surveys/{surveyId}/questions/{questionId}', {
        path: { surveyId: this.surveyId, questionId },
        body: { page_id: pageId, position: index + 1 },
      }),
    );
    this.pages = this.pages.map((each) => {
      const others = each.questionIds.filter((other) => other !== questionId);
      if (each.page_id === pageId) return { ...each, questionIds: others.toSpliced(index, 0, questionId) };
      return others.length === each.questionIds.length ? each : { ...each, questionIds: others };
    });
    this.notifyOutline();
  }

  private async placePage(id: number, index: number): Promise<void> {
    const pageId = this.currentPageId(id);
    await this.inOrder(() =>
      changeApi('put', '/api/surveys/{surveyId}/pages/{pageId}', {
        path: { surveyId: this.surveyId, pageId },
        body: { position: index + 1 },
      }),
    );
    const moved = this.pages.filter(({ page_id: each }) => each === pageId);
    const others = this.pages.filter(({ page_id: each }) => each !== pageId);
    this.pages = others.toSpliced(index, 0, ...moved);
    this.notifyOutline();
  }

  private changeQuestionIds(pageId: number, change: (ids: readonly number[]) => readonly number[]): void {
    this.pages = this.pages.map((page) =>
      page.page_id === pageId ? { ...page, questionIds: change(page.questionIds) } : page,
    );
    this.notifyOutline();
  }

  private notifyOutline(): void {
    for (const { page_id: id } of this.pages) this.notify(pageKey(id));
    this.notify('outline');
    this.reloadLater();
  }

  private notify(topic: string): void {
    for (const listener of [...(this.listeners.get(topic) ?? [])]) listener();
  }

  private reloadLater(): void {
    this.notify('saved');
    if (this.reloadTimer !== null) clearTimeout(this.reloadTimer);
    this.reloadTimer = setTimeout(() => {
      this.reloadTimer = null;
      void reloadQueries('/api/surveys');
    }, RELOAD_DELAY_MS);
  }
}

/** Follows the replacements of an id. */
function latestId(replacements: ReadonlyMap<number, number>, id: number): number {
  const next = replacements.get(id);
  return next === undefined ? id : latestId(replacements, next);
}

/** The problems of a refused change; a message without a field concerns the whole object. */
function problemsIn(error: ApiError): readonly FieldProblem[] {
  if (error.problems.length > 0) return error.problems;
  const named = /^([a-z_][\w.[\]]*): (.+)$/s.exec(error.message);
  if (named !== null) return [{ field: named[1] ?? '', message: named[2] ?? '' }];
  return [{ field: '', message: error.message }];
}

const editors = new Map<number, SurveyEditor>();

/** The editor of a survey. One with edits that are not saved is kept when the page is left, so that it goes on saving. */
export function openEditor(survey: Survey): SurveyEditor {
  const existing = editors.get(survey.survey_id);
  if (existing?.hasUnsaved === true) return existing;
  const editor = new SurveyEditor(survey.survey_id, survey);
  editors.set(survey.survey_id, editor);
  return editor;
}

addEventListener('online', () => {
  for (const editor of editors.values()) void editor.flush();
});
addEventListener('beforeunload', (event) => {
  if ([...editors.values()].some(({ hasUnsaved }) => hasUnsaved)) event.preventDefault();
});
