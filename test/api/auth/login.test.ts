import bcrypt from 'bcrypt';
import { beforeAll, describe, expect, it } from 'vitest';
import supertest from 'supertest';
import { PasswordHasher } from '../../../src/services/auth/passwords.ts';
import { type Actor, signIn, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { expectRefused, expectInvalidField } from '../../support/refusals.ts';

const test = useApp();
const organization = useOrganization(test);
let ada: Actor;
beforeAll(async () => {
  ada = await organization.addUser('member');
});

const auth = (body: object) => supertest(test.app).post('/api/auth').send(body);
const logIn = (more: object = {}) =>
  auth({ action: 'login', email: ada.email, password: ada.password, ...more });
const DAY = 86_400;

/** The attributes of the auth_token cookie that a reply sets. */
function cookieOf(reply: { headers: Record<string, string> }): Map<string, string> {
  const [cookie] = reply.headers['set-cookie'] as unknown as string[];
  return new Map(
    cookie!.split('; ').map((part) => {
      const [name, ...value] = part.split('=');
      return [name!, value.join('=')];
    }),
  );
}

describe('a login', () => {
  it('returns the user, and sets an HttpOnly cookie for 7 days', async () => {
    const reply = await logIn().expect(200);
    expect(reply.body).toEqual({
      success: 1,
      data: {
        user_id: ada.userId,
        user_name: 'A member',
        user_email: ada.email,
        organization_name: `Organization ${organization.slug}`,
        user_type: 2,
        user_role: 'member',
      },
    });
    const cookie = cookieOf(reply);
    expect([...cookie.keys()]).toEqual(['auth_token', 'Max-Age', 'Path', 'Expires', 'HttpOnly', 'SameSite']);
    expect(cookie.get('SameSite')).toBe('Lax');
    expect(Number(cookie.get('Max-Age'))).toBe(7 * DAY);
    expect(reply.headers['cache-control']).toBe('no-store');
    const signed = supertest(test.app)
      .get('/api/workspaces')
      .set('Cookie', `auth_token=${cookie.get('auth_token')}`);
    await signed.expect(200);
  });

  it('lasts 30 days with remember_me', async () => {
    const reply = await logIn({ remember_me: true }).expect(200);
    expect(Number(cookieOf(reply).get('Max-Age'))).toBe(30 * DAY);
    const { rows } = await test.database.db.raw(
      `SELECT round(extract(epoch FROM expires_at - created_at) / 86400)::int AS days FROM sessions ORDER BY created_at DESC LIMIT 1`,
    );
    expect(rows[0].days).toBe(30);
  });

  it('returns the token to clients without cookies on request', async () => {
    const reply = await logIn({ include_token: true }).expect(200);
    const token = reply.body.data.access_token as string;
    expect(token).toBe(cookieOf(reply).get('auth_token'));
    const bearer = supertest(test.app).get('/api/workspaces').set('Authorization', `Bearer ${token}`);
    await bearer.expect(200);
  });

  it('issues a token with user and session, without role or organization', async () => {
    const { token } = await signIn(test, ada);
    const claims = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());
    expect(Object.keys(claims).sort()).toEqual(['aud', 'exp', 'iat', 'iss', 'jti', 'purpose', 'sub', 'tv']);
  });

  it('accepts the address in any case, with surrounding spaces', async () => {
    await logIn({ email: `  ${ada.email.toUpperCase()} ` }).expect(200);
  });

  it('compares passwords after Unicode normalization, to the last byte', async () => {
    const email = `unicode@${organization.slug}.example`;
    const password = `Ångström ${'x'.repeat(100)}`;
    await test.container.services.setup.createUser({
      organizationId: organization.organizationId,
      email,
      userName: 'U',
      role: 'member',
      password: password.normalize('NFC'),
    });
    await auth({ action: 'login', email, password: password.normalize('NFD') }).expect(200);
    await auth({ action: 'login', email, password: `${password.slice(0, -1)}y` }).expect(401);
  });

  it('is recorded', async () => {
    await logIn().expect(200);
    const { rows } = await test.database.db.raw(
      `SELECT action, object_id, (SELECT last_login_at > now() - interval '1 minute' FROM users u WHERE u.user_id = a.user_id) AS noted
       FROM audit_log a WHERE user_id = ? ORDER BY audit_id DESC LIMIT 1`,
      [ada.userId],
    );
    expect(rows[0]).toEqual({ action: 'user.logged_in', object_id: String(ada.userId), noted: true });
  });
});

