import { ApiError, type FieldProblem } from '../../../shared/client/api.ts';
import { fieldMessage, problemMessage, splitMessage } from '../../../shared/client/form-errors.ts';
import { texts } from '../../texts.ts';
import { changeApi, type Schema } from '../data/api.ts';
import { reloadQueries } from '../data/queries.ts';
import { Autosave, type SaveStatus } from './autosave.ts';
import type { CommandHistory } from './command-history.ts';
import {
  type Changes,
  type EditorPage,
  type EditorQuestion,
  isEqual,
  isFilledOption,
  logicOf,
  mergePages,
  mergeQuestions,
  pageChanges,
  questionChanges,
  toEditorPage,
  toEditorQuestion,
  withAssignedCodes,
} from './editor-content.ts';
import { pageKey, questionKey, type SurveyContent } from './survey-content.ts';

const BAD_REQUEST = 400;
const SESSION_ENDED = 401;
/** The object was changed since it was read. */
const OTHER_VERSION = 412;
/** The rest of the studio is reloaded when the user pauses, because a survey can have 2,000 questions. */
const RELOAD_DELAY_MS = 1_500;

const isTransient = (error: Error): boolean =>
  error instanceof ApiError && (error.kind === 'transient' || error.status === SESSION_ENDED);

/** Applies edits of texts, settings and logic at once, saves them some time later, and records how to revert them. */
export class EditSaving {
  status: SaveStatus = { kind: 'saved' };
  private readonly autosave = new Autosave({
    save: (key) => this.sendInOrder(() => this.saveEdits(key)),
    isTransient,
    onStatus: (status) => {
      this.status = status;
      this.content.notify('status');
    },
  });
  /** By question: what its last edit changed, and how it was before each other edit since it was saved. Each is one step of undo. */
  private readonly steps = new Map<number, { what: string; states: EditorQuestion[] }>();
  private running: Promise<unknown> = Promise.resolve();
  private reloadTimer: ReturnType<typeof setTimeout> | null = null;

  constructor(
    private readonly surveyId: number,
    private readonly content: SurveyContent,
    private readonly history: CommandHistory,
  ) {}

  get hasUnsaved(): boolean {
    return this.autosave.hasUnsaved;
  }

  /** Whether the API has everything, and the rest of the studio knows it. */
  get isSettled(): boolean {
    return !this.autosave.hasUnsaved && this.reloadTimer === null;
  }

  editQuestion(id: number, changes: Partial<EditorQuestion>): void {
    const question = this.content.question(id);
    if (question === undefined) return;
    const what = describeEdit(question, changes);
    const steps = this.steps.get(id);
    if (steps === undefined) this.steps.set(id, { what, states: [] });
    else if (steps.what !== what) this.steps.set(id, { what, states: [...steps.states, question] });
    this.autosave.schedule(questionKey(id));
    this.content.setQuestion({ ...question, ...changes });
  }

  editSettings(id: number, changes: Changes): void {
    const question = this.content.question(id);
    if (question !== undefined)
      this.editQuestion(id, { question_settings: { ...question.question_settings, ...changes } });
  }

  editPage(id: number, changes: Partial<EditorPage>): void {
    const page = this.content.page(id);
    if (page === undefined) return;
    this.autosave.schedule(pageKey(id));
    this.content.setPage({ ...page, ...changes });
  }

  /** Saves all edits now. */
  flush(): Promise<void> {
    return this.autosave.flush();
  }

  /** Forgets the edits of a question or page that no longer exists. */
  discard(key: string): void {
    this.autosave.discard(key);
  }

  /** Sends one request after the other. */
  sendInOrder<T>(send: () => Promise<T>): Promise<T> {
    const result = this.running.then(send);
    this.running = result.catch(() => undefined);
    return result;
  }

  /** Reports that the API has another version of the survey. */
  announceSaved(): void {
    this.content.notify('saved');
    if (this.reloadTimer !== null) clearTimeout(this.reloadTimer);
    this.reloadTimer = setTimeout(() => {
      this.reloadTimer = null;
      void reloadQueries('/api/surveys');
    }, RELOAD_DELAY_MS);
  }

