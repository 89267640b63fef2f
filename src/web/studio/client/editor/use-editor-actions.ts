import { useMemo } from 'preact/hooks';
import { afterDialogs } from '../../../shared/client/dialog.tsx';
import type { MenuItem } from '../../../shared/client/menu.tsx';
import { announce } from '../../../shared/client/notices.tsx';
import { texts } from '../../texts.ts';
import { editorActionsTexts } from '../../texts/editor-actions.ts';
import type { QuestionType } from '../question-types/question-type.ts';
import type { NewQuestionFields } from './editor-content.ts';
import { pageName } from './logic/logic-words.ts';
import { questionKey } from './survey-content.ts';
import type { SurveyEditor } from './survey-editor.ts';

const UNDO_NOTICE_MS = 8_000;

/** What is shown: a page, and its active question if there is one. */
export interface Selection {
  pageId: number | null;
  questionId: number | null;
}

/** What the outline and the cards can do with pages and questions. None of them changes between renderings. */
export interface EditorActions {
  selectPage: (id: number) => void;
  /** The question has the focus already. */
  selectQuestion: (id: number) => void;
  /** Selects a question from elsewhere and scrolls to it. */
  showQuestion: (id: number) => void;
  addPage: () => void;
  /** `position` (from 1): the end of the page by default. */
  addQuestion: (pageId: number, type: QuestionType, position?: number) => void;
  /** Opens the dialog that copies questions of another survey to the page. */
  copyQuestions: (pageId: number) => void;
  insertCopies: (pageId: number, questions: readonly NewQuestionFields[], position: number) => Promise<void>;
  moveQuestion: (id: number, pageId: number, index: number) => void;
  movePage: (id: number, index: number) => void;
  questionMenu: (id: number) => MenuItem[];
  pageMenu: (id: number) => MenuItem[];
}

interface ActionContext {
  editor: SurveyEditor;
  runAction: (action: () => Promise<unknown>) => Promise<void>;
  undo: () => void;
  select: (selection: Selection) => void;
  openCopyDialog: (pageId: number) => void;
  /** Asks before the page is deleted. Returns false where it is deleted at once, because undo brings it back. */
  confirmsDeletion: (pageId: number) => boolean;
}

/** Focuses a field as soon as it is rendered, and selects its text so that typing replaces it. */
export function focusField(selector: string, attempts = 20): void {
  afterDialogs(() => {
    const field = document.querySelector<HTMLInputElement | HTMLTextAreaElement>(selector);
    if (field === null && attempts > 1) {
      requestAnimationFrame(() => focusField(selector, attempts - 1));
      return;
    }
    field?.focus();
    field?.select();
    field?.scrollIntoView({ block: 'nearest' });
  });
}

/** Scrolls to the card of a question as soon as it is rendered. The focus stays where it is. */
function revealQuestion(id: number, attempts = 20): void {
  requestAnimationFrame(() => {
    const card = document.getElementById(questionKey(id));
    if (card === null && attempts > 1) revealQuestion(id, attempts - 1);
    card?.scrollIntoView({ block: 'start' });
  });
}

/** Moving an element in the document takes its focus. */
async function keepFocus(action: () => Promise<void>): Promise<void> {
  const active = document.activeElement;
  await action();
  setTimeout(() => active instanceof HTMLElement && active.isConnected && active.focus());
}

export const useEditorActions = (context: ActionContext): EditorActions =>
  useMemo(() => createActions(context), [context.editor]);

