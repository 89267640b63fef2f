import { matrixAnswers, rowTextKey } from '../../../../domain/questions/types/matrix.ts';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { isNoAnswer, isRecord } from '../../../../domain/questions/answers/read-answer.ts';
import type { Option, QuestionWithType } from '../../../../domain/survey/definition.ts';
import { fillPlaceholders } from '../localization.ts';
import { Formatted } from '../formatted.tsx';
import { useFittingTable } from './fitting-table.ts';
import { type FieldModuleOf, type FieldProps, PLAIN_FIELD } from './field-module.ts';

/** A matrix with more columns is shown as cards at every width. */
const MAX_TABLE_COLUMNS = 11;
/** With more columns than this, the page is wider. */
const MAX_NARROW_COLUMNS = 5;
/** Where no table fits, a matrix with more rows shows them one at a time. */
const MAX_LISTED_ROWS = 8;
/** Time in which the respondent sees the chosen answer of a row before the next row replaces it. */
const NEXT_ROW_AFTER_MS = 250;

type MatrixProps = FieldProps<QuestionWithType<'matrix'>>;

/** Returns the number and the rest of a label such as `5` or `1 = not at all`; null if it does not begin with a whole number. */
function splitNumber(label: string): { number: string; text: string } | null {
  const trimmed = label.trim();
  const number = /^[-\u2212]?\d{1,3}(?!\d|[.,]\d)/u.exec(trimmed)?.[0];
  if (number === undefined) return null;
  const rest = trimmed.slice(number.length).trimStart();
  return { number, text: rest.replace(/^[-\u2013\u2014=:.)]/u, '').trim() };
}

/** Returns the parts of labels that are a scale of numbers, of which only the ends and the middle have texts; else null. */
export function readNumericColumns(labels: readonly string[]): { number: string; text: string }[] | null {
  const parts = labels.map(splitNumber);
  const isAnchor = (index: number) =>
    index === 0 || index === labels.length - 1 || index === (labels.length - 1) / 2;
  const isScale =
    labels.length > 1 && parts.every((part, index) => part !== null && (part.text === '' || isAnchor(index)));
  return isScale ? (parts as { number: string; text: string }[]) : null;
}

const MAX_ROW_TEXT = 2_000;

/** Returns the text with which the respondent names a row. */
function textOfRow(answers: Readonly<Record<string, unknown>>, row: string): string {
  const text = answers[rowTextKey(row)];
  return typeof text === 'string' ? text : '';
}

/** Which row is shown, where rows are shown one at a time. A page that has problems moves to the first row without an answer. */
function useRowSteps(
  {
    view: { question },
    invalid,
    session,
    messages,
  }: Pick<MatrixProps, 'view' | 'invalid' | 'session' | 'messages'>,
  isStepped: boolean,
  rows: readonly { row_code: string; isAnswered: boolean }[],
) {
  const [index, setIndex] = useState(0);
  const reached = useRef(0);
  const hasWarned = useRef(false);
  const shownLabel = useRef<HTMLElement>(null);
  const [movedTo, setMovedTo] = useState<number | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const current = Math.min(index, rows.length - 1);
  reached.current = Math.max(reached.current, current);
  const latest = useRef({ rows, isStepped });
  latest.current = { rows, isStepped };

  const moveTo = (next: number) => {
    clearTimeout(timer.current);
    setIndex(next);
    setMovedTo(next);
  };
  useLayoutEffect(() => {
    if (movedTo === null) return;
    setMovedTo(null);
    shownLabel.current?.focus({ preventScroll: true });
    shownLabel.current?.scrollIntoView({ block: 'nearest' });
  }, [movedTo]);
  useLayoutEffect(() => () => clearTimeout(timer.current), []);
  // Rows that were never shown are announced once: a respondent who presses "Next" may not have noticed them.
  useLayoutEffect(() => {
    const { controlProblems } = session;
    controlProblems.set(question.code, () => {
      const { rows: all, isStepped: hasSteps } = latest.current;
      const unseen = all.slice(reached.current + 1).filter(({ isAnswered }) => !isAnswered).length;
      const isStarted = all.some(({ isAnswered }) => isAnswered);
      if (!hasSteps || hasWarned.current || unseen === 0 || !isStarted) return null;
      return fillPlaceholders(session.messages.rows_unseen, { n: unseen });
    });
    return () => {
      controlProblems.delete(question.code);
    };
  }, [session, question.code]);
  const { count, kind } = session.lastEvent;
  const handled = useRef(count);
  useLayoutEffect(() => {
    if (handled.current === count) return;
    handled.current = count;
    if (kind !== 'problems' || !invalid) return;
    hasWarned.current = true;
    const open = rows.findIndex(({ isAnswered }) => !isAnswered);
    if (isStepped && open >= 0) setIndex(open);
  });
  return {
    current,
    shownLabel,
    moveTo,
    /** Shows the next row after a moment. */
    advance: () => {
      clearTimeout(timer.current);
      if (current < rows.length - 1) timer.current = setTimeout(() => moveTo(current + 1), NEXT_ROW_AFTER_MS);
    },
    countText: fillPlaceholders(messages.row_of, { n: current + 1, m: rows.length }),
  };
}

