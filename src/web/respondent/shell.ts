import { escapeHtml } from '../shared/escape-html.ts';
import type { PageAssets } from '../shared/page-assets.ts';
import type { PageState } from './page-state.ts';

/** Serializes the state for a script element: escapes characters that would end the element or a line of a script. */
function toScriptJson(state: PageState): string {
  return JSON.stringify(state)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}

/** Renders the page before its script runs: the name of the survey, and the data that the script needs. */
export function renderShell(state: PageState, assets: PageAssets, assetsPath: string): string {
  const name = state.kind === 'survey' ? state.definition.name : '';
  const { default_language: language } = state.settings;
  return `<!doctype html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${escapeHtml(name)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${assetsPath}/${assets.style.fileName}">
<script type="module" src="${assetsPath}/${assets.script.fileName}"></script>
</head>
<body>
<div id="page"><main class="column"><h1>${escapeHtml(name)}</h1></main></div>
<noscript><p class="column">${escapeHtml(state.messages[language]!.needs_script)}</p></noscript>
<script type="application/json" id="state">${toScriptJson(state)}</script>
</body>
</html>
`;
}
