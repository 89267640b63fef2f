import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ApiError } from '../../../shared/client/api.ts';
import { ConfirmDialog, useAction } from '../../../shared/client/form.tsx';
import { errorMessage, problemMessage } from '../../../shared/client/form-errors.ts';
import { Icon } from '../../../shared/client/icon.tsx';
import { navigate, useAddressParameter } from '../../../shared/client/navigation.tsx';
import { announce } from '../../../shared/client/notices.tsx';
import { Section } from '../../../shared/client/page.tsx';
import { texts } from '../../texts.ts';
import { blocksTexts } from '../../texts/blocks.ts';
import type { SurveyTabProps } from '../survey/survey-tab.ts';
import type { SaveStatus } from './autosave.ts';
import { AuthorNote } from './author-note.tsx';
import { BlocksDialog } from './blocks-dialog.tsx';
import { CopyQuestionsDialog } from './copy-questions-dialog.tsx';
import './editor.css';
import { FlowMap } from './flow-map.tsx';
import { ArmBlocks } from './logic/condition-row-editor.tsx';
import { Outline } from './outline.tsx';
import { PageView } from './page-view.tsx';
import { PreviewPanel } from './preview-panel.tsx';
import { PublishDialog } from './publish-dialog.tsx';
import { AddQuestionMenu } from './question-type-menu.tsx';
import { openEditor, type SurveyEditor } from './survey-editor.ts';
import { focusField, type Selection, useEditorActions } from './use-editor-actions.ts';
import { useTopic } from './use-topic.ts';
import { useLiveChanges } from './use-live-changes.ts';

const SESSION_ENDED = 401;
/** From this width on, the preview is open beside the questions. */
const PREVIEW_WIDTH = '(min-width: 80em)';

type EditorDialog =
  | { kind: 'publish' }
  | { kind: 'blocks' }
  | { kind: 'delete-page'; pageId: number }
  | { kind: 'copy'; pageId: number };

export function EditorPage({ survey, canEdit }: SurveyTabProps) {
  const editor = useMemo(() => openEditor(survey), [survey.survey_id]);
  const { content } = editor;
  useEffect(() => editor.acceptReloaded(survey), [survey]);
  useEffect(() => () => void editor.saving.flush(), [editor]);
  useLiveChanges(survey.survey_id, survey.revision);
  useTopic(content, 'outline');
  const [selection, setSelection] = useState<Selection>({ pageId: null, questionId: null });
  const [isPreviewing, setPreviewing] = useState(
    () => canEdit && content.listQuestions().length > 0 && matchMedia(PREVIEW_WIDTH).matches,
  );
  const [isMapShown, setMapShown] = useState(false);
  const [dialog, setDialog] = useState<EditorDialog | null>(null);
  const { runAction, errorNotice } = useAction();
  const keepInPlace = useKeptPlace();
  const keepsData = useRef(false);
  keepsData.current = survey.published_version !== null || survey.response_count > 0;

  const goThroughHistory = useCallback(
    (direction: 'undo' | 'redo') =>
      runAction(async () => {
        const label = await editor.goThroughHistory(direction);
        if (label !== null)
          announce(direction === 'undo' ? texts.editor.undone(label) : texts.editor.redone(label));
        // What had the focus may be gone.
        setTimeout(() => {
          if (document.activeElement === document.body)
            document.querySelector<HTMLElement>('.question.active .question-text, .page-title')?.focus();
        });
      }),
    [editor],
  );
  useShortcuts(goThroughHistory, canEdit);
  const actions = useEditorActions({
    editor,
    runAction,
    undo: () => void goThroughHistory('undo'),
    select: (selected) => {
      keepInPlace(selected.questionId);
      setSelection(selected);
      setMapShown(false);
    },
    openCopyDialog: (pageId) => setDialog({ kind: 'copy', pageId }),
    confirmsDeletion: (pageId) => {
      if (keepsData.current) setDialog({ kind: 'delete-page', pageId });
      return keepsData.current;
    },
  });

  const selected = content.page(selection.pageId ?? 0) ?? content.pages[0];
  const close = () => setDialog(null);
  const showQuestion = (id: number) => {
    close();
    actions.selectQuestion(id);
    focusField(`#question-${id} .question-text`);
  };
  const wantedQuestion = useAddressParameter('question');
  useEffect(() => {
    if (wantedQuestion === null) return;
    if (content.listQuestions().some(({ question_id: id }) => String(id) === wantedQuestion))
      showQuestion(Number(wantedQuestion));
    // The same question can then be opened from the search again.
    navigate(location.pathname, { replace: true });
  }, [wantedQuestion]);
  return (
    <Section
      title={canEdit ? texts.survey.edit : texts.survey.readQuestions}
      action={
        <div class="editor-bar">
          {canEdit && <SaveState editor={editor} />}
          {canEdit && <HistoryButtons editor={editor} onGo={goThroughHistory} />}
          {canEdit && selected !== undefined && (
            <AddQuestionMenu
              label={texts.editor.addBelow}
              button={
                <>
                  <Icon name="plus" /> {texts.editor.addQuestionShort}
                </>
              }
              buttonClass="button add-question"
              align="start"
              onAdd={(type) =>
                actions.addQuestion(
                  selected.page_id,
                  type,
                  positionAfter(selected.questionIds, selection.questionId),
                )
              }
            />
          )}
          <ViewButton
            name={texts.editor.map.button}
            isOn={isMapShown}
            onChange={(isOn) => {
              setMapShown(isOn);
              // The map begins at the top, wherever among the questions the user was.
              if (isOn) scrollTo({ top: 0 });
            }}
          />
          {canEdit && (
            <>
              <button type="button" class="button" onClick={() => setDialog({ kind: 'blocks' })}>
                {blocksTexts.button}
              </button>
              <ViewButton name={texts.editor.preview} isOn={isPreviewing} onChange={setPreviewing} />
              <button
                type="button"
                class={isPublished(survey) ? 'button' : 'button primary'}
                onClick={() => setDialog({ kind: 'publish' })}
              >
                {texts.editor.publish}
              </button>
            </>
          )}
        </div>
      }
    >
      {errorNotice}
      {!canEdit && <p class="soft">{texts.editor.readOnly}</p>}
      {canEdit && <AuthorNote survey={survey} runAction={runAction} />}
      <ArmBlocks.Provider value={survey.blocks}>
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
          ) : isMapShown ? (
            <FlowMap
              editor={editor}
              onSelectPage={actions.selectPage}
              onSelectQuestion={actions.showQuestion}
            />
          ) : (
            <PageView
              editor={editor}
              pageId={selected.page_id}
              questionId={selection.questionId}
              canEdit={canEdit}
              actions={actions}
            />
          )}
          {isPreviewing && selected !== undefined && (
            <PreviewPanel editor={editor} pageId={selected.page_id} questionId={selection.questionId} />
          )}
        </div>
      </ArmBlocks.Provider>
      {dialog?.kind === 'publish' && (
        <PublishDialog
          editor={editor}
          onClose={close}
          onSelectQuestion={showQuestion}
          onSelectPage={(id) => {
            close();
            actions.selectPage(id);
            focusField('.page-title');
          }}
        />
      )}
      {dialog?.kind === 'blocks' && <BlocksDialog survey={survey} editor={editor} onClose={close} />}
      {dialog?.kind === 'copy' && (
        <CopyQuestionsDialog
          surveyId={survey.survey_id}
          workspaceId={survey.workspace_id}
          takenCodes={content.listQuestions().map(({ question_code: code }) => code)}
          onInsert={(questions) =>
            actions.insertCopies(
              dialog.pageId,
              questions,
              positionAfter(content.page(dialog.pageId)?.questionIds ?? [], selection.questionId),
            )
          }
          onClose={close}
        />
      )}
      {dialog?.kind === 'delete-page' && (
        <ConfirmDialog
          title={texts.editor.deletePageTitle}
          action={texts.editor.delete}
          onClose={close}
          onConfirm={() => editor.structure.deletePage(dialog.pageId)}
        >
          {texts.editor.deletePageAbout}
        </ConfirmDialog>
      )}
    </Section>
  );
}