describe('a login that fails', () => {
  async function personWithStatus(user_status: 0 | 1 | 2 | 3): Promise<Actor> {
    const user = await organization.addUser('member');
    await test.database.db('users').where({ user_id: user.userId }).update({ user_status });
    return user;
  }

  it('returns the same error for a wrong address or password, and sets no cookie', async () => {
    const [pending, suspended, deleted] = [
      await personWithStatus(2),
      await personWithStatus(3),
      await personWithStatus(0),
    ];
    const replies = [
      await logIn({ password: 'wrong' }),
      await logIn({ email: 'nobody@example.org' }),
      await logIn({ email: "' OR 1=1 --" }),
      await logIn({ email: pending.email, password: 'wrong' }),
      await logIn({ email: suspended.email, password: 'wrong' }),
      await logIn({ email: deleted.email, password: deleted.password }),
    ];
    for (const reply of replies) {
      expect(reply.status).toBe(401);
      expect(reply.headers).not.toHaveProperty('set-cookie');
      expect(reply.headers['www-authenticate']).toBe('Bearer');
    }
    const bodies = replies.map((reply) => JSON.stringify({ ...reply.body, request_id: '' }));
    expect(new Set(bodies).size).toBe(1);
  });

  it.each([
    ['pending', 2, 'account_pending', 'Your account is waiting for approval by an administrator'],
    ['suspended', 3, 'account_suspended', 'Your account is suspended; ask an administrator to reactivate it'],
  ] as const)('gives a %s user the reason after the right password', async (_name, status, code, message) => {
    const { email, password, userId } = await personWithStatus(status);
    const reply = await auth({ action: 'login', email, password });
    expect([reply.status, reply.body.code, reply.body.message]).toEqual([403, code, message]);
    expect(reply.headers).not.toHaveProperty('set-cookie');
    expect(await test.database.db('sessions').where({ user_id: userId })).toEqual([]);
  });

  it.each([
    ['email', { $ne: 1 }],
    ['email', ['a@b.c']],
    ['email', 1],
    ['email', null],
    ['email', ''],
    ['email', 'x'.repeat(321)],
    ['email', 'a\0@b.c'],
    ['password', { $ne: '' }],
    ['password', ['x']],
    ['password', 12345678],
    ['password', ''],
    ['password', 'é'.repeat(513)],
    ['remember_me', 'yes'],
    ['include_token', 1],
    ['action', 'constructor'],
    ['action', null],
    ['action', ['login']],
    ['user_role', 'admin'],
  ])('returns 400 if %s is %j', async (field, value) => {
    await expectInvalidField(logIn({ [field]: value }), field);
  });

  it('returns 400 without a body, or if it is not an object', async () => {
    await expectRefused(auth([]), 400);
    await expectRefused(supertest(test.app).post('/api/auth'), 400);
    await expectInvalidField(auth({ email: ada.email, password: ada.password }), 'action');
    await expectInvalidField(auth({ action: 'logout', email: 'x' }), 'email');
  });
});

it('rejects a spelling of the address that only the database would match', async () => {
  const email = `iris@${organization.slug}.example`;
  const password = 'a long password';
  const iris = { user_email: email, user_name: 'Iris', user_password: password };
  await organization.admin.post('/api/users', iris).expect(201);
  await auth({ action: 'login', email: email.toUpperCase(), password }).expect(200);
  const dotted = auth({ action: 'login', email: email.replace('i', 'İ'), password });
  await expectRefused(dotted, 401, 'login_failed');
});

it('accepts an existing account with an address that new accounts may not use', async () => {
  for (const name of ['İlker', 'JÖRG', 'root']) {
    const { userId, password } = await organization.addUser('member');
    const stored = `${name}@${organization.slug}`;
    await test.database.db.raw('UPDATE users SET user_email = ? WHERE user_id = ?', [stored, userId]);
    await auth({ action: 'login', email: ` ${stored} `, password }).expect(200);
  }
});

it('renews an outdated work factor at login, and only then', async () => {
  const { userId, email, password } = await organization.addUser('member');
  const users = () => test.database.db('users').where({ user_id: userId });
  const rounds = async () =>
    bcrypt.getRounds(((await users().first()) as { password_hash: string }).password_hash);
  const wanted = await rounds();
  await users().update({ password_hash: await new PasswordHasher(wanted + 1).hash(password) });
  await expectRefused(auth({ action: 'login', email, password: 'another' }), 401, 'login_failed');
  expect(await rounds()).toBe(wanted + 1);
  await auth({ action: 'login', email, password }).expect(200);
  expect(await rounds()).toBe(wanted);
  await auth({ action: 'login', email, password }).expect(200);
});

describe('a logout', () => {
  it('ends only this session and invalidates copies of its token', async () => {
    const [laptop, phone] = [await signIn(test, ada), await signIn(test, ada)];
    const reply = await laptop.post('/api/auth', { action: 'logout' }).expect(200);
    expect(reply.body.data).toEqual({ logged_out: true });
    expect(cookieOf(reply).get('auth_token')).toBe('');
    expect(cookieOf(reply).get('Expires')).toMatch(/1970/);
    await expectRefused(laptop.get('/api/workspaces'), 401, 'unauthenticated');
    await expectRefused(supertest(test.app).get('/api/workspaces').set('Cookie', laptop.cookie), 401);
    await phone.get('/api/workspaces').expect(200);
  });

  it('works with the cookie too, and succeeds without a session', async () => {
    const { cookie } = await signIn(test, ada);
    await auth({ action: 'logout' }).set('Cookie', cookie).expect(200);
    await expectRefused(supertest(test.app).get('/api/workspaces').set('Cookie', cookie), 401);
    await auth({ action: 'logout' }).set('Cookie', cookie).expect(200);
    await auth({ action: 'logout' }).expect(200);
  });

  it('does not affect an API key', async () => {
    await ada.post('/api/auth', { action: 'logout' }).expect(200);
    await ada.get('/api/workspaces').expect(200);
  });
});

it('allows a client to sign in and out only', async () => {
  const client = await signIn(test, await organization.addUser('client'));
  for (const path of ['/api/workspaces', '/api/workspaces/current', '/api/api-keys'])
    await expectRefused(client.get(path), 403, 'forbidden');
  await client.post('/api/auth', { action: 'logout' }).expect(200);
});