  /** Ends a conflict: with the edits of the user, or with what someone else saved. */
  resolveConflict(key: string, choice: 'mine' | 'theirs'): void {
    const conflict = this.content.conflictOf(key);
    if (conflict === undefined) return;
    this.content.setEtag(key, conflict.etag);
    if (conflict.kind === 'question') this.content.setSavedQuestion(conflict.theirs);
    else this.content.setSavedPage(conflict.theirs);
    if (choice === 'theirs') {
      this.autosave.discard(key);
      if (conflict.kind === 'question') this.content.setQuestion(conflict.theirs);
      else this.content.setPage(conflict.theirs);
    }
    this.content.setConflict(key, null);
    if (choice === 'mine') this.autosave.schedule(key);
  }

  private async saveEdits(key: string): Promise<void> {
    const [kind, id] = key.split('-') as [string, string];
    try {
      await (kind === 'page' ? this.savePage(Number(id)) : this.saveQuestion(Number(id)));
      this.content.setProblems(key, []);
    } catch (error) {
      if (error instanceof ApiError && error.status !== OTHER_VERSION && !isTransient(error))
        this.content.setProblems(key, problemsIn(error));
      throw error;
    }
  }

  private async saveQuestion(id: number): Promise<void> {
    const before = this.content.savedQuestion(id);
    const sent = this.content.question(id);
    if (before === undefined || sent === undefined) return;
    const changes = questionChanges(before, sent);
    if (changes === null) return;
    const between = this.steps.get(id)?.states ?? [];
    this.steps.delete(id);
    try {
      await this.putQuestion(id, changes, sent);
    } catch (error) {
      const current = currentIn(error) as Schema<'Question'> | null;
      if (current === null) throw error;
      const key = questionKey(id);
      const theirs = toEditorQuestion(current);
      const mine = this.content.question(id) ?? sent;
      const merged = mergeQuestions(before, mine, theirs);
      if (merged === null) {
        this.content.setConflict(key, { kind: 'question', theirs, etag: current.etag });
        throw error;
      }
      this.content.setSavedQuestion(theirs);
      this.content.setEtag(key, current.etag);
      this.content.setQuestion(merged);
      return this.saveQuestion(id);
    }
    const after = this.content.savedQuestion(id) ?? sent;
    const states = [before, ...between, after];
    for (const [index, state] of states.slice(1).entries()) {
      const previous = states.slice(0, index + 1);
      this.history.record({
        label: texts.editor.questionChanged,
        undo: () => this.restore(id, state, previous),
        redo: () => this.restore(id, previous.at(-1) ?? before, [state]),
      });
    }
  }

