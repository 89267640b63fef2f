import { LOOK_DEFAULTS } from '../../../src/domain/survey/look.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Actor, newOrganization, type Organization, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { expectRefused } from '../../support/refusals.ts';

const test = useApp();
const home = useOrganization(test);
let ada: Actor;
beforeAll(async () => {
  ada = await home.addUser('member');
});

async function createWorkspace(
  by: Actor,
  body: object,
): Promise<Record<string, unknown> & { workspace_id: number }> {
  return (await by.post('/api/workspaces', body).expect(201)).body.data;
}

async function auditOf(workspaceId: number): Promise<unknown[]> {
  const { rows } = await test.database.db.raw(
    `SELECT action, user_id, details FROM audit_log WHERE object_type = 'workspace' AND object_id = ? ORDER BY audit_id`,
    [String(workspaceId)],
  );
  return rows;
}

describe('creating a workspace', () => {
  it('creates a private workspace with the default color, owned by the caller', async () => {
    const workspace = await createWorkspace(ada, { workspace_name: '  Panel  ' });
    expect(workspace).toEqual({
      workspace_id: expect.any(Number),
      workspace_name: 'Panel',
      workspace_color: '#6366f1',
      workspace_visibility: 1,
      workspace_look: LOOK_DEFAULTS,
      workspace_inserted: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      owner_id: ada.userId,
      my_role: 'owner',
    });
    expect(await auditOf(workspace.workspace_id)).toEqual([
      { action: 'workspace.created', user_id: ada.userId, details: null },
    ]);
  });

  it.each([
    ['#FA0', '#ffaa00'],
    ['#A1b2C3', '#a1b2c3'],
    [null, '#6366f1'],
  ])('stores the color %s as %s', async (color, stored) => {
    expect(await createWorkspace(ada, { workspace_name: 'Color', workspace_color: color })).toMatchObject({
      workspace_color: stored,
    });
  });

  it('keeps names with quotes and non-Latin scripts unchanged', async () => {
    const name = `Ünïcode 研究 "quoted" '; DROP TABLE users; -- {{x}} 👩‍🔬`;
    expect((await createWorkspace(ada, { workspace_name: name })).workspace_name).toBe(name);
  });

  it('allows two workspaces with the same name', async () => {
    const [one, two] = [
      await createWorkspace(ada, { workspace_name: 'Twin' }),
      await createWorkspace(ada, { workspace_name: 'Twin' }),
    ];
    expect(one.workspace_id).not.toBe(two.workspace_id);
  });
});

describe('changing a workspace', () => {
  it('keeps absent fields', async () => {
    const { workspace_id: id } = await createWorkspace(ada, {
      workspace_name: 'Before',
      workspace_color: '#111111',
    });
    const reply = await ada.put(`/api/workspaces/${id}`, { workspace_name: 'After' }).expect(200);
    expect(reply.body.data).toMatchObject({
      workspace_name: 'After',
      workspace_color: '#111111',
      workspace_visibility: 1,
    });
    expect((await ada.get(`/api/workspaces/${id}`).expect(200)).body).toEqual(reply.body);
    expect(await auditOf(id)).toContainEqual({
      action: 'workspace.updated',
      user_id: ada.userId,
      details: { fields: ['workspace_name'] },
    });
  });

  it('accepts an unchanged copy and does not record it', async () => {
    const workspace = await createWorkspace(ada, { workspace_name: 'Same' });
    const path = `/api/workspaces/${workspace.workspace_id}`;
    const reply = await ada.put(path, { ...workspace, workspace_id: 7, owner_id: 'x' }).expect(200);
    expect(reply.body.data).toEqual(workspace);
    expect(await auditOf(workspace.workspace_id)).toHaveLength(1);
  });

  it('resets the color to the default for null', async () => {
    const { workspace_id: id } = await createWorkspace(ada, {
      workspace_name: 'Red',
      workspace_color: '#ff0000',
    });
    const reply = await ada.put(`/api/workspaces/${id}`, { workspace_color: null }).expect(200);
    expect(reply.body.data.workspace_color).toBe('#6366f1');
  });

  it('lets an admin rename a team workspace of another user, but not change its visibility', async () => {
    const { workspace_id: id } = await createWorkspace(ada, {
      workspace_name: 'Team',
      workspace_visibility: 2,
    });
    const path = `/api/workspaces/${id}`;
    await home.admin.put(path, { workspace_name: 'Renamed', workspace_visibility: 2 }).expect(200);
    await expectRefused(home.admin.put(path, { workspace_visibility: 1 }), 403, 'forbidden');
    expect((await ada.get(path)).body.data).toMatchObject({
      workspace_name: 'Renamed',
      workspace_visibility: 2,
    });
  });

  it('hides a workspace that becomes private immediately', async () => {
    const { workspace_id: id } = await createWorkspace(ada, {
      workspace_name: 'Visible',
      workspace_visibility: 2,
    });
    await home.admin.get(`/api/workspaces/${id}`).expect(200);
    await ada.put(`/api/workspaces/${id}`, { workspace_visibility: 1 }).expect(200);
    await expectRefused(home.admin.get(`/api/workspaces/${id}`), 404, 'not_found');
  });
});

