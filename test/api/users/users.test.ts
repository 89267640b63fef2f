import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it, test } from 'vitest';
import {
  type Actor,
  newOrganization,
  type Organization,
  signIn,
  useOrganization,
} from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { INVALID_IDS, MISSING_ID, expectRefused, expectInvalidField } from '../../support/refusals.ts';

const app = useApp();
const home = useOrganization(app);
let other: Organization;
let member: Actor;
let client: Actor;

beforeAll(async () => {
  other = await newOrganization(app);
  [member, client] = await Promise.all([home.addUser('member'), home.addUser('client')]);
});

const { admin } = home;
const newEmail = () => `user-${randomUUID().slice(0, 8)}@${home.slug}.example`;
const userBody = (more: object = {}) => ({
  user_email: newEmail(),
  user_name: 'Nora New',
  user_password: 'long enough',
  ...more,
});
const createUser = async (more: object = {}) =>
  (await admin.post('/api/users', userBody(more)).expect(201)).body.data;
const getUser = async (id: number) => (await admin.get(`/api/users/${id}`).expect(200)).body.data;

async function auditOf(
  userId: number,
): Promise<{ action: string; details: Record<string, unknown> | null }[]> {
  const result: { rows: { action: string; details: Record<string, unknown> | null }[] } =
    await app.database.db.raw(
      `SELECT action, details FROM audit_log WHERE object_type = 'user' AND object_id = ? ORDER BY audit_id`,
      [String(userId)],
    );
  return result.rows;
}

describe('the current user', () => {
  it('returns the user with the organization', async () => {
    const { data } = (await client.get('/api/users/me').expect(200)).body;
    expect(data).toEqual({
      user_id: client.userId,
      user_email: client.email,
      user_name: 'A client',
      user_type: 3,
      user_role: 'client',
      user_status: 1,
      ai_access: true,
      avatar_url: null,
      last_login_at: null,
      email_confirmed: true,
      can_publish_dashboards: false,
      deleted_retention_days: 30,
      organization: {
        organization_id: home.organizationId,
        organization_name: expect.any(String),
        organization_slug: home.slug,
      },
    });
  });

  it('records the login time', async () => {
    const user = await home.addUser('member');
    const session = await signIn(app, user);
    const { data } = (await session.get('/api/users/me').expect(200)).body;
    expect(Date.now() - Date.parse(data.last_login_at)).toBeLessThan(60_000);
  });

  it('allows only GET', async () => {
    const reply = await admin.put('/api/users/me', { user_name: 'x' });
    expect([reply.status, reply.headers.allow]).toEqual([405, 'GET, HEAD']);
  });
});

