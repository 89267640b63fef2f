import { useState } from 'preact/hooks';
import { texts } from '../../texts.ts';
import type { EditorPage } from './editor-content.ts';
import './flow-map.css';
import { conditionInWords, pageName, skipInWords } from './logic/logic-words.ts';
import { type FlowStep, followSurvey } from './logic/survey-flow.ts';
import type { SurveyEditor } from './survey-editor.ts';
import { useTopic } from './use-topic.ts';

const words = texts.editor.map;

/** Sizes in pixels. */
const EXIT_WIDTH = 104;
const EXIT_GAP = 36;
const PAGE_WIDTH = 240;
const PAGE_HEIGHT = 68;
const PAGE_GAP = 44;
const LANE_WIDTH = 26;
/** Between arrows that start at the same page. */
const RULE_HEIGHT = 30;
const TOP = 8;

interface Box {
  top: number;
  height: number;
}

interface JumpArrow {
  step: FlowStep;
  to: number;
  startY: number;
  endY: number;
  x: number;
}

interface ExitArrow {
  step: FlowStep;
  y: number;
}

/** Where pages and arrows are: pages below each other, ends to the left, jumps in lanes to the right. */
function layOut(count: number, steps: readonly FlowStep[]) {
  const rules = steps.filter(({ rule }) => rule !== null);
  const exitsOf = (index: number) => rules.filter(({ from, to }) => from === index && typeof to !== 'number');
  const jumpsOf = (index: number) => rules.filter(({ from, to }) => from === index && typeof to === 'number');
  const pageLeft = rules.some(({ to }) => typeof to !== 'number') ? EXIT_WIDTH + EXIT_GAP : 0;
  const pageRight = pageLeft + PAGE_WIDTH;
  const boxes: Box[] = [];
  let top = TOP;
  for (let index = 0; index < count; index += 1) {
    const lines = Math.max(exitsOf(index).length, jumpsOf(index).length);
    const height = Math.max(PAGE_HEIGHT, RULE_HEIGHT * lines + 16);
    boxes.push({ top, height });
    top += height + PAGE_GAP;
  }
  const boxAt = (index: number): Box => boxes[index] ?? { top, height: 0 };
  /** The middle of the line `order` of `total` at the side of a page. */
  const lineY = (index: number, order: number, total: number) => {
    const { top: boxTop, height } = boxAt(index);
    return boxTop + (height * (order + 1)) / (total + 1);
  };
  const exits = boxes.flatMap((_, index) =>
    exitsOf(index).map((step, order, all): ExitArrow => ({ step, y: lineY(index, order, all.length) })),
  );
  /** The index of the page at which a lane is free again. */
  const lanes: number[] = [];
  const jumps = boxes.flatMap((_, index) =>
    jumpsOf(index).map((step, order, all): JumpArrow => {
      const to = Number(step.to);
      const free = lanes.findIndex((end) => end <= index);
      const lane = free < 0 ? lanes.length : free;
      lanes[lane] = to;
      return {
        step,
        to,
        startY: lineY(index, order, all.length),
        endY: boxAt(to).top + 12 + (order % 3) * 8,
        x: pageRight + LANE_WIDTH * (lane + 1),
      };
    }),
  );
  return {
    boxes,
    exits,
    jumps,
    pageLeft,
    pageRight,
    endTop: top,
    width: pageRight + (lanes.length === 0 ? 0 : LANE_WIDTH * lanes.length + 12),
    height: top + 44,
  };
}

