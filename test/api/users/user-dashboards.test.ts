import { beforeAll, describe, expect, it, test } from 'vitest';
import { type Actor, newOrganization, type Organization, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { MISSING_ID, expectRefused, expectInvalidField } from '../../support/refusals.ts';
import { storeDashboard, storeShare } from '../../support/stored-dashboards.ts';

const app = useApp();
const home = useOrganization(app);
const { admin } = home;
let other: Organization;
let client: Actor;
let hidden: number;
let foreign: number;

const newDashboard = (organizationId: number, workspaceId: number, name: string) =>
  storeDashboard(app, { organizationId, workspaceId }, name);
const here = (name: string) => newDashboard(home.organizationId, home.workspaceId, name);
const at = (id: number) => `/api/users/${id}/dashboards`;
const set = (ids: unknown, by: Actor = admin, id = client.userId) => by.put(at(id), { dashboard_ids: ids });
const idsFor = async (by: Actor, id = client.userId): Promise<number[]> =>
  (await by.get(at(id)).expect(200)).body.data.map((one: { dashboard_id: number }) => one.dashboard_id);

beforeAll(async () => {
  other = await newOrganization(app);
  client = await home.person('client');
  const owner = await home.person('member');
  const made = await owner.post('/api/workspaces', { workspace_name: 'Private' }).expect(201);
  hidden = await newDashboard(home.organizationId, made.body.data.workspace_id, 'Hidden');
  foreign = await newDashboard(other.organizationId, other.workspaceId, 'Foreign');
});

describe('the dashboards of a user', () => {
  it('are those given directly and through groups, with what they are', async () => {
    const person = await home.person('client');
    const [both, direct] = [await here('Both'), await here('Direct')];
    const group = (await admin.post('/api/groups', { group_name: 'Readers' }).expect(201)).body.data.group_id;
    await admin.post(`/api/groups/${group}/members`, { user_ids: [person.userId] }).expect(201);
    await admin.put(`/api/groups/${group}/dashboards`, { dashboard_ids: [both] }).expect(200);
    const { data } = (await set([both, direct], admin, person.userId).expect(200)).body;
    expect(data).toEqual([
      {
        dashboard_id: both,
        dashboard_name: 'Both',
        workspace_id: home.workspaceId,
        granted_directly: true,
        group_ids: [group],
      },
      {
        dashboard_id: direct,
        dashboard_name: 'Direct',
        workspace_id: home.workspaceId,
        granted_directly: true,
        group_ids: [],
      },
    ]);
    expect((await person.get(at(person.userId))).body.data).toEqual(data);
    // Withdrawn directly, it is still the group's to give.
    await set([], admin, person.userId).expect(200);
    expect((await person.get(at(person.userId))).body.data).toMatchObject([
      { dashboard_id: both, granted_directly: false, group_ids: [group] },
    ]);
  });

  it('are replaced whole, and written down by what changed', async () => {
    const [one, two, three] = [await here('1'), await here('2'), await here('3')];
    await set([one, two, two]).expect(200);
    expect(await idsFor(client)).toEqual([one, two]);
    await set([two, three]).expect(200);
    await set([two, three]).expect(200);
    expect(await idsFor(client)).toEqual([two, three]);
    const { rows } = await app.database.db.raw<{ rows: { details: unknown }[] }>(
      `SELECT details FROM audit_log WHERE action = 'user.dashboards_set' AND object_id = ? ORDER BY audit_id DESC LIMIT 2`,
      [String(client.userId)],
    );
    expect(rows.map(({ details }) => details)).toEqual([
      { granted: [three], withdrawn: [one] },
      { granted: [one, two], withdrawn: [] },
    ]);
    await set([]).expect(200);
  });

  it('keep what the admin cannot see: a private workspace is not theirs to give or to take', async () => {
    await storeShare(app, home.organizationId, hidden, { userId: client.userId });
    const one = await here('Seen');
    expect((await set([one]).expect(200)).body.data).toMatchObject([{ dashboard_id: one }]);
    expect(await idsFor(admin)).toEqual([one]);
    expect(await idsFor(client)).toEqual([hidden, one]);
    await set([]).expect(200);
    expect(await idsFor(client)).toEqual([hidden]);
    await expectInvalidField(set([hidden]), 'dashboard_ids[0]');
  });

  it('refuse by its place what is not there, and give nothing then', async () => {
    const before = await idsFor(client);
    const one = await here('One');
    const gone = await here('Gone');
    await app.database.db.raw('UPDATE dashboards SET deleted_at = now() WHERE dashboard_id = ?', [gone]);
    const body = await expectRefused(set([one, foreign, MISSING_ID, gone]), 400);
    expect(body.details).toEqual(
      [foreign, MISSING_ID, gone].map((id, index) => ({
        field: `dashboard_ids[${index + 1}]`,
        message: `no dashboard ${id} in this organization`,
      })),
    );
    expect(await idsFor(client)).toEqual(before);
  });

  test.each([[null], [7], ['7'], [{ 0: 7 }], [undefined]])('are no list such as %j', (ids) =>
    expectInvalidField(set(ids), 'dashboard_ids'),
  );
  test.each([[['7']], [[0]], [[-1]], [[1.5]], [[null]], [[[7]]], [[{}]]])('have no ids such as %j', (ids) =>
    expectInvalidField(set(ids), 'dashboard_ids[0]'),
  );

  it('are shown to oneself and to admins, and given by admins', async () => {
    const member = await home.person('member');
    for (const id of [client.userId, other.admin.userId, MISSING_ID]) {
      await expectRefused(member.get(at(id)), 403);
      await expectRefused(set([], member, id), 403);
    }
    await expectRefused(set([], client), 403);
    for (const id of [other.admin.userId, MISSING_ID]) {
      await expectRefused(admin.get(at(id)), 404);
      await expectRefused(set([], admin, id), 404);
    }
    await expectRefused(set([], other.admin), 404);
  });
});

describe('dashboards of a user who is created', () => {
  const newUser = (dashboard_ids: unknown, user_email: string) =>
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

  it('are granted with it, and recorded', async () => {
    const [one, two] = [await here('One'), await here('Two')];
    const { user_id: userId } = (await newUser([two, one, two], `granted@${home.slug}.example`).expect(201))
      .body.data;
    expect(await idsFor(admin, userId)).toEqual([one, two]);
    expect(await auditOf(userId)).toEqual([
      ['user.created', { user_role: 'client' }],
      ['user.dashboards_set', { granted: [one, two], withdrawn: [] }],
    ]);
  });

  it('are none unless given', async () => {
    for (const [index, ids] of [undefined, []].entries()) {
      const made = await newUser(ids, `none-${index}@${home.slug}.example`).expect(201);
      expect(await idsFor(admin, made.body.data.user_id)).toEqual([]);
      expect((await auditOf(made.body.data.user_id)).map(([action]) => action)).toEqual(['user.created']);
    }
  });

  it('must all be known and visible: else there is no user', async () => {
    const known = await here('Known');
    const email = `refused@${home.slug}.example`;
    for (const id of [foreign, hidden, MISSING_ID])
      await expectInvalidField(newUser([known, id], email), 'dashboard_ids[1]');
    await expectInvalidField(newUser('all', email), 'dashboard_ids');
    expect(await app.database.db('users').where({ user_email: email })).toEqual([]);
    await newUser([known], email).expect(201);
  });
});
