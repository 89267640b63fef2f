import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import supertest from 'supertest';
import { type Actor, anonymous, newOrganization, type Organization, signIn } from '../../support/actors.ts';
import { appOn, type TestApp } from '../../support/app.ts';
import { useDatabase } from '../../support/database.ts';
import { type MailServer, startMailServer } from '../../support/mail-server.ts';
import { INVALID_IDS, MISSING_ID, expectRefused, expectInvalidField } from '../../support/refusals.ts';

const database = useDatabase();
let server: MailServer;
let test: TestApp;
let organization: Organization;
beforeAll(async () => {
  server = await startMailServer();
  test = appOn(database, {
    SMTP_URL: server.url,
    MAIL_FROM: 'no-reply@canvass.example',
    PUBLIC_URL: 'https://research.example',
    TRUST_PROXY: '1',
  });
  test.container.jobWorker.start();
  organization = await newOrganization(test);
});
afterAll(async () => {
  await test.container.jobWorker.stop(1_000);
  test.container.mail?.close();
  await server.close();
});

interface Key {
  api_key: string;
  api_key_id: number;
  expires_at: string | null;
}
const makeKey = async (by: Actor, more: object = {}): Promise<Key> =>
  (await by.post('/api/api-keys', { key_name: 'A key', current_password: by.password, ...more }).expect(201))
    .body.data;
const use = (key: Key | string, address = '192.0.2.1') =>
  supertest(test.app)
    .get('/api/users/me')
    .set('X-API-Key', typeof key === 'string' ? key : key.api_key)
    .set('X-Forwarded-For', address);

async function resetByMail(user: Actor, more: object = {}) {
  const mails = () =>
    server.mails.filter(
      (mail) => mail.subject === 'Set a new password' && mail.to?.some((to) => to.address === user.email),
    );
  const before = mails().length;
  await anonymous(test).post('/api/auth', { action: 'forgot', email: user.email }).expect(200);
  await vi.waitFor(() => expect(mails()).toHaveLength(before + 1), { timeout: 10_000, interval: 20 });
  const token = /reset#([A-Za-z0-9_-]+)/.exec(mails().at(-1)!.text!)![1]!;
  const body = { action: 'reset', reset_token: token, new_password: 'quite another one', ...more };
  await anonymous(test).post('/api/auth', body).expect(200);
}

describe('an API key created by a thief in a stolen account', () => {
  it('is revoked when the owner resets the password by email', async () => {
    const user = await organization.addUser('member');
    const stolen = await makeKey(await signIn(test, user));
    await use(stolen).expect(200);
    await resetByMail(user);
    await expectRefused(use(stolen), 401, 'unauthenticated');
    await expectRefused(use(user.apiKey!), 401, 'unauthenticated');
    const session = await signIn(test, { ...user, password: 'quite another one' });
    expect((await session.get('/api/api-keys').expect(200)).body.data).toEqual([]);
    await use(await makeKey(session)).expect(200);
  });

  it('remains if the owner chooses so', async () => {
    const user = await organization.addUser('member');
    await resetByMail(user, { revoke_api_keys: false });
    await use(user.apiKey!).expect(200);
  });

  it('cannot be created without the password in any way', async () => {
    const user = await organization.addUser('member');
    const session = await signIn(test, user);
    for (const body of [
      { key_name: 'x' },
      { key_name: 'x', current_password: null },
      { key_name: 'x', current_password: '' },
      { key_name: 'x', current_password: 'guess' },
      { key_name: 'x', current_password: [user.password] },
      { key_name: 'x', current_password: organization.admin.password },
    ])
      await expectInvalidField(session.post('/api/api-keys', body), 'current_password');
    await expectRefused(
      user.post('/api/api-keys', { key_name: 'x', current_password: user.password }),
      403,
      'session_required',
    );
    expect((await session.get('/api/api-keys').expect(200)).body.data).toHaveLength(1);
  });

  it('cannot be created by guessing: wrong passwords are limited and in the audit log', async () => {
    const strict = appOn(database, { RATE_LIMIT_AUTH: '3' });
    const user = await organization.addUser('member');
    const session = await signIn(strict, user);
    const guess = (current_password: string) =>
      session.post('/api/api-keys', { key_name: 'x', current_password });
    const burst = await Promise.all(Array.from({ length: 12 }, (_, n) => guess(`guess ${n}`)));
    expect(burst.filter(({ status }) => status === 400)).toHaveLength(3);
    expect(burst.filter(({ status }) => status === 429)).toHaveLength(9);
    await expectRefused(guess(user.password), 429, 'too_many_requests');
    const { data } = (
      await organization.admin
        .get(`/api/audit?action=user.password_confirmation_failed&user_id=${user.userId}`)
        .expect(200)
    ).body;
    expect(data).toHaveLength(3);
  });

  it('is revoked by a concurrent suspension', async () => {
    for (let round = 0; round < 5; round += 1) {
      const user = await organization.addUser('member');
      const session = await signIn(test, user);
      const [created] = await Promise.all([
        session.post('/api/api-keys', { key_name: 'x', current_password: user.password }),
        organization.admin.post(`/api/users/${user.userId}/suspend`).expect(200),
      ]);
      await organization.admin.post(`/api/users/${user.userId}/reactivate`).expect(200);
      if (created.status === 201) await expectRefused(use(created.body.data as Key), 401);
      expect(
        (await organization.admin.get(`/api/users/${user.userId}/api-keys`).expect(200)).body.data,
      ).toEqual([]);
    }
  });
});

