import type { RequestHandler } from 'express';
import { BRAND_ICON, BRAND_MARK } from '../shared/client/brand.ts';
import { contentPolicy, renderDocument } from '../shared/document.ts';
import { html, type Html, trustedHtml } from '../shared/html.ts';
import { loadPageFiles } from '../shared/page-assets.ts';
import { texts } from './texts.ts';

const ASSETS_PATH = '/settings/assets';

/** The page before its script runs. It is the same for all users. */
const SETTINGS_SHELL = html`<div id="page"></div>
  <noscript><p class="standalone">${texts.shell.needsScript}</p></noscript>`;

const renderStartLink = (path: string, label: string, about: string): Html =>
  html`<li>
    <a class="card" href="${path}"><strong>${label}</strong><span>${about}</span></a>
  </li>`;

const START_PAGE = html`<main class="welcome">
  <p class="brand">${trustedHtml(BRAND_MARK)} ${texts.shell.title}</p>
  <h1>${texts.welcome.title}</h1>
  <p class="about">${texts.welcome.about}</p>
  <ul>
    ${[
      renderStartLink('/settings', texts.welcome.signIn, texts.welcome.signInAbout),
      renderStartLink('/api/docs/', texts.welcome.apiDocs, texts.welcome.apiDocsAbout),
      renderStartLink('/api/openapi.json', texts.welcome.openApi, texts.welcome.openApiAbout),
    ]}
  </ul>
</main>`;

interface SettingsPages {
  /** `/`: the start page, without a script. */
  welcome: RequestHandler;
  /** `/settings`, `/join` and `/reset`: the script selects the page by the path. */
  page: RequestHandler;
  file: RequestHandler<{ file: string }>;
}

const files = loadPageFiles('settings');

/** Creates the handlers of the settings pages. The HTML is the same for all users; the script loads the data from the API. */
export function createSettingsPages(): SettingsPages {
  const createHandler =
    (body: Html, hasScript: boolean): RequestHandler =>
    (_request, response) => {
      const assets = { path: ASSETS_PATH, assets: files.assets(), hasScript };
      response
        .setHeader('Content-Security-Policy', contentPolicy())
        .setHeader('Cache-Control', 'no-cache')
        .type('html')
        .send(renderDocument({ title: texts.shell.title, icon: BRAND_ICON, files: assets, body }));
    };
  return {
    welcome: createHandler(START_PAGE, false),
    page: createHandler(SETTINGS_SHELL, true),
    file: files.send,
  };
}
