import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ApiError } from '../../../shared/client/api.ts';
import { ConfirmDialog, useAction } from '../../../shared/client/form.tsx';
import { errorMessage } from '../../../shared/client/form-errors.ts';
import { Icon } from '../../../shared/client/icon.tsx';
import type { MenuItem } from '../../../shared/client/menu.tsx';
import { announce } from '../../../shared/client/notices.tsx';
import { Section } from '../../../shared/client/page.tsx';
import { texts } from '../../texts.ts';
import type { SurveyTabProps } from '../survey/survey-tab.ts';
import type { SaveStatus } from './autosave.ts';
import './editor.css';
import type { QuestionType } from './editor-content.ts';
import { type EditorActions, Outline, pageName } from './outline.tsx';
import { PageView } from './page-view.tsx';
import { PreviewPanel } from './preview-panel.tsx';
import { PublishDialog } from './publish-dialog.tsx';
import { openEditor, type SurveyEditor } from './survey-editor.ts';
import { useEditorTopic } from './use-editor.ts';

const UNDO_NOTICE_MS = 8_000;
const SESSION_ENDED = 401;
/** A dialog that closes returns the focus to its opener first. */
const AFTER_DIALOG_MS = 50;

interface Selection {
  pageId: number | null;
  questionId: number | null;
}

/** Focuses a field when it is rendered, and selects its text so that typing replaces it. */
function focusField(selector: string, delayMs = 0): void {
  setTimeout(() => {
    const field = document.querySelector<HTMLInputElement | HTMLTextAreaElement>(selector);
    field?.focus();
    field?.select();
    field?.scrollIntoView({ block: 'nearest' });
  }, delayMs);
}

export function EditorPage({ survey, canEdit }: SurveyTabProps) {
  const editor = useMemo(() => openEditor(survey), [survey.survey_id]);
  useEffect(() => editor.acceptReloaded(survey), [survey]);
  useEffect(() => () => void editor.flush(), [editor]);
  useEditorTopic(editor, 'outline');
  const [selection, setSelection] = useState<Selection>({ pageId: null, questionId: null });
  const [isPreviewing, setPreviewing] = useState(false);
  const [isPublishing, setPublishing] = useState(false);
  const [deletedPage, setDeletedPage] = useState<number | null>(null);
  const { runAction, errorNotice } = useAction();
  const keepsData = useRef(false);
  keepsData.current = survey.published_version !== null || survey.response_count > 0;

  const goThroughHistory = useCallback(
    (direction: 'undo' | 'redo') =>
      runAction(async () => {
        const label = await editor[direction]();
        if (label !== null)
          announce(direction === 'undo' ? texts.editor.undone(label) : texts.editor.redone(label));
      }),
    [editor],
  );
  useShortcuts(goThroughHistory, canEdit);

  const announceDeletion = (text: string) =>
    announce(text, {
      label: texts.editor.undo,
      durationMs: UNDO_NOTICE_MS,
      run: () => void goThroughHistory('undo'),
    });
  const actions = useMemo((): EditorActions => {
    const pageOf = (id: number) => editor.pages.find(({ questionIds }) => questionIds.includes(id));
    const selectQuestion = (id: number) =>
      setSelection({ pageId: pageOf(id)?.page_id ?? null, questionId: id });
    const deletePage = async (id: number) => {
      await editor.deletePage(id);
      announceDeletion(texts.editor.deletedPage);
    };
    const moveQuestion = (id: number, pageId: number, index: number) =>
      void runAction(async () => {
        const active = document.activeElement;
        await editor.moveQuestion(id, pageId, index);
        selectQuestion(id);
        // Moving an element in the document takes its focus.
        setTimeout(() => active instanceof HTMLElement && active.isConnected && active.focus());
      });
    const movePage = (id: number, index: number) =>
      void runAction(async () => {
        const active = document.activeElement;
        await editor.movePage(id, Math.min(index, editor.pages.length - 1));
        setTimeout(() => active instanceof HTMLElement && active.isConnected && active.focus());
      });
    return {
      selectPage: (pageId) => setSelection({ pageId, questionId: null }),
      selectQuestion,
      addPage: () =>
        void runAction(async () => {
          const pageId = await editor.addPage();
          setSelection({ pageId, questionId: null });
          focusField('.page-title');
        }),
      addQuestion: (pageId: number, type: QuestionType) =>
        void runAction(async () => {
          const id = await editor.addQuestion(pageId, type);
          setSelection({ pageId, questionId: id });
          focusField(`#question-${id} .question-text`);
        }),
      moveQuestion,
      movePage,
      questionMenu: (id): MenuItem[] => {
        const page = pageOf(id);
        if (page === undefined) return [];
        const index = page.questionIds.indexOf(id);
        const { page_id: pageId, questionIds } = page;
        return [
          {
            label: texts.editor.duplicate,
            run: () => void runAction(async () => selectQuestion(await editor.duplicateQuestion(id))),
          },
          ...(index > 0
            ? [{ label: texts.editor.moveUp, run: () => moveQuestion(id, pageId, index - 1) }]
            : []),
          ...(index < questionIds.length - 1
            ? [{ label: texts.editor.moveDown, run: () => moveQuestion(id, pageId, index + 1) }]
            : []),
          ...editor.pages.flatMap((other, order) =>
            other === page
              ? []
              : [
                  {
                    label: texts.editor.moveToPage(pageName(other.page_title, order)),
                    run: () => moveQuestion(id, other.page_id, other.questionIds.length),
                  },
                ],
          ),
          {
            label: texts.editor.delete,
            danger: true,
            run: () =>
              void runAction(async () => {
                await editor.deleteQuestion(id);
                setSelection({ pageId, questionId: null });
                announceDeletion(texts.editor.deletedQuestion);
                setTimeout(() => document.querySelector<HTMLElement>('h1')?.focus());
              }),
          },
        ];
      },
      pageMenu: (id): MenuItem[] => {
        const index = editor.pages.findIndex(({ page_id: each }) => each === id);
        return [
          ...(index > 0 ? [{ label: texts.editor.moveUp, run: () => movePage(id, index - 1) }] : []),
          ...(index < editor.pages.length - 1
            ? [{ label: texts.editor.moveDown, run: () => movePage(id, index + 1) }]
            : []),
          {
            label: texts.editor.delete,
            danger: true,
            run: () => (keepsData.current ? setDeletedPage(id) : void runAction(() => deletePage(id))),
          },
        ];
      },
    };
  }, [editor]);

  const selected = editor.page(selection.pageId ?? 0) ?? editor.pages[0];
  const showQuestion = (id: number) => {
    setPublishing(false);
    actions.selectQuestion(id);
    focusField(`#question-${id} .question-text`, AFTER_DIALOG_MS);
  };
  return (
    <Section
      title={texts.survey.edit}
      action={
        canEdit && (
          <div class="editor-bar">
            <SaveState editor={editor} />
            <HistoryButtons editor={editor} onGo={goThroughHistory} />
            <button
              type="button"
              class="button"
              aria-pressed={isPreviewing}
              onClick={() => setPreviewing(!isPreviewing)}
            >
              {texts.editor.preview}
            </button>
            <button type="button" class="button primary" onClick={() => setPublishing(true)}>
              {texts.editor.publish}
            </button>
          </div>
        )
      }
    >
      {errorNotice}
      {!canEdit && <p class="soft">{texts.editor.readOnly}</p>}
      <div class={isPreviewing ? 'editor previewing' : 'editor'}>
        <Outline
          editor={editor}
          pageId={selected?.page_id ?? null}
          questionId={selection.questionId}
          canEdit={canEdit}
          actions={actions}
        />
        {selected === undefined ? (
          <p class="blank">{texts.editor.noPages}</p>
        ) : (
          <PageView
            editor={editor}
            pageId={selected.page_id}
            questionId={selection.questionId}
            canEdit={canEdit}
            actions={actions}
          />
        )}
        {isPreviewing && <PreviewPanel editor={editor} />}
      </div>
      {isPublishing && (
        <PublishDialog editor={editor} onClose={() => setPublishing(false)} onSelect={showQuestion} />
      )}
      {deletedPage !== null && (
        <ConfirmDialog
          title={texts.editor.deletePageTitle}
          action={texts.editor.delete}
          onClose={() => setDeletedPage(null)}
          onConfirm={() => editor.deletePage(deletedPage)}
        >
          {texts.editor.deletePageAbout}
        </ConfirmDialog>
      )}
    </Section>
  );
}

