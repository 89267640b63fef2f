import MarkdownIt from 'markdown-it';
import type { ChartNote } from '../../../domain/charts/chart-data.ts';
import { chartTypeOf } from '../../../domain/charts/registry.ts';
import { type GridPosition, layOutElements } from '../../../domain/dashboards/dashboard.ts';
import { addressThatOpens } from '../../shared/areas.ts';
import { html, type Html, trustedHtml } from '../../shared/html.ts';
import type { PageAssets } from '../../shared/page-assets.ts';
import type { DashboardContent, DashboardElement, ElementContent, Figures } from '../dashboard-content.ts';
import { ALL_PAGES, type PageAddress } from '../page-address.ts';
import { texts } from '../texts.ts';
import { collectPageNotes, collectTitleNotes, type Draw, renderFigure, renderVariable } from './figure.ts';
import { type DashboardFilter, renderFilterBar, renderFilterChips } from './filters.ts';
import { MARK, renderPage, type RenderedPage } from './page.ts';
import { renderTopBar, type Viewer } from './top-bar.ts';

export interface DashboardView {
  dashboard: DashboardContent;
  /** Figures by chart_id: of the elements on the selected pages, and of all filters. */
  contents: ReadonlyMap<number, ElementContent>;
  /** Time of the data behind the figures. */
  asOf: Date;
  version: string;
  /** The signed-in viewer, who gets the top bar of the studio; null: a public page. */
  viewer: Viewer | null;
  /** Where the viewer can arrange the dashboard; null: the viewer may not change it. */
  editPath: string | null;
  /** Path of the server-sent change events. */
  eventsPath: string;
}

type Page = DashboardContent['pages'][number];

/** Renders a dashboard with its figures; the page needs no further requests. */
export function renderDashboard(
  view: DashboardView,
  address: PageAddress,
  { draw, assets }: { draw: Draw; assets: PageAssets },
): RenderedPage {
  const { dashboard, contents, asOf, version, viewer, editPath, eventsPath } = view;
  const { name, description, organizationName, settings, pages } = dashboard;
  const { selection } = address;
  const filters = filtersOf(view);
  const isFiltered = [...selection.values()].some((values) => values.length > 0);
  const shownPages = selectPages(pages, address);
  const sections = shownPages.map((page) => ({
    page,
    ...renderElements(elementsOf(view, page), draw, isFiltered),
  }));
  const notes = collectPageNotes(
    [...contents.values()].flatMap((one): ChartNote[] => ('notes' in one ? one.notes : [])),
  );
  const bar = renderFilterBar(filters, address);
  const chips = renderFilterChips(filters, selection, (remaining) => address.link({ selection: remaining }));
  const title =
    shownPages.length === 1 && pages.length > 1
      ? `${shownPages[0]?.page_title ?? texts.page.page} · ${name}`
      : name;
  const body = html`<a class="skip" href="#content">${texts.page.skip}</a>
    ${viewer !== null && renderTopBar(viewer)}
    <header class="page-header">
      <div class="wrap">
        <div class="over">
          ${viewer === null ? html`<p class="eyebrow">${organizationName}</p>` : html`<p class="breadcrumb"><a href="/dashboards">${texts.page.dashboards}</a></p>`}
          ${editPath !== null && renderActions(editPath)}
        </div>
        <h1>${name}</h1>
        ${description !== null && html`<p class="about">${description}</p>`}
        <p class="fresh">
          <span class="dot" aria-hidden="true"></span>
          <span>${texts.page.updated} <time datetime="${asOf.toISOString()}">${formatUtc(asOf)}</time></span>
        </p>
        ${notes.header.map((note) => html`<p class="caution">${note}</p>`)}
        ${pages.length > 1 && renderTabs(pages, shownPages, address)}
      </div>
    </header>
    <div class="narrowing" id="narrowing"><div class="wrap">${bar}</div></div>
    <main id="content" class="wrap" tabindex="-1">
      <div id="chips">${chips}</div>
      ${sections.map(({ page, grid }) => renderSection(page, grid, pages.length < 2 ? 'visually-hidden' : sections.length < 2 ? 'visually-hidden alone' : null))}
      ${sections.length === 0 && html`<p class="blank"><strong>${texts.page.nothingYet}</strong>${texts.page.noPages}</p>`}
    </main>
    <footer class="end">
      <div class="wrap">
        ${notes.end.map((note) => html`<p class="note">${note}</p>`)}
        <p class="by">${organizationName}<span class="credit">${MARK} ${texts.page.madeWith}</span></p>
      </div>
    </footer>
    <p class="visually-hidden" role="status" id="announcements"></p>`;
  const { theme, color } = settings;
  const layout = sections.map((one) => gridOnly(one.style)).join('');
  return renderPage({ title, theme, color, layout, body, data: { version, events: eventsPath } }, assets);
}

