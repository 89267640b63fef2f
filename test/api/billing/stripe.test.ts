import { beforeEach, describe, expect, it } from 'vitest';
import { newOrganization, type Organization, requestTo } from '../../support/actors.ts';
import { appOn, useApp } from '../../support/app.ts';
import {
  stripeEvent,
  type FakeSession,
  signStripeEvent,
  stripeError,
  useFakePayments,
} from '../../support/fake-payment-server.ts';
import { expectRefused } from '../../support/refusals.ts';

const START = 10;
const stripe = useFakePayments();
const settings = () => ({
  AI_STARTING_CREDITS: String(START),
  STRIPE_SECRET_KEY: stripe.secretKey,
  STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
  STRIPE_API_BASE: stripe.apiBase,
});
const test = useApp(settings);
let organization: Organization;
beforeEach(async () => {
  organization = await newOrganization(test);
});

const PATH = '/api/billing/stripe-webhook';
const PAID = 'checkout.session.completed';
const LATER = 'checkout.session.async_payment_succeeded';
const EXPIRED = 'checkout.session.expired';

const order = (body: object = { credits: 5_000 }) =>
  organization.admin.post('/api/billing/create-credits-checkout', body);
const balance = async (): Promise<number> =>
  (await organization.admin.get('/api/billing/balance').expect(200)).body.data.balance;

/** The session of a new order, as Stripe has it. */
async function ordered(): Promise<FakeSession> {
  const { body } = await order().expect(201);
  return [...stripe.sessions.values()].find(
    (session) => session.client_reference_id === body.data.checkout_id,
  )!;
}
const paid = (session: FakeSession, more: object = {}) => ({ ...session, payment_status: 'paid', ...more });
const deliver = (text: string, signature = signStripeEvent(text, stripe.webhookSecret)) =>
  requestTo(test, 'post', PATH)
    .set('Content-Type', 'application/json; charset=utf-8')
    .set('Stripe-Signature', signature)
    .send(text);

async function rows<Row>(
  sql: string,
  binding: string | number = organization.organizationId,
): Promise<Row[]> {
  const { rows: found } = await test.database.db.raw<{ rows: Row[] }>(sql, [binding]);
  return found;
}
const stateOf = async ({ client_reference_id: id }: FakeSession) =>
  (
    await rows<{ purchase_state: string }>(
      'SELECT purchase_state FROM credit_purchases WHERE checkout_id = ?',
      id,
    )
  )[0]?.purchase_state;
const seen = (eventId: string) =>
  rows<object>('SELECT event_type, outcome FROM payment_events WHERE event_id = ?', eventId);
const gifts = () =>
  rows<object>(`SELECT credits FROM credit_ledger WHERE organization_id = ? AND entry_kind = 'purchase'`);
const actions = async () =>
  (await rows<{ action: string }>('SELECT action FROM audit_log WHERE organization_id = ? ORDER BY audit_id'))
    .map(({ action }) => action)
    .filter((action) => action.startsWith('credits.'));

describe('a Stripe checkout', () => {
  it("redirects to Stripe's page, and back to the order page", async () => {
    const { body } = await order().expect(201);
    const session = await ordered();
    expect(body.data.checkout_url).toMatch(/^https:\/\/checkout\.stripe\.example\/c\/pay\/cs_test_\d+$/);
    expect(session).toMatchObject({
      amount_total: 2_250,
      currency: 'usd',
      metadata: { organization_id: String(organization.organizationId) },
    });
    expect(session.success_url).toMatch(new RegExp(`/checkout/${session.client_reference_id}$`));
    const page = await requestTo(test, 'get', new URL(session.success_url).pathname).expect(200);
    expect(page.text).toContain('Waiting for payment');
    expect(page.text).not.toContain('<form');
    expect((await organization.admin.get('/api/billing/credits').expect(200)).body.data.provider).toBe(
      'stripe',
    );
  });

  it('cannot be paid on the sandbox page', async () => {
    const { client_reference_id: id } = await ordered();
    for (const what of ['pay', 'cancel'])
      await requestTo(test, 'post', `/checkout/${id}/${what}`).expect(404);
    expect(await balance()).toBe(START);
  });

  it.each([
    [
      502,
      'payment_provider_failed',
      stripeError(401, 'invalid_request_error', 'Invalid key sk_test_fakeKeyOfTests'),
    ],
    [503, 'payment_provider_unavailable', stripeError(429, 'rate_limit_error', 'slow down', 'rate_limit')],
  ])('rejected by Stripe returns %i %s and is not stored', async (status, code, answer) => {
    stripe.next.push(answer, answer, answer);
    const lines: string[] = [];
    const logged = appOn(test.database, settings(), { logLine: (line) => void lines.push(line) });
    const reply = requestTo(logged, 'post', '/api/billing/create-credits-checkout')
      .set('X-API-Key', organization.admin.apiKey!)
      .send({ credits: 5_000 });
    const body = await expectRefused(reply, status, code);
    expect(JSON.stringify(body) + lines.join('')).not.toContain('fakeKeyOfTests');
    expect(lines.length).toBeGreaterThan(0);
    expect(await rows('SELECT 1 FROM credit_purchases WHERE organization_id = ?')).toEqual([]);
    expect(await actions()).toEqual([]);
  });
});