function useShortcuts(goThroughHistory: (direction: 'undo' | 'redo') => Promise<void>, canEdit: boolean) {
  useEffect(() => {
    if (!canEdit) return undefined;
    const press = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
      const key = event.key.toLowerCase();
      if (key !== 'z' && key !== 'y') return;
      // Dialogs and the search have fields of their own.
      if (document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      void goThroughHistory(key === 'y' || event.shiftKey ? 'redo' : 'undo');
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [goThroughHistory, canEdit]);
}

function HistoryButtons({
  editor,
  onGo,
}: {
  editor: SurveyEditor;
  onGo: (direction: 'undo' | 'redo') => Promise<void>;
}) {
  useEditorTopic(editor, 'status');
  const isPossible = { undo: editor.history.canUndo, redo: editor.history.canRedo };
  return (
    <>
      {(['undo', 'redo'] as const).map((direction) => (
        <button
          key={direction}
          type="button"
          class="icon-button"
          aria-label={texts.editor[direction]}
          title={texts.editor[direction]}
          disabled={!isPossible[direction]}
          onClick={() => void onGo(direction)}
        >
          <Icon name={direction} />
        </button>
      ))}
    </>
  );
}

function statusText(status: SaveStatus): string {
  if (status.kind !== 'failed') return texts.editor[status.kind];
  const { error, isRetrying } = status;
  if (!(error instanceof ApiError)) return texts.editor.notSaved(error.message);
  if (error.status === SESSION_ENDED) return texts.editor.signInFirst;
  if (isRetrying && error.status === 0) return texts.editor.offline;
  const [problem] = error.problems;
  return texts.editor.notSaved(problem?.message ?? errorMessage(error));
}

function SaveState({ editor }: { editor: SurveyEditor }) {
  useEditorTopic(editor, 'status');
  return (
    <p class={`save-state ${editor.status.kind}`} role="status">
      {statusText(editor.status)}
    </p>
  );
}
