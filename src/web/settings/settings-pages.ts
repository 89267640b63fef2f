import type { Request, RequestHandler, Response } from 'express';
import { loadPageFiles } from '../shared/page-assets.ts';
import { renderSettingsShell, renderWelcomePage } from './shell.ts';

/** Nothing foreign runs, and nobody puts these pages into their own. */
const POLICY = [
  "default-src 'none'",
  "base-uri 'none'",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "img-src 'self' data:",
  "script-src 'self'",
  "style-src 'self'",
].join('; ');

const ASSETS_PATH = '/settings/assets';

export interface SettingsPages {
  /** `/`: where somebody lands who types the address. */
  welcome: RequestHandler;
  /** Settings, joining, a new password: the script tells them apart by the address. */
  page: RequestHandler;
  file: RequestHandler<{ file: string }>;
}

const files = loadPageFiles('settings');

/** The pages for the people of an organization. They know nothing: all that they show comes from the API. */
export function createSettingsPages(): SettingsPages {
  const sending =
    (html: typeof renderSettingsShell): RequestHandler =>
    (_request: Request, response: Response) => {
      const text = html(files.assets(), ASSETS_PATH);
      response
        .setHeader('Content-Security-Policy', POLICY)
        .setHeader('Cache-Control', 'no-cache')
        .type('html')
        .send(text);
    };
  return { welcome: sending(renderWelcomePage), page: sending(renderSettingsShell), file: files.send };
}
