import MarkdownIt from 'markdown-it';
import { chartTypeOf } from '../../../domain/charts/registry.ts';
import { type GridPosition, layOutElements } from '../../../domain/dashboards/dashboard.ts';
import { html, type Html, trustedHtml } from '../../shared/html.ts';
import type { DashboardElement, ElementContent, Figures } from '../dashboard-content.ts';
import { texts } from '../texts.ts';
import { type Draw, renderFigure, renderVariable } from './figure.ts';

/** Headings of a text are below those of the page. */
const FIRST_LEVEL = 3;
const LAST_LEVEL = 6;

function createParser(): MarkdownIt {
  const parser = new MarkdownIt({ html: false, linkify: true, typographer: true });
  // An image would load from another server, which could track readers.
  parser.disable('image');
  const { rules } = parser.renderer;
  rules.heading_open = (tokens, index) => `<h${levelOf(tokens[index]!.tag)}>`;
  rules.heading_close = (tokens, index) => `</h${levelOf(tokens[index]!.tag)}>`;
  rules.table_open = () => '<div class="scroll" tabindex="0"><table>';
  rules.table_close = () => '</table></div>';
  rules.link_open = (tokens, index, options, _env, self) => {
    tokens[index]!.attrSet('rel', 'noopener nofollow');
    return self.renderToken(tokens, index, options);
  };
  // Cell alignment would be a style attribute, which the content security policy forbids.
  for (const cell of ['th_open', 'td_open'] as const) {
    rules[cell] = (tokens, index) => `<${tokens[index]!.tag}>`;
  }
  return parser;
}

const levelOf = (tag: string) => Math.min(Number(tag.slice(1)) - 1 + FIRST_LEVEL, LAST_LEVEL);

const parser = createParser();

/** Renders Markdown as HTML, without raw HTML, images or script links. */
const renderMarkdown = (markdown: string): Html => trustedHtml(parser.render(markdown));

/** Pixels of the page at its full width; dashboard.css has the same sizes in rem. */
const GRID = { width: 1200, gap: 20, row: 44, padding: 24, head: 66 };

export interface PageElement {
  element: DashboardElement;
  content: ElementContent;
}

/** A full-width text with more characters is set in two columns. */
const MIN_LONG_TEXT_CHARACTERS = 350;

interface RenderedElements {
  grid: Html;
  /** CSS rules of the layout, for the page's inline style: the content security policy forbids style attributes. */
  style: string;
}

/** Renders the elements of a page on its grid, without filters, which apply to all pages and are rendered above them. */
export function renderElements(
  elements: readonly PageElement[],
  draw: Draw,
  isFiltered: boolean,
): RenderedElements {
  const positions = layOutElements(
    elements.map(({ element }) => ({ type: element.chart_type, position: element.position })),
  );
  const inOrder = elements
    .map((one, index) => ({ ...one, position: positions[index]! }))
    .sort((a, b) => a.position.y - b.position.y || a.position.x - b.position.x);
  const style = inOrder.map(
    ({ element, position: { x, y, w, h } }) =>
      `#e${element.chart_id}{grid-area:${y + 1}/${x + 1}/span ${h}/span ${w}}`,
  );
  return {
    grid: html`<div class="grid">
      ${inOrder.map((one) => renderCard(one, one.position, draw, isFiltered))}
    </div>`,
    style: style.join(''),
  };
}

function renderCard(
  { element, content }: PageElement,
  position: GridPosition,
  draw: Draw,
  isFiltered: boolean,
): Html {
  const { chart_id: id, chart_type: type, chart_title: title } = element;
  const size = position.w <= 3 ? ' small' : position.w >= 8 ? ' large' : '';
  const { view } = chartTypeOf(type);
  if (view === 'text') {
    const { text: markdown } = element.chart_config as { text: string };
    const text = renderMarkdown(markdown);
    const long = markdown.length > MIN_LONG_TEXT_CHARACTERS ? ' long' : '';
    return html`<section class="text${size}" id="e${id}">
      ${title !== null && html`<h3>${title}</h3>`}
      <div class="prose${long}">${text}</div>
    </section>`;
  }
  const kind = view === 'number' || view === 'variable' ? 'stat' : 'chart';
  const name = title ?? nameOf(content) ?? texts.figure.untitled;
  const head = html`<h3 id="t${id}">${name}</h3>`;
  const body =
    'error' in content
      ? renderError(content.error)
      : renderFigureContent(element, content as Figures, name, position, draw);
  const isOutside = isFiltered && !('error' in content) && (content as Figures).filters_applied?.length === 0;
  return html`<article class="card ${kind} ${type}${size}" id="e${id}" aria-labelledby="t${id}">
    <header>${head}${isOutside && html`<p class="note">${texts.figure.filtersNotApplied}</p>`}</header>
    ${body}
  </article>`;
}

const nameOf = (content: ElementContent): string | null =>
  'dimension' in content ? content.dimension.label : null;

function renderFigureContent(
  element: DashboardElement,
  content: Figures,
  title: string,
  position: GridPosition,
  draw: Draw,
): Html | null {
  const { width: whole, gap, row, padding, head } = GRID;
  const column = (whole - 11 * gap) / 12;
  const width = Math.round(position.w * column + (position.w - 1) * gap - 2 * padding);
  const height = Math.min(Math.max(position.h * row + (position.h - 1) * gap - head - 2 * padding, 160), 460);
  const frame = { element, title, width, height, draw };
  if ('metric' in content) return renderVariable(content, frame);
  return 'options' in content ? null : renderFigure(content, frame);
}

function renderError({ message }: { message: string }): Html {
  return html`<p class="nothing wrong"><strong>${texts.figure.cannotBeShown}</strong>${message}</p>`;
}
