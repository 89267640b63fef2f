import { type Request, type RequestHandler, type Response, Router } from 'express';
import {
  ARIA_CURRENT,
  readHelpQuery,
  renderHelp,
  renderResults,
  resultsHeading,
  sendHelp,
} from '../help/help-frame.ts';
import { searchPages, type SearchedPage } from '../help/help-search.ts';
import { html, type Html } from '../shared/html.ts';
import { type ApiDocument, type LocatedOperation, operationsOf } from './api-document.ts';
import { renderOperation } from './render-operation.ts';
import { renderSchema, renderText } from './render-schema.ts';

const ROOT = '/api/docs/';
const HOME = { name: 'Canvass API', address: ROOT };
/** Path of the search below the root. */
const SEARCH = 'search';

const texts = {
  start: 'Start',
  help: 'Help',
  searchLabel: 'Search operations',
  operations: { one: 'operation', many: 'operations' },
  intro: 'Introduction',
  download: 'OpenAPI document',
  programs: 'Programs read the same as an',
  tags: 'Operations',
} as const;

/** "ai" as "AI", and "surveys" as "Surveys". */
const tagTitle = (tag: string): string => (tag === 'ai' ? 'AI' : tag.charAt(0).toUpperCase() + tag.slice(1));

const operationAddress = (tag: string, { operation }: LocatedOperation): string =>
  `${ROOT}${tag}#${operation.operationId}`;

/**
 * The router of `/api/docs`: the reference of the API, a page for each tag and each schema, for everyone. `createDocument` runs at the first
 * request, because it takes longer than the rest of the start.
 */
export function createApiReferenceRouter(createDocument: () => unknown): Router {
  let reference: ApiReference | null = null;
  const open = (): ApiReference =>
    (reference ??= new ApiReference(JSON.parse(JSON.stringify(createDocument())) as ApiDocument));
  const sendPage =
    <Params>(render: (reference: ApiReference, params: Params) => string | null): RequestHandler<Params> =>
    ({ params }, response, next) => {
      const page = render(open(), params);
      if (page === null) next();
      else sendHelp(response as Response, page);
    };
  const search: RequestHandler = (request: Request, response: Response) =>
    sendHelp(response, open().renderSearch(readHelpQuery(request.query.q)));
  return Router({ strict: true })
    .get('/', (request, response, next) => {
      // The address of the page ends with a slash, as before.
      if (/^[^?]*\/(\?|$)/.test(request.originalUrl)) next();
      else response.redirect(301, ROOT);
    })
    .get(
      '/',
      sendPage((each) => each.renderStart()),
    )
    .get(`/${SEARCH}`, search)
    .get(
      '/schemas/:name',
      sendPage<{ name: string }>((each, { name }) => each.renderSchemaPage(name)),
    )
    .get(
      '/:tag',
      sendPage<{ tag: string }>((each, { tag }) => each.renderTag(tag)),
    );
}

class ApiReference {
  private readonly operationsByTag: ReadonlyMap<string, readonly LocatedOperation[]>;
  private readonly searched: readonly SearchedPage[];
  private readonly pageCache = new Map<string, string>();

  constructor(private readonly document: ApiDocument) {
    this.operationsByTag = new Map(document.tags.map(({ name }) => [name, operationsOf(document, name)]));
    this.searched = [...this.operationsByTag].flatMap(([tag, operations]) =>
      operations.map((located) => toSearchedPage(tag, located)),
    );
  }

  renderStart(): string {
    const { info, tags } = this.document;
    const content = html`<h1>${HOME.name}</h1>
      ${renderText(info.description)}
      <p>${texts.programs} <a href="/api/openapi.json">${texts.download}</a>.</p>
      <h2>${texts.tags}</h2>
      ${tags.map(
        ({ name, description }) =>
          html`<h3><a href="${ROOT}${name}">${tagTitle(name)}</a></h3>
            <p>${description}</p>`,
      )}`;
    return this.renderPage({ title: HOME.name, tag: null, content });
  }

  /** null: the API has no such tag. */
  renderTag(tag: string): string | null {
    const operations = this.operationsByTag.get(tag);
    if (operations === undefined) return null;
    const known = this.pageCache.get(tag);
    if (known !== undefined) return known;
    const description = this.document.tags.find(({ name }) => name === tag)?.description;
    const content = html`<h1>${tagTitle(tag)}</h1>
      <p>${description ?? ''}</p>
      ${operations.map((located) => renderOperation(this.document, located))}`;
    const page = this.renderPage({ title: tagTitle(tag), tag, content });
    this.pageCache.set(tag, page);
    return page;
  }

  /** null: the API has no such schema. */
  renderSchemaPage(name: string): string | null {
    const { schemas } = this.document.components;
    const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined;
    if (schema === undefined) return null;
    const content = html`<h1>${name}</h1>
      ${renderText(schema.description)} ${renderSchema(this.document, schema, name)}`;
    return this.renderPage({ title: name, tag: null, content });
  }

  renderSearch(query: string): string {
    const results = searchPages(this.searched, query);
    return this.renderPage({
      title: resultsHeading(query, results, texts.operations),
      tag: null,
      content: renderResults(query, results, texts.operations),
      query,
    });
  }

  private renderPage(page: { title: string; tag: string | null; content: Html; query?: string }): string {
    const { title, tag, content, query = '' } = page;
    return renderHelp({
      title,
      home: HOME,
      search: { label: texts.searchLabel, address: `${ROOT}${SEARCH}`, query },
      navigation: this.renderNavigation(tag, title === HOME.name),
      content,
    });
  }

  /** The tags, and the operations of the tag that is read. */
  private renderNavigation(current: string | null, isStart: boolean): Html {
    return html`<ul>
        <li><a href="${ROOT}" ${isStart && ARIA_CURRENT}>${texts.start}</a></li>
        <li><a href="/help">${texts.help}</a></li>
      </ul>
      <p class="title">${texts.tags}</p>
      <ul>
        ${[...this.operationsByTag].map(
          ([tag, operations]) =>
            html`<li>
              <a href="${ROOT}${tag}" ${tag === current && ARIA_CURRENT}>${tagTitle(tag)}</a>
              ${
                tag === current &&
                html`<ul class="inner">
                  ${operations.map(
                    (located) =>
                      html`<li>
                        <a href="${operationAddress(tag, located)}">${located.operation.summary}</a>
                      </li>`,
                  )}
                </ul>`
              }
            </li>`,
        )}
      </ul>`;
  }
}

function toSearchedPage(tag: string, located: LocatedOperation): SearchedPage {
  const { method, path, operation } = located;
  const fields = (operation.parameters ?? []).map(({ name }) => name).join(' ');
  return {
    title: operation.summary,
    address: operationAddress(tag, located),
    sections: [
      {
        heading: '',
        anchor: '',
        text: `${method} ${path}. ${operation.description ?? ''} ${fields}`.replaceAll(/[*`]/g, ''),
      },
    ],
  };
}