describe('the user list', () => {
  it('returns 403 to non-admins, whether the user exists or not', async () => {
    await expectRefused(member.get('/api/users'), 403);
    await expectRefused(client.get('/api/users?user_status=9'), 403);
  });

  it('returns only users of the organization, oldest first', async () => {
    const { data, meta } = (await admin.get('/api/users').expect(200)).body;
    const ids = data.map((user: { user_id: number }) => user.user_id);
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
    expect(ids).toEqual(expect.arrayContaining([admin.userId, member.userId, client.userId]));
    expect(ids).not.toContain(other.admin.userId);
    expect(meta.total).toBe(data.length);
  });

  it('searches parts of name and email address, ignoring case', async () => {
    const user = await createUser({ user_name: 'Ödön Xylander' });
    const search = async (query: string) =>
      (await admin.get(`/api/users?search=${encodeURIComponent(query)}`).expect(200)).body.data.map(
        (user: { user_id: number }) => user.user_id,
      );
    expect(await search('öDÖN xyl')).toEqual([user.user_id]);
    expect(await search(user.user_email.toUpperCase())).toEqual([user.user_id]);
    expect(await search('%')).toEqual([]);
  });

  it('filters by role and status, and excludes deleted users by default', async () => {
    const deletedUser = await createUser();
    await admin.delete(`/api/users/${deletedUser.user_id}`).expect(204);
    const listIds = async (query: string) =>
      (await admin.get(`/api/users?${query}`).expect(200)).body.data.map(
        (user: { user_id: number }) => user.user_id,
      );
    expect(await listIds('user_status=0')).toEqual([deletedUser.user_id]);
    expect(await listIds('')).not.toContain(deletedUser.user_id);
    expect(await listIds('user_role=client')).toEqual([client.userId]);
    expect(await listIds('user_status=2')).toEqual([]);
  });

  it('is sorted and paginated', async () => {
    const names = async (query: string) =>
      (await admin.get(`/api/users?${query}`).expect(200)).body.data.map(
        (user: { user_name: string }) => user.user_name,
      );
    const sorted = await names('sort=-user_name');
    expect(sorted).toEqual([...sorted].sort((a, b) => b.localeCompare(a, 'en')));
    expect((await names('sort=last_login_at'))[0]).toBeDefined();
    const first = (await admin.get('/api/users?limit=2').expect(200)).body;
    expect(first.data).toHaveLength(2);
    const next = (await admin.get(`/api/users?limit=2&cursor=${first.meta.next_cursor}`).expect(200)).body;
    expect(next.data[0].user_id).toBeGreaterThan(first.data[1].user_id);
  });

  test.each([
    'user_status=4',
    'user_status=',
    'user_role=owner',
    'sort=password_hash',
    'sort[0]=user_id',
    'search=a&search=b',
    'limit=0',
    'who=1',
  ])('rejects ?%s', (query) => expectRefused(admin.get(`/api/users?${query}`), 400).then(() => undefined));
});

describe('a user', () => {
  it('is visible to themselves and to admins', async () => {
    const own = (await member.get(`/api/users/${member.userId}`).expect(200)).body.data;
    expect(own).toEqual(await getUser(member.userId));
    expect(JSON.stringify(own)).not.toMatch(/hash|token/);
  });

  it('returns 403 to others, whether the user exists or not', async () => {
    const texts = await Promise.all(
      [admin.userId, other.admin.userId, MISSING_ID].map(
        async (id) => (await expectRefused(member.get(`/api/users/${id}`), 403)).message,
      ),
    );
    expect(new Set(texts).size).toBe(1);
  });

  it('returns 404 for another organization', async () => {
    const missing = await expectRefused(admin.get(`/api/users/${MISSING_ID}`), 404);
    const foreign = await expectRefused(admin.get(`/api/users/${other.admin.userId}`), 404);
    expect(foreign.message).toBe(missing.message);
  });

  it.each(INVALID_IDS)('returns 400 for the id %s', (id) =>
    expectRefused(admin.get(`/api/users/${id}`), 400).then(() => undefined),
  );
});

