import { beforeAll, expect, it } from 'vitest';
import { Store } from '../../../src/repositories/store.ts';
import { newOrganization, type Actor, type Organization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { storeDashboard } from '../../support/stored-dashboards.ts';

const test = useApp();
let home: Organization;
let client: Actor;
let groupId: number;
let hiddenWorkspaceId: number;

const store = () => new Store(test.database.db);
const grants = () => store().read.dashboardGrants;
const first = async (sql: string, values: (string | number)[]): Promise<number> =>
  Number(Object.values((await test.database.db.raw(sql, values)).rows[0])[0]);
const dashboard = (name: string, workspaceId: number): Promise<number> =>
  storeDashboard(test, { organizationId: home.organizationId, workspaceId }, name);
const grant = (dashboardIds: number[], workspaceIds = [home.workspaceId]) =>
  grants().replaceForUser({
    organizationId: home.organizationId,
    userId: client.userId,
    workspaceIds,
    dashboardIds,
  });

beforeAll(async () => {
  home = await newOrganization(test);
  client = await home.person('client');
  groupId = await first('INSERT INTO groups (organization_id, group_name) VALUES (?, ?) RETURNING group_id', [
    home.organizationId,
    'Board',
  ]);
  await test.database.db.raw(
    'INSERT INTO group_members (organization_id, group_id, user_id) VALUES (?, ?, ?)',
    [home.organizationId, groupId, client.userId],
  );
  const made = await home.admin.post('/api/workspaces', { workspace_name: 'Hidden' }).expect(201);
  hiddenWorkspaceId = made.body.data.workspace_id;
});

it('a user reaches what is granted to them and to their groups, each dashboard once', async () => {
  const [own, both, ours] = [
    await dashboard('Own', home.workspaceId),
    await dashboard('Both', home.workspaceId),
    await dashboard('Ours', home.workspaceId),
  ];
  expect(await grant([own, both])).toEqual({ granted: [own, both], withdrawn: [] });
  const replacement = { organizationId: home.organizationId, groupId, workspaceIds: [home.workspaceId] };
  expect(await grants().replaceForGroup({ ...replacement, dashboardIds: [both, ours] })).toEqual({
    granted: [both, ours],
    withdrawn: [],
  });
  const workspace = { workspace_id: home.workspaceId };
  expect(await grants().ofUser(home.organizationId, client.userId, null)).toEqual([
    { dashboard_id: own, dashboard_name: 'Own', ...workspace, granted_directly: true, group_ids: [] },
    {
      dashboard_id: both,
      dashboard_name: 'Both',
      ...workspace,
      granted_directly: true,
      group_ids: [groupId],
    },
    {
      dashboard_id: ours,
      dashboard_name: 'Ours',
      ...workspace,
      granted_directly: false,
      group_ids: [groupId],
    },
  ]);
  expect(await grants().ofGroup(home.organizationId, groupId, [home.workspaceId])).toEqual([
    { dashboard_id: both, dashboard_name: 'Both', ...workspace },
    { dashboard_id: ours, dashboard_name: 'Ours', ...workspace },
  ]);
  expect(await grants().ofUser(home.organizationId, client.userId, [hiddenWorkspaceId])).toEqual([]);
  await grants().replaceForGroup({ ...replacement, dashboardIds: [] });
});

it('a replacement leaves what lies elsewhere, and takes deleted dashboards away for good', async () => {
  const hidden = await dashboard('Hidden', hiddenWorkspaceId);
  const [kept, gone] = [await dashboard('Kept', home.workspaceId), await dashboard('Gone', home.workspaceId)];
  await grant([]);
  await grant([hidden], [hiddenWorkspaceId]);
  await grant([kept, gone]);
  await test.database.db.raw('UPDATE dashboards SET deleted_at = now() WHERE dashboard_id = ?', [gone]);
  const reached = async () =>
    (await grants().ofUser(home.organizationId, client.userId, null)).map((row) => row.dashboard_id);
  expect(await reached()).toEqual([hidden, kept]);
  expect(await grant([kept, hidden])).toEqual({ granted: [], withdrawn: [gone] });
  await test.database.db.raw('UPDATE dashboards SET deleted_at = NULL WHERE dashboard_id = ?', [gone]);
  expect(await reached()).toEqual([hidden, kept]);
  await test.database.db.raw('UPDATE workspaces SET deleted_at = now() WHERE workspace_id = ?', [
    hiddenWorkspaceId,
  ]);
  expect(await reached()).toEqual([kept]);
});

it('only live dashboards of these workspaces of the organization can be granted', async () => {
  const [here, gone] = [await dashboard('Here', home.workspaceId), await dashboard('Not', home.workspaceId)];
  await test.database.db.raw('UPDATE dashboards SET deleted_at = now() WHERE dashboard_id = ?', [gone]);
  const other = await newOrganization(test);
  const ask = (organizationId: number, workspaceIds: number[]) =>
    grants().grantable(organizationId, workspaceIds, [here, gone, 99999999999999]);
  expect(await ask(home.organizationId, [home.workspaceId])).toEqual(new Set([here]));
  expect(await ask(home.organizationId, [])).toEqual(new Set());
  expect(await ask(other.organizationId, [home.workspaceId])).toEqual(new Set());
});

it('two replacements at once end as one of them', async () => {
  const [a, b] = [await dashboard('A', home.workspaceId), await dashboard('B', home.workspaceId)];
  const replace = (dashboardId: number) =>
    store().transaction(({ dashboardGrants }) =>
      dashboardGrants.replaceForUser({
        organizationId: home.organizationId,
        userId: client.userId,
        workspaceIds: [home.workspaceId],
        dashboardIds: [dashboardId],
      }),
    );
  for (let round = 0; round < 5; round += 1) {
    await Promise.all([replace(a), replace(b)]);
    expect(await grants().ofUser(home.organizationId, client.userId, [home.workspaceId])).toHaveLength(1);
  }
});

it('who is not there is granted nothing', async () => {
  const here = await dashboard('Nobody’s', home.workspaceId);
  const other = await newOrganization(test);
  const replacement = {
    organizationId: other.organizationId,
    workspaceIds: [home.workspaceId],
    dashboardIds: [here],
  };
  expect(await grants().replaceForUser({ ...replacement, userId: client.userId })).toBeNull();
  expect(await grants().replaceForGroup({ ...replacement, groupId })).toBeNull();
});
