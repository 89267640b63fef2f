import supertest from 'supertest';
import { beforeAll, describe, expect, it } from 'vitest';
import { randomIds } from '../../../src/lib/ids.ts';
import { newOrganization, type Organization } from '../../support/actors.ts';
import { appOn, useApp } from '../../support/app.ts';
import { expectRefused, expectInvalidField } from '../../support/refusals.ts';

const test = useApp();
let organization: Organization;
beforeAll(async () => {
  organization = await newOrganization(test);
});

interface Link {
  invite_id: number;
  invite_token: string;
}
const createLink = async (body: object = {}): Promise<Link> =>
  (await organization.admin.post('/api/invite-links', body).expect(201)).body.data;
const countUses = async ({ invite_id: id }: Link): Promise<number> =>
  (await test.database.db.raw('SELECT invite_uses FROM invite_links WHERE invite_id = ?', [id])).rows[0]
    .invite_uses;
const listJoined = async ({ invite_id: id }: Link) =>
  (
    await test.database.db.raw(
      'SELECT user_email, user_name, user_role, user_status, organization_id FROM users WHERE invite_id = ? ORDER BY user_id',
      [id],
    )
  ).rows;
const newEmail = (): string => `${randomIds.token(10).toLowerCase()}@joining.example`;
const PASSWORD = 'long enough';
const auth = (body: object, app = test.app) => supertest(app).post('/api/auth').send(body);
const join = (link: Link, more: object = {}, app = test.app) =>
  auth(
    {
      action: 'register',
      invite_token: link.invite_token,
      user_name: 'Jo Joining',
      email: newEmail(),
      password: PASSWORD,
      ...more,
    },
    app,
  );
const logIn = (email: string, password = PASSWORD) => auth({ action: 'login', email, password });

describe('joining through an invite link', () => {
  it('creates a pending user with its role, who can sign in after approval', async () => {
    const link = await createLink({ invite_role: 3 });
    const reply = await join(link, { user_name: '  Jo Joining ', email: ' Jo@Joining.example ' }).expect(201);
    const { user_id: userId } = reply.body.data;
    expect(reply.body).toEqual({
      success: 1,
      data: { registered: true, user_id: expect.any(Number), user_status: 2 },
    });
    expect(reply.headers).not.toHaveProperty('set-cookie');
    expect(reply.headers['cache-control']).toBe('no-store');
    expect(await listJoined(link)).toEqual([
      {
        user_email: 'Jo@Joining.example',
        user_name: 'Jo Joining',
        user_role: 'client',
        user_status: 2,
        organization_id: organization.organizationId,
      },
    ]);
    expect(await countUses(link)).toBe(1);

    await expectRefused(logIn('jo@joining.example'), 403, 'account_pending');

    await organization.admin.post(`/api/users/${userId}/approve`).expect(200);
    const login = await logIn('jo@joining.example').expect(200);
    expect(login.body.data).toMatchObject({ user_id: userId, user_name: 'Jo Joining', user_role: 'client' });
  });

  it('does not let a rejected user sign in', async () => {
    const email = newEmail();
    const { user_id: userId } = (await join(await createLink(), { email }).expect(201)).body.data;
    await organization.admin.post(`/api/users/${userId}/reject`).expect(200);
    await expectRefused(logIn(email), 401, 'login_failed');
  });

  it('is recorded with user and address, without secrets', async () => {
    const link = await createLink();
    const reply = await join(link).expect(201);
    const { rows } = await test.database.db.raw(
      `SELECT organization_id, user_id, credential, address, request_id, details FROM audit_log
       WHERE action = 'user.registered' AND object_id = ?`,
      [String(reply.body.data.user_id)],
    );
    expect(rows).toEqual([
      {
        organization_id: organization.organizationId,
        user_id: reply.body.data.user_id,
        credential: null,
        address: expect.stringMatching(/127\.0\.0\.1|::1/),
        request_id: reply.headers['x-request-id'],
        details: { invite_id: link.invite_id, user_role: 'member' },
      },
    ]);
  });

  it('normalizes the password and compares all its bytes', async () => {
    const email = newEmail();
    const password = `Ångström ${'x'.repeat(100)}`;
    const { user_id: userId } = (await join(await createLink(), { email, password }).expect(201)).body.data;
    await organization.admin.post(`/api/users/${userId}/approve`).expect(200);
    await logIn(email, password.normalize('NFD')).expect(200);
    await expectRefused(logIn(email, password.slice(0, -1)), 401);
  });
});

