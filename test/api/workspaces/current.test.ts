import { expect, it } from 'vitest';
import { type Actor, newOrganization, signIn } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { expectRefused } from '../../support/refusals.ts';

const test = useApp();

async function createTwoWorkspaces() {
  const organization = await newOrganization(test);
  const ada = await organization.addUser('member');
  const second = (await ada.post('/api/workspaces', { workspace_name: 'Second' }).expect(201)).body.data;
  return { organization, ada, first: organization.workspaceId, second: second.workspace_id as number };
}
const getCurrentId = async (actor: Actor): Promise<number> =>
  (await actor.get('/api/workspaces/current')).body.data.workspace_id;

it('is the oldest visible workspace until one is selected', async () => {
  const { ada, first } = await createTwoWorkspaces();
  expect(await getCurrentId(ada)).toBe(first);
});

it('is stored per session and API key, so switching in a browser does not affect an integration', async () => {
  const { ada, first, second } = await createTwoWorkspaces();
  const [laptop, phone] = [await signIn(test, ada), await signIn(test, ada)];
  const reply = await laptop.put(`/api/workspaces/current/${second}`).expect(200);
  expect(reply.body.data).toMatchObject({ workspace_id: second, my_role: 'owner' });
  expect([await getCurrentId(laptop), await getCurrentId(phone), await getCurrentId(ada)]).toEqual([
    second,
    first,
    first,
  ]);
  await ada.put(`/api/workspaces/current/${second}`).expect(200);
  expect([await getCurrentId(phone), await getCurrentId(ada)]).toEqual([first, second]);
});

it('returns the workspace of ?workspace_id without switching', async () => {
  const { ada, first, second } = await createTwoWorkspaces();
  const reply = await ada.get(`/api/workspaces/current?workspace_id=${second}`).expect(200);
  expect(reply.body.data.workspace_id).toBe(second);
  expect(await getCurrentId(ada)).toBe(first);
});

it('falls back to the oldest when the selected one is deleted, until it is restored', async () => {
  const { organization, ada, first, second } = await createTwoWorkspaces();
  await ada.put(`/api/workspaces/current/${second}`).expect(200);
  await ada.delete(`/api/workspaces/${second}`).expect(204);
  expect(await getCurrentId(ada)).toBe(first);
  await organization.admin.post(`/api/workspaces/${second}/restore`).expect(200);
  expect(await getCurrentId(ada)).toBe(second);
});

it('falls back when the selected one is no longer visible', async () => {
  const { organization, ada, first } = await createTwoWorkspaces();
  const shared = (
    await organization.admin.post('/api/workspaces', { workspace_name: 'Shared', workspace_visibility: 3 })
  ).body.data.workspace_id as number;
  await organization.admin.post(`/api/workspaces/${shared}/members`, { user_id: ada.userId, role: 'viewer' });
  await ada.put(`/api/workspaces/current/${shared}`).expect(200);
  expect(await getCurrentId(ada)).toBe(shared);
  await organization.admin.delete(`/api/workspaces/${shared}/members/${ada.userId}`).expect(204);
  expect(await getCurrentId(ada)).toBe(first);
});

it('does not switch to a workspace of another organization', async () => {
  const { ada, first } = await createTwoWorkspaces();
  const other = await newOrganization(test);
  await expectRefused(ada.put(`/api/workspaces/current/${other.workspaceId}`), 404, 'not_found');
  await expectRefused(ada.get(`/api/workspaces/current?workspace_id=${other.workspaceId}`), 404, 'not_found');
  expect(await getCurrentId(ada)).toBe(first);
});

it('returns 404 to a user without a visible workspace', async () => {
  const organization = await newOrganization(test);
  await organization.admin.delete(`/api/workspaces/${organization.workspaceId}`).expect(204);
  await expectRefused(organization.admin.get('/api/workspaces/current'), 404, 'not_found');
  await organization.admin.post('/api/workspaces', { workspace_name: 'New' }).expect(201);
  await organization.admin.get('/api/workspaces/current').expect(200);
});
