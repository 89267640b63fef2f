import { beforeAll, describe, expect, it } from 'vitest';
import { type Actor, newOrganization, type Organization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { INVALID_IDS, MISSING_ID, expectRefused, expectInvalidField } from '../../support/refusals.ts';
import { storeDashboard } from '../../support/stored-dashboards.ts';

const test = useApp();
let home: Organization;
let other: Organization;
let admin: Actor;
let ann: Actor;
let client: Actor;
beforeAll(async () => {
  home = await newOrganization(test);
  other = await newOrganization(test);
  admin = home.admin;
  ann = await home.addUser('member');
  client = await home.addUser('client');
});

let groupCount = 0;
const createGroup = async (by: Actor = admin, body: object = {}): Promise<number> => {
  groupCount += 1;
  const created = await by.post('/api/groups', { group_name: `Group ${groupCount}`, ...body }).expect(201);
  return created.body.data.group_id;
};
const createDashboard = (organization: Organization, workspaceId = organization.workspaceId) =>
  storeDashboard(test, { organizationId: organization.organizationId, workspaceId });
const listIds = async (by: Actor, path: string, key: string): Promise<number[]> =>
  (await by.get(path).expect(200)).body.data.map((one: Record<string, number>) => one[key]);
const listMembers = (groupId: number, by = admin) => listIds(by, `/api/groups/${groupId}/members`, 'user_id');
const listDashboards = (groupId: number, by = admin) =>
  listIds(by, `/api/groups/${groupId}/dashboards`, 'dashboard_id');
const findInList = async (by: Actor, groupId: number) =>
  (await by.get('/api/groups').expect(200)).body.data.find(
    (group: { group_id: number }) => group.group_id === groupId,
  );

describe('a group', () => {
  it('is created with only a name, updated by field, and accepts an unchanged copy', async () => {
    const created = await admin.post('/api/groups', { group_name: '  Board  ' }).expect(201);
    const group = {
      group_id: expect.any(Number),
      group_name: 'Board',
      group_description: null,
      group_color: '#6366f1',
      member_count: 0,
      dashboard_count: 0,
      created_at: expect.stringMatching(/Z$/),
    };
    expect(created.body.data).toEqual(group);
    const path = `/api/groups/${created.body.data.group_id}`;
    const described = await admin
      .put(path, { group_description: 'Decision makers', group_color: '#ABC' })
      .expect(200);
    expect(described.body.data).toEqual({
      ...group,
      group_description: 'Decision makers',
      group_color: '#aabbcc',
    });
    const repeated = await admin.put(path, { ...described.body.data, group_name: 'BOARD' }).expect(200);
    expect(repeated.body.data).toEqual({ ...described.body.data, group_name: 'BOARD' });
    const cleared = await admin.put(path, { group_description: null, group_color: null }).expect(200);
    expect(cleared.body.data).toEqual({ ...group, group_name: 'BOARD' });
    expect((await admin.put(path, {}).expect(200)).body.data).toEqual(cleared.body.data);
    await admin.delete(path).expect(204);
    expect(await findInList(admin, created.body.data.group_id)).toBeUndefined();
    for (const request of [
      admin.put(path, { group_name: 'X' }),
      admin.delete(path),
      admin.get(`${path}/members`),
    ])
      await expectRefused(request, 404, 'not_found');
  });

  it('has a unique name in its organization, ignoring case', async () => {
    const first = await createGroup(admin, { group_name: 'Readers' });
    await expectRefused(admin.post('/api/groups', { group_name: 'rEADERS' }), 409, 'group_name_taken');
    const second = await createGroup();
    await expectRefused(
      admin.put(`/api/groups/${second}`, { group_name: 'readers' }),
      409,
      'group_name_taken',
    );
    await createGroup(other.admin, { group_name: 'Readers' });
    await admin.put(`/api/groups/${first}`, { group_name: 'readers' }).expect(200);
    await admin.delete(`/api/groups/${first}`).expect(204);
    await createGroup(admin, { group_name: 'READERS' });
    const concurrent = await Promise.all(
      [1, 2, 3].map(() => admin.post('/api/groups', { group_name: 'Racers' })),
    );
    expect(concurrent.map((reply) => reply.status).sort()).toEqual([201, 409, 409]);
  });

  it('is listed for members with paging and search, but not for clients', async () => {
    const organization = await newOrganization(test);
    for (const name of ['Alpha', 'Beta', 'Alphabet'])
      await organization.admin.post('/api/groups', { group_name: name }).expect(201);
    const member = await organization.addUser('member');
    const names = async (query: string) => {
      const reply = await member.get(`/api/groups${query}`).expect(200);
      return [
        reply.body.data.map((group: { group_name: string }) => group.group_name),
        reply.body.meta.total,
      ];
    };
    expect(await names('')).toEqual([['Alpha', 'Beta', 'Alphabet'], 3]);
    expect(await names('?search=ALPHA')).toEqual([['Alpha', 'Alphabet'], 2]);
    expect(await names('?limit=2&page=2')).toEqual([['Alphabet'], 3]);
    await expectRefused((await organization.addUser('client')).get('/api/groups'), 403, 'forbidden');
  });

  it('returns 403 to non-admins, whether the group exists or not', async () => {
    const groupId = await createGroup();
    for (const user of [ann, client]) {
      for (const id of [groupId, MISSING_ID]) {
        const path = `/api/groups/${id}`;
        for (const request of [
          user.post('/api/groups', { group_name: 'Mine' }),
          user.put(path, { group_name: 'Mine' }),
          user.delete(path),
          user.get(`${path}/members`),
          user.post(`${path}/members`, { user_ids: [user.userId] }),
          user.delete(`${path}/members/${ann.userId}`),
          user.get(`${path}/dashboards`),
          user.put(`${path}/dashboards`, { dashboard_ids: [] }),
        ])
          await expectRefused(request, 403, 'forbidden');
      }
    }
    expect(await listMembers(groupId)).toEqual([]);
  });

  it('returns 404 for another organization', async () => {
    const otherId = await createGroup(other.admin);
    const collectMessages = async (id: number | string) => {
      const path = `/api/groups/${id}`;
      const replies = [
        await expectRefused(admin.put(path, { group_name: 'Taken over' }), 404, 'not_found'),
        await expectRefused(admin.delete(path), 404, 'not_found'),
        await expectRefused(admin.get(`${path}/members`), 404, 'not_found'),
        await expectRefused(admin.post(`${path}/members`, { user_ids: [ann.userId] }), 404, 'not_found'),
        await expectRefused(admin.post(`${path}/members`, { user_ids: [MISSING_ID] }), 404, 'not_found'),
        await expectRefused(admin.delete(`${path}/members/${ann.userId}`), 404, 'not_found'),
        await expectRefused(admin.get(`${path}/dashboards`), 404, 'not_found'),
        await expectRefused(admin.put(`${path}/dashboards`, { dashboard_ids: [] }), 404, 'not_found'),
      ];
      return replies.map((reply) => reply.message);
    };
    expect(await collectMessages(otherId)).toEqual(await collectMessages(MISSING_ID));
    expect(await listMembers(otherId, other.admin)).toEqual([]);
    expect(await findInList(admin, otherId)).toBeUndefined();
    for (const id of INVALID_IDS) await expectRefused(admin.delete(`/api/groups/${id}`), 400);
  });

  it.each([
    ['group_name', null],
    ['group_name', '   '],
    ['group_name', 'x'.repeat(201)],
    ['group_name', ['Board']],
    ['group_name', { $ne: 1 }],
    ['group_name', 'a\0b'],
    ['group_description', 5],
    ['group_description', 'x'.repeat(2001)],
    ['group_color', 'red'],
    ['group_color', '#12345'],
    ['group_color', '#6366f1; drop table groups'],
    ['members', [1]],
    ['constructor', 1],
    ['organization_id', 1],
  ])('returns 400 if %s is %j', async (field, value) => {
    const groupId = await createGroup();
    await expectInvalidField(admin.post('/api/groups', { group_name: 'Fine', [field]: value }), field);
    await expectInvalidField(admin.put(`/api/groups/${groupId}`, { [field]: value }), field);
  });

  it('rejects __proto__ as a field', async () => {
    const raw = admin.post('/api/groups').set('Content-Type', 'application/json');
    await expectRefused(raw.send('{"group_name":"P","__proto__":{"group_name":"Q"}}'), 400);
  });
});

describe('the members of a group', () => {
  it('are added in one request, without duplicates, and removed one by one', async () => {
    const groupId = await createGroup();
    const path = `/api/groups/${groupId}/members`;
    const added = await admin
      .post(path, { user_ids: [client.userId, ann.userId, client.userId] })
      .expect(201);
    const member = (user: Actor, type: number, role: string) => ({
      user_id: user.userId,
      user_name: `A ${role}`,
      user_email: user.email,
      user_type: type,
      user_role: role,
      user_status: 1,
      added_at: expect.stringMatching(/Z$/),
    });
    expect(added.body.data).toEqual([member(ann, 2, 'member'), member(client, 3, 'client')]);
    const repeated = await admin.post(path, { user_ids: [ann.userId] }).expect(201);
    expect(repeated.body).toEqual(added.body);
    expect((await admin.get(path).expect(200)).body).toEqual(added.body);
    expect((await findInList(ann, groupId)).member_count).toBe(2);

    await admin.delete(`${path}/${ann.userId}`).expect(204);
    await expectRefused(admin.delete(`${path}/${ann.userId}`), 404, 'not_found');
    await expectRefused(admin.delete(`${path}/${MISSING_ID}`), 404, 'not_found');
    expect(await listMembers(groupId)).toEqual([client.userId]);
  });

  it('must belong to the organization; otherwise the error lists them and none is added', async () => {
    const groupId = await createGroup();
    const otherAdmin = await other.addUser('member');
    const path = `/api/groups/${groupId}/members`;
    const refusal = await expectRefused(
      admin.post(path, { user_ids: [ann.userId, otherAdmin.userId, MISSING_ID] }),
      400,
      'validation_failed',
    );
    expect(refusal.details).toEqual([
      { field: 'user_ids[1]', message: `user ${otherAdmin.userId} does not exist in this organization` },
      { field: 'user_ids[2]', message: `user ${MISSING_ID} does not exist in this organization` },
    ]);
    expect(await listMembers(groupId)).toEqual([]);
  });

  it('do not include deleted users, but pending and suspended ones', async () => {
    const groupId = await createGroup();
    const path = `/api/groups/${groupId}/members`;
    const user = await home.addUser('member');
    const setStatus = (value: number) =>
      test.database.db.raw('UPDATE users SET user_status = ? WHERE user_id = ?', [value, user.userId]);
    for (const inactiveStatus of [2, 3]) {
      await setStatus(inactiveStatus);
      await admin.post(path, { user_ids: [user.userId] }).expect(201);
      expect((await admin.get(path)).body.data[0].user_status).toBe(inactiveStatus);
    }
    await setStatus(0);
    expect(await listMembers(groupId)).toEqual([]);
    expect((await findInList(admin, groupId)).member_count).toBe(0);
    await expectInvalidField(admin.post(path, { user_ids: [user.userId] }), 'user_ids[0]');
  });

  it.each([
    ['user_ids', []],
    ['user_ids', null],
    ['user_ids', 7],
    ['user_ids', { length: 1, 0: 7 }],
    ['user_ids[0]', ['7']],
    ['user_ids[0]', [[7]]],
    ['user_ids[0]', [1.5]],
    ['user_ids[0]', [-1]],
    ['user_ids[0]', [Number.MAX_SAFE_INTEGER + 1]],
    ['user_ids[0]', [{ $in: [7] }]],
    ['user_ids[0].constructor', [{ constructor: 7 }]],
    ['user_ids', Array.from({ length: 1001 }, (_, index) => index + 1)],
  ])('are not added with an error in %s: %j', async (field, userIds) => {
    const groupId = await createGroup();
    await expectInvalidField(admin.post(`/api/groups/${groupId}/members`, { user_ids: userIds }), field);
  });

  it('can be added and removed while the group is deleted, without a server error', async () => {
    const groupId = await createGroup();
    const path = `/api/groups/${groupId}`;
    const replies = await Promise.all([
      ...[1, 2, 3, 4].map(() => admin.post(`${path}/members`, { user_ids: [ann.userId, client.userId] })),
      admin.delete(`${path}/members/${ann.userId}`),
      admin.delete(path),
    ]);
    expect(replies.map((reply) => reply.status).filter((status) => status >= 500)).toEqual([]);
    expect(replies.at(-1)!.status).toBe(204);
  });
});

describe('the dashboards of a group', () => {
  it('are replaced as a set', async () => {
    const groupId = await createGroup();
    const path = `/api/groups/${groupId}/dashboards`;
    const [first, second] = [await createDashboard(home), await createDashboard(home)];
    const reply = await admin.put(path, { dashboard_ids: [second, first, second] }).expect(200);
    const common = { dashboard_name: 'Figures', workspace_id: home.workspaceId };
    expect(reply.body.data).toEqual([
      { dashboard_id: first, ...common },
      { dashboard_id: second, ...common },
    ]);
    expect((await admin.get(path).expect(200)).body).toEqual(reply.body);
    expect((await findInList(admin, groupId)).dashboard_count).toBe(2);
    await admin.put(path, { dashboard_ids: [second] }).expect(200);
    expect(await listDashboards(groupId)).toEqual([second]);
    await test.database.db.raw('UPDATE dashboards SET deleted_at = now() WHERE dashboard_id = ?', [second]);
    expect(await listDashboards(groupId)).toEqual([]);
    await expectInvalidField(admin.put(path, { dashboard_ids: [second] }), 'dashboard_ids[0]');
    await admin.put(path, { dashboard_ids: [] }).expect(200);
    expect((await findInList(admin, groupId)).dashboard_count).toBe(0);
  });

  it('are accessible to its members until they are removed or the group is deleted', async () => {
    const groupId = await createGroup();
    const path = `/api/groups/${groupId}`;
    const dashboardId = await createDashboard(home);
    const guests = [await home.addUser('client'), await home.addUser('client')];
    const listAccessible = (guest: Actor) =>
      listIds(guest, `/api/users/${guest.userId}/dashboards`, 'dashboard_id');
    await admin.put(`${path}/dashboards`, { dashboard_ids: [dashboardId] }).expect(200);
    await admin.post(`${path}/members`, { user_ids: guests.map((guest) => guest.userId) }).expect(201);
    expect([await listAccessible(guests[0]!), await listAccessible(guests[1]!)]).toEqual([
      [dashboardId],
      [dashboardId],
    ]);
    await admin.delete(`${path}/members/${guests[0]!.userId}`).expect(204);
    expect([await listAccessible(guests[0]!), await listAccessible(guests[1]!)]).toEqual([[], [dashboardId]]);
    await admin.delete(path).expect(204);
    expect(await listAccessible(guests[1]!)).toEqual([]);
  });

  it('in a workspace hidden from the admin are not listed, counted, granted or withdrawn', async () => {
    const colleague = await home.addUser('admin');
    const created = await colleague.post('/api/workspaces', { workspace_name: 'Private' }).expect(201);
    const hidden = await createDashboard(home, created.body.data.workspace_id);
    const visible = await createDashboard(home);
    const groupId = await createGroup();
    const path = `/api/groups/${groupId}/dashboards`;
    await colleague.put(path, { dashboard_ids: [hidden, visible] }).expect(200);
    expect(await listDashboards(groupId)).toEqual([visible]);
    expect((await findInList(admin, groupId)).dashboard_count).toBe(1);
    expect((await findInList(colleague, groupId)).dashboard_count).toBe(2);
    expect((await findInList(ann, groupId)).dashboard_count).toBe(1);
    const refusal = await expectRefused(admin.put(path, { dashboard_ids: [visible, hidden] }), 400);
    expect(refusal.details).toEqual([
      { field: 'dashboard_ids[1]', message: `dashboard ${hidden} does not exist in this organization` },
    ]);
    expect((await admin.put(path, { dashboard_ids: [] }).expect(200)).body.data).toEqual([]);
    expect(await listDashboards(groupId, colleague)).toEqual([hidden]);
  });

  it('of another organization are rejected like missing ones, without a change', async () => {
    const groupId = await createGroup();
    const path = `/api/groups/${groupId}/dashboards`;
    const [ours, otherId] = [await createDashboard(home), await createDashboard(other)];
    await admin.put(path, { dashboard_ids: [ours] }).expect(200);
    const getMessage = async (id: number) =>
      (await expectRefused(admin.put(path, { dashboard_ids: [id] }), 400)).message.replace(String(id), '…');
    expect(await getMessage(otherId)).toBe(await getMessage(MISSING_ID));
    expect(await listDashboards(groupId)).toEqual([ours]);
  });

  it.each([
    ['dashboard_ids', null],
    ['dashboard_ids', '1,2'],
    ['dashboard_ids[0]', ['1']],
    ['dashboard_ids[0]', [0]],
    ['dashboard_ids[1]', [1, { $gt: 0 }]],
    ['user_ids', undefined],
  ])('are not set with an error in %s: %j', async (field, ids) => {
    const groupId = await createGroup();
    const body = field === 'user_ids' ? { dashboard_ids: [], user_ids: [1] } : { dashboard_ids: ids };
    await expectInvalidField(admin.put(`/api/groups/${groupId}/dashboards`, body), field);
  });
});

it('the audit log records changes of a group, its members and its dashboards, without texts', async () => {
  const groupId = await createGroup(admin, { group_name: 'Recorded' });
  const path = `/api/groups/${groupId}`;
  const dashboardId = await createDashboard(home);
  await admin.put(path, { group_name: 'Still recorded', group_description: 'A secret' }).expect(200);
  await admin.put(path, { group_name: 'Still recorded' }).expect(200);
  const addAnn = () => admin.post(`${path}/members`, { user_ids: [ann.userId] }).expect(201);
  const grant = () => admin.put(`${path}/dashboards`, { dashboard_ids: [dashboardId] }).expect(200);
  await addAnn();
  await grant();
  // A request without a change is not recorded.
  await addAnn();
  await grant();
  await admin.delete(`${path}/members/${ann.userId}`).expect(204);
  await admin.delete(path).expect(204);
  const { rows } = await test.database.db.raw(
    `SELECT action, user_id, details FROM audit_log WHERE object_type = 'group' AND object_id = ? ORDER BY audit_id`,
    [String(groupId)],
  );
  const by = { user_id: admin.userId };
  expect(rows).toEqual([
    { action: 'group.created', ...by, details: null },
    { action: 'group.updated', ...by, details: { fields: ['group_name', 'group_description'] } },
    { action: 'group.members_added', ...by, details: { user_ids: [ann.userId] } },
    { action: 'group.dashboards_set', ...by, details: { granted: [dashboardId], withdrawn: [] } },
    { action: 'group.member_removed', ...by, details: { user_id: ann.userId } },
    { action: 'group.deleted', ...by, details: null },
  ]);
});

describe('creating a group with members and dashboards', () => {
  const auditOf = async (groupId: number) =>
    (
      await test.database
        .db('audit_log')
        .where({ object_type: 'group', object_id: String(groupId) })
        .orderBy('audit_id')
    ).map(({ action, details }: { action: string; details: unknown }) => [action, details]);

  it('sets, counts and records them', async () => {
    const dashboardId = await createDashboard(home);
    const created = await admin
      .post('/api/groups', {
        group_name: 'Created with members',
        user_ids: [client.userId, ann.userId, client.userId],
        dashboard_ids: [dashboardId, dashboardId],
      })
      .expect(201);
    expect(created.body.data).toMatchObject({ member_count: 2, dashboard_count: 1 });
    const { group_id: groupId } = created.body.data;
    expect((await listMembers(groupId)).sort()).toEqual([ann.userId, client.userId].sort());
    expect(await listDashboards(groupId)).toEqual([dashboardId]);
    expect(await auditOf(groupId)).toEqual([
      ['group.created', null],
      ['group.members_added', { user_ids: expect.arrayContaining([ann.userId, client.userId]) }],
      ['group.dashboards_set', { granted: [dashboardId], withdrawn: [] }],
    ]);
  });

  it('creates no group if one of them does not exist', async () => {
    const [ours, otherId] = [await createDashboard(home), await createDashboard(other)];
    const group_name = 'Never created';
    const create = (body: object) => admin.post('/api/groups', { group_name, ...body });
    for (const id of [other.admin.userId, MISSING_ID])
      await expectInvalidField(create({ user_ids: [ann.userId, id], dashboard_ids: [ours] }), 'user_ids[1]');
    for (const id of [otherId, MISSING_ID])
      await expectInvalidField(
        create({ user_ids: [ann.userId], dashboard_ids: [ours, id] }),
        'dashboard_ids[1]',
      );
    await expectInvalidField(create({ user_ids: [0] }), 'user_ids[0]');
    expect(await test.database.db('groups').where({ group_name })).toEqual([]);
    await create({ user_ids: [], dashboard_ids: [] }).expect(201);
  });
});
