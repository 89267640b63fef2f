import { useCallback, useEffect, useRef } from 'preact/hooks';
import { plainText } from '../../../../domain/markdown/parse-markdown.ts';
import { textForm } from '../../../../domain/questions/text-form.ts';
import { Icon } from '../../../shared/client/icon.tsx';
import { Menu } from '../../../shared/client/menu.tsx';
import { texts } from '../../texts.ts';
import { blocksTexts } from '../../texts/blocks.ts';
import { type EditorQuestion, logicOf } from './editor-content.ts';
import { pageName } from './logic/logic-words.ts';
import { hasPipes } from './piping/pipes.ts';
import { PipedText } from './piping/piped-text.tsx';
import { AddQuestionMenu, TypeIcon } from './question-type-menu.tsx';
import { pageKey, questionKey } from './survey-content.ts';
import type { SurveyEditor } from './survey-editor.ts';
import { type DropPlace, useDrag } from './use-drag.ts';
import type { EditorActions } from './use-editor-actions.ts';
import { memo, useTopic } from './use-topic.ts';

interface OutlineProps {
  editor: SurveyEditor;
  pageId: number | null;
  questionId: number | null;
  canEdit: boolean;
  actions: EditorActions;
}

/** Moves the focus between the items of the outline, or with Alt the item itself. */
function pressKey(event: KeyboardEvent & { currentTarget: HTMLElement }, move: (by: 1 | -1) => void): void {
  const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : null;
  if (by === null) return;
  event.preventDefault();
  if (event.altKey) {
    move(by);
    return;
  }
  const items = [...document.querySelectorAll<HTMLElement>('.outline .outline-item')];
  items[items.indexOf(event.currentTarget) + by]?.focus();
}

export function Outline({ editor, pageId, questionId, canEdit, actions }: OutlineProps) {
  const { content } = editor;
  useTopic(content, 'outline');
  const { pages } = content;

  const dropQuestion = useCallback(
    (key: string, { id: targetKey, edge }: DropPlace) => {
      const [kind, target] = targetKey.split('-') as [string, string];
      const id = Number(key.split('-')[1]);
      if (kind === 'page') {
        actions.moveQuestion(id, Number(target), 0);
        return;
      }
      const page = content.pageOf(Number(target));
      if (page === undefined) return;
      const others = page.questionIds.filter((each) => each !== id);
      actions.moveQuestion(id, page.page_id, others.indexOf(Number(target)) + (edge === 'after' ? 1 : 0));
    },
    [editor, actions],
  );
  const dropPage = useCallback(
    (key: string, { id: targetKey, edge }: DropPlace) => {
      const id = Number(key.split('-')[1]);
      const others = content.pages.filter(({ page_id: each }) => each !== id);
      const target = others.findIndex(({ page_id: each }) => `group-${each}` === targetKey);
      actions.movePage(id, target + (edge === 'after' ? 1 : 0));
    },
    [editor, actions],
  );
  const dragQuestion = useDrag('outline-question', dropQuestion);
  const dragPage = useDrag('outline-page', dropPage);
  let number = 0;
  return (
    <nav class="outline" aria-label={texts.editor.outline}>
      <ol class="outline-pages">
        {pages.map((page, index) => {
          const first = number + 1;
          number += page.questionIds.length;
          return (
            <li key={page.page_id} data-drop-group="outline-page" data-drop-id={`group-${page.page_id}`}>
              <BlockHead
                editor={editor}
                blockId={page.block_id}
                before={pages[index - 1]?.block_id ?? null}
              />
              <PageItem
                editor={editor}
                pageId={page.page_id}
                index={index}
                isSelected={page.page_id === pageId && questionId === null}
                canEdit={canEdit}
                actions={actions}
                startDrag={dragPage}
              />
              <ol>
                {page.questionIds.map((id, order) => (
                  <QuestionItem
                    key={id}
                    editor={editor}
                    questionId={id}
                    number={first + order}
                    isSelected={id === questionId}
                    canEdit={canEdit}
                    actions={actions}
                    startDrag={dragQuestion}
                  />
                ))}
              </ol>
            </li>
          );
        })}
      </ol>
      {canEdit && (
        <button type="button" class="button small add-page" onClick={actions.addPage}>
          <Icon name="plus" /> {texts.editor.addPage}
        </button>
      )}
    </nav>
  );
}

/** The block above its first page, and the end of a block above the page after it. */
function BlockHead({
  editor: { content },
  blockId,
  before,
}: {
  editor: SurveyEditor;
  blockId: number | null;
  /** The block of the page before. */
  before: number | null;
}) {
  if (blockId === before) return null;
  const block = content.blocks.find(({ block_id: id }) => id === blockId);
  if (block === undefined) return <p class="outline-block" aria-hidden="true" />;
  return <p class="outline-block">{blocksTexts.blockName(block.block_title ?? block.block_code)}</p>;
}

interface ItemProps {
  editor: SurveyEditor;
  isSelected: boolean;
  canEdit: boolean;
  actions: EditorActions;
  startDrag: (event: PointerEvent, id: string) => void;
}

