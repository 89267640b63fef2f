import { type Request, type RequestHandler, type Response, Router } from 'express';
import { checkSameSite } from '../../middleware/authenticate.ts';
import { createRequestFacts } from '../../middleware/request-context.ts';
import type { CheckoutPage, CheckoutPageService } from '../../services/billing/checkouts.ts';
import { html, type Html, trustedHtml } from '../shared/html.ts';
import { renderBadge, sendCardPage } from '../shared/notice-page.ts';

/** Every text of the checkout page, by the state of the order. */
const texts = {
  states: {
    sandbox: {
      title: 'Buy credits',
      text: 'This is a test. You do not need a card, and the credits are added to your balance.',
    },
    waiting: {
      title: 'Waiting for payment',
      text: 'Credits are added when the payment is confirmed, usually within a minute. If you left without paying, you were not charged.',
    },
    paid: { title: 'Credits added', text: 'The credits are in your balance.' },
    cancelled: {
      title: 'Order canceled',
      text: 'You were not charged and no credits were added. You can close this page.',
    },
    expired: {
      title: 'This order has expired',
      text: 'Orders expire after one day. You were not charged. You can order the credits again.',
    },
    unknown: {
      title: 'Order not found',
      text: 'The link may be incomplete. Check that you copied all of it.',
    },
  },
  noMoney: { sandbox: 'You will not be charged.', paid: 'You were not charged.' },
  pageTitle: (title: string) => `${title} · Canvass`,
  sandbox: 'Sandbox',
  organization: 'For',
  credits: 'Credits',
  price: 'Price',
  toPay: 'You pay',
  paid: 'Paid',
  pay: 'Pay (sandbox)',
  cancel: 'Cancel',
  refresh: 'Check again',
  continue: 'Continue',
} as const;

type Params = { id: string };

interface CheckoutOptions {
  /** scheme://host of this server as browsers reach it; null: taken from the request. */
  publicUrl: string | null;
  allowedOrigins: readonly string[];
}

/**
 * The router of `/checkout/<id>`: pays orders in the sandbox, and shows the state of every order. GET changes nothing; POST is accepted only
 * from this page. It is mounted at `/checkout`.
 */
export function createCheckoutRouter(
  checkouts: CheckoutPageService,
  { publicUrl, allowedOrigins }: CheckoutOptions,
): Router {
  const resolveBaseUrl = (request: Request<Params>, response: Response): string =>
    createRequestFacts(request as Request, response, publicUrl).baseUrl;

  const show: RequestHandler<Params> = async (request, response) => {
    send(response, await checkouts.open(request.params.id, resolveBaseUrl(request, response)));
  };
  const createChangeHandler =
    (action: 'pay' | 'cancel'): RequestHandler<Params> =>
    async (request, response) => {
      const baseUrl = resolveBaseUrl(request, response);
      checkSameSite(request as Request, baseUrl, allowedOrigins);
      const page = await checkouts[action](request.params.id, baseUrl);
      if (page === null) return send(response, null);
      const returnUrl =
        page.state === 'paid' ? page.successUrl : page.state === 'cancelled' ? page.cancelUrl : null;
      response
        .setHeader('Cache-Control', 'no-store')
        // After a redirect, reloading the page does not submit the form again.
        .redirect(303, returnUrl ?? `/checkout/${page.checkoutId}`);
    };
  const router = Router();
  router.get('/:id', show);
  router.post('/:id/pay', createChangeHandler('pay'));
  router.post('/:id/cancel', createChangeHandler('cancel'));
  return router;
}

function send(response: Response, page: CheckoutPage | null): void {
  // Browsers apply the form-action of a page also to the redirect that answers its form.
  const formOrigins = [page?.successUrl ?? null, page?.cancelUrl ?? null].flatMap((address) =>
    address === null ? [] : [new URL(address).origin],
  );
  sendCardPage(response, page === null ? 404 : 200, {
    ...renderCheckout(page),
    formOrigins,
    // With `no-referrer`, browsers do not state the origin of a form, which the same-site check needs.
    referrerPolicy: 'same-origin',
  });
}

type OrderState = keyof typeof texts.states;

