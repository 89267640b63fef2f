import type { CheckoutPage } from '../../services/billing/checkouts.ts';
import { html, type Html, trustedHtml } from '../shared/html.ts';
import { texts } from './texts.ts';

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
const NO_MONEY = new Map<OrderState, string>(
  Object.entries(texts.noMoney) as [keyof typeof texts.noMoney, string][],
);

/** Renders the card of an order. null: the order does not exist. */
export function renderCheckout(page: CheckoutPage | null): { title: string; content: Html } {
  const state = orderState(page);
  const { title, text } = texts.states[state];
  const isSandbox = page?.provider === 'sandbox';
  const content = html`<svg class="badge" viewBox="0 0 24 24" aria-hidden="true">
      ${trustedHtml(BADGES[state])}
    </svg>
    <div class="head">
      ${isSandbox && html`<p class="mode">${texts.sandbox}</p>`}
      <h1>${title}</h1>
    </div>
    ${page !== null && renderReceipt(page, state)}
    <p class="message" role="status">
      ${isSandbox && NO_MONEY.has(state) && html`<strong>${NO_MONEY.get(state)!}</strong> `} ${text}
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
  return html`<dl>
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
        <button class="main">${texts.pay}</button>
      </form>
      <form method="post" action="/checkout/${checkoutId}/cancel">
        <button class="less">${texts.cancel}</button>
      </form>
    </div>`;
  if (state === 'waiting') return renderLink(`/checkout/${checkoutId}`, texts.refresh);
  const back = state === 'paid' ? successUrl : cancelUrl;
  return back === null ? null : renderLink(back, texts.continue);
}

const renderLink = (address: string, label: string): Html =>
  html`<p class="actions"><a class="less" href="${address}">${label}</a></p>`;

/** Formats an amount in the smallest currency unit, such as `$22.50`. */
const formatMoney = (amount: number, currency: string): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).format(amount / 100);
