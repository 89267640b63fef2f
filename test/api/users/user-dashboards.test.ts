import { beforeAll, describe, expect, it, test } from 'vitest';
import { type Actor, newOrganization, type Organization, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { MISSING_ID, expectRefused, expectInvalidField } from '../../support/refusals.ts';
import { storeDashboard, insertShare } from '../../support/stored-dashboards.ts';

const app = useApp();
const organization = useOrganization(app);
const { admin } = organization;
let other: Organization;
let client: Actor;
let hidden: number;
let foreign: number;

const createDashboard = (organizationId: number, workspaceId: number, name: string) =>
  storeDashboard(app, { organizationId, workspaceId }, name);
const createVisibleDashboard = (name: string) =>
  createDashboard(organization.organizationId, organization.workspaceId, name);
const dashboardsPath = (id: number) => `/api/users/${id}/dashboards`;
const putDashboards = (ids: unknown, by: Actor = admin, id = client.userId) =>
  by.put(dashboardsPath(id), { dashboard_ids: ids });
const listDashboardIds = async (by: Actor, id = client.userId): Promise<number[]> =>
  (await by.get(dashboardsPath(id)).expect(200)).body.data.map(
    (dashboard: { dashboard_id: number }) => dashboard.dashboard_id,
  );

beforeAll(async () => {
  other = await newOrganization(app);
  client = await organization.addUser('client');
  const owner = await organization.addUser('member');
  const created = await owner.post('/api/workspaces', { workspace_name: 'Private' }).expect(201);
  hidden = await createDashboard(organization.organizationId, created.body.data.workspace_id, 'Hidden');
  foreign = await createDashboard(other.organizationId, other.workspaceId, 'Foreign');
});

describe('the dashboards of a user', () => {
  it('are those granted directly and through groups', async () => {
    const user = await organization.addUser('client');
    const [both, direct] = [await createVisibleDashboard('Both'), await createVisibleDashboard('Direct')];
    const group = (await admin.post('/api/groups', { group_name: 'Readers' }).expect(201)).body.data.group_id;
    await admin.post(`/api/groups/${group}/members`, { user_ids: [user.userId] }).expect(201);
    await admin.put(`/api/groups/${group}/dashboards`, { dashboard_ids: [both] }).expect(200);
    const { data } = (await putDashboards([both, direct], admin, user.userId).expect(200)).body;
    expect(data).toEqual([
      {
        dashboard_id: both,
        dashboard_name: 'Both',
        workspace_id: organization.workspaceId,
        granted_directly: true,
        group_ids: [group],
      },
      {
        dashboard_id: direct,
        dashboard_name: 'Direct',
        workspace_id: organization.workspaceId,
        granted_directly: true,
        group_ids: [],
      },
    ]);
    expect((await user.get(dashboardsPath(user.userId))).body.data).toEqual(data);
    // The direct grant is withdrawn; the grant of the group remains.
    await putDashboards([], admin, user.userId).expect(200);
    expect((await user.get(dashboardsPath(user.userId))).body.data).toMatchObject([
      { dashboard_id: both, granted_directly: false, group_ids: [group] },
    ]);
  });

  it('are replaced as a set, and the audit log records the differences', async () => {
    const [one, two, three] = [
      await createVisibleDashboard('1'),
      await createVisibleDashboard('2'),
      await createVisibleDashboard('3'),
    ];
    await putDashboards([one, two, two]).expect(200);
    expect(await listDashboardIds(client)).toEqual([one, two]);
    await putDashboards([two, three]).expect(200);
    await putDashboards([two, three]).expect(200);
    expect(await listDashboardIds(client)).toEqual([two, three]);
    const { rows } = await app.database.db.raw<{ rows: { details: unknown }[] }>(
      `SELECT details FROM audit_log WHERE action = 'user.dashboards_set' AND object_id = ? ORDER BY audit_id DESC LIMIT 2`,
      [String(client.userId)],
    );
    expect(rows.map(({ details }) => details)).toEqual([
      { granted: [three], withdrawn: [one] },
      { granted: [one, two], withdrawn: [] },
    ]);
    await putDashboards([]).expect(200);
  });

  it('in a workspace hidden from the admin are not listed, granted or withdrawn', async () => {
    await insertShare(app, organization.organizationId, hidden, { userId: client.userId });
    const one = await createVisibleDashboard('Visible');
    expect((await putDashboards([one]).expect(200)).body.data).toMatchObject([{ dashboard_id: one }]);
    expect(await listDashboardIds(admin)).toEqual([one]);
    expect(await listDashboardIds(client)).toEqual([hidden, one]);
    await putDashboards([]).expect(200);
    expect(await listDashboardIds(client)).toEqual([hidden]);
    await expectInvalidField(putDashboards([hidden]), 'dashboard_ids[0]');
  });

  it('are not granted if one is missing, deleted or foreign; the error has its index', async () => {
    const before = await listDashboardIds(client);
    const one = await createVisibleDashboard('One');
    const deleted = await createVisibleDashboard('Deleted');
    await app.database.db.raw('UPDATE dashboards SET deleted_at = now() WHERE dashboard_id = ?', [deleted]);
    const body = await expectRefused(putDashboards([one, foreign, MISSING_ID, deleted]), 400);
    expect(body.details).toEqual(
      [foreign, MISSING_ID, deleted].map((id, index) => ({
        field: `dashboard_ids[${index + 1}]`,
        message: `dashboard ${id} does not exist in this organization`,
      })),
    );
    expect(await listDashboardIds(client)).toEqual(before);
  });

  test.each([[null], [7], ['7'], [{ 0: 7 }], [undefined]])('are rejected if the list is %j', (ids) =>
    expectInvalidField(putDashboards(ids), 'dashboard_ids'),
  );
  test.each([[['7']], [[0]], [[-1]], [[1.5]], [[null]], [[[7]]], [[{}]]])(
    'are rejected if the ids are %j',
    (ids) => expectInvalidField(putDashboards(ids), 'dashboard_ids[0]'),
  );

  it('are visible to the user and admins, and granted only by admins', async () => {
    const member = await organization.addUser('member');
    for (const id of [client.userId, other.admin.userId, MISSING_ID]) {
      await expectRefused(member.get(dashboardsPath(id)), 403);
      await expectRefused(putDashboards([], member, id), 403);
    }
    await expectRefused(putDashboards([], client), 403);
    for (const id of [other.admin.userId, MISSING_ID]) {
      await expectRefused(admin.get(dashboardsPath(id)), 404);
      await expectRefused(putDashboards([], admin, id), 404);
    }
    await expectRefused(putDashboards([], other.admin), 404);
  });
});

describe('dashboards of a new user', () => {
  const createUser = (dashboard_ids: unknown, user_email: string) =>
    admin.post('/api/users', {
      user_email,
      user_name: 'New',
      user_password: 'a long password',
      user_type: 3,
      dashboard_ids,
    });
  const auditOf = async (userId: number) =>
    (
      await app.database
        .db('audit_log')
        .where({ object_type: 'user', object_id: String(userId) })
        .orderBy('audit_id')
    ).map(({ action, details }: { action: string; details: unknown }) => [action, details]);

  it('are granted and recorded on creation', async () => {
    const [one, two] = [await createVisibleDashboard('One'), await createVisibleDashboard('Two')];
    const { user_id: userId } = (
      await createUser([two, one, two], `granted@${organization.slug}.example`).expect(201)
    ).body.data;
    expect(await listDashboardIds(admin, userId)).toEqual([one, two]);
    expect(await auditOf(userId)).toEqual([
      ['user.created', { user_role: 'client' }],
      ['user.dashboards_set', { granted: [one, two], withdrawn: [] }],
    ]);
  });

  it('are empty by default', async () => {
    for (const [index, ids] of [undefined, []].entries()) {
      const created = await createUser(ids, `none-${index}@${organization.slug}.example`).expect(201);
      expect(await listDashboardIds(admin, created.body.data.user_id)).toEqual([]);
      expect((await auditOf(created.body.data.user_id)).map(([action]) => action)).toEqual(['user.created']);
    }
  });

  it('must all be visible to the admin; otherwise no user is created', async () => {
    const visible = await createVisibleDashboard('Visible');
    const email = `refused@${organization.slug}.example`;
    for (const id of [foreign, hidden, MISSING_ID])
      await expectInvalidField(createUser([visible, id], email), 'dashboard_ids[1]');
    await expectInvalidField(createUser('all', email), 'dashboard_ids');
    expect(await app.database.db('users').where({ user_email: email })).toEqual([]);
    await createUser([visible], email).expect(201);
  });
});
