import type { RequestHandler } from 'express';
import { BRAND_ICON } from '../shared/client/brand.ts';
import { contentPolicy, renderDocument } from '../shared/document.ts';
import { html } from '../shared/html.ts';
import { loadPageFiles } from '../shared/page-assets.ts';
import { texts } from './texts.ts';

const ASSETS_PATH = '/studio/assets';

/** The page before its script runs. It is the same for all users. */
const STUDIO_SHELL = html`<div id="page"></div>
  <noscript><p class="standalone">${texts.shell.needsScript}</p></noscript>`;

/** The addresses of the studio; its script selects the page. */
export const STUDIO_PATHS = [
  '/',
  '/surveys',
  '/surveys/:id',
  '/surveys/:id/:tab',
  '/dashboards',
  '/dashboards/:id/edit',
  '/reports',
  '/reports/:id',
  '/respondents',
  '/outbox',
  '/settings',
  '/settings/:section',
  '/join/:token',
  '/reset',
  '/confirm',
];

interface StudioPages {
  page: RequestHandler;
  file: RequestHandler<{ file: string }>;
}

const files = loadPageFiles('studio');

/** Creates the handlers of the studio. The HTML is the same for all users; the script loads the data from the API. */
export function createStudioPages(): StudioPages {
  return {
    page: (_request, response) => {
      response
        // Authors choose the addresses of option images.
        .setHeader(
          'Content-Security-Policy',
          contentPolicy({
            'frame-src': "'self'",
            'img-src': "'self' data: https: http:",
            'media-src': "'self'",
          }),
        )
        .setHeader('Cache-Control', 'no-cache')
        .type('html')
        .send(
          renderDocument({
            title: texts.shell.title,
            icon: BRAND_ICON,
            files: { path: ASSETS_PATH, assets: files.assets() },
            body: STUDIO_SHELL,
          }),
        );
    },
    file: files.send,
  };
}