/** A picture of the pages, and of the rules that lead from one to another, to the end, or to a screen-out. */
export function FlowMap({
  editor: { content },
  onSelectPage,
  onSelectQuestion,
}: {
  editor: SurveyEditor;
  onSelectPage: (id: number) => void;
  onSelectQuestion: (id: number) => void;
}) {
  useTopic(content, 'outline');
  useTopic(content, 'saved');
  const [shown, setShown] = useState<{ text: string; top: number } | null>(null);
  const { pages } = content;
  const questions = content.listQuestions();
  const named = content.listNamed();
  const { steps, unreachable } = followSurvey(pages, questions, named);
  const { boxes, exits, jumps, pageLeft, pageRight, endTop, width, height } = layOut(pages.length, steps);
  const goesOn = new Set(steps.filter(({ rule }) => rule === null).map(({ from }) => from));
  const nameOf = (page: EditorPage, index: number) => pageName(page, index, questions);
  const ruleWords = ({ rule }: FlowStep) =>
    rule === null ? '' : skipInWords(rule, { questions: named, pages });
  const select = ({ from, questionId }: FlowStep) => {
    const page = pages[from];
    if (questionId !== null) onSelectQuestion(questionId);
    else if (page !== undefined) onSelectPage(page.page_id);
  };
  const explain = (text: string, top: number) => ({
    onMouseEnter: () => setShown({ text, top }),
    onMouseLeave: () => setShown(null),
    onFocus: () => setShown({ text, top }),
    onBlur: () => setShown(null),
  });
  const displayWords = ({ page_logic: logic }: EditorPage): string | null =>
    logic?.display === undefined ? null : texts.editor.logic.inWords(conditionInWords(logic.display, named));
  const center = pageLeft + PAGE_WIDTH / 2;

  return (
    <section class="flow-map" aria-label={words.title}>
      <p class="hint">{words.hint}</p>
      <FlowList nameOf={nameOf} pages={pages} steps={steps} wordsOf={ruleWords} displayWords={displayWords} />
      <div class="flow-scroll" tabIndex={0} role="region" aria-label={words.picture}>
        <div class="flow-picture" style={{ inlineSize: `${width}px`, blockSize: `${height}px` }}>
          <svg width={width} height={height} aria-hidden="true">
            <defs>
              {['flow-head', 'flow-head-jump'].map((id) => (
                <marker
                  key={id}
                  id={id}
                  viewBox="0 0 8 8"
                  refX="7"
                  refY="4"
                  markerWidth="8"
                  markerHeight="8"
                  orient="auto-start-reverse"
                >
                  <path d="M0 0 8 4 0 8z" />
                </marker>
              ))}
            </defs>
            {boxes.map(
              (box, index) =>
                goesOn.has(index) && (
                  <path
                    key={index}
                    class="flow-next"
                    d={`M${center} ${box.top + box.height}V${(boxes[index + 1]?.top ?? endTop) - 2}`}
                    marker-end="url(#flow-head)"
                  />
                ),
            )}
            {jumps.map(({ x, startY, endY }, index) => (
              <path
                key={index}
                class="flow-jump"
                d={`M${pageRight} ${startY}H${x - 8}q8 0 8 8V${endY - 8}q0 8 -8 8H${pageRight + 2}`}
                marker-end="url(#flow-head-jump)"
              />
            ))}
            {exits.map(({ y }, index) => (
              <path
                key={index}
                class="flow-exit"
                d={`M${pageLeft} ${y}H${EXIT_WIDTH + 2}`}
                marker-end="url(#flow-head)"
              />
            ))}
          </svg>
          {pages.map((page, index) => {
            const { top, height: boxHeight } = boxes[index] ?? { top: 0, height: 0 };
            const display = displayWords(page);
            const notes = [
              words.questions(page.questionIds.length),
              ...(display === null ? [] : [words.conditional]),
              ...(unreachable.has(index) ? [words.unreachable] : []),
            ];
            return (
              <button
                key={page.page_id}
                type="button"
                class={unreachable.has(index) ? 'flow-page unreachable' : 'flow-page'}
                style={{
                  insetInlineStart: `${pageLeft}px`,
                  insetBlockStart: `${top}px`,
                  inlineSize: `${PAGE_WIDTH}px`,
                  blockSize: `${boxHeight}px`,
                }}
                onClick={() => onSelectPage(page.page_id)}
                {...(display === null ? {} : explain(display, top + boxHeight))}
              >
                <span class="flow-name">{nameOf(page, index)}</span>
                <span class="soft">{notes.join(' · ')}</span>
              </button>
            );
          })}
          {jumps.map(({ step, x, startY }, index) => (
            <button
              key={index}
              type="button"
              class="flow-rule"
              style={{ insetInlineStart: `${x - LANE_WIDTH}px`, insetBlockStart: `${startY - 12}px` }}
              aria-label={ruleWords(step)}
              onClick={() => select(step)}
              {...explain(ruleWords(step), startY + 16)}
            />
          ))}
          {exits.map(({ step, y }, index) => (
            <button
              key={index}
              type="button"
              class={step.to === 'end' ? 'flow-out end' : 'flow-out'}
              style={{
                insetInlineStart: '0px',
                insetBlockStart: `${y - 13}px`,
                inlineSize: `${EXIT_WIDTH}px`,
              }}
              aria-label={words.exit(endName(step), ruleWords(step))}
              onClick={() => select(step)}
              {...explain(ruleWords(step), y + 16)}
            >
              {endName(step)}
            </button>
          ))}
          <p
            class="flow-end"
            style={{
              insetInlineStart: `${pageLeft}px`,
              insetBlockStart: `${endTop}px`,
              inlineSize: `${PAGE_WIDTH}px`,
            }}
          >
            {words.complete}
          </p>
          {shown !== null && (
            <p class="flow-words" style={{ insetBlockStart: `${shown.top + 6}px` }}>
              {shown.text}
            </p>
          )}
        </div>
      </div>
    </section>
  );
}

const endName = ({ to }: FlowStep): string => (to === 'end' ? words.complete : words.screenedOut);

/** The same as the picture, for screen readers. */
function FlowList({
  nameOf,
  pages,
  steps,
  wordsOf,
  displayWords,
}: {
  nameOf: (page: EditorPage, index: number) => string;
  pages: readonly EditorPage[];
  steps: readonly FlowStep[];
  wordsOf: (step: FlowStep) => string;
  displayWords: (page: EditorPage) => string | null;
}) {
  return (
    <ol class="visually-hidden" aria-label={words.list}>
      {pages.map((page, index) => (
        <li key={page.page_id}>
          {[
            `${nameOf(page, index)}.`,
            displayWords(page) ?? '',
            ...steps.filter(({ from, rule }) => from === index && rule !== null).map(wordsOf),
          ].join(' ')}
        </li>
      ))}
    </ol>
  );
}
