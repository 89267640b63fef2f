import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../../../src/lib/errors.ts';
import type { Order } from '../../../../src/providers/payment-provider.ts';
import { StripePayment } from '../../../../src/providers/stripe-payment.ts';
import {
  stripeEvent,
  signStripeEvent,
  stripeError,
  useFakePayments,
} from '../../../support/fake-payment-server.ts';

const stripe = useFakePayments();
let payment: StripePayment;
beforeAll(() => {
  payment = new StripePayment(stripe);
});

const ID = '0b8f6c1e-55d0-4a9f-9c43-0d9a3c4f7a11';
let orders = 0;
const order = (more: Partial<Order> = {}): Order => ({
  checkoutId: `0b8f6c1e-55d0-4a9f-9c43-${String((orders += 1)).padStart(12, '0')}`,
  organizationId: 7,
  credits: 5_000,
  amount: 2_250,
  currency: 'usd',
  successUrl: 'https://canvass.example/done',
  cancelUrl: 'https://canvass.example/back',
  ...more,
});

/** Returns the error of an attempt. */
async function refusal(work: Promise<unknown>): Promise<AppError> {
  const error = await work.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(AppError);
  return error as AppError;
}

describe('a checkout', () => {
  it('becomes a Stripe session with everything needed to identify it', async () => {
    const input = order();
    const opened = await payment.openCheckout(input);
    expect(opened).toEqual({
      sessionId: 'cs_test_1',
      url: 'https://checkout.stripe.example/c/pay/cs_test_1',
    });
    expect(stripe.sessions.get('cs_test_1')).toMatchObject({
      client_reference_id: input.checkoutId,
      amount_total: 2_250,
      currency: 'usd',
      metadata: { checkout_id: input.checkoutId, organization_id: '7', credits: '5000' },
      success_url: input.successUrl,
      cancel_url: input.cancelUrl,
    });
    expect(stripe.requests[0]!.get('line_items[0][price_data][product_data][name]')).toBe('5,000 credits');
  });

  it('has the same session if the connection broke before the reply', async () => {
    stripe.next.push('cut');
    const before = stripe.sessions.size;
    const input = order();
    const { sessionId } = await payment.openCheckout(input);
    expect(stripe.requests).toHaveLength(2);
    expect(stripe.sessions.size).toBe(before + 1);
    expect(stripe.sessions.get(sessionId)!.client_reference_id).toBe(input.checkoutId);
  });

  it('is retried after a temporary Stripe failure', async () => {
    stripe.next.push(stripeError(500, 'api_error', 'Something is broken'));
    await payment.openCheckout(order());
    expect(stripe.requests).toHaveLength(2);
  });

  const AWAY = ['unavailable', 'payment_provider_unavailable'];
  const REFUSED = ['bad_gateway', 'payment_provider_failed'];
  const NEVER = { 'Stripe-Should-Retry': 'false' };
  it.each([
    ['Stripe fails', { ...stripeError(500, 'api_error', 'x sk_live_a'), headers: NEVER }, AWAY],
    ['Stripe is overloaded', stripeError(429, 'rate_limit_error', 'x', 'rate_limit'), AWAY],
    ['Stripe sends no JSON', { status: 200, body: '<html>', headers: NEVER }, AWAY],
    ['the key is invalid', stripeError(401, 'invalid_request_error', 'Invalid key sk_live_a'), REFUSED],
    [
      'the key lacks permission',
      stripeError(403, 'invalid_request_error', 'The key rk_live_a may not'),
      REFUSED,
    ],
    [
      'Stripe rejects the parameters',
      stripeError(400, 'invalid_request_error', 'sk_live_a', 'parameter_missing'),
      REFUSED,
    ],
    [
      'Stripe returns no page',
      { status: 200, body: '{"id":"cs_1","object":"checkout.session","url":null}' },
      REFUSED,
    ],
    ['the page is a script', { status: 200, body: '{"id":"cs_1","url":"javascript:alert(1)"}' }, REFUSED],
    ['Stripe returns a list', { status: 200, body: '[]' }, REFUSED],
  ] as const)('is rejected in own words, without the key, if %s', async (_when, answer, [kind, code]) => {
    stripe.next.push(answer, answer, answer);
    const error = await refusal(payment.openCheckout(order()));
    expect([error.kind, error.code]).toEqual([kind, code]);
    expect(JSON.stringify([error.message, error.stack, error])).not.toMatch(/[sr]k_live/);
  });

  it('names the invalid parameters and the Stripe request id', async () => {
    stripe.next.push(stripeError(400, 'invalid_request_error', 'secret', 'parameter_missing'));
    const error = await refusal(payment.openCheckout(order()));
    expect(error.message).toContain('(StripeInvalidRequestError, parameter_missing, req_fake123)');
  });

  it('fails if Stripe cannot be reached', async () => {
    const nobody = new StripePayment({ ...stripe, apiBase: 'http://127.0.0.1:9' });
    expect((await refusal(nobody.openCheckout(order()))).code).toBe('payment_provider_unavailable');
  });
});

