import { createHash } from 'node:crypto';
import { html, type Html, trustedHtml } from '../../shared/html.ts';
import type { PageAssets } from '../../shared/page-assets.ts';

const ASSETS_PATH = '/dashboards/assets';

export interface PageParts {
  title: string;
  theme: 'auto' | 'light' | 'dark';
  /** CSS rules of this page: its layout and colors. */
  style: string;
  body: Html;
  /** data-* attributes for the script. */
  data?: Record<string, string>;
}

/** A complete page with its content security policy. */
export interface RenderedPage {
  text: string;
  policy: string;
}

const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="white" stroke-width="2.500" stroke-linecap="round">' +
    '<rect x="1" y="1" width="22" height="22" rx="6" fill="#4f46e5" stroke="none"/><path d="M7 16v-3M12 16V8m5 8v-5.500"/></svg>',
)}`;

/** Allows only resources of this server, and the inline style of the page by its hash. */
function policyOf(style: string): string {
  const digest = createHash('sha256').update(style).digest('base64');
  return [
    "default-src 'none'",
    "base-uri 'none'",
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'self'",
    "img-src 'self' data:",
    "script-src 'self'",
    `style-src 'self' 'sha256-${digest}'`,
  ].join('; ');
}

export function renderPage(
  { title, theme, style, body, data = {} }: PageParts,
  assets: PageAssets,
): RenderedPage {
  const attributes = Object.entries(data).map(([name, value]) => html` data-${name}="${value}"`);
  const { text } = html`<!doctype html>
<html lang="en" data-theme="${theme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${theme === 'auto' ? 'light dark' : theme}">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="${ASSETS_PATH}/${assets.style.fileName}">
<style>${trustedHtml(style)}</style>
<script type="module" src="${ASSETS_PATH}/${assets.script.fileName}"></script>
</head>
<body${attributes}>
${body}
</body>
</html>
`;
  return { text, policy: policyOf(style) };
}

export const BRAND = html`<svg class="mark" viewBox="0 0 24 24" aria-hidden="true">
  <rect x="2" y="2" width="20" height="20" rx="6" />
  <path d="M7 16v-3M12 16V8m5 8v-5.500" />
</svg>`;
