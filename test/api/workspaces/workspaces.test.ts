import { beforeAll, describe, expect, it } from 'vitest';
import { type Actor, newOrganization, type Organization, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { expectRefused } from '../../support/refusals.ts';

const test = useApp();
const home = useOrganization(test);
let ada: Actor;
beforeAll(async () => {
  ada = await home.person('member');
});

async function made(by: Actor, body: object): Promise<Record<string, unknown> & { workspace_id: number }> {
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
  it('makes a private one with the default colour, owned by who asked', async () => {
    const workspace = await made(ada, { workspace_name: '  Panel  ' });
    expect(workspace).toEqual({
      workspace_id: expect.any(Number),
      workspace_name: 'Panel',
      workspace_color: '#6366f1',
      workspace_visibility: 1,
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
  ])('takes the colour %s as %s', async (given, kept) => {
    expect(await made(ada, { workspace_name: 'Colour', workspace_color: given })).toMatchObject({
      workspace_color: kept,
    });
  });

  it('keeps names as they are written, quotes and other scripts included', async () => {
    const name = `Ünïcode 研究 "quoted" '; DROP TABLE users; -- {{x}} 👩‍🔬`;
    expect((await made(ada, { workspace_name: name })).workspace_name).toBe(name);
  });

  it('makes two workspaces of one name', async () => {
    const [one, two] = [
      await made(ada, { workspace_name: 'Twin' }),
      await made(ada, { workspace_name: 'Twin' }),
    ];
    expect(one.workspace_id).not.toBe(two.workspace_id);
  });
});

describe('changing a workspace', () => {
  it('keeps what is absent', async () => {
    const { workspace_id: id } = await made(ada, { workspace_name: 'Before', workspace_color: '#111111' });
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

  it('takes back what it gave, and records nothing when nothing changed', async () => {
    const workspace = await made(ada, { workspace_name: 'Same' });
    const path = `/api/workspaces/${workspace.workspace_id}`;
    const reply = await ada.put(path, { ...workspace, workspace_id: 7, owner_id: 'x' }).expect(200);
    expect(reply.body.data).toEqual(workspace);
    expect(await auditOf(workspace.workspace_id)).toHaveLength(1);
  });

  it('puts the default colour back for null', async () => {
    const { workspace_id: id } = await made(ada, { workspace_name: 'Red', workspace_color: '#ff0000' });
    const reply = await ada.put(`/api/workspaces/${id}`, { workspace_color: null }).expect(200);
    expect(reply.body.data.workspace_color).toBe('#6366f1');
  });

  it('lets an admin rename a team workspace of somebody else, but not change who sees it', async () => {
    const { workspace_id: id } = await made(ada, { workspace_name: 'Team', workspace_visibility: 2 });
    const path = `/api/workspaces/${id}`;
    await home.admin.put(path, { workspace_name: 'Renamed', workspace_visibility: 2 }).expect(200);
    await expectRefused(home.admin.put(path, { workspace_visibility: 1 }), 403, 'forbidden');
    expect((await ada.get(path)).body.data).toMatchObject({
      workspace_name: 'Renamed',
      workspace_visibility: 2,
    });
  });

  it('takes a workspace out of the team’s sight at once', async () => {
    const { workspace_id: id } = await made(ada, { workspace_name: 'Seen', workspace_visibility: 2 });
    await home.admin.get(`/api/workspaces/${id}`).expect(200);
    await ada.put(`/api/workspaces/${id}`, { workspace_visibility: 1 }).expect(200);
    await expectRefused(home.admin.get(`/api/workspaces/${id}`), 404, 'not_found');
  });
});

describe('deleting and restoring', () => {
  it('hides the workspace from everybody, and an admin brings it back as it was', async () => {
    const workspace = await made(ada, { workspace_name: 'Gone', workspace_visibility: 2 });
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

  it('keeps a restored private workspace from the admin who restored it', async () => {
    const { workspace_id: id } = await made(ada, { workspace_name: 'Mine' });
    await ada.delete(`/api/workspaces/${id}`).expect(204);
    await home.admin.post(`/api/workspaces/${id}/restore`).expect(200);
    await expectRefused(home.admin.get(`/api/workspaces/${id}`), 404);
    await ada.get(`/api/workspaces/${id}`).expect(200);
  });

  it('tells an admin nothing of workspaces that are not deleted, foreign or missing', async () => {
    const live = await made(ada, { workspace_name: 'Alive' });
    const other = await newOrganization(test);
    await other.admin.delete(`/api/workspaces/${other.workspaceId}`).expect(204);
    const messages = await Promise.all(
      [live.workspace_id, other.workspaceId, 99999999999999].map(
        async (id) => (await expectRefused(home.admin.post(`/api/workspaces/${id}/restore`), 404)).message,
      ),
    );
    expect(new Set(messages).size).toBe(1);
  });

  it('hides its surveys too, and shows them again', async () => {
    const { workspace_id: id } = await made(ada, { workspace_name: 'With survey' });
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
    const access = () => test.container.services.access.survey(caller, rows[0].survey_id, 'view');
    await expect(access()).resolves.toMatchObject({ workspaceId: id });
    await ada.delete(`/api/workspaces/${id}`).expect(204);
    await expect(access()).rejects.toMatchObject({ kind: 'not_found' });
    await home.admin.post(`/api/workspaces/${id}/restore`).expect(200);
    await expect(access()).resolves.toMatchObject({ workspaceId: id });
  });
});

describe('the list', () => {
  const names = (reply: { body: { data: { workspace_name: string }[] } }) =>
    reply.body.data.map((workspace) => workspace.workspace_name);
  let org: Organization;
  let bea: Actor;
  beforeAll(async () => {
    org = await newOrganization(test);
    bea = await org.person('member');
    for (const name of ['Wave 10', 'Wave 2', 'éclair', 'Zebra']) await made(bea, { workspace_name: name });
    await made(org.admin, { workspace_name: 'The admin’s own' });
  });

  it('is whole, oldest first, with the number of all', async () => {
    const reply = await bea.get('/api/workspaces').expect(200);
    expect(names(reply)).toEqual(['Research', 'Wave 10', 'Wave 2', 'éclair', 'Zebra']);
    expect(reply.body.meta).toEqual({ limit: 1000, next_cursor: null, total: 5 });
  });

  it('sorts by name as people do, and by age both ways', async () => {
    const sorted = async (sort: string) => names(await bea.get(`/api/workspaces?sort=${sort}`).expect(200));
    expect(await sorted('workspace_name')).toEqual(['éclair', 'Research', 'Wave 2', 'Wave 10', 'Zebra']);
    const oldest = await sorted('workspace_inserted');
    expect(await sorted('-workspace_id')).toEqual(oldest.reverse());
  });

  it('searches in names, ignoring case and meaning wildcards literally', async () => {
    const found = async (text: string) =>
      names(await bea.get('/api/workspaces').query({ search: text }).expect(200));
    expect(await found('wAVe')).toEqual(['Wave 10', 'Wave 2']);
    expect(await found('e\u0301CL')).toEqual(['éclair']);
    expect(await found('%')).toEqual([]);
    expect(await found('admin')).toEqual([]);
  });

  it('goes through pages by cursor and by number', async () => {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const query: Record<string, string> = { limit: '2', ...(cursor === null ? {} : { cursor }) };
      const reply = await bea.get('/api/workspaces').query(query).expect(200);
      seen.push(...names(reply));
      cursor = reply.body.meta.next_cursor;
    } while (cursor !== null);
    expect(seen).toEqual(['Research', 'Wave 10', 'Wave 2', 'éclair', 'Zebra']);
    expect(names(await bea.get('/api/workspaces?limit=2&page=3').expect(200))).toEqual(['Zebra']);
    expect(names(await bea.get('/api/workspaces?limit=2&page=4').expect(200))).toEqual([]);
  });
});