describe('an invite with three uses', () => {
  it('creates exactly three users from 40 concurrent requests to two application instances', async () => {
    const link = await createLink({ invite_max_uses: 3 });
    const second = appOn(test.database).app;
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, index) => join(link, {}, index % 2 === 0 ? test.app : second)),
    );
    const statuses = replies.map((reply) => reply.status).sort();
    expect(statuses).toEqual([...Array<number>(3).fill(201), ...Array<number>(37).fill(410)]);
    for (const reply of replies.filter((one) => one.status === 410))
      expect(reply.body.code).toBe('invite_used_up');
    expect(await listJoined(link)).toHaveLength(3);
    expect(await countUses(link)).toBe(3);
  });

  it('is used once by 20 concurrent requests with the same email address', async () => {
    const link = await createLink({ invite_max_uses: 3 });
    const email = newEmail();
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        join(link, { email: index % 2 === 0 ? email : email.toUpperCase() }),
      ),
    );
    expect(replies.filter((reply) => reply.status === 201)).toHaveLength(1);
    const others = replies.filter((reply) => reply.status !== 201);
    expect(new Set(others.map((reply) => `${reply.status} ${reply.body.code}`))).toEqual(
      new Set(['409 email_taken']),
    );
    expect(await listJoined(link)).toHaveLength(1);
    expect(await countUses(link)).toBe(1);
  });
});

describe('joining is rejected', () => {
  it('with an email address in use, ignoring case, without counting a use', async () => {
    const link = await createLink({ invite_max_uses: 1 });
    for (const email of [organization.admin.email, organization.admin.email.toUpperCase()]) {
      const refusal = await expectRefused(join(link, { email }), 409, 'email_taken');
      expect(refusal.message).toContain('email');
    }
    expect(await countUses(link)).toBe(0);
    await join(link).expect(201);
  });

  it('but not with the email address of a deleted user', async () => {
    const deletedUser = await organization.addUser('member');
    await organization.admin.delete(`/api/users/${deletedUser.userId}`).expect(204);
    await join(await createLink(), { email: deletedUser.email }).expect(201);
  });

  it('with a link that is unknown, used up, expired or revoked, even if the email address is in use', async () => {
    const [used, expired, revoked] = [
      await createLink({ invite_max_uses: 1 }),
      await createLink(),
      await createLink(),
    ];
    await join(used).expect(201);
    await test.database.db.raw(
      `UPDATE invite_links SET expires_at = now() - interval '1 second' WHERE invite_id = ?`,
      [expired.invite_id],
    );
    await organization.admin.delete(`/api/invite-links/${revoked.invite_id}`).expect(204);
    for (const email of [newEmail(), organization.admin.email]) {
      await expectRefused(join(used, { email }), 410, 'invite_used_up');
      await expectRefused(join(expired, { email }), 410, 'invite_expired');
      await expectRefused(join(revoked, { email }), 410, 'invite_revoked');
      await expectRefused(join({ invite_id: 0, invite_token: 'A'.repeat(24) }, { email }), 404, 'not_found');
    }
    expect(await listJoined(expired)).toEqual([]);
    expect(await listJoined(revoked)).toEqual([]);
  });

  it.each([
    ['invite_token', { $ne: 1 }],
    ['invite_token', ['x']],
    ['invite_token', ''],
    ['invite_token', null],
    ['invite_token', 'x'.repeat(201)],
    ['user_name', '   '],
    ['user_name', ['Jo']],
    ['user_name', 'Jo\r\nBcc: all@example.org'],
    ['user_name', 'x'.repeat(201)],
    ['email', { $ne: 1 }],
    ['email', ['a@b.example']],
    ['email', 'not an address'],
    ['email', 'a\0@b.example'],
    ['email', 'a@b.example\r\nBcc: c@d.example'],
    ['email', `${'x'.repeat(250)}@b.example`],
    ['password', 'short12'],
    ['password', '🔒🔒🔒🔒🔒'],
    ['password', 'é'.repeat(513)],
    ['password', { length: 8 }],
    ['password', 12345678],
    ['user_role', 'admin'],
    ['invite_role', 1],
    ['user_status', 1],
    ['organization_id', 1],
    ['remember_me', true],
    ['constructor', 1],
  ])('if %s is %j, with 400 and without counting a use', async (field, value) => {
    const link = await createLink({ invite_max_uses: 1 });
    await expectInvalidField(join(link, { [field]: value }), field);
    expect(await countUses(link)).toBe(0);
  });

  it('with NUL or a lone surrogate in the token, with 400', async () => {
    for (const token of ['a\0b', '\ud800aaaaaaaaaaaaaaa'])
      await expectRefused(join({ invite_id: 0, invite_token: token }), 400);
    await expectRefused(join({ invite_id: 0, invite_token: "' OR 1=1 --" }), 404, 'not_found');
    await expectRefused(join({ invite_id: 0, invite_token: '__proto__' }), 404, 'not_found');
  });
});

it('revoking a link keeps the users who joined before and rejects later ones', async () => {
  const link = await createLink();
  const replies = await Promise.all([
    ...Array.from({ length: 10 }, () => join(link)),
    organization.admin.delete(`/api/invite-links/${link.invite_id}`),
  ]);
  const joined = replies.slice(0, -1).filter((reply) => reply.status === 201).length;
  expect(await listJoined(link)).toHaveLength(joined);
  expect(await countUses(link)).toBe(joined);
  await expectRefused(join(link), 410, 'invite_revoked');
});