describe('creating a user', () => {
  it('creates a member who can sign in immediately', async () => {
    const email = newEmail();
    const { data } = (
      await admin
        .post('/api/users', userBody({ user_email: ` ${email} `, user_name: '  Nora  ' }))
        .expect(201)
    ).body;
    expect(data).toMatchObject({
      user_email: email,
      user_name: 'Nora',
      user_type: 2,
      user_role: 'member',
      user_status: 1,
      ai_access: true,
    });
    const password = 'long enough';
    const session = await signIn(app, { ...member, email: email.toUpperCase(), password });
    await session.get('/api/workspaces').expect(200);
    expect(await auditOf(data.user_id)).toMatchObject([
      { action: 'user.created', details: { user_role: 'member' } },
      { action: 'user.logged_in' },
    ]);
  });

  test.each([
    [{ user_type: 1 }, 'admin', 1],
    [{ user_type: 2 }, 'member', 2],
    [{ user_type: 3 }, 'client', 3],
    [{ user_type: 6 }, 'client', 3],
    [{ user_role: 'client' }, 'client', 3],
    [{ user_type: 1, user_role: 'admin' }, 'admin', 1],
  ])('%j creates a user with role %s', async (fields, role, type) => {
    expect(await createUser({ ...fields, ai_access: false })).toMatchObject({
      user_role: role,
      user_type: type,
      ai_access: false,
    });
  });

  test.each([
    [{ user_email: 'not an address' }, 'user_email'],
    [{ user_email: 'a@b.example\r\nBcc: x@y.example' }, 'user_email'],
    [{ user_email: { $ne: 1 } }, 'user_email'],
    [{ user_email: undefined }, 'user_email'],
    [{ user_name: '   ' }, 'user_name'],
    [{ user_name: 'two\nlines' }, 'user_name'],
    [{ user_name: ['x'] }, 'user_name'],
    [{ user_password: 'seven77' }, 'user_password'],
    [{ user_password: '👍👍👍👍' }, 'user_password'],
    [{ user_password: 'é'.repeat(513) }, 'user_password'],
    [{ user_password: 12345678 }, 'user_password'],
    [{ user_type: 4 }, 'user_type'],
    [{ user_type: '2' }, 'user_type'],
    [{ user_type: 1, user_role: 'client' }, 'user_role'],
    [{ user_role: 'constructor' }, 'user_role'],
    [{ ai_access: 'yes' }, 'ai_access'],
    [{ user_status: 1 }, 'user_status'],
    [{ organization_id: 1 }, 'organization_id'],
  ])('rejects %j', (fields, field) => expectInvalidField(admin.post('/api/users', userBody(fields)), field));

  it.each(['\\u0000', '\\ud800'])('rejects the character %s in a name', async (character) => {
    const body = `{"user_email":"${newEmail()}","user_name":"x${character}","user_password":"long enough"}`;
    await expectRefused(admin.post('/api/users').set('Content-Type', 'application/json').send(body), 400);
  });

  it('compares all 1,024 bytes of a password', async () => {
    const password = 'a'.repeat(1_023);
    const user = await createUser({ user_password: `${password}b` });
    await signIn(app, { ...member, email: user.user_email, password: `${password}b` });
    await expect(
      signIn(app, { ...member, email: user.user_email, password: `${password}c` }),
    ).rejects.toThrow('401');
  });

  it('cannot create a superadmin', async () => {
    const email = newEmail();
    await expectRefused(
      admin.post('/api/users', userBody({ user_email: email, user_role: 'superadmin' })),
      403,
    );
    expect((await admin.get(`/api/users?search=${email}`)).body.data).toEqual([]);
  });

  it('rejects an email address in use in any organization, ignoring case', async () => {
    for (const existing of [member.email.toUpperCase(), other.admin.email]) {
      const body = await expectRefused(
        admin.post('/api/users', userBody({ user_email: existing })),
        409,
        'email_taken',
      );
      expect(body.message).toContain('user_email');
    }
  });

  it('creates one user from concurrent requests with the same email address', async () => {
    const user = userBody();
    const replies = await Promise.all([1, 2, 3].map(() => admin.post('/api/users', user)));
    expect(replies.map((reply) => reply.status).sort()).toEqual([201, 409, 409]);
  });

  it('is only for admins', async () => {
    await expectRefused(member.post('/api/users', userBody()), 403);
    await expectRefused(client.post('/api/users', {}), 403);
  });
});