const COINS =
  '<ellipse cx="12" cy="6.5" rx="7" ry="3"/><path d="M5 6.5v5.5c0 1.66 3.13 3 7 3s7-1.34 7-3V6.5"/><path d="M5 12v5.5c0 1.66 3.13 3 7 3s7-1.34 7-3V12"/>';
const CLOCK = '<circle cx="12" cy="12" r="8.5"/><path d="M12 7.5V12l3 2"/>';
const BADGES: Record<OrderState, string> = {
  sandbox: COINS,
  waiting: CLOCK,
  paid: '<path d="m5 13 4.5 4.5L19 8"/>',
  cancelled: '<path d="m7 7 10 10M17 7 7 17"/>',
  expired: CLOCK,
  unknown: '<circle cx="12" cy="12" r="9"/><path d="M12 8v4.5m0 3.2v.1"/>',
};

/** Texts of the sandbox, by state: nothing is charged. */
const NO_MONEY = new Map<OrderState, string>(Object.entries(texts.noMoney) as [OrderState, string][]);

/** Renders the card of an order. null: the order does not exist. */
function renderCheckout(page: CheckoutPage | null): { title: string; content: Html } {
  const state = orderState(page);
  const { title, text } = texts.states[state];
  const isSandbox = page?.provider === 'sandbox';
  const noMoney = isSandbox ? NO_MONEY.get(state) : undefined;
  const content = html`${renderBadge(trustedHtml(BADGES[state]))}
    ${isSandbox && html`<p class="mode">${texts.sandbox}</p>`}
    <h1>${title}</h1>
    ${page !== null && renderReceipt(page, state)}
    <p class="message" role="status">
      ${noMoney !== undefined && html`<strong>${noMoney}</strong> `} ${text}
    </p>
    ${page !== null && renderActions(page, state)}`;
  return { title: texts.pageTitle(title), content };
}

function orderState(page: CheckoutPage | null): OrderState {
  if (page === null) return 'unknown';
  if (page.state !== 'open') return page.state;
  return page.provider === 'sandbox' ? 'sandbox' : 'waiting';
}

/** Renders the organization, the credits and the price. In the sandbox the price is crossed out. */
function renderReceipt(
  { organization, credits, amount, currency, provider }: CheckoutPage,
  state: OrderState,
): Html {
  const price = formatMoney(amount, currency);
  const isCharged = provider === 'stripe';
  const hasTotal = !isCharged && (state === 'sandbox' || state === 'paid');
  return html`<dl class="receipt">
    <div>
      <dt>${texts.organization}</dt>
      <dd><bdi>${organization}</bdi></dd>
    </div>
    <div>
      <dt>${texts.credits}</dt>
      <dd class="figure">${credits.toLocaleString('en')}</dd>
    </div>
    <div>
      <dt>${texts.price}</dt>
      <dd class="figure">${isCharged ? price : html`<s>${price}</s>`}</dd>
    </div>
    ${
      hasTotal &&
      html`<div class="total">
        <dt>${state === 'sandbox' ? texts.toPay : texts.paid}</dt>
        <dd class="figure">${formatMoney(0, currency)}</dd>
      </div>`
    }
  </dl>`;
}

function renderActions({ checkoutId, successUrl, cancelUrl }: CheckoutPage, state: OrderState): Html | null {
  if (state === 'sandbox')
    return html`<div class="actions">
      <form method="post" action="/checkout/${checkoutId}/pay">
        <button class="button primary">${texts.pay}</button>
      </form>
      <form method="post" action="/checkout/${checkoutId}/cancel">
        <button class="button">${texts.cancel}</button>
      </form>
    </div>`;
  if (state === 'waiting') return renderLink(`/checkout/${checkoutId}`, texts.refresh);
  const back = state === 'paid' ? successUrl : cancelUrl;
  return back === null ? null : renderLink(back, texts.continue);
}

const renderLink = (address: string, label: string): Html =>
  html`<p class="actions"><a class="button" href="${address}">${label}</a></p>`;

/** Formats an amount in the smallest currency unit, such as `$22.50`. */
const formatMoney = (amount: number, currency: string): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).format(amount / 100);
