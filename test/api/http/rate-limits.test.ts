import { beforeAll, describe, expect, it } from 'vitest';
import supertest, { type Test } from 'supertest';
import { type Actor, newOrganization } from '../../support/actors.ts';
import { appOn, type TestApp, useApp } from '../../support/app.ts';
import { expectRefused } from '../../support/refusals.ts';

const test = useApp();
let ada: Actor;
let bob: Actor;
beforeAll(async () => {
  const home = await newOrganization(test);
  ada = await home.person('member');
  bob = await home.person('member');
});

/** The same application with low limits and counters at zero. */
const appWithLowLimits = (settings: Record<string, string> = {}) =>
  appOn(test.database, {
    RATE_LIMIT_GENERAL: '3',
    RATE_LIMIT_AUTH: '4',
    RATE_LIMIT_PUBLIC: '5',
    ...settings,
  });

const withKey = (target: TestApp, actor: Actor): Test =>
  supertest(target.app).get('/api/workspaces').set('X-API-Key', actor.apiKey!);
const withoutKey = (target: TestApp, path = '/api/workspaces'): Test => supertest(target.app).get(path);
const remaining = async (request: Test): Promise<number> =>
  Number((await request).headers['ratelimit-remaining']);

async function logIn(target: TestApp, email: string, password = 'wrong'): Promise<number> {
  return (await supertest(target.app).post('/api/auth').send({ action: 'login', email, password })).status;
}

describe('the general limit', () => {
  it('returns the remaining requests, then 429 with Retry-After', async () => {
    const target = appWithLowLimits();
    const first = await withKey(target, ada).expect(200);
    expect(first.headers).toMatchObject({ 'ratelimit-limit': '3', 'ratelimit-remaining': '2' });
    expect(first.headers['ratelimit-policy']).toBe('3;w=900');
    await withKey(target, ada).expect(200);
    await withKey(target, ada).expect(200);
    await expectRefused(withKey(target, ada), 429, 'too_many_requests');
    const { headers } = await withKey(target, ada);
    expect(headers['ratelimit-remaining']).toBe('0');
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(900);
    expect(headers['retry-after']).toBe(headers['ratelimit-reset']);
  });

  it('counts per key, not per address', async () => {
    const target = appWithLowLimits();
    for (let i = 0; i < 4; i += 1) await withKey(target, ada);
    expect((await withKey(target, ada)).status).toBe(429);
    expect((await withKey(target, bob)).status).toBe(200);
    expect((await withoutKey(target)).status).toBe(401);
  });

  it('counts a user’s sessions together, in any header or cookie', async () => {
    const target = appWithLowLimits();
    const tokenOf = async () =>
      (
        await supertest(target.app)
          .post('/api/auth')
          .send({ action: 'login', email: ada.email, password: ada.password, include_token: true })
          .expect(200)
      ).body.data.access_token as string;
    const [one, two] = [await tokenOf(), await tokenOf()];
    expect(await remaining(withoutKey(target).set('Authorization', `Bearer ${one}`))).toBe(2);
    expect(await remaining(withoutKey(target).set('Cookie', `auth_token=${two}`))).toBe(1);
    expect(await remaining(withKey(target, ada))).toBe(2);
  });

  it('counts requests without a valid credential by address, whatever key they send', async () => {
    const target = appWithLowLimits();
    const guess = (n: number) => withoutKey(target).set('X-API-Key', `cvs_${String(n).padStart(48, '0')}`);
    for (let i = 0; i < 3; i += 1) expect((await guess(i)).status).toBe(401);
    expect((await guess(3)).status).toBe(429);
    expect((await withoutKey(target)).status).toBe(429);
  });

  it('counts unknown paths, wrong methods and malformed paths too', async () => {
    const target = appWithLowLimits();
    expect(await remaining(withoutKey(target, '/api/nothing'))).toBe(2);
    expect(await remaining(supertest(target.app).patch('/api/workspaces'))).toBe(1);
    expect(await remaining(withoutKey(target, '/api/workspaces/%zz'))).toBe(0);
    for (const path of ['/api/nothing', '/api/workspaces/%zz', '/other'])
      await expectRefused(withoutKey(target, path), 429, 'too_many_requests');
    await expectRefused(supertest(target.app).patch('/api/workspaces'), 429, 'too_many_requests');
  });

  it('is separate from the limit of public pages', async () => {
    const target = appWithLowLimits();
    for (let i = 0; i < 4; i += 1) await withoutKey(target);
    expect((await withoutKey(target)).status).toBe(429);
    const health = await withoutKey(target, '/api/health').expect(200);
    expect(health.headers['ratelimit-limit']).toBe('5');
  });
});

