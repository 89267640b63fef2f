import { layOutElements, type GridPosition } from '../../../domain/charts/dashboard-grid.ts';
import { html, type Html } from '../../shared/html.ts';
import type { Figures, Shown, ShownElement } from '../shown-dashboard.ts';
import { type Draw, renderFigure, renderVariable } from './figure.ts';
import { renderMarkdown } from './prose.ts';
import { texts } from '../texts.ts';

/** Pixels of the page at its full width; dashboard.css has the same sizes in rem. */
const GRID = { width: 1200, gap: 20, row: 44, padding: 24, head: 66 };

export interface PageElement {
  element: ShownElement;
  shown: Shown;
}

/** A full-width text with more characters is set in two columns. */
const LONG_CHARACTERS = 350;

const isStat = ({ chart_type: type }: ShownElement) => type === 'kpi' || type === 'variable';

export interface DrawnElements {
  grid: Html;
  /** CSS rules of the layout, for the page's inline style: the content security policy forbids style attributes. */
  style: string;
}

/** Renders the elements of a page on its grid, without filters, which apply to all pages and are rendered above them. */
export function renderElements(
  found: readonly PageElement[],
  draw: Draw,
  isFiltered: boolean,
): DrawnElements {
  const places = layOutElements(
    found.map(({ element }) => ({ type: element.chart_type, position: element.position })),
  );
  const inOrder = found
    .map((one, index) => ({ ...one, place: places[index]! }))
    .sort((a, b) => a.place.y - b.place.y || a.place.x - b.place.x);
  const style = inOrder.map(
    ({ element, place: { x, y, w, h } }) =>
      `#e${element.chart_id}{grid-area:${y + 1}/${x + 1}/span ${h}/span ${w}}`,
  );
  return {
    grid: html`<div class="grid">${inOrder.map((one) => renderCard(one, one.place, draw, isFiltered))}</div>`,
    style: style.join(''),
  };
}

function renderCard(
  { element, shown }: PageElement,
  place: GridPosition,
  draw: Draw,
  isFiltered: boolean,
): Html {
  const { chart_id: id, chart_type: type, chart_title: title } = element;
  const size = place.w <= 3 ? ' small' : place.w >= 8 ? ' large' : '';
  if (type === 'text') {
    const { text: markdown } = element.chart_config as { text: string };
    const text = renderMarkdown(markdown);
    const long = markdown.length > LONG_CHARACTERS ? ' long' : '';
    return html`<section class="text${size}" id="e${id}">
      ${title !== null && html`<h3>${title}</h3>`}
      <div class="prose${long}">${text}</div>
    </section>`;
  }
  const kind = isStat(element) ? 'stat' : 'chart';
  const name = title ?? nameOf(shown) ?? texts.figure.untitled;
  const head = html`<h3 id="t${id}">${name}</h3>`;
  const content =
    'error' in shown
      ? renderError(shown.error)
      : renderFigureContent(element, shown as Figures, name, place, draw);
  const isOutside = isFiltered && !('error' in shown) && (shown as Figures).filters_applied?.length === 0;
  return html`<article class="card ${kind} ${type}${size}" id="e${id}" aria-labelledby="t${id}">
    <header>${head}${isOutside && html`<p class="note">${texts.figure.filtersNotApplied}</p>`}</header>
    ${content}
  </article>`;
}

const nameOf = (shown: Shown): string | null => ('dimension' in shown ? shown.dimension.label : null);

function renderFigureContent(
  element: ShownElement,
  shown: Figures,
  title: string,
  place: GridPosition,
  draw: Draw,
): Html | null {
  const { width: whole, gap, row, padding, head } = GRID;
  const column = (whole - 11 * gap) / 12;
  const width = Math.round(place.w * column + (place.w - 1) * gap - 2 * padding);
  const height = Math.min(Math.max(place.h * row + (place.h - 1) * gap - head - 2 * padding, 160), 460);
  const frame = { element, title, width, height, draw };
  if (shown.chart_type === 'variable') return renderVariable(shown, frame);
  return shown.chart_type === 'filter' ? null : renderFigure(shown, frame);
}

function renderError({ message }: { message: string }): Html {
  return html`<p class="nothing wrong"><strong>${texts.figure.cannotBeShown}</strong>${message}</p>`;
}
