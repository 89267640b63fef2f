import { expect, it } from 'vitest';
import { type Actor, newOrganization, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { MISSING_ID, expectRefused, expectInvalidField } from '../../support/refusals.ts';

const test = useApp();
const home = useOrganization(test);

async function workspaceOf(owner: Actor, visibility = 1): Promise<number> {
  const made = await owner
    .post('/api/workspaces', { workspace_name: 'To give', workspace_visibility: visibility })
    .expect(201);
  return made.body.data.workspace_id as number;
}

const leave = (who: Actor, status: 0 | 3) =>
  test.database.db.raw(`UPDATE users SET user_status = ? WHERE user_id = ?`, [status, who.userId]);

it('an owner who transfers a private workspace no longer sees it', async () => {
  const [owner, heir] = [await home.person('member'), await home.person('member')];
  const id = await workspaceOf(owner);
  await owner.post(`/api/workspaces/${id}/transfer`, { user_id: heir.userId }).expect(200);
  await heir.get(`/api/workspaces/${id}`).expect(200);
  await expectRefused(owner.get(`/api/workspaces/${id}`), 404);
});

it('an admin finds and transfers the workspace of a deleted user', async () => {
  const [owner, heir] = [await home.person('member'), await home.person('member')];
  const id = await workspaceOf(owner);
  await expectRefused(home.admin.post(`/api/workspaces/${id}/transfer`, { user_id: heir.userId }), 404);
  await leave(owner, 0);
  const listed = await home.admin.get('/api/workspaces/orphaned').expect(200);
  expect(listed.body.data).toContainEqual(
    expect.objectContaining({ workspace_id: id, owner_id: owner.userId, owner_status: 0 }),
  );
  await home.admin.post(`/api/workspaces/${id}/transfer`, { user_id: heir.userId }).expect(200);
  await heir.get(`/api/workspaces/${id}`).expect(200);
  await expectRefused(home.admin.get(`/api/workspaces/${id}`), 404);
  const told = await home.admin.get('/api/audit').query({ action: 'workspace.transferred', object_id: id });
  expect(told.body.data[0].details).toEqual({ from_user_id: owner.userId, to_user_id: heir.userId });
});

it('an admin finds the workspace of somebody who is a client by now: they reach none, their own neither', async () => {
  const [owner, heir] = [await home.person('member'), await home.person('member')];
  const id = await workspaceOf(owner);
  await home.admin.put(`/api/users/${owner.userId}`, { user_role: 'client' }).expect(200);
  await expectRefused(owner.get(`/api/workspaces/${id}`), 403);
  const listed = await home.admin.get('/api/workspaces/orphaned').expect(200);
  expect(listed.body.data).toContainEqual(expect.objectContaining({ workspace_id: id, owner_status: 1 }));
  await home.admin.post(`/api/workspaces/${id}/transfer`, { user_id: heir.userId }).expect(200);
  await heir.get(`/api/workspaces/${id}`).expect(200);
});

it('other users cannot transfer it: members get 403, others 404', async () => {
  const [owner, editor, stranger] = await Promise.all([
    home.person('member'),
    home.person('member'),
    home.person('member'),
  ]);
  const id = await workspaceOf(owner, 3);
  await owner.post(`/api/workspaces/${id}/members`, { user_id: editor.userId, role: 'editor' }).expect(201);
  await expectRefused(editor.post(`/api/workspaces/${id}/transfer`, { user_id: editor.userId }), 403);
  await expectRefused(stranger.post(`/api/workspaces/${id}/transfer`, { user_id: stranger.userId }), 404);
  await expectRefused(stranger.get('/api/workspaces/orphaned'), 403);
  const other = await newOrganization(test);
  await expectRefused(
    other.admin.post(`/api/workspaces/${id}/transfer`, { user_id: other.admin.userId }),
    404,
  );
});

it('it goes to nobody who could not own it', async () => {
  const [owner, client, gone] = [
    await home.person('member'),
    await home.person('client'),
    await home.person('member'),
  ];
  await leave(gone, 3);
  const id = await workspaceOf(owner);
  const other = await newOrganization(test);
  const to = (userId: number) => owner.post(`/api/workspaces/${id}/transfer`, { user_id: userId });
  await expectRefused(to(client.userId), 409, 'cannot_own');
  await expectRefused(to(gone.userId), 409, 'cannot_own');
  await expectInvalidField(to(other.admin.userId), 'user_id');
  await expectInvalidField(to(MISSING_ID), 'user_id');
  await owner.get(`/api/workspaces/${id}`).expect(200);
});
