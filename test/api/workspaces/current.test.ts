import { expect, it } from 'vitest';
import { type Actor, newOrganization, signIn } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { expectRefused } from '../../support/refusals.ts';

const test = useApp();

async function twoWorkspaces() {
  const organization = await newOrganization(test);
  const ada = await organization.person('member');
  const second = (await ada.post('/api/workspaces', { workspace_name: 'Second' }).expect(201)).body.data;
  return { organization, ada, first: organization.workspaceId, second: second.workspace_id as number };
}
const current = async (actor: Actor): Promise<number> =>
  (await actor.get('/api/workspaces/current')).body.data.workspace_id;

it('is the oldest visible workspace until one is chosen', async () => {
  const { ada, first } = await twoWorkspaces();
  expect(await current(ada)).toBe(first);
});

it('belongs to the session or the key, so that a browser’s switch never moves an integration', async () => {
  const { ada, first, second } = await twoWorkspaces();
  const [laptop, phone] = [await signIn(test, ada), await signIn(test, ada)];
  const reply = await laptop.put(`/api/workspaces/current/${second}`).expect(200);
  expect(reply.body.data).toMatchObject({ workspace_id: second, my_role: 'owner' });
  expect([await current(laptop), await current(phone), await current(ada)]).toEqual([second, first, first]);
  await ada.put(`/api/workspaces/current/${second}`).expect(200);
  expect([await current(phone), await current(ada)]).toEqual([first, second]);
});

it('gives another for one request when the query names it', async () => {
  const { ada, first, second } = await twoWorkspaces();
  const reply = await ada.get(`/api/workspaces/current?workspace_id=${second}`).expect(200);
  expect(reply.body.data.workspace_id).toBe(second);
  expect(await current(ada)).toBe(first);
});

it('falls back to the oldest when the chosen one is deleted, and is chosen again when that is restored', async () => {
  const { organization, ada, first, second } = await twoWorkspaces();
  await ada.put(`/api/workspaces/current/${second}`).expect(200);
  await ada.delete(`/api/workspaces/${second}`).expect(204);
  expect(await current(ada)).toBe(first);
  await organization.admin.post(`/api/workspaces/${second}/restore`).expect(200);
  expect(await current(ada)).toBe(second);
});

it('falls back when the chosen one is no longer visible', async () => {
  const { organization, ada, first } = await twoWorkspaces();
  const shared = (
    await organization.admin.post('/api/workspaces', { workspace_name: 'Shared', workspace_visibility: 3 })
  ).body.data.workspace_id as number;
  await organization.admin.post(`/api/workspaces/${shared}/members`, { user_id: ada.userId, role: 'viewer' });
  await ada.put(`/api/workspaces/current/${shared}`).expect(200);
  expect(await current(ada)).toBe(shared);
  await organization.admin.delete(`/api/workspaces/${shared}/members/${ada.userId}`).expect(204);
  expect(await current(ada)).toBe(first);
});

it('cannot be an invisible or foreign workspace, and stays what it was', async () => {
  const { ada, first } = await twoWorkspaces();
  const other = await newOrganization(test);
  await expectRefused(ada.put(`/api/workspaces/current/${other.workspaceId}`), 404, 'not_found');
  await expectRefused(ada.get(`/api/workspaces/current?workspace_id=${other.workspaceId}`), 404, 'not_found');
  expect(await current(ada)).toBe(first);
});

it('is missing for who sees no workspace at all', async () => {
  const organization = await newOrganization(test);
  await organization.admin.delete(`/api/workspaces/${organization.workspaceId}`).expect(204);
  await expectRefused(organization.admin.get('/api/workspaces/current'), 404, 'not_found');
  await organization.admin.post('/api/workspaces', { workspace_name: 'New' }).expect(201);
  await organization.admin.get('/api/workspaces/current').expect(200);
});