/** Rows of radio buttons or checkboxes: a table if it fits, else one card per row, or one row at a time if there are many. */
function MatrixField(props: MatrixProps) {
  const { view, input, onInput, id, invalid, describedBy, session, messages } = props;
  const { question, rows, options, texts } = view;
  const { container, isTable } = useFittingTable(options.length <= MAX_TABLE_COLUMNS);
  const isMultiple = question.settings.matrix_type === 'multiple';
  const answers = isRecord(input) ? input : {};
  const requireAll = question.settings.require_all_rows;
  const numeric = readNumericColumns(options.map(({ label }) => label));
  /** Arrow keys choose each radio button that they pass, so only a click or a tap shows the next row. */
  const isTyping = useRef(false);

  const chosenIn = (row: string): string[] => {
    const chosen = Object.hasOwn(answers, row) ? answers[row] : undefined;
    return Array.isArray(chosen) ? (chosen as string[]) : typeof chosen === 'string' ? [chosen] : [];
  };
  const isStepped = !isTable && rows.length > MAX_LISTED_ROWS;
  const steps = useRowSteps(
    props,
    isStepped,
    rows.map(({ row_code }) => ({ row_code, isAnswered: chosenIn(row_code).length > 0 })),
  );
  const choose = (row: string, value: string, isChecked: boolean) => {
    if (!isMultiple) {
      onInput({ ...answers, [row]: value });
      if (isStepped && !isTyping.current) steps.advance();
      return;
    }
    const option = options.find((each) => each.value === value);
    const exclusive = new Set(options.filter((each) => each.exclusive).map((each) => each.value));
    const others = chosenIn(row).filter((each) => each !== value);
    const remaining =
      option?.exclusive && isChecked
        ? []
        : isChecked
          ? others.filter((each) => !exclusive.has(each))
          : others;
    const next: Record<string, unknown> = { ...answers };
    if (isChecked || remaining.length > 0) next[row] = isChecked ? [...remaining, value] : remaining;
    else delete next[row];
    onInput(next);
  };
  const languageOf = (option: Option) => session.languageOf(texts.has(String(option.code), 'options'));
  const isWide = options.length > MAX_NARROW_COLUMNS && options.length <= MAX_TABLE_COLUMNS;
  const classes = [
    'matrix',
    isTable ? 'table' : '',
    isWide ? 'wide' : '',
    numeric === null ? '' : 'numeric',
    isStepped ? 'stepped' : '',
  ];
  const anchors = numeric?.some(({ text }) => text !== '') ? numeric : null;
  return (
    <div
      ref={container}
      class={classes.filter(Boolean).join(' ')}
      style={{
        '--columns': String(options.length),
        '--characters': String(Math.max(...(numeric ?? []).map(({ number }) => number.length), 1)),
      }}
      onKeyDown={(event) => (isTyping.current = event.key.startsWith('Arrow'))}
      onPointerDown={() => (isTyping.current = false)}
    >
      {(numeric === null || anchors !== null) && (
        <div class="head" aria-hidden="true">
          <span />
          {options.map((option, index) => (
            <span key={option.code} {...languageOf(option)}>
              {numeric === null ? option.label : numeric[index]?.text}
            </span>
          ))}
        </div>
      )}
      {(isStepped ? rows.slice(steps.current, steps.current + 1) : rows).map(
        ({ row_code: row, row_label: label, row_other: isOther }) => {
          const chosen = chosenIn(row);
          const name = textOfRow(answers, row);
          const rowText = (
            <Formatted text={label} nodes={view.formatted.get(`rows.${row}`)} messages={messages} />
          );
          const labelClass = isOther ? 'row-label with-text' : 'row-label';
          const nameInput = isOther && (
            <input
              class="field row-text"
              aria-label={label}
              maxLength={MAX_ROW_TEXT}
              value={name}
              onInput={(event) => onInput({ ...answers, [rowTextKey(row)]: event.currentTarget.value })}
            />
          );
          const rowLanguage = session.languageOf(texts.has(row, 'rows'));
          const isMissing =
            invalid &&
            chosen.length === 0 &&
            (isOther ? name !== '' : requireAll || Object.values(answers).every(isNoAnswer));
          return (
            <div
              key={row}
              class={`row${isMissing ? ' missing' : ''}`}
              role={isMultiple ? 'group' : 'radiogroup'}
              aria-labelledby={`${id}-${row}`}
              aria-describedby={isMissing ? describedBy : undefined}
              {...(isMultiple ? {} : { 'aria-invalid': isMissing })}
            >
              {isStepped ? (
                <span class={labelClass} id={`${id}-${row}`} ref={steps.shownLabel} tabIndex={-1}>
                  <span class="row-count">{steps.countText}</span>
                  <span {...rowLanguage}>{rowText}</span>
                  {nameInput}
                </span>
              ) : (
                <span class={labelClass} id={`${id}-${row}`} {...rowLanguage}>
                  {rowText}
                  {nameInput}
                </span>
              )}
              {options.map((option, index) => (
                <label key={option.code} class="cell">
                  <input
                    type={isMultiple ? 'checkbox' : 'radio'}
                    name={`${id}-${row}`}
                    value={option.value}
                    checked={chosen.includes(option.value)}
                    aria-invalid={isMissing ? true : undefined}
                    onChange={(event) => choose(row, option.value, event.currentTarget.checked)}
                  />
                  {numeric !== null && (
                    <span class="box" aria-hidden="true">
                      <bdi dir="ltr">{numeric[index]?.number}</bdi>
                    </span>
                  )}
                  <span class={numeric === null ? 'label' : 'visually-hidden'} {...languageOf(option)}>
                    {option.label}
                  </span>
                </label>
              ))}
              {anchors !== null && !isTable && (
                <div class="row-anchors" aria-hidden="true">
                  {[0, (anchors.length - 1) / 2, anchors.length - 1].map((at) => (
                    <span key={at} {...(options[at] === undefined ? {} : languageOf(options[at]))}>
                      {anchors[at]?.text}
                    </span>
                  ))}
                </div>
              )}
            </div>
          );
        },
      )}
      {isStepped && (
        <div class="row-buttons">
          <button
            type="button"
            class="button"
            disabled={steps.current === 0}
            onClick={() => steps.moveTo(steps.current - 1)}
          >
            {messages.row_back}
          </button>
          <progress max={rows.length} value={steps.current + 1} aria-hidden="true" />
          <button
            type="button"
            class="button"
            disabled={steps.current === rows.length - 1}
            onClick={() => steps.moveTo(steps.current + 1)}
          >
            {messages.row_next}
          </button>
        </div>
      )}
    </div>
  );
}

export const matrixField: FieldModuleOf<'matrix'> = {
  ...PLAIN_FIELD,
  answers: matrixAnswers,
  Field: MatrixField,
  needsClearButton: true,
  submittedInput({ settings }, input) {
    if (settings.matrix_type !== 'multiple') return input;
    const given = isRecord(input) ? input : {};
    const rows = settings.rows
      .filter(({ row_code: row, row_other: isOther }) => !isOther || textOfRow(given, row) !== '')
      .map(({ row_code: row }): [string, unknown] => [row, []]);
    return { ...Object.fromEntries(rows), ...given };
  },
  problem: ({ settings }, answer, messages) =>
    (settings.require_all_rows || settings.rows.some((row) => row.row_other)) && isRecord(answer)
      ? messages.rows_needed
      : null,
};
