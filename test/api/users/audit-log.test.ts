import { beforeAll, describe, expect, it } from 'vitest';
import { type Actor, newOrganization, signIn, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { expectRefused, expectInvalidField } from '../../support/refusals.ts';

const test = useApp();
const organization = useOrganization(test);

interface Entry {
  audit_id: number;
  action: string;
  object_type: string;
  object_id: string;
  user_id: number;
  credential: string;
  address: string;
  request_id: string;
}

const listEntries = async (actor: Actor, query: Record<string, string | number> = {}): Promise<Entry[]> =>
  (await actor.get('/api/audit').query(query).expect(200)).body.data as Entry[];

let workspaceId: number;
let requestId: string;

beforeAll(async () => {
  const created = await organization.admin
    .post('/api/workspaces', { workspace_name: 'Recorded' })
    .expect(201);
  workspaceId = created.body.data.workspace_id as number;
  requestId = created.headers['x-request-id']!;
});

describe('the audit log', () => {
  it('records user, action, object, credential, address and request', async () => {
    const [entry] = await listEntries(organization.admin, {
      object_type: 'workspace',
      object_id: workspaceId,
    });
    expect(entry).toMatchObject({
      action: 'workspace.created',
      user_id: organization.admin.userId,
      user_name: 'Ada Admin',
      credential: 'api_key',
      request_id: requestId,
    });
    expect(entry!.address).toMatch(/127\.0\.0\.1|::1/);
  });

  it('distinguishes sessions from keys', async () => {
    const session = await signIn(test, organization.admin);
    await session.put(`/api/workspaces/${workspaceId}`, { workspace_name: 'Renamed' }).expect(200);
    const [entry] = await listEntries(organization.admin, { action: 'workspace.updated' });
    expect(entry).toMatchObject({ credential: 'session', object_id: String(workspaceId) });
  });

  it('records credential and request of a restored workspace', async () => {
    const created = await organization.admin
      .post('/api/workspaces', { workspace_name: 'Restored' })
      .expect(201);
    const id = created.body.data.workspace_id as number;
    await organization.admin.delete(`/api/workspaces/${id}`).expect(204);
    const restored = await organization.admin.post(`/api/workspaces/${id}/restore`).expect(200);
    const [entry] = await listEntries(organization.admin, { action: 'workspace.restored', object_id: id });
    expect(entry).toMatchObject({ credential: 'api_key', request_id: restored.headers['x-request-id'] });
  });

  it('records logins and logouts once', async () => {
    const member = await organization.addUser('member');
    const session = await signIn(test, member);
    await session.post('/api/auth', { action: 'logout' }).expect(200);
    await session.post('/api/auth', { action: 'logout' }).expect(200);
    const actions = (await listEntries(organization.admin, { user_id: member.userId })).map(
      (entry) => entry.action,
    );
    expect(actions.filter((action) => action.startsWith('user.'))).toEqual([
      'user.logged_out',
      'user.logged_in',
    ]);
  });

  it('does not treat the action filter as a pattern', async () => {
    expect(await listEntries(organization.admin, { action: '____' })).toEqual([]);
  });

  it('filters by action, user and time', async () => {
    const member = await organization.addUser('member');
    await member.post('/api/workspaces', { workspace_name: 'Mine' }).expect(201);
    expect(
      (await listEntries(organization.admin, { user_id: member.userId })).map((entry) => entry.action),
    ).toContain('workspace.created');
    const kinds = (await listEntries(organization.admin, { action: 'workspace' })).map(
      (entry) => entry.object_type,
    );
    expect(new Set(kinds)).toEqual(new Set(['workspace']));
    expect(await listEntries(organization.admin, { action: 'work' })).toEqual([]);
    const today = new Date().toISOString().slice(0, 10);
    expect((await listEntries(organization.admin, { from: today, to: today })).length).toBeGreaterThan(0);
    expect(await listEntries(organization.admin, { to: '2020-01-01' })).toEqual([]);
  });

  it('returns pages newest first, without gaps', async () => {
    const ids = (await listEntries(organization.admin)).map((entry) => entry.audit_id);
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
    const pagedIds: number[] = [];
    let cursor: string | null = null;
    do {
      const reply = await organization.admin
        .get('/api/audit')
        .query({ limit: 2, ...(cursor === null ? {} : { cursor }) })
        .expect(200);
      expect(reply.body.meta.total).toBe(ids.length);
      pagedIds.push(...(reply.body.data as Entry[]).map((entry) => entry.audit_id));
      cursor = reply.body.meta.next_cursor as string | null;
    } while (cursor !== null);
    expect(pagedIds).toEqual(ids);
  });

  it('excludes other organizations', async () => {
    const other = await newOrganization(test);
    const visible = await listEntries(other.admin);
    expect(visible.map((entry) => entry.user_id)).not.toContain(organization.admin.userId);
    expect(await listEntries(other.admin, { object_type: 'workspace', object_id: workspaceId })).toEqual([]);
  });

  it('is only for admins', async () => {
    for (const role of ['member', 'client'] as const)
      await expectRefused((await organization.addUser(role)).get('/api/audit'), 403, 'forbidden');
  });

  it('cannot be updated or deleted, even by SQL', async () => {
    const { db } = test.database;
    await expect(db.raw(`UPDATE audit_log SET action = 'nothing'`)).rejects.toThrow('append-only');
    await expect(db.raw(`DELETE FROM audit_log`)).rejects.toThrow('append-only');
  });

  it('has no entries for failed requests', async () => {
    const before = (await listEntries(organization.admin)).length;
    await expectInvalidField(
      organization.admin.post('/api/workspaces', { workspace_name: '' }),
      'workspace_name',
    );
    expect(await listEntries(organization.admin)).toHaveLength(before);
  });

  it('names the invalid filter', async () => {
    await expectInvalidField(organization.admin.get('/api/audit').query({ from: 'tomorrow' }), 'from');
    await expectInvalidField(organization.admin.get('/api/audit').query({ to: '2026-02-30' }), 'to');
    await expectInvalidField(
      organization.admin.get('/api/audit').query({ action: "x' OR 1=1 --" }),
      'action',
    );
    await expectInvalidField(organization.admin.get('/api/audit').query({ cursor: 'bm9uc2Vuc2U' }), 'cursor');
    await expectInvalidField(organization.admin.get('/api/audit').query({ user: 1 }), 'user');
  });
});
