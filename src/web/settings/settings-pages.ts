import type { Request, RequestHandler, Response } from 'express';
import { loadPageFiles, type PageAssets } from '../shared/page-assets.ts';
import { texts } from './texts.ts';

const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="white" stroke-width="2.500" stroke-linecap="round">' +
    '<rect x="1" y="1" width="22" height="22" rx="6" fill="#4f46e5" stroke="none"/><path d="M7 16v-3M12 16V8m5 8v-5.500"/></svg>',
)}`;

const renderHead = (assets: PageAssets, assetsPath: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${texts.shell.title}</title>
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="${assetsPath}/${assets.style.fileName}">`;

/** Renders the page before its script runs. It is the same for all users. */
const renderSettingsShell = (assets: PageAssets, assetsPath: string): string =>
  `${renderHead(assets, assetsPath)}
<script type="module" src="${assetsPath}/${assets.script.fileName}"></script>
</head>
<body>
<div id="page"></div>
<noscript><p class="standalone">${texts.shell.needsScript}</p></noscript>
</body>
</html>
`;

/** Renders the start page. */
const renderWelcomePage = (assets: PageAssets, assetsPath: string): string =>
  `${renderHead(assets, assetsPath)}
</head>
<body>
<main class="welcome">
<p class="brand">
<svg viewBox="0 0 24 24" aria-hidden="true"><rect x="2" y="2" width="20" height="20" rx="6"/><path d="M7 16v-3M12 16V8m5 8v-5.500"/></svg>
${texts.shell.title}
</p>
<h1>${texts.welcome.title}</h1>
<p class="about">${texts.welcome.about}</p>
<ul>
<li><a class="card" href="/settings"><strong>${texts.welcome.signIn}</strong><span>${texts.welcome.signInAbout}</span></a></li>
<li><a class="card" href="/api/docs/"><strong>${texts.welcome.apiDocs}</strong><span>${texts.welcome.apiDocsAbout}</span></a></li>
<li><a class="card" href="/api/openapi.json"><strong>${texts.welcome.openApi}</strong><span>${texts.welcome.openApiAbout}</span></a></li>
</ul>
</main>
</body>
</html>
`;

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

interface SettingsPages {
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
