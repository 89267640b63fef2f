import { expect, it } from 'vitest';
import { type Actor, newOrganization, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { MISSING_ID, expectRefused, expectInvalidField } from '../../support/refusals.ts';

const test = useApp();
const organization = useOrganization(test);

async function createWorkspace(owner: Actor, visibility = 1): Promise<number> {
  const created = await owner
    .post('/api/workspaces', { workspace_name: 'Transferred', workspace_visibility: visibility })
    .expect(201);
  return created.body.data.workspace_id as number;
}

const setStatus = (user: Actor, status: 0 | 3) =>
  test.database.db.raw(`UPDATE users SET user_status = ? WHERE user_id = ?`, [status, user.userId]);

it('an owner who transfers a private workspace loses access to it', async () => {
  const [owner, newOwner] = [await organization.addUser('member'), await organization.addUser('member')];
  const id = await createWorkspace(owner);
  await owner.post(`/api/workspaces/${id}/transfer`, { user_id: newOwner.userId }).expect(200);
  await newOwner.get(`/api/workspaces/${id}`).expect(200);
  await expectRefused(owner.get(`/api/workspaces/${id}`), 404);
});

it('an admin can list and transfer the workspace of a deleted user', async () => {
  const [owner, newOwner] = [await organization.addUser('member'), await organization.addUser('member')];
  const id = await createWorkspace(owner);
  await expectRefused(
    organization.admin.post(`/api/workspaces/${id}/transfer`, { user_id: newOwner.userId }),
    404,
  );
  await setStatus(owner, 0);
  const orphaned = await organization.admin.get('/api/workspaces/orphaned').expect(200);
  expect(orphaned.body.data).toContainEqual(
    expect.objectContaining({ workspace_id: id, owner_id: owner.userId, owner_status: 0 }),
  );
  await organization.admin.post(`/api/workspaces/${id}/transfer`, { user_id: newOwner.userId }).expect(200);
  await newOwner.get(`/api/workspaces/${id}`).expect(200);
  await expectRefused(organization.admin.get(`/api/workspaces/${id}`), 404);
  const auditLog = await organization.admin
    .get('/api/audit')
    .query({ action: 'workspace.transferred', object_id: id });
  expect(auditLog.body.data[0].details).toEqual({ from_user_id: owner.userId, to_user_id: newOwner.userId });
});

it('an admin can transfer the workspace of an owner who became a client and lost access', async () => {
  const [owner, newOwner] = [await organization.addUser('member'), await organization.addUser('member')];
  const id = await createWorkspace(owner);
  await organization.admin.put(`/api/users/${owner.userId}`, { user_role: 'client' }).expect(200);
  await expectRefused(owner.get(`/api/workspaces/${id}`), 403);
  const orphaned = await organization.admin.get('/api/workspaces/orphaned').expect(200);
  expect(orphaned.body.data).toContainEqual(expect.objectContaining({ workspace_id: id, owner_status: 1 }));
  await organization.admin.post(`/api/workspaces/${id}/transfer`, { user_id: newOwner.userId }).expect(200);
  await newOwner.get(`/api/workspaces/${id}`).expect(200);
});

it('a transfer by other users returns 403 to workspace members and 404 to others', async () => {
  const [owner, editor, otherAdmin] = await Promise.all([
    organization.addUser('member'),
    organization.addUser('member'),
    organization.addUser('member'),
  ]);
  const id = await createWorkspace(owner, 3);
  await owner.post(`/api/workspaces/${id}/members`, { user_id: editor.userId, role: 'editor' }).expect(201);
  await expectRefused(editor.post(`/api/workspaces/${id}/transfer`, { user_id: editor.userId }), 403);
  await expectRefused(otherAdmin.post(`/api/workspaces/${id}/transfer`, { user_id: otherAdmin.userId }), 404);
  await expectRefused(otherAdmin.get('/api/workspaces/orphaned'), 403);
  const other = await newOrganization(test);
  await expectRefused(
    other.admin.post(`/api/workspaces/${id}/transfer`, { user_id: other.admin.userId }),
    404,
  );
});

it('a workspace cannot be transferred to clients, inactive users or other organizations', async () => {
  const [owner, client, suspended] = [
    await organization.addUser('member'),
    await organization.addUser('client'),
    await organization.addUser('member'),
  ];
  await setStatus(suspended, 3);
  const id = await createWorkspace(owner);
  const other = await newOrganization(test);
  const transferTo = (userId: number) => owner.post(`/api/workspaces/${id}/transfer`, { user_id: userId });
  await expectRefused(transferTo(client.userId), 409, 'cannot_own');
  await expectRefused(transferTo(suspended.userId), 409, 'cannot_own');
  await expectInvalidField(transferTo(other.admin.userId), 'user_id');
  await expectInvalidField(transferTo(MISSING_ID), 'user_id');
  await owner.get(`/api/workspaces/${id}`).expect(200);
});
