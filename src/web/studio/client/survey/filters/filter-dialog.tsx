import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Dialog } from '../../../../shared/client/dialog.tsx';
import { CancelButton } from '../../../../shared/client/form.tsx';
import { texts } from '../../../texts.ts';
import { sideOfOperator } from '../../question-types/filter-sides.ts';
import { sharesValues } from '../../question-types/operators.ts';
import type { Operator } from '../../question-types/question-type.ts';
import { haveSameTarget, type ViewFilter } from '../results-view.ts';
import { typedForm } from '../../data/typed-number.ts';
import { type FilterProblem, findFilterProblem, normalizeFilterValue } from './check-filter.ts';
import { type FilterField, type FilterTarget, findTarget } from './filter-fields.ts';
import { FilterValues } from './filter-values.tsx';

const t = texts.filters;
/** More questions can be searched. */
const FEW = 8;
/** Rows in view of the list of questions that match a search. */
const MAX_ROWS = 8;

/** A filter while it is edited. Its values can be incomplete. */
type Draft = ViewFilter;

/** The filter that already exists for the target, or an empty one. */
function draftFor({ code, part, side }: FilterTarget, filters: readonly ViewFilter[]): Draft {
  const existing = filters.find((each) => haveSameTarget(each, { code, part }));
  if (existing === undefined) return { code, part, operator: side.operators[0] ?? 'answered', values: [] };
  // Numbers of the list of values are chosen, not typed.
  const isTyped = side.input === 'number' && side.values.length === 0;
  return isTyped
    ? { ...existing, values: existing.values.map((value) => typedForm(Number(value))) }
    : existing;
}

function changeOperator(draft: Draft, operator: Operator): Draft {
  return { ...draft, operator, values: sharesValues(operator, draft.operator) ? draft.values : [] };
}

/** Chooses what responses have to match: a question or a column, how it is compared, and the values. */
export function FilterDialog({
  fields,
  filters,
  edited,
  onApply,
  onClose,
}: {
  fields: readonly FilterField[];
  filters: readonly ViewFilter[];
  /** null: a new filter. */
  edited: ViewFilter | null;
  onApply: (filter: ViewFilter) => void;
  onClose: () => void;
}) {
  const offered = fields.filter(({ isOffered }) => isOffered);
  const [draft, setDraft] = useState<Draft | null>(() => {
    if (edited !== null) return edited;
    const [first] = offered;
    return first === undefined ? null : draftFor(first.targets[0], filters);
  });
  const [problem, setProblem] = useState<FilterProblem | null>(null);
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    if (problem !== null) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [problem]);
  const found = draft === null ? undefined : findTarget(fields, draft);
  if (draft === null || found === undefined) return null;
  const { field, target } = found;
  const { operator, values } = draft;
  const { side } = target;
  const change = (changed: Draft) => {
    setDraft(changed);
    setProblem(null);
  };
  /** Another part of the same kind keeps what was entered. */
  const moveTo = (chosen: FilterTarget) => {
    const { code, part } = chosen;
    const hasFilter = filters.some((each) => haveSameTarget(each, chosen));
    change(hasFilter || chosen.side !== side ? draftFor(chosen, filters) : { ...draft, code, part });
  };
  const apply = () => {
    const trimmed = values.map((value) => value.trim());
    const foundProblem = findFilterProblem(operator, trimmed, side);
    setProblem(foundProblem);
    if (foundProblem === null)
      onApply({
        ...draft,
        values: trimmed.map((value) => normalizeFilterValue(value, sideOfOperator(side, operator).input)),
      });
  };
  // A filter from an address can have an operator that is not offered.
  const operators = side.operators.includes(operator) ? side.operators : [...side.operators, operator];
  return (
    <Dialog title={edited === null ? t.add : t.edit} onClose={onClose}>
      <form
        ref={form}
        class="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          apply();
        }}
      >
        <FieldSelect
          fields={offered.includes(field) ? offered : [field, ...offered]}
          chosen={field}
          onChoose={(chosen) => change(draftFor(chosen.targets[0], filters))}
        />
        {field.targets.length > 1 && (
          <div class="labeled">
            <label for="filter-part">{field.partLabel}</label>
            <select
              id="filter-part"
              class="field"
              value={field.targets.indexOf(target)}
              onChange={(event) => {
                const chosen = field.targets[Number(event.currentTarget.value)];
                if (chosen !== undefined) moveTo(chosen);
              }}
            >
              {field.targets.map(({ label }, index) => (
                <option key={index} value={index}>
                  {label}
                </option>
              ))}
            </select>
          </div>
        )}
        <div class="labeled">
          <label for="filter-condition">{t.condition}</label>
          <select
            id="filter-condition"
            class="field"
            autofocus={edited !== null}
            value={operator}
            onChange={(event) => {
              const chosen = operators.find((each) => each === event.currentTarget.value);
              if (chosen !== undefined) change(changeOperator(draft, chosen));
            }}
          >
            {operators.map((each) => (
              <option key={each} value={each}>
                {t.operators[side.kind][each]}
              </option>
            ))}
          </select>
          {operator === 'not_answered' && side.kind !== 'flags' && <p class="hint">{t.notAnsweredHint}</p>}
        </div>
        <FilterValues
          key={`${target.code} ${target.part ?? ''} ${operator}`}
          side={side}
          operator={operator}
          values={values}
          problem={problem}
          onChange={(changed) => change({ ...draft, values: changed })}
        />
        <div class="buttons">
          <button type="submit" class="button primary">
            {t.apply}
          </button>
          <CancelButton onClose={onClose} />
        </div>
      </form>
    </Dialog>
  );
}

/** The questions and the columns about the response in groups, with a search if there are many. */
function FieldSelect({
  fields,
  chosen,
  onChoose,
}: {
  fields: readonly FilterField[];
  chosen: FilterField;
  onChoose: (field: FilterField) => void;
}) {
  const [search, setSearch] = useState('');
  const find = (text: string) => {
    const part = text.trim().toLowerCase();
    return fields.filter(({ name, code }) => `${name}\n${code}`.toLowerCase().includes(part));
  };
  const found = find(search);
  const shown = found.length === 0 ? [chosen] : found;
  const groups = [...new Set(shown.map(({ group }) => group))];
  const isList = search !== '' && shown.length > 1;
  const hasSearch = fields.filter(({ group }) => group !== t.aboutResponse).length > FEW;
  return (
    <div class="labeled">
      <label for="filter-question">{t.question}</label>
      {hasSearch && (
        <input
          class="field"
          type="search"
          aria-label={t.search}
          placeholder={t.search}
          autocomplete="off"
          value={search}
          onInput={(event) => {
            const { value } = event.currentTarget;
            setSearch(value);
            const matching = find(value);
            const [first] = matching;
            if (first !== undefined && !matching.includes(chosen)) onChoose(first);
          }}
        />
      )}
      <select
        id="filter-question"
        class={isList ? 'field result-filter-found' : 'field'}
        size={isList ? Math.min(MAX_ROWS, shown.length + groups.length) : 1}
        value={chosen.code}
        onChange={(event) => {
          const field = fields.find(({ code }) => code === event.currentTarget.value);
          if (field !== undefined) onChoose(field);
        }}
      >
        {groups.map((group) => (
          <optgroup key={group} label={group}>
            {shown
              .filter((each) => each.group === group)
              .map(({ code, name }) => (
                <option key={code} value={code}>
                  {name === '' ? code : name}
                </option>
              ))}
          </optgroup>
        ))}
      </select>
      {found.length === 0 && (
        <p class="hint" role="status">
          {t.noneFound}
        </p>
      )}
    </div>
  );
}
