import type { ChartNote } from '../../../domain/charts/chart-data.ts';
import { chartTypeOf } from '../../../domain/charts/registry.ts';
import { html, type Html } from '../../shared/html.ts';
import type { PageAssets } from '../../shared/page-assets.ts';
import { colorStyle } from '../page-colors.ts';
import { ALL_PAGES, type PageAddress } from '../page-address.ts';
import type { ElementContent, DashboardContent } from '../dashboard-content.ts';
import { renderElements, type PageElement } from './elements.ts';
import { collectPageNotes, type Draw } from './figure.ts';
import { renderFilterChips, renderFilterBar, type DashboardFilter } from './filters.ts';
import { BRAND, renderPage, type RenderedPage } from './shell.ts';
import { texts } from '../texts.ts';

export interface DashboardView {
  dashboard: DashboardContent;
  /** Figures by chart_id: of the elements on the selected pages, and of all filters. */
  contents: ReadonlyMap<number, ElementContent>;
  /** Time of the data behind the figures. */
  asOf: Date;
  version: string;
  /** A signed-in viewer gets a link to the list of dashboards. */
  isMember: boolean;
  /** Path of the server-sent change events. */
  eventsPath: string;
}

type Page = DashboardContent['pages'][number];

/** Renders a dashboard with its figures; the page needs no further requests. */
export function renderDashboard(
  view: DashboardView,
  address: PageAddress,
  draw: Draw,
  assets: PageAssets,
): RenderedPage {
  const { dashboard, contents, asOf, version, isMember, eventsPath } = view;
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
  const bar = renderFilterBar(filters, selection, address.page, address.path);
  const chips = renderFilterChips(filters, selection, (remaining) => address.link({ selection: remaining }));
  const title =
    shownPages.length === 1 && pages.length > 1
      ? `${shownPages[0]!.page_title ?? texts.page.page} · ${name}`
      : name;
  const body = html`<a class="skip" href="#content">${texts.page.skip}</a>
    <header class="page-header">
      <div class="wrap">
        <div class="over">
          ${isMember && html`<a class="home" href="/dashboards">${BRAND} ${texts.page.dashboards}</a>`}
          <p class="eyebrow">${organizationName}</p>
        </div>
        <h1>${name}</h1>
        ${description !== null && html`<p class="about">${description}</p>`}
        <p class="fresh">
          <span class="dot" aria-hidden="true"></span>
          <span>${texts.page.updated} <time datetime="${asOf.toISOString()}">${formatUtc(asOf)}</time></span>
        </p>
        ${pages.length > 1 && renderTabs(pages, shownPages, address)}
      </div>
    </header>
    <div class="narrowing" id="narrowing"><div class="wrap">${bar}</div></div>
    <main id="content" class="wrap" tabindex="-1">
      <div id="chips">${chips}</div>
      ${sections.map(({ page, grid }) => renderSection(page, grid, pages.length < 2 ? 'visually-hidden' : sections.length < 2 ? 'visually-hidden alone' : null))}
      ${sections.length === 0 && html`<p class="empty"><strong>${texts.page.nothingYet}</strong>${texts.page.noPages}</p>`}
    </main>
    <footer class="end">
      <div class="wrap">
        ${notes.map((note) => html`<p class="note">${note}</p>`)}
        <p class="by">${organizationName}<span class="credit">${BRAND} ${texts.page.madeWith}</span></p>
      </div>
    </footer>
    <p class="visually-hidden" role="status" id="announcements"></p>`;
  const style =
    colorStyle(settings.theme, settings.color) + sections.map((one) => gridOnly(one.style)).join('');
  return renderPage(
    {
      title,
      theme: settings.theme,
      style,
      body,
      data: { version, events: eventsPath },
    },
    assets,
  );
}

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
  return html`<nav aria-label="${texts.page.pages}">
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
    ? html`<p class="empty"><strong>${texts.page.nothingYet}</strong>${texts.page.noFigures}</p>`
    : grid;
  return html`<section class="page" aria-labelledby="p${id}">
    <h2 id="p${id}" ${heading !== null && html` class="${heading}"`}>${title ?? texts.page.figures}</h2>
    ${content}
  </section>`;
}

const formatUtc = (moment: Date): string => `${moment.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