/** Marks an item that has a problem; its text is for screen readers. */
const ProblemMark = () => (
  <span class="outline-problem">
    <span aria-hidden="true">!</span>
    <span class="visually-hidden">{texts.editor.hasProblem}</span>
  </span>
);

const PageItem = memo(function PageItem({
  editor,
  pageId,
  index,
  isSelected,
  canEdit,
  actions,
  startDrag,
}: ItemProps & { pageId: number; index: number }) {
  const { content, findings } = editor;
  const key = pageKey(pageId);
  useTopic(content, key);
  const page = content.page(pageId);
  if (page === undefined) return null;
  const name = pageName(page, index, content.listQuestions());
  return (
    <div class="outline-row page" data-drop-group="outline-question" data-drop-id={key}>
      {canEdit && (
        <span class="grip" title={texts.editor.drag} onPointerDown={(event) => startDrag(event, key)} />
      )}
      <button
        type="button"
        class="outline-item"
        {...(isSelected ? { 'aria-current': 'true' } : {})}
        onClick={() => actions.selectPage(pageId)}
        onKeyDown={(event) =>
          pressKey(event, (by) => canEdit && actions.movePage(pageId, Math.max(0, index + by)))
        }
      >
        <span>{name}</span>
        {page.shown_to_arm !== null && (
          <span class="outline-arm">{blocksTexts.onlyArm(page.shown_to_arm)}</span>
        )}
        {findings.of(key).length > 0 && <ProblemMark />}
      </button>
      {canEdit && (
        <>
          <AddQuestionMenu
            label={texts.editor.addQuestionTo(name)}
            button={<Icon name="plus" />}
            buttonClass="icon-button"
            align="start"
            onAdd={(type) => actions.addQuestion(pageId, type)}
          />
          <Menu
            label={texts.editor.pageActions(name)}
            button={<Icon name="more" />}
            align="start"
            items={actions.pageMenu(pageId)}
          />
        </>
      )}
    </div>
  );
});

/** What the outline shows of the settings of a question. */
const QuestionMarks = ({ question }: { question: EditorQuestion }) => (
  <>
    {question.question_required && (
      <span class="outline-mark" title={texts.editor.required}>
        <span aria-hidden="true">*</span>
        <span class="visually-hidden">{texts.editor.required}</span>
      </span>
    )}
    {logicOf(question) !== null && (
      <span class="outline-mark" title={texts.editor.hasLogic}>
        <span aria-hidden="true">↳</span>
        <span class="visually-hidden">{texts.editor.hasLogic}</span>
      </span>
    )}
  </>
);

/** Scrolls the outline, and not the page, to an item that is selected elsewhere. */
function useReveal(isSelected: boolean) {
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    const outline = item.current?.closest('.outline');
    if (!isSelected || item.current === null || outline === null || outline === undefined) return;
    const { top, bottom } = item.current.getBoundingClientRect();
    const visible = outline.getBoundingClientRect();
    if (top < visible.top) outline.scrollTop -= visible.top - top;
    else if (bottom > visible.bottom) outline.scrollTop += bottom - visible.bottom;
  }, [isSelected]);
  return item;
}

const QuestionItem = memo(function QuestionItem({
  editor,
  questionId,
  number,
  isSelected,
  canEdit,
  actions,
  startDrag,
}: ItemProps & { questionId: number; number: number }) {
  const { content, findings } = editor;
  const key = questionKey(questionId);
  useTopic(content, key);
  const item = useReveal(isSelected);
  const question = content.question(questionId);
  if (question === undefined) return null;
  const { question_type: type } = question;
  const text = plainText(question.question_text, textForm({ type }));
  const hasProblem = content.problemsOf(key).length > 0 || findings.of(key).length > 0;
  const move = (by: 1 | -1) => {
    const page = content.pageOf(questionId);
    if (page === undefined || !canEdit) return;
    const index = page.questionIds.indexOf(questionId) + by;
    if (index >= 0 && index < page.questionIds.length) {
      actions.moveQuestion(questionId, page.page_id, index);
      return;
    }
    const next = content.pages[content.pages.indexOf(page) + by];
    if (next !== undefined)
      actions.moveQuestion(questionId, next.page_id, by > 0 ? 0 : next.questionIds.length);
  };
  return (
    <li ref={item} class="outline-row" data-drop-group="outline-question" data-drop-id={key}>
      {canEdit && (
        <span class="grip" title={texts.editor.drag} onPointerDown={(event) => startDrag(event, key)} />
      )}
      <button
        type="button"
        class="outline-item"
        {...(isSelected ? { 'aria-current': 'true' } : {})}
        onClick={() => actions.showQuestion(questionId)}
        onKeyDown={(event) => pressKey(event, move)}
      >
        <TypeIcon type={type} />
        <span class="outline-text">
          <span class="soft">{number}</span>{' '}
          {hasPipes(text) ? (
            <PipedText text={text} questions={content.listQuestions()} />
          ) : (
            text || texts.editor.emptyText
          )}
        </span>
        <QuestionMarks question={question} />
        {hasProblem && <ProblemMark />}
      </button>
    </li>
  );
});
