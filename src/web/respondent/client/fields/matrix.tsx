import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { isNoAnswer, isRecord } from '../../../../domain/questions/answers/read-answer.ts';
import type { Option, QuestionWithType } from '../../../../domain/survey/definition.ts';
import { type FieldModuleOf, type FieldProps, PLAIN_FIELD } from './field-module.ts';

/** A matrix with more columns is shown as cards at every width. */
const MAX_TABLE_COLUMNS = 7;

/** Renders the matrix as a table, measures it, and falls back to cards if the table is wider than its container. */
function useFittingTable(canBeTable: boolean) {
  const container = useRef<HTMLDivElement>(null);
  const [neededWidth, setNeededWidth] = useState(0);
  const [width, setWidth] = useState(Number.POSITIVE_INFINITY);
  const isTable = canBeTable && width >= neededWidth;
  useLayoutEffect(() => {
    const { current } = container;
    if (current === null || !canBeTable) return;
    const observer = new ResizeObserver(() => setWidth(current.clientWidth));
    observer.observe(current);
    return () => observer.disconnect();
  }, [canBeTable]);
  // Measures after each render, because the width depends on the texts.
  useLayoutEffect(() => {
    const { current } = container;
    if (current === null || !isTable || current.scrollWidth <= current.clientWidth) return;
    setNeededWidth(current.scrollWidth);
    setWidth(current.clientWidth);
  });
  return { container, isTable };
}

/** Rows of radio buttons or checkboxes: a table if it fits, else one card per row. */
function MatrixField({
  view,
  input,
  onInput,
  id,
  invalid,
  describedBy,
  session,
}: FieldProps<QuestionWithType<'matrix'>>) {
  const { question, rows, options, texts } = view;
  const { container, isTable } = useFittingTable(options.length <= MAX_TABLE_COLUMNS);
  const isMultiple = question.settings.matrix_type === 'multiple';
  const answers = isRecord(input) ? input : {};
  const requireAll = question.settings.require_all_rows;

  const chosenIn = (row: string): string[] => {
    const chosen = Object.hasOwn(answers, row) ? answers[row] : undefined;
    return Array.isArray(chosen) ? (chosen as string[]) : typeof chosen === 'string' ? [chosen] : [];
  };
  const choose = (row: string, value: string, isChecked: boolean) => {
    if (!isMultiple) {
      onInput({ ...answers, [row]: value });
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
  return (
    <div
      ref={container}
      class={`matrix${isTable ? ' table' : ''}`}
      style={{ '--columns': String(options.length) }}
    >
      <div class="head" aria-hidden="true">
        <span />
        {options.map((option) => (
          <span key={option.code} {...languageOf(option)}>
            {option.label}
          </span>
        ))}
      </div>
      {rows.map(({ row_code: row, row_label: label }) => {
        const chosen = chosenIn(row);
        const isMissing =
          invalid && chosen.length === 0 && (requireAll || Object.values(answers).every(isNoAnswer));
        return (
          <div
            key={row}
            class={`row${isMissing ? ' missing' : ''}`}
            role={isMultiple ? 'group' : 'radiogroup'}
            aria-labelledby={`${id}-${row}`}
            aria-describedby={isMissing ? describedBy : undefined}
            {...(isMultiple ? {} : { 'aria-invalid': isMissing })}
          >
            <span class="row-label" id={`${id}-${row}`} {...session.languageOf(texts.has(row, 'rows'))}>
              {label}
            </span>
            {options.map((option) => (
              <label key={option.code} class="cell">
                <input
                  type={isMultiple ? 'checkbox' : 'radio'}
                  name={`${id}-${row}`}
                  value={option.value}
                  checked={chosen.includes(option.value)}
                  aria-invalid={isMissing ? true : undefined}
                  onChange={(event) => choose(row, option.value, event.currentTarget.checked)}
                />
                <span class="label" {...languageOf(option)}>
                  {option.label}
                </span>
              </label>
            ))}
          </div>
        );
      })}
    </div>
  );
}

export const matrixField: FieldModuleOf<'matrix'> = {
  ...PLAIN_FIELD,
  Field: MatrixField,
  needsClearButton: true,
  submittedInput({ settings }, input) {
    if (settings.matrix_type !== 'multiple') return input;
    const rows = settings.rows.map(({ row_code: row }): [string, unknown] => [row, []]);
    return { ...Object.fromEntries(rows), ...(isRecord(input) ? input : {}) };
  },
  problem: ({ settings }, answer, messages) =>
    settings.require_all_rows && isRecord(answer) ? messages.rows_needed : null,
};
