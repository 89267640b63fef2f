import { useState } from 'preact/hooks';
import { Dialog } from '../../../shared/client/dialog.tsx';
import { CancelButton } from '../../../shared/client/form.tsx';
import { texts } from '../../texts.ts';
import type { Schema } from '../data/api.ts';
import { DEFAULT_VIEW, type ResultsView, STATUS_FILTERS } from './results-view.ts';
import './filter-bar.css';

type Question = Schema<'Question'>;

const t = texts.results;

/** The status and the filters of responses, and what figures are split by. */
export function FilterBar({
  view,
  questions,
  canCompare,
  onChange,
}: {
  view: ResultsView;
  /** Whether the figures can be split by a question. */
  canCompare: boolean;
  /** Those with options. */
  questions: readonly Question[];
  onChange: (view: ResultsView) => void;
}) {
  const [isAdding, setIsAdding] = useState(false);
  const filters = Object.entries(view.filter);
  const remove = (removed: string) =>
    onChange({ ...view, filter: Object.fromEntries(filters.filter(([code]) => code !== removed)) });
  return (
    <section class="result-options" aria-label={t.options}>
      <label>
        <span>{t.status}</span>
        <select
          class="field"
          value={view.status}
          onChange={({ currentTarget: { value } }) =>
            onChange({
              ...view,
              status: STATUS_FILTERS.find((each) => each === value) ?? DEFAULT_VIEW.status,
            })
          }
        >
          {STATUS_FILTERS.map((status) => (
            <option key={status} value={status}>
              {t.statuses[status]}
            </option>
          ))}
        </select>
      </label>
      {questions.length > 0 && canCompare && (
        <label>
          <span>{t.compareBy}</span>
          <select
            class="field"
            value={view.compareBy ?? ''}
            onChange={({ currentTarget: { value } }) =>
              onChange({ ...view, compareBy: value === '' ? null : value })
            }
          >
            <option value="">{t.noComparison}</option>
            {questions.map((question) => (
              <option key={question.question_code} value={question.question_code}>
                {question.question_text}
              </option>
            ))}
          </select>
        </label>
      )}
      {questions.length > 0 && (
        <button type="button" class="button" onClick={() => setIsAdding(true)}>
          {t.addFilter}
        </button>
      )}
      {filters.length > 0 && (
        <ul class="result-filters" aria-label={t.filters}>
          {filters.map(([code, values]) => {
            const question = questions.find((each) => each.question_code === code);
            const name = question?.question_text ?? COLUMN_FILTERS.get(code)?.name ?? code;
            return (
              <li key={code}>
                <span>
                  {name}: <strong>{values.map((value) => labelOf(code, question, value)).join(', ')}</strong>
                </span>
                <button type="button" aria-label={t.removeFilter(name)} onClick={() => remove(code)}>
                  ×
                </button>
              </li>
            );
          })}
          <li class="result-clear">
            <button type="button" class="plain" onClick={() => onChange({ ...view, filter: {} })}>
              {t.clearFilters}
            </button>
          </li>
        </ul>
      )}
      {isAdding && (
        <FilterDialog
          questions={questions}
          view={view}
          onClose={() => setIsAdding(false)}
          onApply={(code, values) => {
            setIsAdding(false);
            onChange({ ...view, filter: { ...view.filter, [code]: values } });
          }}
        />
      )}
    </section>
  );
}

/** Filters on columns that are no questions. */
const COLUMN_FILTERS = new Map<string, { name: string; labels: Readonly<Record<string, string>> }>([
  ['quality_flags', { name: texts.responses.flags, labels: texts.responses.checks }],
]);

const labelOf = (code: string, question: Question | undefined, value: string): string =>
  question?.options.find((option) => option.option_value === value)?.option_label ??
  COLUMN_FILTERS.get(code)?.labels[value] ??
  value;

function FilterDialog({
  questions,
  view,
  onClose,
  onApply,
}: {
  questions: readonly Question[];
  view: ResultsView;
  onClose: () => void;
  onApply: (code: string, values: string[]) => void;
}) {
  const [code, setCode] = useState(questions[0]?.question_code ?? '');
  const [hasProblem, setHasProblem] = useState(false);
  const question = questions.find((each) => each.question_code === code);
  const chosen = view.filter[code] ?? [];
  return (
    <Dialog title={t.addFilter} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          const values = new FormData(event.currentTarget).getAll('value').map(String);
          if (values.length === 0) setHasProblem(true);
          else onApply(code, values);
        }}
      >
        <div class="labeled">
          <label for="filter-question">{t.filterQuestion}</label>
          <select
            id="filter-question"
            class="field"
            value={code}
            onChange={({ currentTarget: { value } }) => setCode(value)}
          >
            {questions.map((each) => (
              <option key={each.question_code} value={each.question_code}>
                {each.question_text}
              </option>
            ))}
          </select>
        </div>
        <fieldset class="labeled" key={code}>
          <legend>{t.filterValues}</legend>
          <div class="result-filter-values">
            {question?.options.map((option) => (
              <label key={option.option_value} class="check">
                <input
                  type="checkbox"
                  name="value"
                  value={option.option_value}
                  defaultChecked={chosen.includes(option.option_value)}
                />
                <span>{option.option_label}</span>
              </label>
            ))}
          </div>
          {hasProblem && (
            <p class="problem" role="alert">
              {t.filterNothing}
            </p>
          )}
        </fieldset>
        <div class="buttons">
          <button type="submit" class="button primary">
            {t.applyFilter}
          </button>
          <CancelButton onClose={onClose} />
        </div>
      </form>
    </Dialog>
  );
}
