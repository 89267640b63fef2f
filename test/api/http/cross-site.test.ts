import { beforeAll, describe, expect, it } from 'vitest';
import supertest, { type Test } from 'supertest';
import { newOrganization, signIn } from '../../support/actors.ts';
import { appOn, type TestApp, useApp } from '../../support/app.ts';
import { expectRefused } from '../../support/refusals.ts';

const test = useApp();
const ALLOWED = 'https://research.example';
let cookie: string;
let token: string;
let apiKey: string;
let allowing: TestApp;
beforeAll(async () => {
  const { admin } = await newOrganization(test);
  ({ cookie, token } = await signIn(test, admin));
  apiKey = admin.apiKey!;
  allowing = appOn(test.database, { ALLOWED_ORIGINS: `${ALLOWED}, https://second.example` });
});

const post = (on = test): Test =>
  supertest(on.app).post('/api/workspaces').set('Host', 'canvass.example').set('Cookie', cookie);
const body = { workspace_name: 'Made by a browser' };

async function unchanged(work: () => Promise<unknown>): Promise<void> {
  const count = async () =>
    (await supertest(test.app).get('/api/workspaces').set('Cookie', cookie).expect(200)).body.meta
      .total as number;
  const before = await count();
  await work();
  expect(await count()).toBe(before);
}

describe('a request with the session cookie', () => {
  const REFUSED: [string, Record<string, string>][] = [
    ['another origin', { Origin: 'https://evil.example' }],
    ['this host on another port', { Origin: 'http://canvass.example:8080' }],
    ['this host under https', { Origin: 'https://canvass.example' }],
    ['a host with this host as prefix', { Origin: 'http://canvass.example.evil.example' }],
    ['a sandboxed page', { Origin: 'null' }],
    ['a cross-site fetch', { 'Sec-Fetch-Site': 'cross-site' }],
    ['a sibling under the same domain', { 'Sec-Fetch-Site': 'same-site' }],
    ['a fetch that forges this origin', { 'Sec-Fetch-Site': 'cross-site', Origin: 'http://canvass.example' }],
    ['an unknown value', { 'Sec-Fetch-Site': 'elsewhere' }],
    ['an origin that is not allowed', { Origin: ALLOWED }],
  ];
  it.each(REFUSED)('from %s is rejected', async (_name, headers) => {
    await unchanged(() => expectRefused(post().set(headers).send(body), 403, 'cross_site_request'));
  });

  const PASSING: [string, Record<string, string>][] = [
    ['the same site', { 'Sec-Fetch-Site': 'same-origin', Origin: 'http://canvass.example' }],
    ['the same site, in a browser without Sec-Fetch-Site', { Origin: 'http://canvass.example' }],
    ['the address bar', { 'Sec-Fetch-Site': 'none' }],
    ['a client other than a browser', {}],
  ];
  it.each(PASSING)('from %s is accepted', async (_name, headers) => {
    await post().set(headers).send(body).expect(201);
  });

  it('is accepted from an allowed origin, but not from similar ones', async () => {
    for (const origin of [ALLOWED, 'https://second.example'])
      await post(allowing).set({ Origin: origin, 'Sec-Fetch-Site': 'cross-site' }).send(body).expect(201);
    await expectRefused(
      post(allowing).set('Origin', `${ALLOWED}.evil.example`).send(body),
      403,
      'cross_site_request',
    );
  });

  it('has the origin of PUBLIC_URL, regardless of the Host header', async () => {
    const on = appOn(test.database, { PUBLIC_URL: 'https://canvass.example/' });
    await post(on).set('Origin', 'https://canvass.example').send(body).expect(201);
    const forged = post(on).set({ Host: 'evil.example', Origin: 'http://evil.example' }).send(body);
    await expectRefused(forged, 403, 'cross_site_request');
  });

  it('is checked for every method that changes data, and for none that reads', async () => {
    const from = { Cookie: cookie, Origin: 'https://evil.example' };
    for (const [method, path] of [
      ['post', '/api/workspaces'],
      ['put', '/api/workspaces/1'],
      ['delete', '/api/workspaces/1'],
      ['delete', '/api/workspaces/1/members/1'],
      ['post', '/api/api-keys'],
      ['delete', '/api/api-keys/1'],
      ['post', '/api/auth'],
    ] as const)
      await expectRefused(supertest(test.app)[method](path).set(from), 403, 'cross_site_request');
    await supertest(test.app).get('/api/workspaces').set(from).expect(200);
  });

  it.each(['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x', ''])(
    'as a form post of type "%s" is rejected without site headers, empty or not',
    async (type) => {
      await unchanged(async () => {
        for (const text of ['', '{"workspace_name":"x"}']) {
          const request = post();
          if (type !== '') void request.set('Content-Type', type);
          else if (text !== '') continue;
          await expectRefused(request.send(text), 415, 'unsupported_media_type');
        }
      });
    },
  );

  it('requires the header for an action without a body', async () => {
    const restore = () => supertest(test.app).post('/api/workspaces/1/restore').set('Cookie', cookie);
    await expectRefused(restore(), 415);
    await expectRefused(restore().set('Content-Type', 'application/json'), 404);
  });

  it('cannot sign a user out from another site', async () => {
    const logout = supertest(test.app)
      .post('/api/auth')
      .set({ Cookie: cookie, Origin: 'https://evil.example' });
    await expectRefused(logout.send({ action: 'logout' }), 403, 'cross_site_request');
    await supertest(test.app).get('/api/workspaces').set('Cookie', cookie).expect(200);
  });
});

it.each([
  ['an API key', () => ({ 'X-API-Key': apiKey })],
  ['a bearer token', () => ({ Authorization: `Bearer ${token}` })],
])('%s cannot be sent by pages of other sites, so its origin is not checked', async (_name, credential) => {
  const headers = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' };
  await supertest(test.app).post('/api/workspaces').set(headers).set(credential()).send(body).expect(201);
});

it('rejects a login form of another site', async () => {
  const form = supertest(test.app)
    .post('/api/auth')
    .set('Content-Type', 'text/plain')
    .set('Origin', 'https://evil.example');
  await expectRefused(
    form.send('{"action":"login","email":"a@b.c","password":"x"}'),
    415,
    'unsupported_media_type',
  );
});
