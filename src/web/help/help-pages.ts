import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { sendBody } from '../../http/compress-reply.ts';
import { BRAND_ICON, BRAND_MARK } from '../shared/client/brand.ts';
import { contentPolicy, renderDocument, sourceOfStyle } from '../shared/document.ts';
import { html, type Html, trustedHtml } from '../shared/html.ts';
import { createMarkdownRenderer } from './markdown.ts';

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
  'form-action': "'none'",
  'script-src': "'none'",
  'style-src': sourceOfStyle(STYLE),
});

/** Title of the first part of the navigation. */
const START = 'Start';

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
  const sections = readSections(byName);
  const rendered = new Map<string, string>();
  const markdown = createMarkdownRenderer((name) => byName.has(name));
  const render = (page: HelpPage): string => {
    const known = rendered.get(page.name);
    if (known !== undefined) return known;
    const content = trustedHtml(markdown(page.source, page.name));
    const text = renderHelp(page, { content, sections });
    rendered.set(page.name, text);
    return text;
  };
  const show: RequestHandler = (request: Request, response: Response, next) => {
    const page = byName.get(request.path.replace(/^\/|\/$/g, ''));
    if (page === undefined) {
      next();
      return;
    }
    response
      .setHeader('Content-Security-Policy', POLICY)
      .setHeader('Cache-Control', 'public, no-cache')
      .type('html');
    sendBody(response, render(page));
  };
  const sendImage: RequestHandler<{ file: string }> = ({ params: { file } }, response, next) => {
    const image = path.join(DOCS, 'images', file);
    if (IMAGE.test(file) && existsSync(image)) response.sendFile(image, { maxAge: '1h' });
    else next();
  };
  return Router().get('/images/:file', sendImage).use(show);
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

interface Section {
  title: string;
  pages: HelpPage[];
}

/** The parts of the navigation: the headings and audiences of the start page, each with the pages that it links. */
function readSections(pages: ReadonlyMap<string, HelpPage>): Section[] {
  const start = pages.get('');
  if (start === undefined) throw new Error('The documentation has no start page');
  const sections: Section[] = [{ title: START, pages: [start] }];
  for (const line of start.source.split('\n')) {
    const title = /^## (.+)$/.exec(line)?.[1] ?? /^(For [a-z]+):$/.exec(line)?.[1];
    if (title !== undefined) sections.push({ title, pages: [] });
    for (const [, file = ''] of line.matchAll(/\]\(([\w/-]+)\.md\)/g)) {
      const page = pages.get(file);
      if (page !== undefined) sections.at(-1)?.pages.push(page);
    }
  }
  return sections.filter((section) => section.pages.length > 0);
}

function renderHelp(
  page: HelpPage,
  { content, sections }: { content: Html; sections: readonly Section[] },
): string {
  const navigation = sections.map(
    ({ title, pages }) =>
      html`<p class="title">${title}</p>
        <ul>
          ${pages.map(
            (item) =>
              html`<li>
                <a href="${addressOf(item)}" ${item === page && trustedHtml('aria-current="page"')}
                  >${shortTitle(item.title)}</a
                >
              </li>`,
          )}
        </ul>`,
  );
  const body = html`<a class="skip" href="#content">Skip to content</a>
    <header class="top help-top">
      <a class="brand" href="/help">${trustedHtml(BRAND_MARK)} Canvass help</a>
      <a class="button small" href="/">Open Canvass</a>
    </header>
    <div class="help-frame">
      <details class="help-contents">
        <summary>Contents</summary>
        <nav aria-label="Contents">${navigation}</nav>
      </details>
      <nav class="help-navigation" aria-label="Help">${navigation}</nav>
      <main id="content" class="help-text" tabindex="-1">${content}</main>
    </div>`;
  const title = page.name === '' ? 'Canvass help' : `${page.title} · Canvass help`;
  return renderDocument({ title, icon: BRAND_ICON, style: STYLE, body });
}

/** "How to run fieldwork" as "Run fieldwork": the section says that it is a guide. */
function shortTitle(title: string): string {
  const short = title.replace(/^How to /, '');
  return short.charAt(0).toUpperCase() + short.slice(1);
}