describe('changing a user', () => {
  const put = (actor: Actor, id: number, body: object) => actor.put(`/api/users/${id}`, body);

  it('lets users change their own name', async () => {
    const user = await home.addUser('client');
    const { data } = (await put(user, user.userId, { user_name: 'Clio' }).expect(200)).body;
    expect(data.user_name).toBe('Clio');
    expect(await auditOf(user.userId)).toEqual([
      { action: 'user.updated', details: { fields: ['user_name'] } },
    ]);
  });

  it('records no change for an unchanged copy', async () => {
    const user = await home.addUser('member');
    const own = (await user.get(`/api/users/${user.userId}`)).body.data;
    expect((await put(user, user.userId, own).expect(200)).body.data).toEqual(own);
    expect((await put(admin, user.userId, own).expect(200)).body.data).toEqual(own);
    expect(await auditOf(user.userId)).toEqual([]);
    await user.get('/api/users/me').expect(200);
  });

  it('accepts an unchanged invalid email address from before validation, but no new one', async () => {
    const { userId } = await home.addUser('member');
    const user_email = `JÖRG@${home.slug}`;
    await app.database.db.raw('UPDATE users SET user_email = ? WHERE user_id = ?', [user_email, userId]);
    const changed = await admin.put(`/api/users/${userId}`, { user_email, user_name: 'Jörg' }).expect(200);
    expect(changed.body.data).toMatchObject({ user_email, user_name: 'Jörg' });
    await expectInvalidField(
      admin.put(`/api/users/${userId}`, { user_email: `Jörg@${home.slug}` }),
      'user_email',
    );
    await expectInvalidField(
      member.put(`/api/users/${member.userId}`, { user_email: 'nowhere' }),
      'user_email',
    );
  });

  it("requires the current password to change one's own email address", async () => {
    const user = await home.addUser('admin');
    const email = newEmail();
    await expectInvalidField(put(user, user.userId, { user_email: email }), 'current_password');
    await expectInvalidField(
      put(user, user.userId, { user_email: email, current_password: 'wrong' }),
      'current_password',
    );
    const body = { user_email: email, current_password: user.password };
    expect((await put(user, user.userId, body).expect(200)).body.data.user_email).toBe(email);
    await signIn(app, { ...user, email });
    await expectRefused(put(user, user.userId, { ...body, user_email: member.email }), 409, 'email_taken');
  });

  it('lets only admins change type and AI access', async () => {
    const user = await home.addUser('member');
    for (const body of [
      { user_type: 1 },
      { user_role: 'admin' },
      { ai_access: false },
      { user_role: 'superadmin' },
    ])
      await expectRefused(put(user, user.userId, body), 403);
    await expectRefused(put(user, user.userId, { user_name: 'x', user_type: 1 }), 403);
    expect(await getUser(user.userId)).toMatchObject({
      user_name: 'A member',
      user_type: 2,
      ai_access: true,
    });
  });

  it('returns 403 to non-admins for other users, whether they exist or not', async () => {
    for (const id of [client.userId, other.admin.userId, MISSING_ID])
      await expectRefused(put(member, id, { user_name: 'x' }), 403);
    await expectRefused(put(admin, other.admin.userId, { user_name: 'x' }), 404);
    await expectRefused(put(admin, MISSING_ID, { user_name: 'x' }), 404);
  });

  it('lets an admin change every field of another user', async () => {
    const user = await home.addUser('member');
    const session = await signIn(app, await home.addUser('admin'));
    const email = newEmail();
    const body = {
      user_name: 'Max',
      user_email: email,
      user_type: 3,
      ai_access: false,
      current_password: session.password,
    };
    const { data } = (await put(session, user.userId, body).expect(200)).body;
    expect(data).toMatchObject({
      user_name: 'Max',
      user_email: email,
      user_role: 'client',
      ai_access: false,
    });
    await signIn(app, { ...user, email });
    expect((await auditOf(user.userId))[0]).toEqual({
      action: 'user.updated',
      details: {
        fields: ['user_name', 'user_email', 'user_type', 'ai_access'],
        user_role: 'client',
      },
    });
  });

  it('accepts a new type with the unchanged old role', async () => {
    const user = await home.addUser('member');
    const before = await getUser(user.userId);
    expect((await put(admin, user.userId, { ...before, user_type: 1 }).expect(200)).body.data.user_role).toBe(
      'admin',
    );
    const repeated = await getUser(user.userId);
    expect(
      (await put(admin, user.userId, { ...repeated, user_role: 'client' }).expect(200)).body.data.user_type,
    ).toBe(3);
    await expectInvalidField(put(admin, user.userId, { user_type: 1, user_role: 'member' }), 'user_role');
  });

  it('does not set passwords', async () => {
    await expectInvalidField(put(member, member.userId, { user_password: 'another one' }), 'user_password');
    await expectInvalidField(put(admin, admin.userId, { user_password: 'another one' }), 'user_password');
  });

  test.each([
    [{ user_name: null }, 'user_name'],
    [{ user_email: 'x' }, 'user_email'],
    [{ user_type: 0 }, 'user_type'],
    [{ ai_access: 1 }, 'ai_access'],
    [{ user_password: 'short' }, 'user_password'],
    [{ password_hash: 'x' }, 'password_hash'],
    [{ token_version: 0 }, 'token_version'],
  ])('rejects %j', (body, field) => expectInvalidField(put(admin, member.userId, body), field));

  it('ignores read-only fields', async () => {
    const body = {
      user_status: 0,
      user_id: 1,
      avatar_url: 'https://evil.example/x.svg',
      last_login_at: null,
    };
    expect((await put(admin, member.userId, body).expect(200)).body.data).toEqual(
      await getUser(member.userId),
    );
  });

  it('limits password guesses per account', async () => {
    const settings = { RATE_LIMIT_AUTH: '3' };
    const { appOn } = await import('../../support/app.ts');
    const limitedApp = appOn(app.database, settings);
    const organization = await newOrganization(limitedApp);
    const user = await organization.addUser('member');
    const guess = () => put(user, user.userId, { user_email: newEmail(), current_password: 'guess' });
    for (let n = 0; n < 3; n += 1) await expectRefused(guess(), 400);
    const reply = await guess();
    expect([reply.status, reply.headers['retry-after']]).toEqual([429, '900']);
    await put(user, user.userId, { user_name: 'Still active' }).expect(200);
  });
});