  /** Changes a question from a state to the last of `states`, or to an earlier one where the API refuses what was typed in between. */
  private async restore(id: number, from: EditorQuestion, states: readonly EditorQuestion[]): Promise<void> {
    const target = states.at(-1);
    if (target === undefined) return;
    try {
      await this.putQuestion(id, questionChanges(from, target) ?? {});
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== BAD_REQUEST || states.length === 1) throw error;
      await this.restore(id, from, states.slice(0, -1));
    }
  }

  /** `sent`: the edits that the changes are from; null replaces the question by the reply. */
  private async putQuestion(id: number, changes: Changes, sent: EditorQuestion | null = null): Promise<void> {
    const questionId = this.content.currentQuestionId(id);
    const saved = await changeApi('put', '/api/surveys/{surveyId}/questions/{questionId}', {
      path: { surveyId: this.surveyId, questionId },
      body: changes,
      // Undo and redo say themselves what the question becomes.
      ifMatch: sent === null ? undefined : this.content.etagOf(questionKey(questionId)),
    });
    const reply = toEditorQuestion(saved);
    this.content.setEtag(questionKey(questionId), saved.etag);
    this.content.setSavedQuestion(reply);
    const latest = this.content.question(questionId);
    const isTypeChange = 'question_type' in changes;
    if (latest === undefined || sent === null || (isTypeChange && latest === sent)) {
      this.content.setQuestion(reply);
    } else {
      const isUnedited = latest === sent;
      this.content.setQuestion({
        ...latest,
        question_code: isUnedited ? reply.question_code : latest.question_code,
        options:
          isUnedited && hasOtherOptions(latest, reply)
            ? reply.options
            : withAssignedCodes(latest.options, reply.options),
      });
    }
    this.announceSaved();
  }

  private async savePage(id: number): Promise<void> {
    const before = this.content.savedPage(id);
    const sent = this.content.page(id);
    if (before === undefined || sent === undefined) return;
    const changes = pageChanges(before, sent);
    if (changes === null) return;
    try {
      await this.putPage(id, changes, this.content.etagOf(pageKey(id)));
    } catch (error) {
      const current = currentIn(error) as Schema<'PageWithQuestions'> | null;
      if (current === null) throw error;
      const key = pageKey(id);
      const theirs = { ...toEditorPage(current), questionIds: sent.questionIds };
      const merged = mergePages(before, this.content.page(id) ?? sent, theirs);
      if (merged === null) {
        this.content.setConflict(key, { kind: 'page', theirs, etag: current.etag });
        throw error;
      }
      this.content.setSavedPage(theirs);
      this.content.setEtag(key, current.etag);
      this.content.setPage(merged);
      return this.savePage(id);
    }
    this.history.record({
      label: texts.editor.pageChanged,
      undo: () => this.putPage(id, pageChanges(sent, before) ?? {}),
      redo: () => this.putPage(id, changes),
    });
  }

  private async putPage(id: number, changes: Changes, ifMatch?: string): Promise<void> {
    const pageId = this.content.currentPageId(id);
    const edited = this.content.page(pageId);
    const reply = await changeApi('put', '/api/surveys/{surveyId}/pages/{pageId}', {
      path: { surveyId: this.surveyId, pageId },
      body: changes,
      ifMatch,
    });
    const saved = toEditorPage(reply);
    this.content.setEtag(pageKey(pageId), reply.etag);
    this.content.setSavedPage(saved);
    // What was typed during the request stays.
    if (this.content.page(pageId) === edited) this.content.setPage(saved);
    this.announceSaved();
  }
}

/** What an edit changes: a field, a setting, or the label of an option. Typing in one field goes on with the same edit. */
function describeEdit(before: EditorQuestion, changes: Partial<EditorQuestion>): string {
  const { question_settings: settings, options, ...fields } = changes;
  const names = Object.keys(fields);
  if (settings !== undefined)
    names.push(
      ...Object.keys(settings).filter((name) => !isEqual(settings[name], before.question_settings[name])),
    );
  if (options !== undefined) {
    const index = options.findIndex((option, place) => !isEqual(option, before.options[place]));
    names.push(`options ${options.length} ${index}`);
  }
  return names.join();
}

/** Whether the API has other options than those sent: it carries those of another question forward. */
const hasOtherOptions = (sent: EditorQuestion, reply: EditorQuestion): boolean =>
  logicOf(sent)?.carry_forward !== undefined &&
  sent.options.filter(isFilledOption).length !== reply.options.length;

/** The object as it is now, of a change that was refused because of it; null for other errors. */
const currentIn = (error: unknown): unknown =>
  error instanceof ApiError && error.status === OTHER_VERSION ? (error.body.current ?? null) : null;

/** The problems of a refused change; a message without a field concerns the whole object. */
function problemsIn(error: ApiError): readonly FieldProblem[] {
  if (error.problems.length > 0) return error.problems;
  return [splitMessage(error.message) ?? { field: '', message: error.message }];
}

/** Returns a problem for the author. Fields of logic are rules, which have no names on the page. */
export const problemInWords = ({ field, message }: FieldProblem): string =>
  /^(question_settings\.logic|page_logic)\b/.test(field)
    ? fieldMessage(texts.editor.logicTitle, message)
    : problemMessage({ field, message });
