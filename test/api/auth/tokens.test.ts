import { createHmac, randomUUID } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { beforeAll, describe, expect, it } from 'vitest';
import supertest from 'supertest';
import { type Actor, signIn, useOrganization } from '../../support/actors.ts';
import { appOn, TEST_SECRET, useApp } from '../../support/app.ts';
import { expectRefused } from '../../support/refusals.ts';

const test = useApp();
const organization = useOrganization(test);
let ada: Actor;
let session: Actor & { token: string; cookie: string };
let claims: Record<string, unknown>;
beforeAll(async () => {
  ada = await organization.addUser('member');
  session = await signIn(test, ada);
  claims = JSON.parse(Buffer.from(session.token.split('.')[1]!, 'base64url').toString());
});

const get = (headers: Record<string, string>) => supertest(test.app).get('/api/workspaces').set(headers);
const bearer = (token: string) => get({ Authorization: `Bearer ${token}` });

/** A token as we sign it, whatever it says. */
function signed(
  payload: object,
  header: object = { alg: 'HS256', typ: 'JWT' },
  secret = TEST_SECRET,
): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part(header)}.${part(payload)}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}
const without = (name: string) => Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name));

it('accepts a correctly signed token', async () => {
  await bearer(signed(claims)).expect(200);
});

const FORGED: [string, () => string][] = [
  ['alg none', () => signed(claims, { alg: 'none' }).replace(/[^.]*$/, '')],
  ['alg none in another case', () => signed(claims, { alg: 'nOnE' })],
  ['another algorithm', () => jwt.sign(claims, TEST_SECRET, { algorithm: 'HS512' })],
  ['another algorithm in the header alone', () => signed(claims, { alg: 'RS256' })],
  ['another secret', () => signed(claims, { alg: 'HS256' }, 'x'.repeat(44))],
  ['an empty secret', () => signed(claims, { alg: 'HS256' }, '')],
  ['a path as kid', () => signed(claims, { alg: 'HS256', kid: '../../../dev/null' }, '')],
  ['no signature', () => session.token.replace(/[^.]*$/, '')],
  [
    'a changed payload',
    () => session.token.replace(/\.[^.]*\./, `.${Buffer.from('{}').toString('base64url')}.`),
  ],
  ['another purpose', () => signed({ ...claims, purpose: 'password_reset' })],
  ['no purpose', () => signed(without('purpose'))],
  ['no expiry', () => signed(without('exp'))],
  ['an expiry that is not a number', () => signed({ ...claims, exp: '9999999999' })],
  ['an expiry in the past', () => signed({ ...claims, exp: Math.floor(Date.now() / 1000) - 1 })],
  ['a start in the future', () => signed({ ...claims, nbf: Math.floor(Date.now() / 1000) + 60 })],
  ['another issuer', () => signed({ ...claims, iss: 'elsewhere' })],
  ['no issuer', () => signed(without('iss'))],
  ['another audience', () => signed({ ...claims, aud: 'elsewhere' })],
  ['no session', () => signed(without('jti'))],
  ['an unknown session', () => signed({ ...claims, jti: randomUUID() })],
  ['a session that is not a UUID', () => signed({ ...claims, jti: "' OR true --" })],
  ['a session that is an object', () => signed({ ...claims, jti: { $ne: 1 } })],
  ['a payload that is not an object', () => signed([] as object)],
  ['an empty payload', () => ''],
  ['dots', () => '..'],
  ['an invalid key', () => 'cvs_'],
];

it.each(FORGED)('rejects a token with %s in any position', async (_name, make) => {
  const token = make();
  const replies = [
    await bearer(token),
    await get({ 'X-API-Key': token }),
    ...(token === '' ? [] : [await get({ Cookie: `auth_token=${token}` })]),
  ];
  for (const reply of replies) {
    expect(reply.status).toBe(401);
    expect(reply.body.message).toBe('Sign in, or send a valid API key or token');
    expect(reply.headers['www-authenticate']).toBe('Bearer');
  }
});

