import { beforeAll, describe, expect, it } from 'vitest';
import supertest, { type Test } from 'supertest';
import { type Actor, newOrganization } from '../../support/actors.ts';
import { appOn, type TestApp, useApp } from '../../support/app.ts';
import { expectRefused } from '../../support/refusals.ts';

const test = useApp();
let ada: Actor;
let bob: Actor;
beforeAll(async () => {
  const organization = await newOrganization(test);
  ada = await organization.addUser('member');
  bob = await organization.addUser('member');
});

/** The same application with few requests allowed, its counters at zero. */
const tight = (settings: Record<string, string> = {}) =>
  appOn(test.database, {
    RATE_LIMIT_GENERAL: '3',
    RATE_LIMIT_AUTH: '4',
    RATE_LIMIT_PUBLIC: '5',
    ...settings,
  });

const withKey = (on: TestApp, actor: Actor): Test =>
  supertest(on.app).get('/api/workspaces').set('X-API-Key', actor.apiKey!);
const unsigned = (on: TestApp, path = '/api/workspaces'): Test => supertest(on.app).get(path);
const remaining = async (request: Test): Promise<number> =>
  Number((await request).headers['ratelimit-remaining']);

async function logIn(on: TestApp, email: string, password = 'wrong'): Promise<number> {
  return (await supertest(on.app).post('/api/auth').send({ action: 'login', email, password })).status;
}

describe('the general rate limit', () => {
  it('reports the remaining requests, then returns 429 with the time to retry', async () => {
    const on = tight();
    const first = await withKey(on, ada).expect(200);
    expect(first.headers).toMatchObject({ 'ratelimit-limit': '3', 'ratelimit-remaining': '2' });
    expect(first.headers['ratelimit-policy']).toBe('3;w=900');
    await withKey(on, ada).expect(200);
    await withKey(on, ada).expect(200);
    await expectRefused(withKey(on, ada), 429, 'too_many_requests');
    const { headers } = await withKey(on, ada);
    expect(headers['ratelimit-remaining']).toBe('0');
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(900);
    expect(headers['retry-after']).toBe(headers['ratelimit-reset']);
  });

  it('counts per user, not per address', async () => {
    const on = tight();
    for (let i = 0; i < 4; i += 1) await withKey(on, ada);
    expect((await withKey(on, ada)).status).toBe(429);
    expect((await withKey(on, bob)).status).toBe(200);
    expect((await unsigned(on)).status).toBe(401);
  });

  it("counts a user's sessions and API keys together", async () => {
    const on = tight();
    const tokenOf = async () =>
      (
        await supertest(on.app)
          .post('/api/auth')
          .send({ action: 'login', email: ada.email, password: ada.password, include_token: true })
          .expect(200)
      ).body.data.access_token as string;
    const [item, two] = [await tokenOf(), await tokenOf()];
    expect(await remaining(unsigned(on).set('Authorization', `Bearer ${item}`))).toBe(2);
    expect(await remaining(unsigned(on).set('Cookie', `auth_token=${two}`))).toBe(1);
    expect(await remaining(withKey(on, ada))).toBe(0);
    await expectRefused(withKey(on, ada), 429, 'too_many_requests');
    expect((await withKey(on, bob)).status).toBe(200);
  });

  it('counts requests without valid credentials by address, with any invented key', async () => {
    const on = tight();
    const guess = (n: number) => unsigned(on).set('X-API-Key', `cvs_${String(n).padStart(48, '0')}`);
    for (let i = 0; i < 3; i += 1) expect((await guess(i)).status).toBe(401);
    expect((await guess(3)).status).toBe(429);
    expect((await unsigned(on)).status).toBe(429);
  });

  it('counts unknown addresses, wrong methods and malformed paths too', async () => {
    const on = tight();
    expect(await remaining(unsigned(on, '/api/nothing'))).toBe(2);
    expect(await remaining(supertest(on.app).patch('/api/workspaces'))).toBe(1);
    expect(await remaining(unsigned(on, '/api/workspaces/%zz'))).toBe(0);
    for (const path of ['/api/nothing', '/api/workspaces/%zz', '/other'])
      await expectRefused(unsigned(on, path), 429, 'too_many_requests');
    await expectRefused(supertest(on.app).patch('/api/workspaces'), 429, 'too_many_requests');
  });

  it('is separate from that of public pages', async () => {
    const on = tight();
    for (let i = 0; i < 4; i += 1) await unsigned(on);
    expect((await unsigned(on)).status).toBe(429);
    const health = await unsigned(on, '/api/health').expect(200);
    expect(health.headers['ratelimit-limit']).toBe('5');
  });
});

