import { beforeEach, describe, expect, it } from 'vitest';
import { newOrganization, type Organization, requestTo } from '../../support/actors.ts';
import { appOn, useApp } from '../../support/app.ts';
import { expectRefused, expectInvalidField } from '../../support/refusals.ts';

const START = 10;
const FRIEND = 'https://research.example';
const test = useApp({ AI_STARTING_CREDITS: String(START), ALLOWED_ORIGINS: FRIEND, PAYMENT_SANDBOX: 'true' });
let organization: Organization;
beforeEach(async () => {
  organization = await newOrganization(test);
});

const HOST = 'canvass.example';
const order = (body: object, who = organization.admin) =>
  who.post('/api/billing/create-credits-checkout', body).set('Host', HOST);
const balance = async (): Promise<number> =>
  (await organization.admin.get('/api/billing/balance').expect(200)).body.data.balance;
const post = (path: string) => requestTo(test, 'post', path).set('Host', HOST).redirects(0);

async function rows<Row>(sql: string): Promise<Row[]> {
  const { rows: found } = await test.database.db.raw<{ rows: Row[] }>(sql, [organization.organizationId]);
  return found;
}
const purchases = () =>
  rows<object>(
    'SELECT credits, amount, currency, provider, purchase_state FROM credit_purchases WHERE organization_id = ? ORDER BY created_at',
  );
const ledger = () =>
  rows<{ entry_kind: string; credits: number; balance_after: number }>(
    'SELECT entry_kind, credits, balance_after FROM credit_ledger WHERE organization_id = ? ORDER BY entry_id',
  );
const actions = async () =>
  (await rows<{ action: string }>('SELECT action FROM audit_log WHERE organization_id = ? ORDER BY audit_id'))
    .map(({ action }) => action)
    .filter((action) => action.startsWith('credits.'));

describe('credit packs', () => {
  it('are shown to members with prices, limits, uses of credits and the payment provider', async () => {
    const { data } = (await (await organization.addUser('member')).get('/api/billing/credits').expect(200))
      .body;
    expect(data).toMatchObject({
      min_credits: 100,
      max_credits: 1_000_000,
      currency: 'usd',
      provider: 'sandbox',
    });
    expect(data.packs[0]).toEqual({ credits: 1_000, amount: 500, currency: 'usd' });
    expect(data.prices).toContainEqual({ engine: 'built-in', model: null, credits_per_1000_tokens: 0.1 });
    await expectRefused((await organization.addUser('client')).get('/api/billing/credits'), 403);
  });
});

describe('an order', () => {
  it('is stored with its price, links to its page and adds no credits yet', async () => {
    const { body } = await order({ credits: 300 }).expect(201);
    const { checkout_id: id, checkout_url: url } = body.data;
    expect(url).toBe(`http://${HOST}/checkout/${id}`);
    expect(await purchases()).toEqual([
      { credits: 300, amount: 150, currency: 'usd', provider: 'sandbox', purchase_state: 'open' },
    ]);
    expect(await balance()).toBe(START);
    expect(await actions()).toEqual(['credits.ordered']);
  });

  it('is created once for repeated requests with the same key', async () => {
    const send = () => order({ credits: 300 }).set('Idempotency-Key', 'once');
    const first = await send().expect(201);
    const second = await send().expect(201);
    expect(second.body).toEqual(first.body);
    expect(await purchases()).toHaveLength(1);
    await expectRefused(order({ credits: 301 }).set('Idempotency-Key', 'once'), 409, 'idempotency_clash');
  });

  it('requires an admin', async () => {
    await expectRefused(order({ credits: 300 }, await organization.addUser('member')), 403);
    expect(await purchases()).toEqual([]);
  });

  it.each([99, 1_000_001, 100.5, -100, '300', null, undefined])(
    'of %j credits is rejected',
    async (credits) => {
      await expectInvalidField(order({ credits }), 'credits');
      expect(await purchases()).toEqual([]);
    },
  );

  it.each([
    'https://evil.example/done',
    `http://${HOST}.evil.example`,
    `http://${HOST}@evil.example`,
    `http://evil.example\\@${HOST}`,
    `https://${HOST}/done`,
    `${FRIEND}.evil.example`,
    '//evil.example',
    '/done',
    'javascript:alert(1)',
    'x'.repeat(2_001),
  ])('with a redirect to %s is rejected with the field', async (address) => {
    await expectInvalidField(order({ credits: 300, success_url: address }), 'success_url');
    await expectInvalidField(order({ credits: 300, cancel_url: address }), 'cancel_url');
    expect(await purchases()).toEqual([]);
  });
});