describe('with several credentials the first header decides', () => {
  const good = () => session.cookie;
  it.each([
    ['a bad key', { 'X-API-Key': 'cvs_wrong' }],
    ['an empty key', { 'X-API-Key': '' }],
    ['a bad bearer token', { Authorization: 'Bearer wrong' }],
    ['an empty bearer token', { Authorization: 'Bearer ' }],
    ['another scheme', { Authorization: 'Basic YTpi' }],
    ['an empty header', { Authorization: '' }],
  ])('%s never falls back to the cookie', async (_name, headers) => {
    await expectRefused(get({ ...headers, Cookie: good() }), 401, 'unauthenticated');
  });

  it('X-API-Key precedes Authorization', async () => {
    await expectRefused(get({ 'X-API-Key': 'cvs_wrong', Authorization: `Bearer ${session.token}` }), 401);
    await get({ 'X-API-Key': ada.apiKey!, Authorization: 'Bearer wrong' }).expect(200);
  });

  it('a malformed, empty or differently named cookie is ignored', async () => {
    for (const cookie of [
      'auth_token=j:{"a":1}',
      'auth_token=',
      'auth_token[x]=1',
      'other=1',
      'auth_token=%00',
    ])
      await expectRefused(get({ Cookie: cookie }), 401);
  });
});

describe('expiry', () => {
  const DAY_MS = 86_400_000;
  const later = (days: number) =>
    appOn(test.database, {}, { clock: { now: () => new Date(Date.now() + days * DAY_MS) } }).app;
  const at = async (days: number, token: string) =>
    (await supertest(later(days)).get('/api/workspaces').set('Authorization', `Bearer ${token}`)).status;

  it('ends a login after 7 days', async () => {
    expect([await at(6.99, session.token), await at(7.01, session.token)]).toEqual([200, 401]);
  });

  it('ends a remembered login after 30 days', async () => {
    const reply = await supertest(test.app).post('/api/auth').send({
      action: 'login',
      email: ada.email,
      password: ada.password,
      remember_me: true,
      include_token: true,
    });
    const token = reply.body.data.access_token as string;
    expect([await at(29.99, token), await at(30.01, token)]).toEqual([200, 401]);
  });

  it('ends a session whose row has expired, despite a valid token', async () => {
    const other = await signIn(test, ada);
    await test.database.db.raw(
      `UPDATE sessions SET expires_at = now() - interval '1 second' WHERE session_id = ?`,
      [JSON.parse(Buffer.from(other.token.split('.')[1]!, 'base64url').toString()).jti as string],
    );
    await expectRefused(other.get('/api/workspaces'), 401);
    // The next login sweeps it away.
    await signIn(test, ada);
    const { rows } = await test.database.db.raw(
      'SELECT count(*)::int AS n FROM sessions WHERE expires_at < now()',
    );
    expect(rows[0].n).toBe(0);
  });
});

describe('revoked access takes effect at the next request', () => {
  const change = (actor: Actor, sql: string) =>
    test.database.db.raw(`UPDATE users SET ${sql} WHERE user_id = ?`, [actor.userId]);

  it.each([
    ['suspended', 'user_status = 3'],
    ['deleted', 'user_status = 0'],
    ['pending again', 'user_status = 2'],
  ])('for a user who is %s, by session and by key', async (_name, sql) => {
    const user = await organization.addUser('member');
    const login = await signIn(test, user);
    await login.get('/api/workspaces').expect(200);
    await user.get('/api/workspaces').expect(200);
    await change(user, sql);
    await expectRefused(login.get('/api/workspaces'), 401, 'unauthenticated');
    await expectRefused(user.get('/api/workspaces'), 401, 'unauthenticated');
  });

  it('for every session when token_version is raised, while keys keep working', async () => {
    const user = await organization.addUser('member');
    const [laptop, phone] = [await signIn(test, user), await signIn(test, user)];
    await change(user, 'token_version = token_version + 1');
    await expectRefused(laptop.get('/api/workspaces'), 401);
    await expectRefused(phone.get('/api/workspaces'), 401);
    await user.get('/api/workspaces').expect(200);
    await (await signIn(test, user)).get('/api/workspaces').expect(200);
  });

  it('for a lowered role', async () => {
    const user = await organization.addUser('admin');
    const login = await signIn(test, user);
    const restore = (by: Actor) => by.post('/api/workspaces/99999999999999/restore');
    await expectRefused(restore(login), 404);
    await change(user, `user_role = 'member'`);
    await expectRefused(restore(login), 403);
    await expectRefused(restore(user), 403);
  });
});
