import { Icon } from '../../../shared/client/icon.tsx';
import { texts } from '../../texts.ts';
import { withDisplay } from './editor-content.ts';
import type { EditorActions } from './outline.tsx';
import { LogicEditor } from './logic-editor.tsx';
import { GrowingText, QuestionCard } from './question-card.tsx';
import type { SurveyEditor } from './survey-editor.ts';
import { AddQuestionMenu } from './type-icon.tsx';
import { useEditorTopic } from './use-editor.ts';

/** The selected page with its questions. */
export function PageView({
  editor,
  pageId,
  questionId,
  canEdit,
  actions,
}: {
  editor: SurveyEditor;
  pageId: number;
  /** The active question. */
  questionId: number | null;
  canEdit: boolean;
  actions: EditorActions;
}) {
  useEditorTopic(editor, 'outline');
  const index = editor.pages.findIndex(({ page_id: id }) => id === pageId);
  const page = editor.pages[index];
  if (page === undefined) return null;
  const before = editor.pages.slice(0, index).reduce((sum, { questionIds }) => sum + questionIds.length, 0);
  return (
    <fieldset class="editor-page" disabled={!canEdit} aria-label={texts.editor.page(index + 1)}>
      <PageHead key={pageId} editor={editor} pageId={pageId} index={index} before={before} />
      {page.questionIds.map((id, order) => (
        <QuestionCard
          key={id}
          editor={editor}
          questionId={id}
          number={before + order + 1}
          isActive={id === questionId && canEdit}
          onActivate={actions.selectQuestion}
          menuItems={actions.questionMenu}
        />
      ))}
      {page.questionIds.length === 0 && (
        <div class="blank">
          <p class="title">{texts.editor.emptyPage}</p>
          {canEdit && <p>{texts.editor.emptyPageAbout}</p>}
        </div>
      )}
      {canEdit && (
        <AddQuestionMenu
          label={texts.editor.addQuestion}
          button={
            <>
              <Icon name="plus" /> {texts.editor.addQuestion}
            </>
          }
          buttonClass="button add-question"
          align="start"
          onAdd={(type) => actions.addQuestion(pageId, type)}
        />
      )}
    </fieldset>
  );
}

function PageHead({
  editor,
  pageId,
  index,
  before,
}: {
  editor: SurveyEditor;
  pageId: number;
  index: number;
  /** Questions before the page. */
  before: number;
}) {
  useEditorTopic(editor, `page-${pageId}`);
  const page = editor.page(pageId);
  if (page === undefined) return null;
  const problem = editor.problemsOf(`page-${pageId}`)[0]?.message ?? null;
  const { page_logic: logic } = page;
  return (
    <div class="page-head" onBlurCapture={() => void editor.flush()}>
      <GrowingText
        class="inline-field page-title"
        label={texts.editor.pageTitle}
        placeholder={index === 0 ? texts.editor.pageTitleHint : texts.editor.page(index + 1)}
        value={page.page_title ?? ''}
        onInput={(value) => editor.editPage(pageId, { page_title: value === '' ? null : value })}
      />
      <GrowingText
        class="inline-field soft"
        label={texts.editor.pageDescription}
        placeholder={texts.editor.pageDescriptionHint}
        value={page.page_description ?? ''}
        problem={problem}
        onInput={(value) => editor.editPage(pageId, { page_description: value === '' ? null : value })}
      />
      {before > 0 && (
        <details class="more-settings" open={logic?.display !== undefined}>
          <summary>{texts.editor.logicTitle}</summary>
          <LogicEditor
            title={texts.editor.logic.pageTitle}
            condition={logic?.display ?? null}
            earlier={editor.listQuestions().slice(0, before)}
            problem={null}
            onChange={(display) => editor.editPage(pageId, { page_logic: withDisplay(logic, display) })}
          />
        </details>
      )}
    </div>
  );
}
