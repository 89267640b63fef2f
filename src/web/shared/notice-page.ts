import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Response } from 'express';
import { escapeHtml } from './escaped.ts';
import { html, type Html } from './html.ts';

/** In the page itself: it has no script, and loads nothing. */
const STYLE = ['base.css', 'notice.css']
  .map((file) => readFileSync(new URL(`client/${file}`, import.meta.url), 'utf8'))
  .join('');

const POLICY = [
  "default-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  'img-src data:',
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
].join('; ');

export interface Notice {
  language: string;
  direction: 'ltr' | 'rtl';
  title: string;
  /** SVG shapes in a box of 24 by 24. */
  badge: Html;
  text: Html;
  /** A form or a link below the text. */
  action: Html | null;
}

/** Sends a page with one message in a card: no script, nothing to load, never cached. */
export function sendNotice(response: Response, status: number, notice: Notice): void {
  response
    .status(status)
    .setHeader('Content-Security-Policy', POLICY)
    .setHeader('Cache-Control', 'no-store')
    .setHeader('Referrer-Policy', 'no-referrer')
    .type('html')
    .send(renderNotice(notice));
}

function renderNotice({ language, direction, title, badge, text, action }: Notice): string {
  const content = html`<svg class="badge" viewBox="0 0 24 24" aria-hidden="true">${badge}</svg>
    <h1>${title}</h1>
    <p class="said" role="status">${text}</p>
    ${action}`;
  return `<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<div id="page"><main>
${content.text}
</main></div>
</body>
</html>
`;
}
