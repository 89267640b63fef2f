import type { Request, Response } from 'express';
import { STATUS_OF } from '../../http/problem.ts';
import type { AppError } from '../../lib/errors.ts';
import { html, trustedHtml } from '../shared/html.ts';
import { sendNotice } from '../shared/notice-page.ts';

/** Paths of links with a token. A path below them without a route is a link of which a part is missing. */
const LINK_PATH = /^\/(join|reset|s|u|d|checkout)(\/|$)/;
const API_PATH = /^\/api(\/|$)/;

/** Every text of the error pages. */
const texts = {
  incompleteLink: {
    title: 'This link is incomplete',
    text: 'Open the whole link from the message you received, or ask the sender for a new one.',
  },
  notFound: {
    title: 'Page not found',
    text: 'Check that the address is correct and complete.',
  },
  tooManyRequests: {
    title: 'Too many requests',
    text: 'Wait a few minutes, then load the page again.',
  },
  unavailable: {
    title: 'This page is unavailable',
    text: 'Load the page again in a few minutes.',
  },
  internal: {
    title: 'Something went wrong',
    text: (requestId: string) =>
      `Try again later. If it happens again, send this request ID to your administrator: ${requestId}`,
  },
  refused: { title: 'This page cannot be shown' },
  startPage: 'Go to the start page',
} as const;

const BADGE = trustedHtml('<circle cx="12" cy="12" r="9"/><path d="M12 8v4.500m0 3.200v.1"/>');

/** Returns whether the client prefers HTML to JSON. Paths below /api always reply with JSON. */
function wantsErrorPage(request: Request): boolean {
  return !API_PATH.test(request.path) && request.accepts(['json', 'html']) === 'html';
}

/**
 * Sends the error as a page if a browser asks for one, with its headers such as Retry-After. Returns false if the client wants JSON.
 * `error`: null for an internal error.
 */
export function sendErrorPage(request: Request, response: Response, error: AppError | null): boolean {
  if (!wantsErrorPage(request)) return false;
  const status = error === null ? 500 : STATUS_OF[error.kind];
  for (const [name, value] of Object.entries(error?.headers ?? {})) response.setHeader(name, value);
  // A handler may have set these headers for a file before it failed.
  for (const name of ['Content-Disposition', 'Content-Length', 'ETag', 'Last-Modified', 'Accept-Ranges'])
    response.removeHeader(name);
  const { title, text } = errorText({
    path: request.path,
    status,
    error,
    requestId: response.locals.requestId,
  });
  sendNotice(response.vary('Accept'), status, {
    title,
    badge: BADGE,
    text: html`${text}`,
    action: html`<a class="button" href="/">${texts.startPage}</a>`,
  });
  return true;
}

function errorText({
  path,
  status,
  error,
  requestId,
}: {
  path: string;
  status: number;
  error: AppError | null;
  requestId: string;
}): { title: string; text: string } {
  if (status === 404) return LINK_PATH.test(path) ? texts.incompleteLink : texts.notFound;
  if (status === 429) return texts.tooManyRequests;
  if (status === 503) return texts.unavailable;
  if (error === null) return { title: texts.internal.title, text: texts.internal.text(requestId) };
  return { title: texts.refused.title, text: error.message };
}