/** Whether respondents see the survey as it is here. */
const isPublished = (survey: SurveyTabProps['survey']): boolean =>
  survey.published_version !== null && !survey.has_unpublished_changes;

/** The position (from 1) below the active question, or at the end of the page. */
const positionAfter = (questionIds: readonly number[], activeId: number | null): number => {
  const index = activeId === null ? -1 : questionIds.indexOf(activeId);
  return (index < 0 ? questionIds.length : index + 1) + 1;
};

function ViewButton({
  name,
  isOn,
  onChange,
}: {
  name: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}) {
  return (
    <button type="button" class="button" aria-pressed={isOn} onClick={() => onChange(!isOn)}>
      {name}
    </button>
  );
}

/** Returns a function to call before a question opens: the one that was open closes above it, and the question stays where the pointer is. */
function useKeptPlace(): (questionId: number | null) => void {
  const kept = useRef<{ id: string; top: number } | null>(null);
  const topOf = (id: string) => document.getElementById(id)?.getBoundingClientRect().top;
  useLayoutEffect(() => {
    const { current } = kept;
    kept.current = null;
    if (current !== null) scrollBy(0, (topOf(current.id) ?? current.top) - current.top);
  });
  return (questionId) => {
    const id = `question-${questionId}`;
    const top = topOf(id);
    if (top === undefined) return;
    kept.current = { id, top };
    // What is not shown again by then has not changed.
    setTimeout(() => (kept.current = null));
  };
}

function useShortcuts(goThroughHistory: (direction: 'undo' | 'redo') => Promise<void>, canEdit: boolean) {
  useEffect(() => {
    if (!canEdit) return undefined;
    const press = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
      const key = event.key.toLowerCase();
      if (key !== 'z' && key !== 'y') return;
      // Fields of dialogs and of the search undo by themselves.
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
  useTopic(editor.content, 'status');
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
          // A disabled button would lose the focus.
          aria-disabled={!isPossible[direction]}
          onClick={() => {
            if (isPossible[direction]) void onGo(direction);
          }}
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
  return texts.editor.notSaved(problem === undefined ? errorMessage(error) : problemMessage(problem));
}

function SaveState({ editor }: { editor: SurveyEditor }) {
  useTopic(editor.content, 'status');
  return (
    <p class={`save-state ${editor.saving.status.kind}`} role="status">
      {statusText(editor.saving.status)}
    </p>
  );
}
