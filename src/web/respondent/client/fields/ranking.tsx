import { rankingAnswers } from '../../../../domain/questions/types/ranking.ts';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Option, QuestionWithType } from '../../../../domain/survey/definition.ts';
import { fillPlaceholders } from '../localization.ts';
import { type FieldModuleOf, type FieldProps, PLAIN_FIELD, selectionCountProblem } from './field-module.ts';

/** Lists ranked options in order, then unranked ones. A click ranks an option next; arrow buttons or dragging the number move it. */
function RankingField({
  view,
  input,
  onInput,
  messages,
  id,
  session,
}: FieldProps<QuestionWithType<'ranking'>>) {
  const { question, options } = view;
  const list = useRef<HTMLOListElement>(null);
  const focusNext = useRef<string | null>(null);
  const dragged = useRef<string | null>(null);
  useLayoutEffect(() => {
    if (focusNext.current === null) return;
    document.getElementById(focusNext.current)?.focus();
    focusNext.current = null;
  });
  const byValue = new Map(options.map((option) => [option.value, option]));
  const ranked = (Array.isArray(input) ? (input as string[]) : []).filter((value) => byValue.has(value));
  const unranked = options.filter((option) => !ranked.includes(option.value));
  const maxRanked = question.settings.max_ranked ?? options.length;
  const isFull = ranked.length >= maxRanked;
  const idOf = (value: string, part: string) => `${id}-${byValue.get(value)?.code ?? value}-${part}`;
  const labelOf = (value: string) => byValue.get(value)?.label ?? value;
  const languageOf = (option: Option | undefined) =>
    session.languageOf(view.texts.has(String(option?.code), 'options'));

  const applyRanking = (next: string[], moved: string) => {
    const position = next.indexOf(moved) + 1;
    onInput(next);
    session.announce(
      position === 0
        ? fillPlaceholders(messages.rank_removed, { label: labelOf(moved) })
        : fillPlaceholders(messages.rank_moved, { label: labelOf(moved), n: position, m: next.length }),
    );
  };
  const move = (value: string, to: number) => {
    if (to < 0 || to >= ranked.length) return;
    const next = ranked.filter((each) => each !== value);
    next.splice(to, 0, value);
    applyRanking(next, value);
  };
  const drag = (event: PointerEvent) => {
    if (dragged.current === null || list.current === null) return;
    const middles = [...list.current.children].map((item) => {
      const { top, height } = item.getBoundingClientRect();
      return top + height / 2;
    });
    const from = ranked.indexOf(dragged.current);
    const to = middles.filter((middle, index) => index !== from && middle < event.clientY).length;
    if (to !== from) move(dragged.current, to);
  };

  return (
    <div class="ranking">
      <p class="visually-hidden" role="status">
        {session.announcement}
      </p>
      <ol ref={list}>
        {ranked.map((value, index) => (
          <li key={value} class="ranked">
            <span
              class="rank"
              aria-hidden="true"
              onPointerDown={(event) => {
                dragged.current = value;
                event.currentTarget.setPointerCapture(event.pointerId);
              }}
              onPointerMove={drag}
              onPointerUp={() => (dragged.current = null)}
              onPointerCancel={() => (dragged.current = null)}
            >
              {index + 1}
            </span>
            <span class="label" {...languageOf(byValue.get(value))}>
              {labelOf(value)}
            </span>
            <span class="moves">
              <MoveButton
                id={idOf(value, 'up')}
                label={fillPlaceholders(messages.rank_up, { label: labelOf(value) })}
                isDisabled={index === 0}
                path="m6 14 6-6 6 6"
                onClick={() => {
                  focusNext.current = idOf(value, 'up');
                  move(value, index - 1);
                }}
              />
              <MoveButton
                id={idOf(value, 'down')}
                label={fillPlaceholders(messages.rank_down, { label: labelOf(value) })}
                isDisabled={index === ranked.length - 1}
                path="m6 10 6 6 6-6"
                onClick={() => {
                  focusNext.current = idOf(value, 'down');
                  move(value, index + 1);
                }}
              />
              <MoveButton
                id={idOf(value, 'out')}
                label={fillPlaceholders(messages.rank_remove, { label: labelOf(value) })}
                isDisabled={false}
                path="m7 7 10 10M17 7 7 17"
                onClick={() => {
                  focusNext.current = idOf(value, 'add');
                  applyRanking(
                    ranked.filter((each) => each !== value),
                    value,
                  );
                }}
              />
            </span>
          </li>
        ))}
      </ol>
      <ul>
        {unranked.map((option) => (
          <li key={option.value}>
            <button
              type="button"
              class="unranked"
              id={idOf(option.value, 'add')}
              aria-label={fillPlaceholders(messages.rank_add, { label: option.label })}
              disabled={isFull}
              onClick={() => {
                const following =
                  unranked[unranked.indexOf(option) + 1] ?? unranked[unranked.indexOf(option) - 1];
                focusNext.current =
                  following === undefined || ranked.length + 1 >= maxRanked
                    ? idOf(option.value, 'up')
                    : idOf(following.value, 'add');
                applyRanking([...ranked, option.value], option.value);
              }}
            >
              <span class="rank" aria-hidden="true" />
              <span class="label" {...languageOf(option)}>
                {option.label}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Uses aria-disabled, which keeps the button focusable: keyboard users would lose their position otherwise. */
function MoveButton(props: {
  id: string;
  label: string;
  isDisabled: boolean;
  path: string;
  onClick: () => void;
}) {
  return (
    <button
      type="button"
      id={props.id}
      class="move"
      aria-label={props.label}
      aria-disabled={props.isDisabled}
      onClick={props.isDisabled ? undefined : props.onClick}
    >
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d={props.path} />
      </svg>
    </button>
  );
}

export const rankingField: FieldModuleOf<'ranking'> = {
  ...PLAIN_FIELD,
  answers: rankingAnswers,
  Field: RankingField,
  hint({ question, options }, messages) {
    const { max_ranked: max } = question.settings;
    const limit =
      max !== null && max < options.length ? ` ${fillPlaceholders(messages.rank_hint_max, { n: max })}` : '';
    return messages.rank_hint + limit;
  },
  problem: ({ settings }, answer, messages) =>
    selectionCountProblem(
      answer,
      [settings.min_ranked, messages.rank_min],
      [settings.max_ranked, messages.rank_max],
    ),
};
