import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { sendBody } from '../../http/compress-reply.ts';
import { BRAND_ICON, BRAND_MARK } from '../shared/client/brand.ts';
import { contentPolicy, renderDocument, sourceOfStyle } from '../shared/document.ts';
import { html, type Html, trustedHtml } from '../shared/html.ts';
import { searchPages, type SearchedPage, type SearchResult } from './help-search.ts';
import { createMarkdownRenderer, readSections } from './markdown.ts';

/** The documentation: beside the built server, and at the top of the project when the server runs from its sources. */
const DOCS = fileURLToPath(new URL('../../../docs/', import.meta.url));
const IMAGE = /^[\w-]+\.png$/;

const STYLE = [
  ...['tokens', 'base', 'controls', 'components'].map((name) => `../shared/client/${name}.css`),
  './help.css',
]
  .map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'))
  .join('');
const POLICY = contentPolicy({
  'connect-src': "'none'",
  'form-action': "'self'",
  'script-src': "'none'",
  'style-src': sourceOfStyle(STYLE),
});

/** Path of the search below `/help`. */
const SEARCH = 'search';
const MAX_QUERY_CHARACTERS = 100;

/** Every text of the help pages, besides those of the documentation. */
const texts = {
  name: 'Canvass help',
  start: 'Start',
  contents: 'Contents',
  skip: 'Skip to content',
  open: 'Open Canvass',
  searchLabel: 'Search help',
  search: 'Search',
  pageTitle: (title: string) => `${title} · Canvass help`,
  results: (query: string) => `Search results for “${query}”`,
  found: (count: number, query: string) =>
    `${count} ${count === 1 ? 'page matches' : 'pages match'} “${query}”`,
  nothing: (query: string) => `No pages match “${query}”`,
  nothingAbout: 'Try other or fewer words, or choose a page from the contents.',
  nothingEntered: 'Enter one or more words to search all pages.',
} as const;

interface HelpPage {
  /** Path below `/help`, such as `how-to/run-fieldwork`; empty for the start page. */
  name: string;
  title: string;
  source: string;
}

/**
 * The router of `/help`: the documentation as pages, for everyone. The server has them itself, so that help needs no other site and fits
 * its version. It is mounted at `/help`.
 */
export function createHelpRouter(): Router {
  const pages = readPages();
  const byName = new Map(pages.map((page) => [page.name, page]));
  const audiences = readAudiences(byName);
  const searched = readSearchedPages(audiences);
  const rendered = new Map<string, string>();
  const markdown = createMarkdownRenderer((name) => byName.has(name));
  const render = (page: HelpPage): string => {
    const known = rendered.get(page.name);
    if (known !== undefined) return known;
    const content = trustedHtml(markdown(page.source, page.name));
    const title = page.name === '' ? texts.name : texts.pageTitle(page.title);
    const text = renderHelp({ title, page, content, audiences, query: '' });
    rendered.set(page.name, text);
    return text;
  };
  const send = (response: Response, text: string): void => {
    response
      .setHeader('Content-Security-Policy', POLICY)
      .setHeader('Cache-Control', 'public, no-cache')
      .type('html');
    sendBody(response, text);
  };
  const show: RequestHandler = (request: Request, response: Response, next) => {
    const page = byName.get(request.path.replace(/^\/|\/$/g, ''));
    if (page === undefined) next();
    else send(response, render(page));
  };
  const search: RequestHandler = (request: Request, response: Response) => {
    const query = readQuery(request.query.q);
    const content = renderResults(query, searchPages(searched, query));
    const title = texts.pageTitle(query === '' ? texts.search : texts.results(query));
    send(response, renderHelp({ title, page: null, content, audiences, query }));
  };
  const sendImage: RequestHandler<{ file: string }> = ({ params: { file } }, response, next) => {
    const image = path.join(DOCS, 'images', file);
    if (IMAGE.test(file) && existsSync(image)) response.sendFile(image, { maxAge: '1h' });
    else next();
  };
  return Router().get('/images/:file', sendImage).get(`/${SEARCH}`, search).use(show);
}

function readPages(): HelpPage[] {
  const files = readdirSync(DOCS, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => path.relative(DOCS, path.join(entry.parentPath, entry.name)))
    .sort();
  return files.map((file) => {
    const source = readFileSync(path.join(DOCS, file), 'utf8');
    const title = /^# (.+)$/m.exec(source)?.[1]?.replaceAll('`', '') ?? file;
    const name = file.replaceAll(path.sep, '/').replace(/(^|\/)README\.md$|\.md$/, '');
    return { name, title, source };
  });
}

const addressOf = ({ name }: HelpPage): string => (name === '' ? '/help' : `/help/${name}`);

/** A kind of reader, with groups of pages: guides, reference, background. */
interface Audience {
  title: string;
  groups: { title: string; pages: HelpPage[] }[];
}

