import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Response } from 'express';
import { escapeHtml } from './escape-html.ts';
import { html, type Html } from './html.ts';

/** An inline style with the hash that allows it in a content security policy. */
export interface InlineStyle {
  text: string;
  source: string;
}

/** Reads CSS files into one inline style; base.css comes first. */
export function loadInlineStyle(...files: readonly URL[]): InlineStyle {
  const text = [new URL('client/base.css', import.meta.url), ...files]
    .map((file) => readFileSync(file, 'utf8'))
    .join('');
  return { text, source: `'sha256-${createHash('sha256').update(text).digest('base64')}'` };
}

const NOTICE_STYLE = loadInlineStyle(new URL('client/notice.css', import.meta.url));

/** A page that consists of one card, without scripts and external resources. */
export interface CardPage {
  language: string;
  direction: 'ltr' | 'rtl';
  title: string;
  style: InlineStyle;
  /** Content of the card. */
  content: Html;
  /** Origins that a form of the page may be redirected to, besides this server. */
  formOrigins?: readonly string[];
  referrerPolicy?: 'no-referrer' | 'same-origin';
}

/** Sends a page with one card; it is never cached. */
export function sendCardPage(response: Response, status: number, page: CardPage): void {
  const { formOrigins = [], referrerPolicy = 'no-referrer', style } = page;
  const policy = [
    "default-src 'none'",
    "base-uri 'none'",
    ["form-action 'self'", ...new Set(formOrigins)].join(' '),
    "frame-ancestors 'none'",
    'img-src data:',
    `style-src ${style.source}`,
  ].join('; ');
  response
    .status(status)
    .setHeader('Content-Security-Policy', policy)
    .setHeader('Cache-Control', 'no-store')
    .setHeader('Referrer-Policy', referrerPolicy)
    .type('html')
    .send(renderCardPage(page));
}

/** A message in a card. */
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

/** Sends a page with one message. */
export function sendNotice(
  response: Response,
  status: number,
  { language, direction, title, badge, text, action }: Notice,
): void {
  const content = html`<svg class="badge" viewBox="0 0 24 24" aria-hidden="true">${badge}</svg>
    <h1>${title}</h1>
    <p class="message" role="status">${text}</p>
    ${action}`;
  sendCardPage(response, status, { language, direction, title, style: NOTICE_STYLE, content });
}

function renderCardPage({ language, direction, title, style, content }: CardPage): string {
  return `<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<style>${style.text}</style>
</head>
<body>
<div id="page"><main>
${content.text}
</main></div>
</body>
</html>
`;
}