describe('the limit of the authentication endpoint', () => {
  it('has a separate counter, as high as the general one', async () => {
    const target = appOn(test.database, { RATE_LIMIT_GENERAL: '', RATE_LIMIT_AUTH: '' });
    for (let left = 999; left >= 998; left -= 1) {
      const auth = await supertest(target.app).post('/api/auth').send({ action: 'logout' });
      expect(auth.headers).toMatchObject({ 'ratelimit-limit': '1000', 'ratelimit-remaining': String(left) });
    }
    expect((await withoutKey(target)).headers).toMatchObject({ 'ratelimit-remaining': '999' });
  });

  it('applies to one address, and not to other endpoints', async () => {
    const target = appWithLowLimits();
    for (let n = 0; n < 3; n += 1) expect(await logIn(target, ada.email, ada.password)).toBe(200);
    expect(await logIn(target, ada.email, ada.password)).toBe(429);
    expect((await withKey(target, ada)).status).toBe(200);
  });

  it.each(['/api/auth/', '/api/auth//'])('also applies to %s', async (path) => {
    const target = appWithLowLimits();
    for (let i = 0; i < 3; i += 1) await logIn(target, `p${i}@example.org`);
    const reply = await supertest(target.app)
      .post(path)
      .send({ action: 'login', email: 'a@b.c', password: 'x' });
    expect(reply.status).toBe(429);
  });

  it.each([
    ['forgot', { email: 'unknown@example.org' }],
    ['reset', { reset_token: 'x', new_password: 'long enough' }],
    ['register', { invite_token: 'x', user_name: 'X', email: 'x@example.org', password: 'long enough' }],
  ])('of %s is RATE_LIMIT_AUTH requests per network', async (action, fields) => {
    const target = appWithLowLimits({ TRUST_PROXY: '1', RATE_LIMIT_GENERAL: '100' });
    const ask = async (address: string) =>
      (
        await supertest(target.app)
          .post('/api/auth')
          .set('X-Forwarded-For', address)
          .send({ action, ...fields })
      ).status;
    for (let n = 0; n < 4; n += 1) expect(await ask(`2001:db8:0:${n}::1`)).not.toBe(429);
    expect(await ask('2001:db8:0:ff::1')).toBe(429);
    expect(await ask('2001:db8:0:100::1')).not.toBe(429);
  });

  it.each([
    '/API/auth',
    '/api/Auth',
    '//api/auth',
    '/api//auth',
    '/api/%61uth',
    '/api/auth;a',
    '/api/./auth/x',
  ])('has no alias: %s returns 404', async (path) => {
    await expectRefused(supertest(test.app).post(path).send({ action: 'logout' }), 404, 'not_found');
  });
});

describe('the counted address', () => {
  const remainingFor = (target: TestApp, forwarded: string) =>
    remaining(withoutKey(target).set('X-Forwarded-For', forwarded));

  it('ignores X-Forwarded-For without a trusted proxy', async () => {
    const target = appWithLowLimits();
    expect([
      await remainingFor(target, '203.0.113.1'),
      await remainingFor(target, '203.0.113.2'),
      await remainingFor(target, 'nonsense'),
    ]).toEqual([2, 1, 0]);
  });

  it('is the last one added by the trusted proxy, whatever the client sends', async () => {
    const target = appWithLowLimits({ TRUST_PROXY: '1' });
    expect(await remainingFor(target, '203.0.113.1')).toBe(2);
    expect(await remainingFor(target, '203.0.113.2')).toBe(2);
    expect(await remainingFor(target, '10.0.0.1, 203.0.113.1')).toBe(1);
    expect(await remainingFor(target, '203.0.113.2, 203.0.113.1')).toBe(0);
  });

  it('is the /56 network for IPv6, so that rotation within it gains nothing', async () => {
    const target = appWithLowLimits({ TRUST_PROXY: '1' });
    expect(await remainingFor(target, '2001:db8:1:100::1')).toBe(2);
    expect(await remainingFor(target, '2001:db8:1:1ff:ffff:ffff:ffff:ffff')).toBe(1);
    expect(await remainingFor(target, '2001:db8:1:200::1')).toBe(2);
  });

  it('is the IPv4 address for IPv4-mapped IPv6', async () => {
    const target = appWithLowLimits({ TRUST_PROXY: '1' });
    expect(await remainingFor(target, '::ffff:203.0.113.1')).toBe(2);
    expect(await remainingFor(target, '203.0.113.1')).toBe(1);
    expect(await remainingFor(target, '::ffff:203.0.113.2')).toBe(2);
  });
});