describe('an expiring key', () => {
  it('works until its expiry, then returns the 401 of any invalid key', async () => {
    const session = await signIn(test, await organization.addUser('member'));
    const expires_at = new Date(Date.now() + 60_000).toISOString();
    const key = await makeKey(session, { expires_at });
    expect(key.expires_at).toBe(expires_at);
    await use(key).expect(200);
    await database.db.raw(`UPDATE api_keys SET expires_at = now() WHERE api_key_id = ?`, [key.api_key_id]);
    const expired = await expectRefused(use(key), 401, 'unauthenticated');
    expect(expired.message).toBe((await expectRefused(use(`cvs_${'A'.repeat(48)}`), 401)).message);
    const listed = (await session.get('/api/api-keys').expect(200)).body.data as Key[];
    expect(listed.at(-1)).toMatchObject({ api_key_id: key.api_key_id, expires_at: expect.any(String) });
  });

  it('with a plain date works until the end of that day (UTC)', async () => {
    const session = await signIn(test, await organization.addUser('member'));
    const key = await makeKey(session, { expires_at: '2199-12-31' });
    expect(key.expires_at).toBe('2200-01-01T00:00:00.000Z');
  });
});

describe('keys of other users', () => {
  it('are listed and revoked by admins of the organization', async () => {
    const user = await organization.addUser('member');
    const at = `/api/users/${user.userId}/api-keys`;
    const [key] = (await organization.admin.get(at).expect(200)).body.data as Key[];
    expect(key).toMatchObject({
      key_name: 'Test key',
      key_start: user.apiKey!.slice(0, 8),
      expires_at: null,
    });
    expect(JSON.stringify(key)).not.toContain(user.apiKey!.slice(8));
    await organization.admin.delete(`${at}/${key!.api_key_id}`).expect(204);
    await expectRefused(use(user.apiKey!), 401);
    expect((await organization.admin.get(at).expect(200)).body.data).toEqual([]);
    await expectRefused(organization.admin.delete(`${at}/${key!.api_key_id}`), 404);
    const { data } = (
      await organization.admin
        .get(`/api/audit?action=api_key.revoked&object_id=${key!.api_key_id}`)
        .expect(200)
    ).body;
    expect(data).toEqual([
      expect.objectContaining({ user_id: organization.admin.userId, details: { owner_id: user.userId } }),
    ]);
  });

  it('cannot be reached by members, other organizations or under another user', async () => {
    const [victim, other] = [await organization.addUser('member'), await organization.addUser('member')];
    const otherAdmin = (await newOrganization(test)).admin;
    const at = `/api/users/${victim.userId}/api-keys`;
    const keyId = ((await organization.admin.get(at).expect(200)).body.data as Key[])[0]!.api_key_id;
    for (const path of [at, `/api/users/${MISSING_ID}/api-keys`]) {
      await expectRefused(other.get(path), 403);
      await expectRefused(other.delete(`${path}/${keyId}`), 403);
      await expectRefused(otherAdmin.get(path), 404);
      await expectRefused(otherAdmin.delete(`${path}/${keyId}`), 404);
    }
    await expectRefused(victim.get(at), 403);
    await expectRefused(organization.admin.delete(`/api/users/${other.userId}/api-keys/${keyId}`), 404);
    await expectRefused(organization.admin.delete(`${at}/${MISSING_ID}`), 404);
    for (const id of INVALID_IDS) {
      await expectRefused(organization.admin.delete(`${at}/${id}`), 400);
      await expectRefused(organization.admin.get(`/api/users/${id}/api-keys`), 400);
    }
    await use(victim.apiKey!).expect(200);
  });

  it('of a superadmin cannot be revoked by an admin', async () => {
    const boss = await organization.addUser('superadmin');
    const at = `/api/users/${boss.userId}/api-keys`;
    const keyId = ((await organization.admin.get(at).expect(200)).body.data as Key[])[0]!.api_key_id;
    await expectRefused(organization.admin.delete(`${at}/${keyId}`), 403);
    await boss.delete(`${at}/${keyId}`).expect(204);
    await expectRefused(use(boss.apiKey!), 401);
  });
});

describe('first use of a key from a new network', () => {
  it('is in the audit log once per network, with the address', async () => {
    const user = await organization.addUser('member');
    const addresses = ['192.0.2.1', '2001:db8:0:100::1', '192.0.2.1', '2001:db8:0:1ff::2', '198.51.100.1'];
    for (const address of addresses) await use(user.apiKey!, address).expect(200);
    await Promise.all(Array.from({ length: 8 }, () => use(user.apiKey!, '203.0.113.7').expect(200)));
    // Another process remembers nothing, but the database does.
    const other = appOn(database, { TRUST_PROXY: '1' });
    await supertest(other.app)
      .get('/api/users/me')
      .set('X-API-Key', user.apiKey!)
      .set('X-Forwarded-For', '192.0.2.1')
      .expect(200);
    const { data } = (
      await organization.admin
        .get(`/api/audit?action=api_key.used_from_new_network&user_id=${user.userId}`)
        .expect(200)
    ).body;
    expect(
      data.map(({ address, details }: { address: string; details: object }) => [address, details]),
    ).toEqual([
      ['203.0.113.7', { network: '203.0.113.7' }],
      ['198.51.100.1', { network: '198.51.100.1' }],
      ['2001:db8:0:100::1', { network: '2001:db8:0:100::/56' }],
      ['192.0.2.1', { network: '192.0.2.1' }],
    ]);
  });
});
