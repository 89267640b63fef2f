import type { FilterChoices } from '../../../domain/charts/chart-data.ts';
import { html, type Html } from '../../shared/html.ts';
import type { FilterSelection } from '../dashboard-content.ts';
import { texts } from '../texts.ts';

/** Prefix of a filter in the address: `f.gender=2`. */
export const FILTER_PREFIX = 'f.';

export interface DashboardFilter {
  chartId: number;
  choices: FilterChoices;
}

/** Renders the dashboard's filters as a form that also works without JavaScript. */
export function renderFilterBar(
  filters: readonly DashboardFilter[],
  { selection, page, path }: { selection: FilterSelection; page: string | null; path: string },
): Html | null {
  if (filters.length === 0) return null;
  const controls = filters.map((filter) =>
    renderControl(filter, selection.get(filter.choices.dimension.column_code) ?? []),
  );
  return html`<form
    class="filters"
    id="filters"
    method="get"
    action="${path}"
    aria-label="${texts.filters.label}"
  >
    ${page !== null && html`<input type="hidden" name="page" value="${page}" />`} ${controls}
    <button class="button small primary apply">${texts.filters.apply}</button>
  </form>`;
}

function renderControl({ chartId, choices }: DashboardFilter, values: readonly string[]): Html {
  const { dimension, options, multiple } = choices;
  const name = FILTER_PREFIX + dimension.column_code;
  if (multiple) {
    const boxes = options.map(
      ({ value, label }) =>
        html`<label
          ><input
            type="checkbox"
            name="${name}"
            value="${value}"
            ${values.includes(value) && html` checked`}
          />
          <span>${label}</span></label
        >`,
    );
    return html`<details class="pick">
      <summary>
        <span class="name">${dimension.label}</span>
        <span class="chosen">${selectionSummary(choices, values)}</span>
      </summary>
      <fieldset>
        <legend class="visually-hidden">${dimension.label}</legend>
        ${boxes}
      </fieldset>
    </details>`;
  }
  const items = options.map(
    ({ value, label }) =>
      html`<option value="${value}" ${values.includes(value) && html` selected`}>${label}</option>`,
  );
  const id = `filter-${chartId}`;
  return html`<div class="pick">
    <label for="${id}" class="name">${dimension.label}</label>
    <select id="${id}" name="${name}">
      <option value="">${texts.filters.all}</option>
      ${items}
    </select>
  </div>`;
}

function selectionSummary({ options }: FilterChoices, values: readonly string[]): string {
  const labels = options.filter(({ value }) => values.includes(value)).map(({ label }) => label);
  const [first = texts.filters.all, ...others] = labels;
  return others.length === 0 ? first : texts.filters.selected(labels.length);
}

/** Renders the active filters as links that remove them; they are also printed. */
export function renderFilterChips(
  filters: readonly DashboardFilter[],
  selection: FilterSelection,
  linkTo: (selection: FilterSelection) => string,
): Html | null {
  const chips = filters.flatMap(({ choices: { dimension, options } }) => {
    const values = selection.get(dimension.column_code) ?? [];
    return values.map((value) => {
      const label = options.find((option) => option.value === value)?.label ?? value;
      const remaining = new Map(selection).set(
        dimension.column_code,
        values.filter((other) => other !== value),
      );
      return html`<li>
        <a href="${linkTo(remaining)}" data-stay
          ><span>${dimension.label}: <b>${label}</b></span>
          <span class="visually-hidden">${texts.filters.remove}</span
          ><span class="cross" aria-hidden="true">×</span></a
        >
      </li>`;
    });
  });
  if (chips.length === 0) return null;
  return html`<ul class="chips" aria-label="${texts.filters.active}">
    ${chips}
    <li class="clear"><a href="${linkTo(new Map())}" data-stay>${texts.filters.clear}</a></li>
  </ul>`;
}
