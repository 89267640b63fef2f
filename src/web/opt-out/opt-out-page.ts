import { type RequestHandler, type Response, Router } from 'express';
import { fillMessage } from '../../domain/invitations/messages.ts';
import { escapeHtml } from '../../lib/escape-html.ts';
import type { OptOutPage, OptOutService } from '../../services/field/emails.ts';
import { html, type Html, trustedHtml } from '../shared/html.ts';
import { type Notice, sendNotice } from '../shared/notice-page.ts';

type OptOutStep = 'ask' | 'done' | 'undone' | 'unknown';

const ENVELOPE = '<rect x="3" y="5" width="18" height="14" rx="2"/><path d="m4 7 8 6 8-6"/>';
const BADGES: Record<OptOutStep, string> = {
  ask: ENVELOPE,
  undone: ENVELOPE,
  done: '<path d="m5 13 4.5 4.5L19 8"/>',
  unknown: '<circle cx="12" cy="12" r="9"/><path d="M12 8v4.5m0 3.2v.1"/>',
};

/**
 * The router of `/u/<token>`, the unsubscribe link of an invitation. GET changes nothing, because mail programs open links to check
 * them. POST unsubscribes: by the button of the page, or by the one-click request of a mail program (RFC 8058). It is mounted at `/u`.
 */
export function createOptOutRouter(optOuts: OptOutService): Router {
  const show: RequestHandler<{ token: string }> = async ({ params }, response) => {
    const page = await optOuts.open(params.token);
    send(response, { token: params.token, page, step: page.person?.isOptedOut === true ? 'done' : 'ask' });
  };
  const createChangeHandler =
    (isOptedOut: boolean): RequestHandler<{ token: string }> =>
    async ({ params }, response) => {
      const page = await optOuts.change(params.token, isOptedOut);
      send(response, { token: params.token, page, step: isOptedOut ? 'done' : 'undone' });
    };
  const router = Router();
  router.get('/:token', show);
  router.post('/:token', createChangeHandler(true));
  router.post('/:token/undo', createChangeHandler(false));
  return router;
}

function send(
  response: Response,
  { token, page, step }: { token: string; page: OptOutPage; step: OptOutStep },
): void {
  if (page.person === null) sendNotice(response, 404, createNotice(token, page, 'unknown'));
  else sendNotice(response, 200, createNotice(token, page, step));
}

function createNotice(token: string, { localized, person }: OptOutPage, step: OptOutStep): Notice {
  const { language, direction, messages } = localized;
  const address = person === null ? '' : `<bdi>${escapeHtml(person.address)}</bdi>`;
  const text = fillMessage(
    escapeHtml(messages[`${step}_text`]),
    escapeHtml(person?.organization ?? ''),
    address,
  );
  return {
    language,
    direction,
    title: messages[`${step}_title`],
    badge: trustedHtml(BADGES[step]),
    text: trustedHtml(text),
    action: createAction(token, step, messages),
  };
}

function createAction(
  token: string,
  step: OptOutStep,
  messages: OptOutPage['localized']['messages'],
): Html | null {
  if (step === 'unknown') return null;
  if (step === 'done')
    return html`<form method="post" action="/u/${token}/undo">
      <button class="button">${messages.undo_button}</button>
    </form>`;
  return html`<form method="post" action="/u/${token}">
    <button class="button${step === 'ask' && ' primary'}">${messages.ask_button}</button>
  </form>`;
}