describe('a superadmin', () => {
  it('cannot be changed by an admin', async () => {
    const superadmin = await home.addUser('superadmin');
    const at = `/api/users/${superadmin.userId}`;
    expect(await getUser(superadmin.userId)).toMatchObject({ user_type: 1, user_role: 'superadmin' });
    await expectRefused(admin.put(at, { user_name: 'x' }), 403);
    await expectRefused(admin.delete(at), 403);
    await expectRefused(admin.post(`${at}/suspend`), 403);
    await expectRefused(admin.patch(`${at}/ai-access`, { ai_access: false }), 403);
    await expectRefused(admin.put(`${at}/dashboards`, { dashboard_ids: [] }), 403);
    await expectRefused(admin.delete(`${at}/avatar`), 403);
    const own = (await superadmin.get(at).expect(200)).body.data;
    expect((await superadmin.put(at, own).expect(200)).body.data).toEqual(own);
  });

  it('edits their own account while acting in another organization', async () => {
    const superadmin = await home.addUser('superadmin');
    await superadmin.put(`/api/organizations/current/${other.organizationId}`).expect(200);
    const me = (await superadmin.get('/api/users/me').expect(200)).body.data;
    expect(me).toMatchObject({
      user_id: superadmin.userId,
      organization: { organization_id: other.organizationId },
      home_organization_id: home.organizationId,
    });
    await superadmin.put(`/api/users/${superadmin.userId}`, { user_name: 'Renamed' }).expect(200);
    const listed = (await superadmin.get('/api/users').expect(200)).body.data;
    expect(listed.map((user: { user_id: number }) => user.user_id)).toEqual([other.admin.userId]);
    await expectRefused(superadmin.get(`/api/users/${member.userId}`), 404);
    await superadmin.put(`/api/users/${other.admin.userId}`, { user_name: 'Renamed too' }).expect(200);
  });
});

describe('AI access', () => {
  it('is granted and revoked by admins', async () => {
    const at = `/api/users/${client.userId}/ai-access`;
    expect((await admin.patch(at, { ai_access: false }).expect(200)).body.data.ai_access).toBe(false);
    expect((await admin.patch(at, { ai_access: false }).expect(200)).body.data.ai_access).toBe(false);
    expect((await admin.patch(at, { ai_access: true }).expect(200)).body.data.ai_access).toBe(true);
    expect(await auditOf(client.userId)).toEqual(
      [false, true].map((ai_access) => ({ action: 'user.ai_access_set', details: { ai_access } })),
    );
    await expectRefused(client.patch(at, { ai_access: true }), 403);
    await expectInvalidField(admin.patch(at, {}), 'ai_access');
    await expectInvalidField(admin.patch(at, { ai_access: null }), 'ai_access');
    await expectRefused(admin.patch(`/api/users/${other.admin.userId}/ai-access`, { ai_access: false }), 404);
  });
});
