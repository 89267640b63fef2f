import { takesAnswers } from '../question-types/registry.ts';
import type { FieldProblem } from '../../../shared/client/api.ts';
import type { Schema } from '../data/api.ts';
import {
  isWrittenOut,
  itemsAround,
  loopAround,
  ofItem,
  writeOutTable,
} from '../data/written-out-questions.ts';
import {
  type EditorPage,
  type EditorQuestion,
  isEqual,
  nextOptionNumber,
  questionChanges,
  toEditorPage,
  toEditorQuestion,
} from './editor-content.ts';

const NO_PROBLEMS: readonly FieldProblem[] = [];

export const questionKey = (id: number) => `question-${id}`;
export const pageKey = (id: number) => `page-${id}`;

/** What someone else saved while the user was editing the same. */
export type Conflict =
  | { kind: 'question'; theirs: EditorQuestion; etag: string }
  | { kind: 'page'; theirs: EditorPage; etag: string };

/**
 * The pages and questions of a survey as they are edited, and as the API has them. Parts of the page subscribe to a topic (`outline`,
 * `status`, `saved`, `findings`, `page-1`, `question-1`), so that a keystroke renders one question only.
 */
export class SurveyContent {
  pages: readonly EditorPage[] = [];
  blocks: readonly Schema<'Block'>[] = [];
  /** The questions of an earlier survey to whose answers logic and texts can refer. */
  previousQuestions: readonly EditorQuestion[] = [];
  private readonly questions = new Map<number, EditorQuestion>();
  private readonly savedQuestions = new Map<number, EditorQuestion>();
  private readonly savedPages = new Map<number, EditorPage>();
  /** The `etag` of each page and question as the API has it, by key. */
  private readonly etags = new Map<string, string>();
  private readonly conflicts = new Map<string, Conflict>();
  private readonly problems = new Map<string, readonly FieldProblem[]>();
  /** The highest option code that a question ever had; codes are not reused. */
  private readonly highestCodes = new Map<number, number>();
  /** What was deleted and created again has another id; commands of the history still name the first. */
  private readonly replacedPages = new Map<number, number>();
  private readonly replacedQuestions = new Map<number, number>();
  private readonly listeners = new Map<string, Set<() => void>>();

  subscribe(topic: string, listener: () => void): () => void {
    const listeners = this.listeners.get(topic) ?? new Set();
    this.listeners.set(topic, listeners.add(listener));
    return () => void listeners.delete(listener);
  }

  notify(topic: string): void {
    for (const listener of [...(this.listeners.get(topic) ?? [])]) listener();
  }

  question(id: number): EditorQuestion | undefined {
    return this.questions.get(id);
  }

  page(id: number): EditorPage | undefined {
    return this.pages.find(({ page_id: each }) => each === id);
  }

  /** The page of the question. */
  pageOf(questionId: number): EditorPage | undefined {
    return this.pages.find(({ questionIds }) => questionIds.includes(questionId));
  }

  /** The questions of a page in order. */
  questionsOn({ questionIds }: EditorPage): EditorQuestion[] {
    return questionIds.flatMap((id) => this.questions.get(id) ?? []);
  }

  /** All questions in the order of the survey. */
  listQuestions(): EditorQuestion[] {
    return this.pages.flatMap((page) => this.questionsOn(page));
  }

  /** The questions before one whose answers its conditions and texts can refer to. */
  questionsBefore(id: number): EditorQuestion[] {
    const questions = this.listQuestions();
    const index = questions.findIndex(({ question_id: each }) => each === id);
    return this.answersFor(this.pageOf(id), questions.slice(0, Math.max(0, index)));
  }

  /**
   * The answers to the questions to which the page can refer, and those of an earlier survey. A question of another loop has one for each
   * item (`Q5[OAT]`), and a table one for each cell (`Q1_use_r1`).
   */
  answersFor(page: EditorPage | undefined, questions: readonly EditorQuestion[]): EditorQuestion[] {
    const own = loopAround(this.blocks, page?.block_id ?? null);
    const all = this.listQuestions();
    const written = questions.flatMap((question): EditorQuestion[] => {
      const cells = writeOutTable(question);
      if (cells.length > 0) return cells;
      if (!takesAnswers(question)) return [];
      const blockId = this.pageOf(question.question_id)?.block_id ?? null;
      const items = loopAround(this.blocks, blockId) === own ? null : itemsAround(this.blocks, blockId, all);
      return items === null ? [question] : items.map((item) => ofItem(question, item));
    });
    return this.withPrevious(written);
  }