function createActions({
  editor: { content, structure },
  runAction,
  undo,
  select,
  openCopyDialog,
  confirmsDeletion,
}: ActionContext): EditorActions {
  const run = (action: () => Promise<unknown>) => void runAction(action);
  const selectQuestion = (id: number) =>
    select({ pageId: content.pageOf(id)?.page_id ?? null, questionId: id });
  const announceDeletion = (text: string) =>
    announce(text, { label: texts.editor.undo, durationMs: UNDO_NOTICE_MS, run: undo });
  const showNewQuestion = (id: number) => {
    selectQuestion(id);
    focusField(`#question-${id} .question-text`);
  };
  const moveQuestion = (id: number, pageId: number, index: number) =>
    run(() =>
      keepFocus(async () => {
        await structure.moveQuestion(id, pageId, index);
        selectQuestion(id);
      }),
    );
  const movePage = (id: number, index: number) =>
    run(() => keepFocus(() => structure.movePage(id, Math.min(index, content.pages.length - 1))));

  return {
    selectPage: (pageId) => select({ pageId, questionId: null }),
    selectQuestion,
    showQuestion: (id) => {
      selectQuestion(id);
      revealQuestion(id);
    },
    addPage: () =>
      run(async () => {
        const pageId = await structure.addPage();
        select({ pageId, questionId: null });
        focusField('.page-title');
      }),
    addQuestion: (pageId, type, position) =>
      run(async () => showNewQuestion(await structure.addQuestion(pageId, type, position))),
    copyQuestions: openCopyDialog,
    insertCopies: async (pageId, questions, position) => {
      const [first] = await structure.addQuestions(pageId, questions, position);
      if (first !== undefined) selectQuestion(first);
      announce(texts.editor.copy.copied(questions.length));
    },
    moveQuestion,
    movePage,
    questionMenu: (id) => {
      const page = content.pageOf(id);
      if (page === undefined) return [];
      const { page_id: pageId, questionIds } = page;
      const index = questionIds.indexOf(id);
      const moveTo = (label: string, target: number) => ({
        label,
        run: () => moveQuestion(id, pageId, target),
      });
      const questions = content.listQuestions();
      return [
        {
          label: texts.editor.duplicate,
          run: () => run(async () => selectQuestion(await structure.duplicateQuestion(id))),
        },
        ...(index > 0 ? [moveTo(texts.editor.moveUp, index - 1)] : []),
        ...(index < questionIds.length - 1 ? [moveTo(texts.editor.moveDown, index + 1)] : []),
        ...(index > 0
          ? [
              {
                label: editorActionsTexts.newPageFromHere,
                run: () =>
                  run(async () => {
                    await structure.splitPage(id);
                    selectQuestion(id);
                    focusField('.page-title');
                  }),
              },
            ]
          : []),
        ...content.pages.flatMap((other, order) =>
          other === page
            ? []
            : [
                {
                  label: texts.editor.moveToPage(pageName(other, order, questions)),
                  run: () => moveQuestion(id, other.page_id, other.questionIds.length),
                },
              ],
        ),
        {
          label: texts.editor.delete,
          danger: true,
          run: () =>
            run(async () => {
              await structure.deleteQuestion(id);
              select({ pageId, questionId: null });
              announceDeletion(texts.editor.deletedQuestion);
              setTimeout(() => document.querySelector<HTMLElement>('h1')?.focus());
            }),
        },
      ];
    },
    pageMenu: (id) => {
      const index = content.pages.findIndex(({ page_id: each }) => each === id);
      const moveTo = (label: string, target: number) => ({ label, run: () => movePage(id, target) });
      return [
        {
          label: texts.editor.duplicate,
          run: () =>
            run(async () => {
              select({ pageId: await structure.duplicatePage(id), questionId: null });
              focusField('.page-title');
            }),
        },
        ...(index > 0 ? [moveTo(texts.editor.moveUp, index - 1)] : []),
        ...(index < content.pages.length - 1 ? [moveTo(texts.editor.moveDown, index + 1)] : []),
        {
          label: texts.editor.delete,
          danger: true,
          run: () => {
            if (confirmsDeletion(id)) return;
            run(async () => {
              await structure.deletePage(id);
              announceDeletion(texts.editor.deletedPage);
            });
          },
        },
      ];
    },
  };
}
