import { beforeAll, expect, it } from 'vitest';
import { type Actor, newOrganization, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { expectRefused, expectInvalidField } from '../../support/refusals.ts';

const test = useApp();
const organization = useOrganization(test);
let owner: Actor;
let guest: Actor;
let path: string;
beforeAll(async () => {
  owner = await organization.addUser('member');
  guest = await organization.addUser('member');
  const body = { workspace_name: 'Shared', workspace_visibility: 3 };
  path = `/api/workspaces/${(await owner.post('/api/workspaces', body).expect(201)).body.data.workspace_id}`;
});
const listMembers = async (): Promise<object[]> => (await owner.get(`${path}/members`).expect(200)).body.data;

it('a member can be invited as viewer, made an editor and removed, with immediate effect', async () => {
  const invited = await owner.post(`${path}/members`, { user_id: guest.userId, role: 'viewer' }).expect(201);
  const viewer = { user_id: guest.userId, user_name: 'A member', user_email: guest.email, role: 'viewer' };
  expect(invited.body.data).toEqual(viewer);
  expect(await listMembers()).toEqual([viewer]);
  expect((await guest.get(path).expect(200)).body.data.my_role).toBe('viewer');
  expect((await guest.get(`${path}/members`).expect(200)).body.meta.total).toBe(1);

  const repeated = await owner.post(`${path}/members`, { user_id: guest.userId, role: 'editor' }).expect(200);
  expect(repeated.body.data).toEqual({ ...viewer, role: 'editor' });
  expect(await listMembers()).toEqual([{ ...viewer, role: 'editor' }]);
  expect((await guest.get(path).expect(200)).body.data.my_role).toBe('editor');

  await owner.delete(`${path}/members/${guest.userId}`).expect(204);
  await expectRefused(guest.get(path), 404, 'not_found');
  expect(await listMembers()).toEqual([]);
  await expectRefused(owner.delete(`${path}/members/${guest.userId}`), 404, 'not_found');
});

it('viewers and editors cannot change the workspace or its members', async () => {
  const third = await organization.addUser('member');
  for (const role of ['viewer', 'editor']) {
    await owner.post(`${path}/members`, { user_id: guest.userId, role });
    const before = [await listMembers(), (await owner.get(path)).body.data];
    await expectRefused(guest.put(path, { workspace_name: 'Taken' }), 403, 'forbidden');
    await expectRefused(guest.delete(path), 403, 'forbidden');
    await expectRefused(
      guest.post(`${path}/members`, { user_id: third.userId, role: 'editor' }),
      403,
      'forbidden',
    );
    await expectRefused(guest.delete(`${path}/members/${guest.userId}`), 403, 'forbidden');
    expect([await listMembers(), (await owner.get(path)).body.data]).toEqual(before);
  }
  await owner.delete(`${path}/members/${guest.userId}`).expect(204);
});

it('returns the same 404 for a user of another organization as for a missing one', async () => {
  const otherAdmin = await (await newOrganization(test)).addUser('member');
  const invite = (userId: number) =>
    expectRefused(owner.post(`${path}/members`, { user_id: userId, role: 'viewer' }), 404, 'not_found');
  expect((await invite(otherAdmin.userId)).message).toBe((await invite(99999999999999)).message);
  expect(await listMembers()).toEqual([]);
});

it('clients, the owner and inactive users cannot be invited', async () => {
  const client = await organization.addUser('client');
  await expectInvalidField(
    owner.post(`${path}/members`, { user_id: client.userId, role: 'viewer' }),
    'user_id',
  );
  await expectRefused(
    owner.post(`${path}/members`, { user_id: owner.userId, role: 'viewer' }),
    409,
    'already_owner',
  );
  const inactive = await organization.addUser('member');
  for (const [status, code, answer] of [
    [2, 'user_not_active', 409],
    [3, 'user_not_active', 409],
    [0, 'not_found', 404],
  ] as const) {
    await test.database.db.raw('UPDATE users SET user_status = ? WHERE user_id = ?', [
      status,
      inactive.userId,
    ]);
    await expectRefused(
      owner.post(`${path}/members`, { user_id: inactive.userId, role: 'viewer' }),
      answer,
      code,
    );
  }
  expect(await listMembers()).toEqual([]);
});

it('concurrent invitations of one user create one member', async () => {
  const invite = (role: string) => owner.post(`${path}/members`, { user_id: guest.userId, role });
  const replies = await Promise.all([invite('viewer'), invite('editor'), invite('viewer')]);
  expect(replies.map((reply) => reply.status).sort()).toEqual([200, 200, 201]);
  expect(await listMembers()).toHaveLength(1);
  await owner.delete(`${path}/members/${guest.userId}`).expect(204);
});

it('the audit log records changes of members', async () => {
  await owner.post(`${path}/members`, { user_id: guest.userId, role: 'editor' }).expect(201);
  await owner.delete(`${path}/members/${guest.userId}`).expect(204);
  const { rows } = await test.database.db.raw(
    `SELECT action, user_id, details FROM audit_log WHERE object_id = ? ORDER BY audit_id DESC LIMIT 2`,
    [path.split('/').at(-1)!],
  );
  expect(rows).toEqual([
    { action: 'workspace.member_removed', user_id: owner.userId, details: { user_id: guest.userId } },
    {
      action: 'workspace.member_set',
      user_id: owner.userId,
      details: { user_id: guest.userId, role: 'editor' },
    },
  ]);
});

it('members of a private workspace get access when it is shared', async () => {
  const created = await owner.post('/api/workspaces', { workspace_name: 'Private' }).expect(201);
  const own = `/api/workspaces/${created.body.data.workspace_id}`;
  await owner.post(`${own}/members`, { user_id: guest.userId, role: 'editor' }).expect(201);
  await expectRefused(guest.get(own), 404, 'not_found');
  await owner.put(own, { workspace_visibility: 3 }).expect(200);
  expect((await guest.get(own).expect(200)).body.data.my_role).toBe('editor');
});
