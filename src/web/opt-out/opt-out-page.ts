import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type RequestHandler, type Response, Router } from 'express';
import { said } from '../../domain/invitations/invitation-words.ts';
import type { OptOutPage, OptOutService } from '../../services/field/invitations/opt-outs.ts';
import { escaped } from '../shared/escaped.ts';

/** All in one answer: it has no script, and needs nothing else. */
const STYLE = ['../shared/client/base.css', './opt-out.css']
  .map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'))
  .join('');

const POLICY = [
  "default-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  'img-src data:',
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
].join('; ');

type Moment = 'ask' | 'done' | 'undone' | 'unknown';

const ENVELOPE = '<rect x="3" y="5" width="18" height="14" rx="2"/><path d="m4 7 8 6 8-6"/>';
const BADGES: Record<Moment, string> = {
  ask: ENVELOPE,
  undone: ENVELOPE,
  done: '<path d="m5 13 4.5 4.5L19 8"/>',
  unknown: '<circle cx="12" cy="12" r="9"/><path d="M12 8v4.5m0 3.200v.1"/>',
};

/**
 * `/u/<token>`: where whoever was invited says that they do not want to be written to. Looking changes nothing, since mail programs look
 * at addresses by themselves; a POST does, theirs with one click (RFC 8058) or the button's. It is mounted at `/u`.
 */
export function optOutPage(optOuts: OptOutService): Router {
  const look: RequestHandler<{ token: string }> = async ({ params }, response) => {
    const page = await optOuts.open(params.token);
    send(response, params.token, page, page.person?.isOptedOut === true ? 'done' : 'ask');
  };
  const changing =
    (isOptedOut: boolean): RequestHandler<{ token: string }> =>
    async ({ params }, response) => {
      const page = await optOuts.change(params.token, isOptedOut);
      send(response, params.token, page, isOptedOut ? 'done' : 'undone');
    };
  const router = Router();
  router.get('/:token', look);
  router.post('/:token', changing(true));
  router.post('/:token/undo', changing(false));
  return router;
}

function send(response: Response, token: string, page: OptOutPage, moment: Moment): void {
  response
    .status(page.person === null ? 404 : 200)
    .setHeader('Content-Security-Policy', POLICY)
    .setHeader('Cache-Control', 'no-store')
    .setHeader('Referrer-Policy', 'no-referrer')
    .type('html')
    .send(htmlOf(token, page, page.person === null ? 'unknown' : moment));
}

function htmlOf(token: string, { spoken, person }: OptOutPage, moment: Moment): string {
  const { language, direction, words } = spoken;
  const title = escaped(words[`${moment}_title`]);
  const address = person === null ? '' : `<bdi>${escaped(person.address)}</bdi>`;
  const text = said(escaped(words[`${moment}_text`]), escaped(person?.organization ?? ''), address);
  const button =
    moment === 'unknown'
      ? ''
      : moment === 'done'
        ? `<form method="post" action="/u/${token}/undo"><button class="less">${escaped(words.undo_button)}</button></form>`
        : `<form method="post" action="/u/${token}"><button class="${moment === 'ask' ? 'main' : 'less'}">${escaped(words.ask_button)}</button></form>`;
  return `<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<div id="page"><main>
<svg class="badge" viewBox="0 0 24 24" aria-hidden="true">${BADGES[moment]}</svg>
<h1>${title}</h1>
<p class="said" role="status">${text}</p>
${button}
</main></div>
</body>
</html>
`;
}
