import { useMemo } from 'preact/hooks';
import { Icon } from '../../../shared/client/icon.tsx';
import { texts } from '../../texts.ts';
import { blocksTexts } from '../../texts/blocks.ts';
import { ConflictNotice } from './conflict-notice.tsx';
import { Disclosure } from './disclosure.tsx';
import { ArrangementFields } from './arrangement-fields.tsx';
import { questionInWords } from './piping/pipes.ts';
import { PageLogicPanel } from './logic/logic-panels.tsx';
import { GrowingText } from './piping/growing-text.tsx';
import type { ReferenceSource } from './piping/reference-dialog.tsx';
import { QuestionCard } from './question-card.tsx';
import { AddQuestionMenu } from './question-type-menu.tsx';
import { problemInWords } from './edit-saving.ts';
import { pageKey } from './survey-content.ts';
import type { SurveyEditor } from './survey-editor.ts';
import type { EditorActions } from './use-editor-actions.ts';
import { memo, useTopic } from './use-topic.ts';

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
  const { content } = editor;
  useTopic(content, 'outline');
  const index = content.pages.findIndex(({ page_id: id }) => id === pageId);
  const page = content.pages[index];
  if (page === undefined) return null;
  const before = content.pages.slice(0, index).reduce((sum, { questionIds }) => sum + questionIds.length, 0);
  return (
    <fieldset class="editor-page" disabled={!canEdit} aria-label={texts.editor.page(index + 1)}>
      <PageHead key={pageId} editor={editor} pageId={pageId} />
      {page.questionIds.map((id, order) => (
        <div key={id} class={id === questionId ? 'question-slot active' : 'question-slot'}>
          {canEdit && (
            <InsertHere
              number={before + order + 1}
              pageId={pageId}
              position={order + 1}
              onAdd={actions.addQuestion}
            />
          )}
          <QuestionCard
            editor={editor}
            questionId={id}
            number={before + order + 1}
            isActive={id === questionId && canEdit}
            onActivate={actions.selectQuestion}
            menuItems={actions.questionMenu}
          />
        </div>
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
          otherItems={[
            {
              label: (
                <>
                  <Icon name="copy" />
                  <span>
                    {texts.editor.copy.menuItem}
                    <span class="soft type-about"> {texts.editor.copy.menuAbout}</span>
                  </span>
                </>
              ),
              run: () => actions.copyQuestions(pageId),
            },
          ]}
        />
      )}
    </fieldset>
  );
}

/** A button in the gap above a question. It is rendered once, because a page can have many questions. */
const InsertHere = memo(function InsertHere({
  number,
  pageId,
  position,
  onAdd,
}: {
  /** Of the question below. */
  number: number;
  pageId: number;
  position: number;
  onAdd: EditorActions['addQuestion'];
}) {
  return (
    <div class="insert-here">
      <AddQuestionMenu
        label={texts.editor.insertBefore(number)}
        button={<Icon name="plus" />}
        buttonClass="icon-button"
        align="start"
        onAdd={(type) => onAdd(pageId, type, position)}
      />
    </div>
  );
});

function PageHead({ editor, pageId }: { editor: SurveyEditor; pageId: number }) {
  const { content, saving, findings } = editor;
  const key = pageKey(pageId);
  useTopic(content, key);
  const references = useMemo((): ReferenceSource => {
    const listEarlier = () =>
      content.answersFor(
        content.page(pageId),
        content.pages
          .slice(
            0,
            content.pages.findIndex(({ page_id: id }) => id === pageId),
          )
          .flatMap((each) => content.questionsOn(each)),
      );
    return { listEarlier, listAll: () => content.listNamed() };
  }, [content, pageId]);
  const page = content.page(pageId);
  if (page === undefined) return null;
  const messages = [...content.problemsOf(key).map(problemInWords), ...findings.of(key)];
  return (
    <div class="page-head" onBlurCapture={() => void saving.flush()}>
      <GrowingText
        class="page-title"
        label={texts.editor.pageTitle}
        placeholder={texts.editor.pageTitleHint}
        value={page.page_title ?? ''}
        references={references}
        onInput={(value) => saving.editPage(pageId, { page_title: value === '' ? null : value })}
      />
      <GrowingText
        class="soft"
        label={texts.editor.pageDescription}
        placeholder={texts.editor.pageDescriptionHint}
        value={page.page_description ?? ''}
        references={references}
        onInput={(value) => saving.editPage(pageId, { page_description: value === '' ? null : value })}
      />
      <ConflictNotice editor={editor} topic={key} />
      {messages.length > 0 && (
        <ul class="question-problems">
          {messages.map((message) => (
            <li key={message} class="problem">
              {message}
            </li>
          ))}
        </ul>
      )}
      <Disclosure
        title={texts.editor.logicTitle}
        isOpenAtFirst={page.page_logic !== null || page.page_arrangement !== null}
      >
        {() => (
          <>
            <PageLogicPanel editor={editor} page={page} />
            {page.questionIds.length > 1 && (
              <fieldset class="block-part">
                <legend>{blocksTexts.questionOrder}</legend>
                <ArrangementFields
                  value={page.page_arrangement}
                  names={content
                    .questionsOn(page)
                    .filter(({ question_settings: { hidden } }) => hidden !== true)
                    .map((question) => questionInWords(question, content.listQuestions()))}
                  onChange={(page_arrangement) => saving.editPage(pageId, { page_arrangement })}
                />
              </fieldset>
            )}
          </>
        )}
      </Disclosure>
    </div>
  );
}