describe('a Stripe event', () => {
  const now = new Date('2026-03-01T12:00:00Z');
  const paid = {
    id: 'cs_test_1',
    client_reference_id: ID,
    payment_status: 'paid',
    amount_total: 2_250,
    currency: 'usd',
    metadata: { organization_id: '7' },
  };
  const read = (
    body: string,
    signature: string | null = signStripeEvent(body, stripe.webhookSecret, now),
    at = now,
  ) => payment.readEvent(Buffer.from(body), signature, at);

  it('is read if it is signed', async () => {
    expect(await read(stripeEvent('checkout.session.completed', paid, 'evt_1'))).toEqual({
      eventId: 'evt_1',
      eventType: 'checkout.session.completed',
      update: {
        kind: 'paid',
        order: {
          checkoutId: ID,
          sessionId: 'cs_test_1',
          organizationId: '7',
          amount: 2_250,
          currency: 'usd',
        },
      },
    });
  });

  it.each([
    ['completed, and paid', 'checkout.session.completed', {}, 'paid'],
    ['completed, to be paid later', 'checkout.session.completed', { payment_status: 'unpaid' }, undefined],
    ['paid later', 'checkout.session.async_payment_succeeded', {}, 'paid'],
    ['not paid later', 'checkout.session.async_payment_failed', { payment_status: 'unpaid' }, undefined],
    ['expired', 'checkout.session.expired', { payment_status: 'unpaid' }, 'expired'],
    ['without a checkout', 'checkout.session.completed', { client_reference_id: null }, undefined],
    [
      "of another system's checkout",
      'checkout.session.completed',
      { client_reference_id: 'order 7' },
      undefined,
    ],
    ['of another type', 'invoice.paid', {}, undefined],
  ])('a session that is %s', async (_what, type, more, kind) => {
    expect((await read(stripeEvent(type, { ...paid, ...more }))).update?.kind).toBe(kind);
  });

  it('has null for missing fields', async () => {
    const bare = { id: 'cs_1', client_reference_id: ID, payment_status: 'paid' };
    const { update: news } = await read(stripeEvent('checkout.session.completed', bare));
    expect(news!.order).toMatchObject({ organizationId: null, amount: null, currency: null });
  });

  const body = stripeEvent('checkout.session.completed', paid, 'evt_2');
  const right = signStripeEvent(body, 'whsec_fakeSecretOfTests', now);
  const seconds = (n: number) => new Date(now.getTime() + n * 1_000);
  it.each([
    ['nothing', body, null, now],
    ['no signature', body, '', now],
    ['nonsense', body, 'nonsense', now],
    ['another secret', body, signStripeEvent(body, 'whsec_other', now), now],
    ['another body', body.replace('2250', '2251'), right, now],
    ['an additional space', `${body} `, right, now],
    ['another scheme', body, right.replace('v1=', 'v0='), now],
    ['a changed timestamp', body, right.replace(/t=\d+/, `t=${Math.floor(now.getTime() / 1000) + 1}`), now],
    ['an old timestamp', body, right, seconds(301)],
  ])('is rejected with %s, without an explanation', async (_what, sent, signature, at) => {
    const error = await refusal(read(sent, signature, at));
    expect([error.kind, error.code, error.message, error.details]).toEqual([
      'invalid',
      'invalid_signature',
      'The signature of the request is missing, invalid or expired',
      [],
    ]);
  });

  it('may be five minutes old', async () => {
    expect((await read(body, right, seconds(300))).eventId).toBe('evt_2');
  });

  it('with a valid signature and any contents is read or rejected without another error', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.json()), async (text) => {
        if (text === '') return;
        const outcome = await read(text).catch((error: unknown) => error);
        expect(outcome).toMatchObject({ kind: 'invalid', code: 'validation_failed' });
      }),
    );
    for (const id of ['evt_\u0000', 'x'.repeat(300), 7, null])
      expect((await refusal(read(JSON.stringify({ id, type: 'a.b', data: { object: {} } })))).kind).toBe(
        'invalid',
      );
  });
});
