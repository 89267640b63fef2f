import type { Request, RequestHandler, Response } from 'express';
import { loadPageFiles } from '../shared/page-assets.ts';
import { renderSettingsShell, renderWelcomePage } from './shell.ts';

/** Allows only scripts and styles of this server, and no embedding in other pages. */
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
  /** `/`: the start page. */
  welcome: RequestHandler;
  /** `/settings`, `/join` and `/reset`: the script selects the page by the path. */
  page: RequestHandler;
  file: RequestHandler<{ file: string }>;
}

const files = loadPageFiles('settings');

/** Creates the handlers of the settings pages. The HTML is the same for all users; the script loads the data from the API. */
export function createSettingsPages(): SettingsPages {
  const createHandler =
    (render: typeof renderSettingsShell): RequestHandler =>
    (_request: Request, response: Response) => {
      const text = render(files.assets(), ASSETS_PATH);
      response
        .setHeader('Content-Security-Policy', POLICY)
        .setHeader('Cache-Control', 'no-cache')
        .type('html')
        .send(text);
    };
  return {
    welcome: createHandler(renderWelcomePage),
    page: createHandler(renderSettingsShell),
    file: files.send,
  };
}
