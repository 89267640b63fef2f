import { beforeAll, expect, it } from 'vitest';
import { Store } from '../../../src/repositories/store.ts';
import { newOrganization, type Actor, type Organization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { storeDashboard } from '../../support/stored-dashboards.ts';

const test = useApp();
let organization: Organization;
let client: Actor;
let groupId: number;
let hiddenWorkspaceId: number;

const store = () => new Store(test.database.db);
const grants = () => store().read.dashboardShares;
const insertReturningId = async (sql: string, values: (string | number)[]): Promise<number> =>
  Number(Object.values((await test.database.db.raw(sql, values)).rows[0])[0]);
const createDashboard = (name: string, workspaceId: number): Promise<number> =>
  storeDashboard(test, { organizationId: organization.organizationId, workspaceId }, name);
const user = () => ({ type: 'user', id: client.userId }) as const;
const group = () => ({ type: 'group', id: groupId }) as const;
const replaceGroupGrants = (dashboardIds: number[]) =>
  grants().replaceGrants(organization.organizationId, group(), {
    workspaceIds: [organization.workspaceId],
    dashboardIds,
  });
const replaceGrants = (dashboardIds: number[], workspaceIds = [organization.workspaceId]) =>
  grants().replaceGrants(organization.organizationId, user(), { workspaceIds, dashboardIds });

beforeAll(async () => {
  organization = await newOrganization(test);
  client = await organization.addUser('client');
  groupId = await insertReturningId(
    'INSERT INTO groups (organization_id, group_name) VALUES (?, ?) RETURNING group_id',
    [organization.organizationId, 'Board'],
  );
  await test.database.db.raw(
    'INSERT INTO group_members (organization_id, group_id, user_id) VALUES (?, ?, ?)',
    [organization.organizationId, groupId, client.userId],
  );
  const workspace = await organization.admin
    .post('/api/workspaces', { workspace_name: 'Hidden' })
    .expect(201);
  hiddenWorkspaceId = workspace.body.data.workspace_id;
});

it('a user can access the dashboards granted to them and to their groups, each listed once', async () => {
  const [direct, both, ofGroup] = [
    await createDashboard('Direct', organization.workspaceId),
    await createDashboard('Both', organization.workspaceId),
    await createDashboard('Group', organization.workspaceId),
  ];
  expect(await replaceGrants([direct, both])).toEqual({ granted: [direct, both], withdrawn: [] });
  expect(await replaceGroupGrants([both, ofGroup])).toEqual({
    granted: [both, ofGroup],
    withdrawn: [],
  });
  const workspace = { workspace_id: organization.workspaceId };
  expect(await grants().listGrantsOfUser(organization.organizationId, client.userId, null)).toEqual([
    { dashboard_id: direct, dashboard_name: 'Direct', ...workspace, granted_directly: true, group_ids: [] },
    {
      dashboard_id: both,
      dashboard_name: 'Both',
      ...workspace,
      granted_directly: true,
      group_ids: [groupId],
    },
    {
      dashboard_id: ofGroup,
      dashboard_name: 'Group',
      ...workspace,
      granted_directly: false,
      group_ids: [groupId],
    },
  ]);
  expect(
    await grants().listGrantsOfGroup(organization.organizationId, groupId, [organization.workspaceId]),
  ).toEqual([
    { dashboard_id: both, dashboard_name: 'Both', ...workspace },
    { dashboard_id: ofGroup, dashboard_name: 'Group', ...workspace },
  ]);
  expect(
    await grants().listGrantsOfUser(organization.organizationId, client.userId, [hiddenWorkspaceId]),
  ).toEqual([]);
  await replaceGroupGrants([]);
});

it('a replacement keeps grants in other workspaces, and withdraws grants of deleted dashboards permanently', async () => {
  const hidden = await createDashboard('Hidden', hiddenWorkspaceId);
  const [kept, deleted] = [
    await createDashboard('Kept', organization.workspaceId),
    await createDashboard('Deleted', organization.workspaceId),
  ];
  await replaceGrants([]);
  await replaceGrants([hidden], [hiddenWorkspaceId]);
  await replaceGrants([kept, deleted]);
  await test.database.db.raw('UPDATE dashboards SET deleted_at = now() WHERE dashboard_id = ?', [deleted]);
  const listAccessible = async () =>
    (await grants().listGrantsOfUser(organization.organizationId, client.userId, null)).map(
      (row) => row.dashboard_id,
    );
  expect(await listAccessible()).toEqual([hidden, kept]);
  expect(await replaceGrants([kept, hidden])).toEqual({ granted: [], withdrawn: [deleted] });
  await test.database.db.raw('UPDATE dashboards SET deleted_at = NULL WHERE dashboard_id = ?', [deleted]);
  expect(await listAccessible()).toEqual([hidden, kept]);
  await test.database.db.raw('UPDATE workspaces SET deleted_at = now() WHERE workspace_id = ?', [
    hiddenWorkspaceId,
  ]);
  expect(await listAccessible()).toEqual([kept]);
});

it('only existing dashboards of the given workspaces of the organization can be granted', async () => {
  const [dashboardId, deleted] = [
    await createDashboard('Visible', organization.workspaceId),
    await createDashboard('Deleted', organization.workspaceId),
  ];
  await test.database.db.raw('UPDATE dashboards SET deleted_at = now() WHERE dashboard_id = ?', [deleted]);
  const other = await newOrganization(test);
  const findGrantable = (organizationId: number, workspaceIds: number[]) =>
    grants().listGrantable(organizationId, workspaceIds, [dashboardId, deleted, 99999999999999]);
  expect(await findGrantable(organization.organizationId, [organization.workspaceId])).toEqual(
    new Set([dashboardId]),
  );
  expect(await findGrantable(organization.organizationId, [])).toEqual(new Set());
  expect(await findGrantable(other.organizationId, [organization.workspaceId])).toEqual(new Set());
});

it('two concurrent replacements leave the result of one of them', async () => {
  const [a, b] = [
    await createDashboard('A', organization.workspaceId),
    await createDashboard('B', organization.workspaceId),
  ];
  const replace = (dashboardId: number) =>
    store().transaction(({ dashboardShares }) =>
      dashboardShares.replaceGrants(organization.organizationId, user(), {
        workspaceIds: [organization.workspaceId],
        dashboardIds: [dashboardId],
      }),
    );
  for (let round = 0; round < 5; round += 1) {
    await Promise.all([replace(a), replace(b)]);
    expect(
      await grants().listGrantsOfUser(organization.organizationId, client.userId, [organization.workspaceId]),
    ).toHaveLength(1);
  }
});

it('returns null for a user or group of another organization', async () => {
  const dashboardId = await createDashboard('Not granted', organization.workspaceId);
  const other = await newOrganization(test);
  const replacement = { workspaceIds: [organization.workspaceId], dashboardIds: [dashboardId] };
  expect(await grants().replaceGrants(other.organizationId, user(), replacement)).toBeNull();
  expect(await grants().replaceGrants(other.organizationId, group(), replacement)).toBeNull();
});
