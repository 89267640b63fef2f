import { readFileSync } from 'node:fs';
import type { Response } from 'express';
import { contentPolicy, renderDocument, sourceOfStyle } from './document.ts';
import { html, type Html } from './html.ts';

/** The design system and the style of cards. Pages without a script have it inline, so that they need no other request. */
const STYLE = ['tokens', 'base', 'controls', 'card-page']
  .map((name) => readFileSync(new URL(`client/${name}.css`, import.meta.url), 'utf8'))
  .join('');
const STYLE_SOURCE = sourceOfStyle(STYLE);

/** A page that consists of one card, without scripts and external resources. */
interface CardPage {
  language?: string;
  direction?: 'ltr' | 'rtl';
  title: string;
  /** Content of the card. */
  content: Html;
  /** Origins that a form of the page may be redirected to, besides this server. */
  formOrigins?: readonly string[];
  referrerPolicy?: 'no-referrer' | 'same-origin';
}

/** Sends a page with one card; it is never cached. */
export function sendCardPage(response: Response, status: number, page: CardPage): void {
  const { language = 'en', direction = 'ltr', title, content } = page;
  const { formOrigins = [], referrerPolicy = 'no-referrer' } = page;
  const body = html`<div id="page"><main class="card">${content}</main></div>`;
  response
    .status(status)
    .setHeader(
      'Content-Security-Policy',
      contentPolicy({
        'connect-src': "'none'",
        'form-action': ["'self'", ...new Set(formOrigins)].join(' '),
        'img-src': 'data:',
        'script-src': "'none'",
        'style-src': STYLE_SOURCE,
      }),
    )
    .setHeader('Cache-Control', 'no-store')
    .setHeader('Referrer-Policy', referrerPolicy)
    .type('html')
    .send(renderDocument({ title, language, direction, style: STYLE, body }));
}

/** A message in a card. */
export interface Notice extends Omit<CardPage, 'content'> {
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
  { badge, text, action, ...page }: Notice,
): void {
  const content = html`${renderBadge(badge)}
    <h1>${page.title}</h1>
    <p class="message" role="status">${text}</p>
    ${action}`;
  sendCardPage(response, status, { ...page, content });
}

/** `shapes`: SVG in a box of 24 by 24. */
export const renderBadge = (shapes: Html): Html =>
  html`<svg class="badge" viewBox="0 0 24 24" aria-hidden="true">${shapes}</svg>`;