describe('the rate limit of the authentication endpoint', () => {
  it('has its own counter, as high as the general one', async () => {
    const on = appOn(test.database, { RATE_LIMIT_GENERAL: '', RATE_LIMIT_AUTH: '' });
    for (let remaining = 999; remaining >= 998; remaining -= 1) {
      const auth = await supertest(on.app).post('/api/auth').send({ action: 'logout' });
      expect(auth.headers).toMatchObject({
        'ratelimit-limit': '1000',
        'ratelimit-remaining': String(remaining),
      });
    }
    expect((await unsigned(on)).headers).toMatchObject({ 'ratelimit-remaining': '999' });
  });

  it('limits the requests of one address and leaves other endpoints unaffected', async () => {
    const on = tight();
    for (let n = 0; n < 3; n += 1) expect(await logIn(on, ada.email, ada.password)).toBe(200);
    expect(await logIn(on, ada.email, ada.password)).toBe(429);
    expect((await withKey(on, ada)).status).toBe(200);
  });

  it.each(['/api/auth/', '/api/auth//'])('cannot be bypassed by writing %s', async (path) => {
    const on = tight();
    for (let i = 0; i < 3; i += 1) await logIn(on, `p${i}@example.org`);
    const reply = await supertest(on.app).post(path).send({ action: 'login', email: 'a@b.c', password: 'x' });
    expect(reply.status).toBe(429);
  });

  it.each([
    ['forgot', { email: 'nobody@example.org' }],
    ['reset', { reset_token: 'x', new_password: 'long enough' }],
    ['register', { invite_token: 'x', user_name: 'X', email: 'x@example.org', password: 'long enough' }],
  ])('of %s is RATE_LIMIT_AUTH requests per network', async (action, fields) => {
    const on = tight({ TRUST_PROXY: '1', RATE_LIMIT_GENERAL: '100' });
    const requestFrom = async (address: string) =>
      (
        await supertest(on.app)
          .post('/api/auth')
          .set('X-Forwarded-For', address)
          .send({ action, ...fields })
      ).status;
    for (let n = 0; n < 4; n += 1) expect(await requestFrom(`2001:db8:0:${n}::1`)).not.toBe(429);
    expect(await requestFrom('2001:db8:0:ff::1')).toBe(429);
    expect(await requestFrom('2001:db8:0:100::1')).not.toBe(429);
  });

  it.each([
    '/API/auth',
    '/api/Auth',
    '//api/auth',
    '/api//auth',
    '/api/%61uth',
    '/api/auth;a',
    '/api/./auth/x',
  ])('cannot be bypassed by %s, which is not found', async (path) => {
    await expectRefused(supertest(test.app).post(path).send({ action: 'logout' }), 404, 'not_found');
  });
});

describe('the client address', () => {
  const from = (on: TestApp, forwarded: string) => remaining(unsigned(on).set('X-Forwarded-For', forwarded));

  it('is not read from X-Forwarded-For without a trusted proxy', async () => {
    const on = tight();
    expect([
      await from(on, '203.0.113.1'),
      await from(on, '203.0.113.2'),
      await from(on, 'nonsense'),
    ]).toEqual([2, 1, 0]);
  });

  it('is the last one added by the trusted proxy, regardless of earlier ones', async () => {
    const on = tight({ TRUST_PROXY: '1' });
    expect(await from(on, '203.0.113.1')).toBe(2);
    expect(await from(on, '203.0.113.2')).toBe(2);
    expect(await from(on, '10.0.0.1, 203.0.113.1')).toBe(1);
    expect(await from(on, '203.0.113.2, 203.0.113.1')).toBe(0);
  });

  it('of IPv6 is its /56 network, so that rotating within it has no effect', async () => {
    const on = tight({ TRUST_PROXY: '1' });
    expect(await from(on, '2001:db8:1:100::1')).toBe(2);
    expect(await from(on, '2001:db8:1:1ff:ffff:ffff:ffff:ffff')).toBe(1);
    expect(await from(on, '2001:db8:1:200::1')).toBe(2);
  });

  it('of IPv4 written as IPv6 is the IPv4 address', async () => {
    const on = tight({ TRUST_PROXY: '1' });
    expect(await from(on, '::ffff:203.0.113.1')).toBe(2);
    expect(await from(on, '203.0.113.1')).toBe(1);
    expect(await from(on, '::ffff:203.0.113.2')).toBe(2);
  });
});
