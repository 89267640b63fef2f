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
let appWithAllowedOrigins: TestApp;
beforeAll(async () => {
  const { admin } = await newOrganization(test);
  ({ cookie, token } = await signIn(test, admin));
  apiKey = admin.apiKey!;
  appWithAllowedOrigins = appOn(test.database, { ALLOWED_ORIGINS: `${ALLOWED}, https://second.example` });
});

const post = (target = test): Test =>
  supertest(target.app).post('/api/workspaces').set('Host', 'canvass.example').set('Cookie', cookie);
const body = { workspace_name: 'Made by a browser' };

async function expectUnchanged(work: () => Promise<unknown>): Promise<void> {
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
    ['a host whose name starts with this host', { Origin: 'http://canvass.example.evil.example' }],
    ['a sandboxed page', { Origin: 'null' }],
    ['a cross-site fetch', { 'Sec-Fetch-Site': 'cross-site' }],
    ['another host of the same domain', { 'Sec-Fetch-Site': 'same-site' }],
    [
      'a cross-site fetch with this origin',
      { 'Sec-Fetch-Site': 'cross-site', Origin: 'http://canvass.example' },
    ],
    ['an unknown Sec-Fetch-Site value', { 'Sec-Fetch-Site': 'elsewhere' }],
    ['an origin that is not in ALLOWED_ORIGINS', { Origin: ALLOWED }],
  ];
  it.each(REFUSED)('from %s is refused', async (_name, headers) => {
    await expectUnchanged(() => expectRefused(post().set(headers).send(body), 403, 'cross_site_request'));
  });

  const PASSING: [string, Record<string, string>][] = [
    ['a page of this origin', { 'Sec-Fetch-Site': 'same-origin', Origin: 'http://canvass.example' }],
    ['a page of this origin without Sec-Fetch-Site', { Origin: 'http://canvass.example' }],
    ['the address bar', { 'Sec-Fetch-Site': 'none' }],
    ['a client other than a browser', {}],
  ];
  it.each(PASSING)('from %s is accepted', async (_name, headers) => {
    await post().set(headers).send(body).expect(201);
  });

  it('from an allowed origin is accepted, from similar origins refused', async () => {
    for (const origin of [ALLOWED, 'https://second.example'])
      await post(appWithAllowedOrigins)
        .set({ Origin: origin, 'Sec-Fetch-Site': 'cross-site' })
        .send(body)
        .expect(201);
    await expectRefused(
      post(appWithAllowedOrigins).set('Origin', `${ALLOWED}.evil.example`).send(body),
      403,
      'cross_site_request',
    );
  });

  it('is compared with PUBLIC_URL, not with the Host header', async () => {
    const target = appOn(test.database, { PUBLIC_URL: 'https://canvass.example/' });
    await post(target).set('Origin', 'https://canvass.example').send(body).expect(201);
    const forged = post(target).set({ Host: 'evil.example', Origin: 'http://evil.example' }).send(body);
    await expectRefused(forged, 403, 'cross_site_request');
  });

  it('is checked for every method that changes data, and for none that reads', async () => {
    const headers = { Cookie: cookie, Origin: 'https://evil.example' };
    for (const [method, path] of [
      ['post', '/api/workspaces'],
      ['put', '/api/workspaces/1'],
      ['delete', '/api/workspaces/1'],
      ['delete', '/api/workspaces/1/members/1'],
      ['post', '/api/api-keys'],
      ['delete', '/api/api-keys/1'],
      ['post', '/api/auth'],
    ] as const)
      await expectRefused(supertest(test.app)[method](path).set(headers), 403, 'cross_site_request');
    await supertest(test.app).get('/api/workspaces').set(headers).expect(200);
  });

  it.each(['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x', ''])(
    'as a form of type "%s" is refused even without an Origin header, empty or not',
    async (type) => {
      await expectUnchanged(async () => {
        for (const text of ['', '{"workspace_name":"x"}']) {
          const request = post();
          if (type !== '') void request.set('Content-Type', type);
          else if (text !== '') continue;
          await expectRefused(request.send(text), 415, 'unsupported_media_type');
        }
      });
    },
  );

  it('needs the JSON content type even without a body', async () => {
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
])('accepts %s from any origin', async (_name, credential) => {
  const headers = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' };
  await supertest(test.app).post('/api/workspaces').set(headers).set(credential()).send(body).expect(201);
});

it('refuses a login form of another site', async () => {
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