/** What editors of the workspace can do with the dashboard; both are pages of the studio. */
const renderActions = (editPath: string): Html =>
  html`<div class="buttons">
    <a class="button small" href="${editPath}">${texts.page.edit}</a>
    <a class="button small" href="${addressThatOpens(editPath, 'share')}">${texts.page.share}</a>
  </div>`;

/** Applies the grid layout to wide screens and print; on narrow screens elements follow each other. */
const gridOnly = (style: string) => (style === '' ? '' : `@media print,(min-width:60em){${style}}`);

function filtersOf({ dashboard, contents }: DashboardView): DashboardFilter[] {
  return dashboard.elements.flatMap(({ chart_id: chartId, chart_title: title, chart_config: config }) => {
    const choices = contents.get(chartId);
    if (choices === undefined || !('options' in choices)) return [];
    const { label } = config.filterElement as { label?: string };
    const { dimension } = choices;
    const name = label ?? title ?? dimension.label;
    return [{ chartId, choices: { ...choices, dimension: { ...dimension, label: name } } }];
  });
}

export function selectPages(pages: readonly Page[], { page }: PageAddress): Page[] {
  if (page === ALL_PAGES) return [...pages];
  const found = pages.find(({ page_id: id }) => String(id) === page) ?? pages[0];
  return found === undefined ? [] : [found];
}

function elementsOf({ dashboard, contents }: DashboardView, { page_id: pageId }: Page): PageElement[] {
  return dashboard.elements.flatMap((element) =>
    element.page_id === pageId && chartTypeOf(element.chart_type).view !== 'filter'
      ? [{ element, content: contents.get(element.chart_id) ?? { chart_type: 'text' as const } }]
      : [],
  );
}

function renderTabs(pages: readonly Page[], shownPages: readonly Page[], address: PageAddress): Html {
  const all = shownPages.length > 1;
  const tab = (page: string, name: string, current: boolean) =>
    html`<li>
      <a href="${address.link({ page })}" data-stay${current && html` aria-current="page"`}>${name}</a>
    </li>`;
  return html`<nav class="tabs" aria-label="${texts.page.pages}">
    <ul>
      ${pages.map((page, index) =>
        tab(
          String(page.page_id),
          page.page_title ?? texts.page.pageNumber(index + 1),
          !all && page.page_id === shownPages[0]?.page_id,
        ),
      )}${tab(ALL_PAGES, texts.page.all, all)}
    </ul>
  </nav>`;
}

function renderSection({ page_title: title, page_id: id }: Page, grid: Html, heading: string | null): Html {
  const isEmpty = !grid.text.includes('id="e');
  const content = isEmpty
    ? html`<p class="blank"><strong>${texts.page.nothingYet}</strong>${texts.page.noFigures}</p>`
    : grid;
  return html`<section class="page" aria-labelledby="p${id}">
    <h2 id="p${id}" ${heading !== null && html` class="${heading}"`}>${title ?? texts.page.figures}</h2>
    ${content}
  </section>`;
}

