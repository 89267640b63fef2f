import { useState } from 'preact/hooks';
import { texts } from '../../../texts.ts';
import type { Schema } from '../../data/api.ts';
import {
  DEFAULT_VIEW,
  type ResultsView,
  type Scope,
  STATUS_FILTERS,
  type ViewFilter,
  withFilter,
} from '../results-view.ts';
import { findSplitColumn, type SplitColumn, type SplitColumns } from '../split-columns.ts';
import { type FilterField, findTarget } from './filter-fields.ts';
import './filter-bar.css';
import { FilterDialog } from './filter-dialog.tsx';
import { filterInWords } from './filter-words.ts';
import { useFilterFields } from './use-filter-fields.ts';

const t = texts.results;
const words = texts.filters;

/** The status and the filters of responses, and what figures are split by. */
export function FilterBar({
  survey,
  view,
  splitColumns = null,
  weights = [],
  scopes = [],
  onChange,
}: {
  survey: Schema<'SurveyWithPages'>;
  view: ResultsView;
  /** What the figures can be split by; null: nothing. */
  splitColumns?: SplitColumns | null;
  /** What the figures can be weighted by. */
  weights?: readonly SplitColumn[];
  /** Parts of the responses to choose from; empty: no choice. */
  scopes?: readonly Scope[];
  onChange: (view: ResultsView) => void;
}) {
  /** The filter that the dialog edits; `new`: it adds one. */
  const [edited, setEdited] = useState<ViewFilter | 'new' | null>(null);
  const fields = useFilterFields(survey, view, edited !== null);
  const { filters } = view;
  return (
    <>
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
        {scopes.length > 0 && (
          <label>
            <span>{t.scope}</span>
            <select
              class="field"
              value={view.scope}
              onChange={({ currentTarget: { value } }) =>
                onChange({ ...view, scope: scopes.find((each) => each === value) ?? view.scope })
              }
            >
              {scopes.map((scope) => (
                <option key={scope} value={scope}>
                  {t.scopes[scope]}
                </option>
              ))}
            </select>
          </label>
        )}
        {splitColumns !== null && Object.values(splitColumns).flat().length > 0 && (
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
              <SplitOptions columns={splitColumns.questions} label={texts.filters.questions} />
              <SplitOptions columns={splitColumns.arms} label={texts.filters.arms} />
              <SplitOptions columns={splitColumns.derived} label={texts.filters.derivedColumns} />
            </select>
          </label>
        )}
        {weights.length > 0 && (
          <label>
            <span>{t.weight}</span>
            <select
              class="field"
              value={view.weight ?? ''}
              onChange={({ currentTarget: { value } }) =>
                onChange({ ...view, weight: value === '' ? null : value })
              }
            >
              <option value="">{t.unweighted}</option>
              {weights.map(({ code, label }) => (
                <option key={code} value={code}>
                  {label}
                </option>
              ))}
            </select>
          </label>
        )}
        <button type="button" class="button" onClick={() => setEdited('new')}>
          {words.add}
        </button>
        {filters.length > 0 && (
          <ul class="result-filters" aria-label={words.title}>
            {filters.map((filter, index) => {
              const { name, condition } = filterInWords(filter, fields);
              const text = (
                <>
                  {words.withColon(name)} <strong>{condition}</strong>
                </>
              );
              return (
                <li key={index}>
                  {findTarget(fields, filter) === undefined ? (
                    <span>{text}</span>
                  ) : (
                    <button
                      type="button"
                      class="result-filter"
                      aria-label={words.editOf(`${words.withColon(name)} ${condition}`)}
                      title={words.edit}
                      onClick={() => setEdited(filter)}
                    >
                      {text}
                    </button>
                  )}
                  <button
                    type="button"
                    class="result-filter-remove"
                    aria-label={words.remove(name)}
                    onClick={() => onChange({ ...view, filters: filters.toSpliced(index, 1) })}
                  >
                    ×
                  </button>
                </li>
              );
            })}
            <li class="result-clear">
              <button type="button" class="plain" onClick={() => onChange({ ...view, filters: [] })}>
                {words.clear}
              </button>
            </li>
          </ul>
        )}
        {edited !== null && (
          <FilterDialog
            fields={fields}
            filters={filters}
            edited={edited === 'new' ? null : edited}
            onClose={() => setEdited(null)}
            onApply={(filter) => {
              setEdited(null);
              onChange({ ...view, filters: withFilter(filters, filter, edited === 'new' ? null : edited) });
            }}
          />
        )}
      </section>
      {splitColumns !== null && (
        <PrintedView
          view={view}
          fields={fields}
          compareBy={findSplitColumn(splitColumns, view.compareBy)}
          weight={weights.find(({ code }) => code === view.weight)}
        />
      )}
    </>
  );
}

/** What the figures on paper show. */
function PrintedView({
  view: { status, filters },
  fields,
  compareBy,
  weight,
}: {
  view: ResultsView;
  fields: readonly FilterField[];
  compareBy: SplitColumn | undefined;
  weight: SplitColumn | undefined;
}) {
  const conditions = filters.map((filter) => {
    const { name, condition } = filterInWords(filter, fields);
    return `${words.withColon(name)} ${condition}`;
  });
  return (
    <p class="printed-view">
      {[
        `${words.withColon(t.status)} ${t.statuses[status]}`,
        ...conditions,
        ...(compareBy === undefined ? [] : [`${words.withColon(t.compareBy)} ${compareBy.label}`]),
        ...(weight === undefined ? [] : [`${words.withColon(t.weight)} ${weight.label}`]),
      ].join(' · ')}
    </p>
  );
}

function SplitOptions({ columns, label }: { columns: readonly SplitColumn[]; label: string }) {
  if (columns.length === 0) return null;
  return (
    <optgroup label={label}>
      {columns.map((column) => (
        <option key={column.code} value={column.code}>
          {column.label}
        </option>
      ))}
    </optgroup>
  );
}