describe('the order page', () => {
  async function ordered(more: object = {}): Promise<string> {
    return `/checkout/${(await order({ credits: 300, ...more }).expect(201)).body.data.checkout_id}`;
  }

  it('adds the credits once for twenty concurrent payments', async () => {
    const path = await ordered();
    const replies = await Promise.all(Array.from({ length: 20 }, () => post(`${path}/pay`)));
    expect(new Set(replies.map(({ status, headers }) => `${status} ${headers.location}`))).toEqual(
      new Set([`303 ${path}`]),
    );
    expect(await ledger()).toEqual([
      { entry_kind: 'grant', credits: START, balance_after: START },
      { entry_kind: 'purchase', credits: 300, balance_after: START + 300 },
    ]);
    expect(await balance()).toBe(START + 300);
    expect(await actions()).toEqual(['credits.ordered', 'credits.purchased']);
  });

  it('redirects only to this site and allowed origins, also in its form policy', async () => {
    const path = await ordered({ success_url: `${FRIEND}/done?a=1`, cancel_url: `http://${HOST}/back` });
    const page = await requestTo(test, 'get', path).set('Host', HOST).expect(200);
    const policy = page.headers['content-security-policy'];
    expect(policy).toContain(`form-action 'self' ${FRIEND} http://${HOST};`);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/script-src|unsafe/);
    expect((await post(`${path}/pay`)).headers.location).toBe(`${FRIEND}/done?a=1`);
  });

  it('does not redirect to an origin that is no longer allowed', async () => {
    const path = await ordered({ success_url: `http://${HOST}/done` });
    const elsewhere = requestTo(test, 'post', `${path}/pay`).set('Host', 'other.example').redirects(0);
    expect((await elsewhere).headers.location).toBe(path);
  });

  it('cancels an order permanently', async () => {
    const path = await ordered({ cancel_url: `http://${HOST}/back` });
    expect((await post(`${path}/cancel`)).headers.location).toBe(`http://${HOST}/back`);
    await post(`${path}/pay`);
    await post(`${path}/cancel`);
    expect(await purchases()).toMatchObject([{ purchase_state: 'cancelled' }]);
    expect(await balance()).toBe(START);
    expect(await actions()).toEqual(['credits.ordered', 'credits.order_cancelled']);
  });

  it('cannot be paid after a day', async () => {
    const path = await ordered();
    await test.database.db.raw(`UPDATE credit_purchases SET created_at = now() - interval '25 hours'`);
    await post(`${path}/pay`).expect(303);
    expect(await balance()).toBe(START);
    expect((await requestTo(test, 'get', path).expect(200)).text).toContain('This order has expired');
  });

  it('rejects requests from pages of other sites', async () => {
    const path = await ordered();
    await expectRefused(post(`${path}/pay`).set('Sec-Fetch-Site', 'cross-site'), 403, 'cross_site_request');
    await expectRefused(post(`${path}/pay`).set('Origin', 'https://evil.example'), 403, 'cross_site_request');
    await expectRefused(post(`${path}/cancel`).set('Origin', 'null'), 403, 'cross_site_request');
    expect(await balance()).toBe(START);
    await post(`${path}/pay`).set('Origin', `http://${HOST}`).expect(303);
  });

  it('escapes names', async () => {
    const name = '<script>alert(1)</script>';
    await test.database.db.raw('UPDATE organizations SET organization_name = ? WHERE organization_id = ?', [
      name,
      organization.organizationId,
    ]);
    const { text } = await requestTo(test, 'get', await ordered()).expect(200);
    expect(text).toContain('&lt;script&gt;alert(1)');
    expect(text).not.toContain('<script');
  });

  it.each(['x', '0b8f6c1e-55d0-4a9f-9c43-0d9a3c4f7a11', '%00', "1'--"])('returns 404 for %s', async (id) => {
    await requestTo(test, 'get', `/checkout/${id}`).expect(404);
    await post(`/checkout/${id}/pay`).expect(404);
    await post(`/checkout/${id}/cancel`).expect(404);
  });

  it('is missing without the setting PAYMENT_SANDBOX, and purchases return 503', async () => {
    const path = await ordered();
    const withoutSandbox = appOn(test.database);
    const sendRequest = (method: 'get' | 'post', address: string) =>
      requestTo(withoutSandbox, method, address).set('X-API-Key', organization.admin.apiKey!);
    const body = await expectRefused(
      sendRequest('post', '/api/billing/create-credits-checkout').send({ credits: 300 }),
      503,
      'payment_provider_required',
    );
    expect(body.message).toContain('PAYMENT_SANDBOX=true');
    expect(await purchases()).toHaveLength(1);
    expect((await sendRequest('get', '/api/billing/credits').expect(200)).body.data.provider).toBeNull();
    await sendRequest('get', path).expect(404);
    await sendRequest('post', `${path}/pay`).expect(404);
    expect(await balance()).toBe(START);
  });
});

describe('the period of reported usage', () => {
  const usage = (query: string) => organization.admin.get(`/api/billing/usage?${query}`);

  it('rejects dates before 1970', async () => {
    await expectInvalidField(usage('until=0000-01-05T00:00:00Z'), 'until');
    await expectInvalidField(usage('until=0001-01-05T00:00:00Z'), 'until');
    await expectInvalidField(usage('until=1969-12-30'), 'until');
    await expectInvalidField(usage('from=1969-12-31T23:59:59Z'), 'from');
    const { from, until } = (await usage('until=1970-01-02T00:00:00Z').expect(200)).body.data;
    expect([from, until]).toEqual(['1969-12-03T00:00:00.000Z', '1970-01-02T00:00:00.000Z']);
  });

  it('can extend to the end of the year 9999', async () => {
    const { body } = await usage('from=1970-01-01&until=9999-12-31').expect(200);
    expect(body.data).toMatchObject({ from: '1970-01-01T00:00:00.000Z', until: '9999-12-31T23:59:59.999Z' });
    await usage('until=9999-12-31T23:59:59-12:00').expect(200);
  });
});
