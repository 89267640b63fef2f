import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { html, type Html, trustedHtml } from '../shared/html.ts';
import {
  ARIA_CURRENT,
  readHelpQuery,
  renderHelp,
  renderResults,
  resultsHeading,
  sendHelp,
} from './help-frame.ts';
import { searchPages, type SearchedPage } from './help-search.ts';
import { createMarkdownRenderer, readSections } from './markdown.ts';

/** The documentation: beside the built server, and at the top of the project when the server runs from its sources. */
const DOCS = fileURLToPath(new URL('../../../docs/', import.meta.url));
const IMAGE = /^[\w-]+\.png$/;

/** Path of the search below `/help`. */
const SEARCH = 'search';
const HOME = { name: 'Canvass help', address: '/help' };

/** Texts of the help pages, besides those of the documentation and of their frame. */
const texts = {
  start: 'Start',
  searchLabel: 'Search help',
  apiReference: 'API reference',
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
  const frame = (page: HelpPage | null, query: string) => ({
    home: HOME,
    search: { label: texts.searchLabel, address: `/help/${SEARCH}`, query },
    navigation: renderNavigation(audiences, page),
  });
  const render = (page: HelpPage): string => {
    const known = rendered.get(page.name);
    if (known !== undefined) return known;
    const content = trustedHtml(markdown(page.source, page.name));
    const text = renderHelp({
      ...frame(page, ''),
      title: page.name === '' ? HOME.name : page.title,
      content,
    });
    rendered.set(page.name, text);
    return text;
  };
  const show: RequestHandler = (request: Request, response: Response, next) => {
    const page = byName.get(request.path.replace(/^\/|\/$/g, ''));
    if (page === undefined) next();
    else sendHelp(response, render(page));
  };
  const search: RequestHandler = (request: Request, response: Response) => {
    const query = readHelpQuery(request.query.q);
    const results = searchPages(searched, query);
    const view = { title: resultsHeading(query, results), content: renderResults(query, results) };
    sendHelp(response, renderHelp({ ...frame(null, query), ...view }));
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

/** The audience of the page is open; without one, the first. */
function renderNavigation(audiences: readonly Audience[], page: HelpPage | null): Html {
  const open = audiences.find(({ groups }) =>
    groups.some(({ pages }) => page !== null && pages.includes(page)),
  );
  return html`<ul>
      <li><a href="/help" ${page?.name === '' && ARIA_CURRENT}>${texts.start}</a></li>
      <li><a href="/api/docs/">${texts.apiReference}</a></li>
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
                        <a href="${addressOf(item)}" ${item === page && ARIA_CURRENT}
                          >${shortTitle(item.title)}</a
                        >
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