/** The parts of the navigation: the headings of the start page, each with the pages that it links. */
function readAudiences(pages: ReadonlyMap<string, HelpPage>): Audience[] {
  const start = pages.get('');
  if (start === undefined) throw new Error('The documentation has no start page');
  const audiences: Audience[] = [];
  for (const line of start.source.split('\n')) {
    const [, marks, title = ''] = /^(###?) (.+)$/.exec(line) ?? [];
    if (marks === '##') audiences.push({ title, groups: [] });
    if (marks === '###') audiences.at(-1)?.groups.push({ title, pages: [] });
    for (const [, file = ''] of line.matchAll(/\]\(([\w/-]+)\.md\)/g)) {
      const page = pages.get(file.replace(/\/README$/, ''));
      if (page !== undefined) audiences.at(-1)?.groups.at(-1)?.pages.push(page);
    }
  }
  return audiences;
}

/** What the search finds: the pages of the navigation, in its order. */
const readSearchedPages = (audiences: readonly Audience[]): SearchedPage[] =>
  audiences
    .flatMap(({ groups }) => groups.flatMap(({ pages }) => pages))
    .map((page) => ({
      title: shortTitle(page.title),
      address: addressOf(page),
      sections: readSections(page.source),
    }));

const readQuery = (given: unknown): string =>
  typeof given === 'string' ? given.trim().slice(0, MAX_QUERY_CHARACTERS) : '';

function renderResults(query: string, results: readonly SearchResult[]): Html {
  if (query === '')
    return html`<h1>${texts.search}</h1>
      <p>${texts.nothingEntered}</p>`;
  if (results.length === 0)
    return html`<h1>${texts.nothing(query)}</h1>
      <p>${texts.nothingAbout}</p>`;
  return html`<h1>${texts.found(results.length, query)}</h1>
    <ol class="help-results">
      ${results.map(
        ({ title, address, section, excerpt }) =>
          html`<li>
            <h2><a href="${address}">${title}</a></h2>
            ${section !== null && html`<p><a href="${section.address}">${section.heading}</a></p>`}
            <p>${excerpt}</p>
          </li>`,
      )}
    </ol>`;
}

interface HelpView {
  title: string;
  /** null: the search. */
  page: HelpPage | null;
  content: Html;
  audiences: readonly Audience[];
  query: string;
}

function renderHelp({ title, page, content, audiences, query }: HelpView): string {
  const navigation = renderNavigation(audiences, page);
  const body = html`<a class="skip" href="#content">${texts.skip}</a>
    <header class="top help-top">
      <a class="brand" href="/help">${trustedHtml(BRAND_MARK)} ${texts.name}</a>
      <form class="help-search" role="search" action="/help/${SEARCH}">
        <label class="visually-hidden" for="q">${texts.searchLabel}</label>
        <input
          class="field"
          type="search"
          id="q"
          name="q"
          maxlength="${MAX_QUERY_CHARACTERS}"
          placeholder="${texts.searchLabel}"
          value="${query}"
        />
        <button class="button">${texts.search}</button>
      </form>
      <a class="button small" href="/">${texts.open}</a>
    </header>
    <div class="help-frame">
      <details class="help-contents">
        <summary>${texts.contents}</summary>
        <nav aria-label="${texts.contents}">${navigation}</nav>
      </details>
      <nav class="help-navigation" aria-label="Help">${navigation}</nav>
      <main id="content" class="help-text" tabindex="-1">${content}</main>
    </div>`;
  return renderDocument({ title, icon: BRAND_ICON, style: STYLE, body });
}

/** The audience of the page is open; without one, the first. */
function renderNavigation(audiences: readonly Audience[], page: HelpPage | null): Html {
  const current = trustedHtml('aria-current="page"');
  const open = audiences.find(({ groups }) =>
    groups.some(({ pages }) => page !== null && pages.includes(page)),
  );
  return html`<ul>
      <li><a href="/help" ${page?.name === '' && current}>${texts.start}</a></li>
    </ul>
    ${audiences.map(
      (audience, index) =>
        html`<details ${(open === undefined ? index === 0 : audience === open) && trustedHtml('open')}>
          <summary>${audience.title}</summary>
          ${audience.groups.map(
            ({ title, pages }) =>
              html`<p class="title">${title}</p>
                <ul>
                  ${pages.map(
                    (item) =>
                      html`<li>
                        <a href="${addressOf(item)}" ${item === page && current}>${shortTitle(item.title)}</a>
                      </li>`,
                  )}
                </ul>`,
          )}
        </details>`,
    )}`;
}

/** "How to run fieldwork" as "Run fieldwork": the section says that it is a guide. */
function shortTitle(title: string): string {
  const short = title.replace(/^How to /, '');
  return short.charAt(0).toUpperCase() + short.slice(1);
}