const formatUtc = (moment: Date): string => `${moment.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** Headings of a text are below those of the page. */
const FIRST_LEVEL = 3;
const LAST_LEVEL = 6;

function createParser(): MarkdownIt {
  const parser = new MarkdownIt({ html: false, linkify: true, typographer: true });
  // An image would load from another server, which could track readers.
  parser.disable('image');
  const { rules } = parser.renderer;
  rules.heading_open = (tokens, index) => `<h${levelOf(tokens[index])}>`;
  rules.heading_close = (tokens, index) => `</h${levelOf(tokens[index])}>`;
  rules.table_open = () => '<div class="scroll" tabindex="0"><table class="table">';
  rules.table_close = () => '</table></div>';
  rules.link_open = (...[tokens, index, options, , self]) => {
    tokens[index]?.attrSet('rel', 'noopener nofollow');
    return self.renderToken(tokens, index, options);
  };
  // Cell alignment would be a style attribute, which the content security policy forbids.
  rules.th_open = () => '<th>';
  rules.td_open = () => '<td>';
  return parser;
}

const levelOf = (heading: { tag: string } | undefined) =>
  Math.min(Number(heading?.tag.slice(1) ?? 1) - 1 + FIRST_LEVEL, LAST_LEVEL);

const parser = createParser();

/** Renders Markdown as HTML, without raw HTML, images or script links. */
const renderMarkdown = (markdown: string): Html => trustedHtml(parser.render(markdown));

/** Pixels of the page at its full width; figures.css has the same sizes in rem. */
const GRID = { width: 1200, gap: 20, row: 44, padding: 24, head: 66 };

interface PageElement {
  element: DashboardElement;
  content: ElementContent;
}

interface PlacedElement extends PageElement {
  position: GridPosition;
}

/** A full-width text with more characters is set in two columns. */
const MIN_LONG_TEXT_CHARACTERS = 350;

interface RenderedElements {
  grid: Html;
  /** CSS rules of the layout, for the page's inline style: the content security policy forbids style attributes. */
  style: string;
}

/** Renders the elements of a page on its grid, without filters, which apply to all pages and are rendered above them. */
function renderElements(elements: readonly PageElement[], draw: Draw, isFiltered: boolean): RenderedElements {
  const positions = layOutElements(
    elements.map(({ element }) => ({ type: element.chart_type, position: element.position })),
  );
  const inOrder = elements
    .flatMap((one, index) => {
      const position = positions[index];
      return position === undefined ? [] : [{ ...one, position }];
    })
    .sort((a, b) => a.position.y - b.position.y || a.position.x - b.position.x);
  const style = inOrder.map(
    ({ element, position: { x, y, w, h } }) =>
      `#e${element.chart_id}{grid-area:${y + 1}/${x + 1}/span ${h}/span ${w}}`,
  );
  return {
    grid: html`<div class="grid">${inOrder.map((one) => renderCard(one, { draw, isFiltered }))}</div>`,
    style: style.join(''),
  };
}

function renderCard(
  { element, content, position }: PlacedElement,
  { draw, isFiltered }: { draw: Draw; isFiltered: boolean },
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
      : renderFigureContent(content as Figures, { element, title: name, position, draw });
  const titleNotes = 'notes' in content ? collectTitleNotes(content.notes) : [];
  const isOutside = isFiltered && !('error' in content) && (content as Figures).filters_applied?.length === 0;
  return html`<article class="card ${kind} ${type}${size}" id="e${id}" aria-labelledby="t${id}">
    <header>
      ${head}${titleNotes.map((note) => html`<p class="score">${note}</p>`)}${isOutside && html`<p class="note">${texts.figure.filtersNotApplied}</p>`}
    </header>
    ${body}
  </article>`;
}

const nameOf = (content: ElementContent): string | null =>
  'dimension' in content ? content.dimension.label : null;

function renderFigureContent(
  content: Figures,
  {
    element,
    title,
    position,
    draw,
  }: { element: DashboardElement; title: string; position: GridPosition; draw: Draw },
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
  return html`<p class="blank wrong"><strong>${texts.figure.cannotBeShown}</strong>${message}</p>`;
}
