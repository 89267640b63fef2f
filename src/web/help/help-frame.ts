import { readFileSync } from 'node:fs';
import type { Response } from 'express';
import { sendBody } from '../../http/compress-reply.ts';
import { BRAND_ICON, BRAND_MARK } from '../shared/client/brand.ts';
import { contentPolicy, renderDocument, sourceOfStyle } from '../shared/document.ts';
import { html, type Html, trustedHtml } from '../shared/html.ts';
import type { SearchResult } from './help-search.ts';

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
const MAX_QUERY_CHARACTERS = 100;

/** What a search finds, in the singular and the plural. */
interface SearchedKind {
  one: string;
  many: string;
}
const PAGES: SearchedKind = { one: 'page', many: 'pages' };

/** Texts of the frame and of the search. */
const texts = {
  contents: 'Contents',
  navigation: 'Help',
  skip: 'Skip to content',
  open: 'Open Canvass',
  search: 'Search',
  found: (count: number, { one, many }: SearchedKind, query: string) =>
    `${count} ${count === 1 ? `${one} matches` : `${many} match`} “${query}”`,
  nothing: ({ many }: SearchedKind, query: string) => `No ${many} match “${query}”`,
  nothingAbout: 'Try other or fewer words, or choose from the contents.',
  nothingEntered: ({ many }: SearchedKind) => `Enter one or more words to search all ${many}.`,
} as const;

/** A page of help: its content beside a navigation, below a search. */
export interface HelpView {
  title: string;
  /** The first page of this help. */
  home: { name: string; address: string };
  search: { label: string; address: string; query: string };
  navigation: Html;
  content: Html;
}

export const ARIA_CURRENT = trustedHtml('aria-current="page"');

export function renderHelp({ title, home, search, navigation, content }: HelpView): string {
  const body = html`<a class="skip" href="#content">${texts.skip}</a>
    <header class="top help-top">
      <a class="brand" href="${home.address}">${trustedHtml(BRAND_MARK)} ${home.name}</a>
      <form class="help-search" role="search" action="${search.address}">
        <label class="visually-hidden" for="q">${search.label}</label>
        <input
          class="field"
          type="search"
          id="q"
          name="q"
          maxlength="${MAX_QUERY_CHARACTERS}"
          placeholder="${search.label}"
          value="${search.query}"
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
      <nav class="help-navigation" aria-label="${texts.navigation}">${navigation}</nav>
      <main id="content" class="help-text" tabindex="-1">${content}</main>
    </div>`;
  return renderDocument({
    title: title === home.name ? title : `${title} · ${home.name}`,
    icon: BRAND_ICON,
    style: STYLE,
    body,
  });
}

export function sendHelp(response: Response, page: string): void {
  response
    .setHeader('Content-Security-Policy', POLICY)
    .setHeader('Cache-Control', 'public, no-cache')
    .type('html');
  sendBody(response, page);
}

/** Reads the query of a search; empty: none. */
export const readHelpQuery = (given: unknown): string =>
  typeof given === 'string' ? given.trim().slice(0, MAX_QUERY_CHARACTERS) : '';

/** Returns the heading of the results, which is also their title. */
export function resultsHeading(query: string, results: readonly SearchResult[], kind = PAGES): string {
  if (query === '') return texts.search;
  return results.length === 0 ? texts.nothing(kind, query) : texts.found(results.length, kind, query);
}

export function renderResults(query: string, results: readonly SearchResult[], kind = PAGES): Html {
  const heading = html`<h1>${resultsHeading(query, results, kind)}</h1>`;
  if (results.length === 0)
    return html`${heading}
      <p>${query === '' ? texts.nothingEntered(kind) : texts.nothingAbout}</p>`;
  return html`${heading}
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