  /** All questions, then the items and cells that logic can name, and the questions of an earlier survey. */
  listNamed(): EditorQuestion[] {
    const questions = this.listQuestions();
    return [
      ...questions,
      ...this.answersFor(undefined, questions).filter(isWrittenOut),
      ...this.previousQuestions,
    ];
  }

  /** The questions, after those of an earlier survey. */
  withPrevious(questions: readonly EditorQuestion[]): EditorQuestion[] {
    return [...this.previousQuestions, ...questions];
  }

  savedQuestion(id: number): EditorQuestion | undefined {
    return this.savedQuestions.get(id);
  }

  savedPage(id: number): EditorPage | undefined {
    return this.savedPages.get(id);
  }

  problemsOf(key: string): readonly FieldProblem[] {
    return this.problems.get(key) ?? NO_PROBLEMS;
  }

  setProblems(key: string, problems: readonly FieldProblem[]): void {
    if (this.problemsOf(key).length === 0 && problems.length === 0) return;
    this.problems.set(key, problems);
    this.notify(key);
  }

  etagOf(key: string): string | undefined {
    return this.etags.get(key);
  }

  setEtag(key: string, etag: string): void {
    this.etags.set(key, etag);
  }

  /** The version of someone else that the edits of a page or question contradict; undefined: none. */
  conflictOf(key: string): Conflict | undefined {
    return this.conflicts.get(key);
  }

  setConflict(key: string, conflict: Conflict | null): void {
    if (conflict === null) this.conflicts.delete(key);
    else this.conflicts.set(key, conflict);
    this.notify(key);
  }

  setQuestion(question: EditorQuestion): void {
    this.questions.set(question.question_id, question);
    this.notify(questionKey(question.question_id));
  }

  setSavedQuestion(question: EditorQuestion): void {
    this.savedQuestions.set(question.question_id, question);
    this.rememberCodes(question);
  }

  setPage(page: EditorPage): void {
    this.pages = this.pages.map((each) => (each.page_id === page.page_id ? page : each));
    this.notify(pageKey(page.page_id));
  }

  setSavedPage(page: EditorPage): void {
    this.savedPages.set(page.page_id, page);
  }

  /** Replaces the order of pages and questions. */
  arrange(pages: readonly EditorPage[]): void {
    this.pages = pages;
    for (const { page_id: id } of pages) this.notify(pageKey(id));
    this.notify('outline');
  }

  /** Takes over the survey of the API. */
  load(survey: Schema<'SurveyWithPages'>): void {
    const questions = survey.pages.flatMap((page) => page.questions.map(toEditorQuestion));
    const pages = survey.pages.map(toEditorPage);
    for (const page of pages) this.savedPages.set(page.page_id, page);
    for (const page of survey.pages) {
      this.setEtag(pageKey(page.page_id), page.etag);
      for (const question of page.questions) this.setEtag(questionKey(question.question_id), question.etag);
    }
    const ids = new Set(questions.map(({ question_id: id }) => id));
    for (const id of this.questions.keys()) if (!ids.has(id)) this.questions.delete(id);
    for (const question of questions) {
      const saved = this.savedQuestions.get(question.question_id);
      this.setSavedQuestion(question);
      // Empty options that wait for their label stay.
      if (saved !== undefined && questionChanges(saved, question) === null) continue;
      this.setQuestion(question);
    }
    const hasOtherBlocks = !isEqual(survey.blocks, this.blocks);
    this.blocks = survey.blocks;
    // Most reloads follow a save, and bring what is here already.
    if (hasOtherBlocks || !isEqual(pages, this.pages)) this.arrange(pages);
  }

  nextOptionNumber(id: number): number {
    const next = nextOptionNumber(this.questions.get(id)?.options ?? [], this.highestCodes.get(id));
    this.highestCodes.set(id, next);
    return next;
  }

  rememberCodes({ question_id: id, options }: Pick<EditorQuestion, 'question_id' | 'options'>): void {
    this.highestCodes.set(id, nextOptionNumber(options, this.highestCodes.get(id)) - 1);
  }

  currentPageId(id: number): number {
    return latestId(this.replacedPages, id);
  }

  currentQuestionId(id: number): number {
    return latestId(this.replacedQuestions, id);
  }

  replacePageId(id: number, newId: number): void {
    this.replacedPages.set(id, newId);
  }

  replaceQuestionId(id: number, newId: number): void {
    this.replacedQuestions.set(id, newId);
  }
}

/** Follows the replacements of an id. */
function latestId(replacements: ReadonlyMap<number, number>, id: number): number {
  const next = replacements.get(id);
  return next === undefined ? id : latestId(replacements, next);
}
