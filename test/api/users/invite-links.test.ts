import { beforeAll, expect, it } from 'vitest';
import { type Actor, anonymous, newOrganization, type Organization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { INVALID_IDS, MISSING_ID, expectRefused, expectInvalidField } from '../../support/refusals.ts';

const test = useApp({ PUBLIC_URL: 'https://canvass.example' });
let home: Organization;
let other: Organization;
let admin: Actor;
beforeAll(async () => {
  home = await newOrganization(test);
  other = await newOrganization(test);
  admin = home.admin;
});

interface Link {
  invite_id: number;
  invite_token: string;
}
const createLink = async (body: object = {}, by: Actor = admin): Promise<Link> =>
  (await by.post('/api/invite-links', body).expect(201)).body.data;
const findInList = async (by: Actor, id: number) =>
  (await by.get('/api/invite-links').expect(200)).body.data.find(
    (link: { invite_id: number }) => link.invite_id === id,
  );
const getPublicInvite = (token: string) => anonymous(test).get(`/api/public/invites/${token}`);
const updateColumn = (id: number, column: string, value: string | number) =>
  test.database.db.raw(`UPDATE invite_links SET ${column} = ? WHERE invite_id = ?`, [value, id]);

it('an invite link creates members, without limit or expiry by default', async () => {
  const created = await admin.post('/api/invite-links').expect(201);
  const token = created.body.data.invite_token as string;
  expect(token).toMatch(/^[A-Za-z0-9]{24}$/);
  expect(created.body.data).toEqual({
    invite_id: expect.any(Number),
    invite_token: token,
    invite_url: `https://canvass.example/join/${token}`,
    invite_role: 2,
    user_role: 'member',
    invite_max_uses: null,
    invite_uses: 0,
    expires_at: null,
    invite_status: 'active',
    created_at: expect.stringMatching(/Z$/),
  });
  expect(await findInList(admin, created.body.data.invite_id)).toEqual(created.body.data);
  const publicInvite = await getPublicInvite(token).expect(200);
  expect(publicInvite.body).toEqual({
    success: 1,
    data: {
      organization_name: `Organization ${home.slug}`,
      invite_role: 2,
      user_role: 'member',
      expires_at: null,
    },
  });
  expect(publicInvite.headers['cache-control']).toBe('no-store');
});

it.each([
  [{ invite_role: 1 }, 1, 'admin'],
  [{ invite_role: 2 }, 2, 'member'],
  [{ invite_role: 3 }, 3, 'client'],
  [{ invite_role: 6 }, 3, 'client'],
  [{ user_role: 'client' }, 3, 'client'],
  [{ invite_role: 1, user_role: 'admin' }, 1, 'admin'],
])('%j invites with type %i (%s)', async (body, type, role) => {
  const link = await createLink({ ...body, invite_max_uses: 3, expires_at: '2100-01-31T12:00:00+02:00' });
  expect(link).toMatchObject({
    invite_role: type,
    user_role: role,
    invite_max_uses: 3,
    expires_at: '2100-01-31T10:00:00.000Z',
  });
  expect((await getPublicInvite(link.invite_token).expect(200)).body.data).toMatchObject({
    invite_role: type,
    user_role: role,
  });
});

it('a date in expires_at includes that day', async () => {
  expect(await createLink({ expires_at: '2100-01-31' })).toMatchObject({
    expires_at: '2100-02-01T00:00:00.000Z',
  });
});

it('invite_status follows uses and expiry; a used, expired or revoked link returns 410', async () => {
  const [used, expired, revoked] = [
    await createLink({ invite_max_uses: 1 }),
    await createLink(),
    await createLink(),
  ];
  await updateColumn(used.invite_id, 'invite_uses', 1);
  await updateColumn(expired.invite_id, 'expires_at', '2020-01-01T00:00:00Z');
  await admin.delete(`/api/invite-links/${revoked.invite_id}`).expect(204);
  expect(await findInList(admin, used.invite_id)).toMatchObject({ invite_status: 'used_up', invite_uses: 1 });
  expect(await findInList(admin, expired.invite_id)).toMatchObject({ invite_status: 'expired' });
  expect(await findInList(admin, revoked.invite_id)).toBeUndefined();
  await expectRefused(getPublicInvite(used.invite_token), 410, 'invite_used_up');
  await expectRefused(getPublicInvite(expired.invite_token), 410, 'invite_expired');
  await expectRefused(getPublicInvite(revoked.invite_token), 410, 'invite_revoked');
});

it('returns 404 for an unknown token and 400 for a malformed one', async () => {
  await expectRefused(getPublicInvite('A'.repeat(24)), 404, 'not_found');
  for (const token of ['short', 'a'.repeat(65), '%00aaaaaaaaaa', "x'--aaaaaaaa", '%F0%9F%98%80aaaaaaaa'])
    await expectRefused(getPublicInvite(token), 400);
});

it('only an admin of the organization can revoke a link, once', async () => {
  const { invite_id: id, invite_token: token } = await createLink();
  const foreign = await expectRefused(other.admin.delete(`/api/invite-links/${id}`), 404, 'not_found');
  const missing = await expectRefused(
    other.admin.delete(`/api/invite-links/${MISSING_ID}`),
    404,
    'not_found',
  );
  expect(foreign.message).toBe(missing.message);
  expect(await findInList(other.admin, id)).toBeUndefined();
  await getPublicInvite(token).expect(200);
  await admin.delete(`/api/invite-links/${id}`).expect(204);
  await expectRefused(admin.delete(`/api/invite-links/${id}`), 404, 'not_found');
  for (const bad of INVALID_IDS) await expectRefused(admin.delete(`/api/invite-links/${bad}`), 400);
});

it('members and clients cannot list, create or revoke invite links', async () => {
  const { invite_id: id } = await createLink();
  for (const role of ['member', 'client'] as const) {
    const user = await home.addUser(role);
    await expectRefused(user.get('/api/invite-links'), 403, 'forbidden');
    await expectRefused(user.post('/api/invite-links', {}), 403, 'forbidden');
    for (const one of [id, MISSING_ID])
      await expectRefused(user.delete(`/api/invite-links/${one}`), 403, 'forbidden');
  }
  for (const request of [
    anonymous(test).get('/api/invite-links'),
    anonymous(test).post('/api/invite-links', {}),
  ])
    await expectRefused(request, 401, 'unauthenticated');
  expect(await findInList(admin, id)).toBeDefined();
});

it('the list is paginated', async () => {
  const organization = await newOrganization(test);
  const links = [await createLink({}, organization.admin), await createLink({}, organization.admin)];
  const first = await organization.admin.get('/api/invite-links?limit=1').expect(200);
  expect(first.body.meta).toMatchObject({ limit: 1, total: 2 });
  const rest = await organization.admin
    .get(`/api/invite-links?cursor=${first.body.meta.next_cursor}`)
    .expect(200);
  expect([...first.body.data, ...rest.body.data]).toEqual(links);
});

it.each([
  ['invite_role', 0],
  ['invite_role', 4],
  ['invite_role', '1'],
  ['invite_role', [1]],
  ['invite_role', { $gt: 0 }],
  ['user_role', 'superadmin'],
  ['user_role', 'constructor'],
  ['invite_max_uses', 0],
  ['invite_max_uses', -1],
  ['invite_max_uses', 1.5],
  ['invite_max_uses', '3'],
  ['invite_max_uses', 1_000_001],
  ['expires_at', '2020-01-01T00:00:00Z'],
  ['expires_at', '2020-01-01'],
  ['expires_at', '2100-01-31T12:00:00'],
  ['expires_at', '2100-02-30'],
  ['expires_at', 'tomorrow'],
  ['expires_at', 'infinity'],
  ['expires_at', 4_102_444_800],
  ['invite_token', 'mine-mine-mine'],
  ['invite_uses', -5],
  ['organization_id', 1],
])('returns 400 if %s is %j', async (field, value) => {
  await expectInvalidField(admin.post('/api/invite-links', { [field]: value }), field);
});

it('returns 400 if invite_role and user_role differ', async () => {
  await expectInvalidField(
    admin.post('/api/invite-links', { invite_role: 3, user_role: 'admin' }),
    'user_role',
  );
});

it('the audit log records creation and revocation, without the token', async () => {
  const link = await createLink({ invite_role: 1, invite_max_uses: 2 });
  await admin.delete(`/api/invite-links/${link.invite_id}`).expect(204);
  const { rows } = await test.database.db.raw(
    `SELECT action, user_id, details FROM audit_log WHERE object_type = 'invite_link' AND object_id = ? ORDER BY audit_id`,
    [String(link.invite_id)],
  );
  const by = { user_id: admin.userId };
  expect(rows).toEqual([
    { action: 'invite_link.created', ...by, details: { user_role: 'admin', invite_max_uses: 2 } },
    { action: 'invite_link.revoked', ...by, details: null },
  ]);
});