describe('a Stripe event', () => {
  it.each([PAID, LATER])('%s gives the credits', async (type) => {
    const session = await ordered();
    const { body } = await deliver(stripeEvent(type, paid(session))).expect(200);
    expect(body.data).toEqual({ received: true });
    expect(await balance()).toBe(START + 5_000);
    expect(await stateOf(session)).toBe('paid');
    expect(await actions()).toEqual(['credits.ordered', 'credits.purchased']);
    const page = await requestTo(test, 'get', `/checkout/${session.client_reference_id}`).expect(200);
    expect(page.text).toContain('Credits added');
  });

  it('grants credits once for twenty concurrent deliveries of each of two events', async () => {
    const session = await ordered();
    const events = [stripeEvent(PAID, paid(session)), stripeEvent(LATER, paid(session))];
    const replies = await Promise.all(Array.from({ length: 40 }, (_, n) => deliver(events[n % 2]!)));
    expect(replies.map(({ status }) => status)).toEqual(Array(40).fill(200));
    expect(await gifts()).toEqual([{ credits: 5_000 }]);
    expect(await balance()).toBe(START + 5_000);
    expect((await actions()).filter((action) => action === 'credits.purchased')).toHaveLength(1);
  });

  it('grants paid credits whatever the order of events', async () => {
    const session = await ordered();
    await deliver(stripeEvent(EXPIRED, session)).expect(200);
    expect(await stateOf(session)).toBe('expired');
    await deliver(stripeEvent(PAID, paid(session))).expect(200);
    await deliver(stripeEvent(EXPIRED, session)).expect(200);
    expect(await stateOf(session)).toBe('paid');
    expect(await balance()).toBe(START + 5_000);
  });

  it('grants nothing before payment', async () => {
    const session = await ordered();
    await deliver(stripeEvent(PAID, session)).expect(200);
    expect(await balance()).toBe(START);
    await deliver(stripeEvent(LATER, paid(session))).expect(200);
    expect(await balance()).toBe(START + 5_000);
  });

  it.each([
    ['another amount', { amount_total: 1 }],
    ['no amount', { amount_total: null }],
    ['another currency', { currency: 'jpy' }],
    ['another organization', { metadata: { organization_id: '1' } }],
    ['no organization', { metadata: null }],
    ['another session', { id: 'cs_test_other' }],
  ])('with %s is rejected each time, recorded once and grants nothing', async (_what, more) => {
    const session = await ordered();
    const text = stripeEvent(PAID, paid(session, more));
    for (let n = 0; n < 3; n += 1) await expectRefused(deliver(text), 409, 'payment_mismatch');
    expect(await balance()).toBe(START);
    expect(await stateOf(session)).toBe('open');
    expect(await actions()).toEqual(['credits.ordered', 'credits.payment_refused']);
    await deliver(stripeEvent(PAID, paid(session))).expect(200);
    expect(await balance()).toBe(START + 5_000);
  });

  it.each([
    [
      'for a checkout of another system',
      PAID,
      { client_reference_id: '0b8f6c1e-55d0-4a9f-9c43-0d9a3c4f7a11' },
    ],
    ['of another system', PAID, { client_reference_id: null }],
    ['of another type', 'invoice.paid', {}],
  ])('%s is accepted and recorded', async (_what, type, more) => {
    const session = await ordered();
    const eventId = `evt_seen_${session.id}`;
    for (let n = 0; n < 2; n += 1) await deliver(stripeEvent(type, paid(session, more), eventId)).expect(200);
    expect(await seen(eventId)).toEqual([{ event_type: type, outcome: 'ignored' }]);
    expect(await balance()).toBe(START);
  });

  it('is rejected without a valid, recent signature', async () => {
    const session = await ordered();
    const text = stripeEvent(PAID, paid(session), `evt_unsigned_${session.id}`);
    const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000);
    const secret = stripe.webhookSecret;
    const bare = requestTo(test, 'post', PATH).set('Content-Type', 'application/json').send(text);
    const tries = [
      bare,
      deliver(text, 'nonsense'),
      deliver(text, signStripeEvent(text, 'whsec_other')),
      deliver(`${text}\n`, signStripeEvent(text, secret)),
      deliver(text, signStripeEvent(text, secret, ago(400))),
      deliver('', signStripeEvent(text, secret)),
    ];
    for (const sent of tries) {
      const body = await expectRefused(sent, 400, 'invalid_signature');
      expect([body.message, body.details]).toEqual([
        'The signature of the request is missing, invalid or expired',
        [],
      ]);
    }
    expect(await seen(`evt_unsigned_${session.id}`)).toEqual([]);
    expect(await balance()).toBe(START);
    await deliver(text, signStripeEvent(text, secret, ago(200))).expect(200);
    expect(await balance()).toBe(START + 5_000);
  });

  it('ignores cookies, and returns 404 without Stripe', async () => {
    const text = stripeEvent('payout.paid', {});
    await deliver(text).set('Cookie', 'auth_token=nonsense').set('Sec-Fetch-Site', 'cross-site').expect(200);
    const without = requestTo(appOn(test.database), 'post', PATH).set('Content-Type', 'application/json');
    await expectRefused(without.send(text), 404, 'not_found');
  });

  it('is limited in size', async () => {
    const text = stripeEvent(PAID, { more: 'x'.repeat(1_000_000) });
    await expectRefused(deliver(text), 413);
  });
});
