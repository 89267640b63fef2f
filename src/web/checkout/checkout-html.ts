import type { CheckoutPage } from '../../services/billing/checkout-pages.ts';
import { html, type Html, trustedHtml } from '../shared/html.ts';

type Moment = 'sandbox' | 'waiting' | 'paid' | 'cancelled' | 'expired' | 'unknown';

const COINS =
  '<ellipse cx="12" cy="6.5" rx="7" ry="3"/><path d="M5 6.500v5.500c0 1.66 3.13 3 7 3s7-1.34 7-3V6.5"/><path d="M5 12v5.500c0 1.66 3.13 3 7 3s7-1.34 7-3V12"/>';
const CLOCK = '<circle cx="12" cy="12" r="8.5"/><path d="M12 7.500V12l3 2"/>';
const BADGES: Record<Moment, string> = {
  sandbox: COINS,
  waiting: CLOCK,
  paid: '<path d="m5 13 4.5 4.500L19 8"/>',
  cancelled: '<path d="m7 7 10 10M17 7 7 17"/>',
  expired: CLOCK,
  unknown: '<circle cx="12" cy="12" r="9"/><path d="M12 8v4.500m0 3.200v.1"/>',
};

const WORDS: Record<Moment, { title: string; text: string }> = {
  sandbox: {
    title: 'Buy credits',
    text: 'This is a rehearsal: nobody asks for a card, but the credits count here.',
  },
  waiting: {
    title: 'Waiting for the payment',
    text: 'The credits are there as soon as the payment is confirmed, usually within a minute. If you left without paying, nothing was charged.',
  },
  paid: { title: 'The credits are there', text: 'They were added to the balance.' },
  cancelled: {
    title: 'The order was cancelled',
    text: 'Nothing was charged, and no credits were added. You can close this page.',
  },
  expired: {
    title: 'This order has expired',
    text: 'An order can be paid for a day. Nothing was charged; order the credits again.',
  },
  unknown: {
    title: 'There is nothing at this address',
    text: 'It may be incomplete. Ask whoever gave it to you.',
  },
};

/** Of the sandbox, where nobody could be in doubt about it. */
const NO_MONEY = new Map<Moment, string>([
  ['sandbox', 'No money is taken.'],
  ['paid', 'No money was taken.'],
]);

/** Whole, with its style in it; null: there is no such order. */
export function checkoutHtml(page: CheckoutPage | null, style: string): string {
  const moment = momentOf(page);
  const { title, text } = WORDS[moment];
  const isSandbox = page?.provider === 'sandbox';
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${title} · Canvass</title>
        <link rel="icon" href="data:," />
        ${trustedHtml(`<style>${style}</style>`)}
      </head>
      <body>
        <div id="page">
          <main class="${moment}">
            <svg class="badge" viewBox="0 0 24 24" aria-hidden="true">${trustedHtml(BADGES[moment])}</svg>
            <div class="head">
              ${isSandbox && html`<p class="mode">Sandbox</p>`}
              <h1>${title}</h1>
            </div>
            ${page !== null && receipt(page, moment)}
            <p class="said" role="status">
              ${isSandbox && NO_MONEY.has(moment) && html`<strong>${NO_MONEY.get(moment)!}</strong> `} ${text}
            </p>
            ${page !== null && actions(page, moment)}
          </main>
        </div>
      </body>
    </html> `.text;
}

function momentOf(page: CheckoutPage | null): Moment {
  if (page === null) return 'unknown';
  if (page.state !== 'open') return page.state;
  return page.provider === 'sandbox' ? 'sandbox' : 'waiting';
}

/** What is bought, by whom, for how much. */
function receipt({ organization, credits, amount, currency, provider }: CheckoutPage, moment: Moment): Html {
  const price = money(amount, currency);
  const isTaken = provider === 'stripe';
  const hasTotal = !isTaken && (moment === 'sandbox' || moment === 'paid');
  return html`<dl>
    <div>
      <dt>For</dt>
      <dd><bdi>${organization}</bdi></dd>
    </div>
    <div>
      <dt>Credits</dt>
      <dd class="figure">${credits.toLocaleString('en')}</dd>
    </div>
    <div>
      <dt>Price</dt>
      <dd class="figure">${isTaken ? price : html`<s>${price}</s>`}</dd>
    </div>
    ${
      hasTotal &&
      html`<div class="total">
        <dt>${moment === 'sandbox' ? 'You pay' : 'Paid'}</dt>
        <dd class="figure">${money(0, currency)}</dd>
      </div>`
    }
  </dl>`;
}

function actions({ checkoutId, successUrl, cancelUrl }: CheckoutPage, moment: Moment): Html | null {
  if (moment === 'sandbox')
    return html`<div class="actions">
      <form method="post" action="/checkout/${checkoutId}/pay">
        <button class="main">Pay (sandbox)</button>
      </form>
      <form method="post" action="/checkout/${checkoutId}/cancel"><button class="less">Cancel</button></form>
    </div>`;
  if (moment === 'waiting') return link(`/checkout/${checkoutId}`, 'Look again');
  const back = moment === 'paid' ? successUrl : cancelUrl;
  return back === null ? null : link(back, 'Continue');
}

const link = (address: string, words: string): Html =>
  html`<p class="actions"><a class="less" href="${address}">${words}</a></p>`;

/** `$22.50`. */
const money = (amount: number, currency: string): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).format(amount / 100);