describe('deleting and restoring', () => {
  it('hides the workspace from all users until an admin restores it unchanged', async () => {
    const workspace = await createWorkspace(ada, { workspace_name: 'Deleted', workspace_visibility: 2 });
    const path = `/api/workspaces/${workspace.workspace_id}`;
    const reply = await home.admin.delete(path).expect(204);
    expect(reply.text).toBe('');
    await expectRefused(ada.get(path), 404);
    await expectRefused(ada.put(path, { workspace_name: 'x' }), 404);
    await expectRefused(ada.delete(path), 404);
    await expectRefused(ada.put(`/api/workspaces/current/${workspace.workspace_id}`), 404);
    await expectRefused(ada.post(`${path}/restore`), 403, 'forbidden');
    const restored = await home.admin.post(`${path}/restore`).expect(200);
    expect(restored.body.data).toEqual({ workspace_id: workspace.workspace_id, restored: true });
    expect((await ada.get(path).expect(200)).body.data).toEqual(workspace);
  });

  it('does not give an admin access to a restored private workspace', async () => {
    const { workspace_id: id } = await createWorkspace(ada, { workspace_name: 'Mine' });
    await ada.delete(`/api/workspaces/${id}`).expect(204);
    await home.admin.post(`/api/workspaces/${id}/restore`).expect(200);
    await expectRefused(home.admin.get(`/api/workspaces/${id}`), 404);
    await ada.get(`/api/workspaces/${id}`).expect(200);
  });

  it('returns the same 404 for a workspace that is not deleted, of another organization or missing', async () => {
    const existing = await createWorkspace(ada, { workspace_name: 'Not deleted' });
    const other = await newOrganization(test);
    await other.admin.delete(`/api/workspaces/${other.workspaceId}`).expect(204);
    const messages = await Promise.all(
      [existing.workspace_id, other.workspaceId, 99999999999999].map(
        async (id) => (await expectRefused(home.admin.post(`/api/workspaces/${id}/restore`), 404)).message,
      ),
    );
    expect(new Set(messages).size).toBe(1);
  });

  it('hides its surveys until it is restored', async () => {
    const { workspace_id: id } = await createWorkspace(ada, { workspace_name: 'With survey' });
    const { rows } = await test.database.db.raw(
      `INSERT INTO surveys (organization_id, workspace_id, created_by, survey_name) VALUES (?, ?, ?, 'S') RETURNING survey_id`,
      [home.organizationId, id, ada.userId],
    );
    const caller = {
      credential: 'session' as const,
      credentialId: '',
      viaCookie: false,
      userId: ada.userId,
      organizationId: home.organizationId,
      homeOrganizationId: home.organizationId,
      role: 'member' as const,
      aiAccess: true,
      currentWorkspaceId: null,
      origin: { credential: 'session' as const, credentialId: '', requestId: '', address: '' },
    };
    const checkAccess = () =>
      test.container.services.access.survey({ caller, surveyId: rows[0].survey_id, need: 'view' });
    await expect(checkAccess()).resolves.toMatchObject({ workspaceId: id });
    await ada.delete(`/api/workspaces/${id}`).expect(204);
    await expect(checkAccess()).rejects.toMatchObject({ kind: 'not_found' });
    await home.admin.post(`/api/workspaces/${id}/restore`).expect(200);
    await expect(checkAccess()).resolves.toMatchObject({ workspaceId: id });
  });
});

describe('the workspace list', () => {
  const names = (reply: { body: { data: { workspace_name: string }[] } }) =>
    reply.body.data.map((workspace) => workspace.workspace_name);
  let organization: Organization;
  let member: Actor;
  beforeAll(async () => {
    organization = await newOrganization(test);
    member = await organization.addUser('member');
    for (const name of ['Wave 10', 'Wave 2', 'éclair', 'Zebra'])
      await createWorkspace(member, { workspace_name: name });
    await createWorkspace(organization.admin, { workspace_name: 'Private to the admin' });
  });

  it('is complete, oldest first, with the total', async () => {
    const reply = await member.get('/api/workspaces').expect(200);
    expect(names(reply)).toEqual(['Research', 'Wave 10', 'Wave 2', 'éclair', 'Zebra']);
    expect(reply.body.meta).toEqual({ limit: 1000, next_cursor: null, total: 5 });
  });

  it('sorts by name in natural order, and by age in both directions', async () => {
    const listNames = async (sort: string) =>
      names(await member.get(`/api/workspaces?sort=${sort}`).expect(200));
    expect(await listNames('workspace_name')).toEqual(['éclair', 'Research', 'Wave 2', 'Wave 10', 'Zebra']);
    const oldest = await listNames('workspace_inserted');
    expect(await listNames('-workspace_id')).toEqual(oldest.reverse());
  });

  it('searches names, ignoring case, with literal wildcards', async () => {
    const search = async (text: string) =>
      names(await member.get('/api/workspaces').query({ search: text }).expect(200));
    expect(await search('wAVe')).toEqual(['Wave 10', 'Wave 2']);
    expect(await search('e\u0301CL')).toEqual(['éclair']);
    expect(await search('%')).toEqual([]);
    expect(await search('admin')).toEqual([]);
  });

  it('is paginated by cursor and by number', async () => {
    const pagedNames: string[] = [];
    let cursor: string | null = null;
    do {
      const query: Record<string, string> = { limit: '2', ...(cursor === null ? {} : { cursor }) };
      const reply = await member.get('/api/workspaces').query(query).expect(200);
      pagedNames.push(...names(reply));
      cursor = reply.body.meta.next_cursor;
    } while (cursor !== null);
    expect(pagedNames).toEqual(['Research', 'Wave 10', 'Wave 2', 'éclair', 'Zebra']);
    expect(names(await member.get('/api/workspaces?limit=2&page=3').expect(200))).toEqual(['Zebra']);
    expect(names(await member.get('/api/workspaces?limit=2&page=4').expect(200))).toEqual([]);
  });
});
