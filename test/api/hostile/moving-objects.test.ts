import { beforeAll, describe, expect, it } from 'vitest';
import { type Actor, newOrganization, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { newDashboard } from '../../support/dashboards.ts';
import { expectRefused } from '../../support/refusals.ts';
import { newReport } from '../../support/reports.ts';
import { draftSurvey } from '../../support/surveys.ts';

const test = useApp();
const home = useOrganization(test);
/** A member: editor of the team workspace, owner of a private one. */
let member: Actor;
let colleague: Actor;
let privateId: number;

const createWorkspace = async (
  caller: Actor,
  visibility: 1 | 2 | 3,
  members: [Actor, 'viewer' | 'editor'][] = [],
) => {
  const created = await caller
    .post('/api/workspaces', {
      workspace_name: `Of visibility ${visibility}`,
      workspace_visibility: visibility,
    })
    .expect(201);
  const workspaceId: number = created.body.data.workspace_id;
  for (const [person, role] of members)
    await caller.post(`/api/workspaces/${workspaceId}/members`, { user_id: person.userId, role }).expect(201);
  return workspaceId;
};

/** Creates an object of each kind in a workspace and returns its path. */
const KINDS = {
  survey: async (caller: Actor, workspaceId: number) =>
    `/api/surveys/${(await draftSurvey(caller, [[]], { workspaceId })).surveyId}`,
  dashboard: async (caller: Actor, workspaceId: number) =>
    `/api/dashboards/${(await newDashboard(caller, { workspace_id: workspaceId })).id}`,
  report: async (caller: Actor, workspaceId: number) =>
    `/api/reports/${(await newReport(caller, { workspace_id: workspaceId })).id}`,
};
const kinds = Object.keys(KINDS) as (keyof typeof KINDS)[];
const workspaceOf = async (caller: Actor, path: string): Promise<number> =>
  (await caller.get(path).expect(200)).body.data.workspace_id;
const newestMove = async (kind: string, path: string) =>
  (
    await home.admin
      .get(`/api/audit?action=${kind}.moved&object_id=${path.split('/').at(-1)}&limit=1`)
      .expect(200)
  ).body.data[0] as { audit_id: number; details: object; user_id: number };

beforeAll(async () => {
  [member, colleague] = [await home.person('member'), await home.person('member')];
  privateId = await createWorkspace(member, 1);
});

describe.each(kinds)('a %s', (kind) => {
  it('cannot be hidden from its team by a member, not even by its author', async () => {
    for (const author of [home.admin, member]) {
      const path = await KINDS[kind](author, home.workspaceId);
      const body = await expectRefused(member.put(path, { workspace_id: privateId }), 403, 'forbidden');
      expect(body.message).toContain('workspace_id');
      const sharedWithAdmin = await createWorkspace(member, 3, [[home.admin, 'editor']]);
      await expectRefused(member.put(path, { workspace_id: sharedWithAdmin }), 403, 'forbidden');
      expect(await workspaceOf(home.admin, path)).toBe(home.workspaceId);
    }
  });

  it('can be moved by a member to a workspace where all its viewers still see it', async () => {
    const otherTeam = await createWorkspace(colleague, 2);
    const path = await KINDS[kind](home.admin, home.workspaceId);
    await member.put(path, { workspace_id: otherTeam }).expect(200);
    const shared = await createWorkspace(colleague, 3, [[member, 'editor']]);
    const wider = await createWorkspace(member, 3, [
      [colleague, 'viewer'],
      [home.admin, 'viewer'],
    ]);
    const narrower = await createWorkspace(member, 3, [[home.admin, 'viewer']]);
    const fromShared = await KINDS[kind](colleague, shared);
    await expectRefused(member.put(fromShared, { workspace_id: narrower }), 403, 'forbidden');
    await expectRefused(member.put(fromShared, { workspace_id: privateId }), 403, 'forbidden');
    await member.put(fromShared, { workspace_id: wider }).expect(200);
    expect(await workspaceOf(colleague, fromShared)).toBe(wider);
  });

  it('cannot be hidden in two steps through a team workspace of the same member', async () => {
    const own = await createWorkspace(member, 2);
    const path = await KINDS[kind](home.admin, home.workspaceId);
    await member.put(path, { workspace_id: own }).expect(200);

    await expectRefused(member.put(path, { workspace_id: privateId }), 403, 'forbidden');
    const otherOwn = await createWorkspace(member, 2);
    await member.put(path, { workspace_id: otherOwn }).expect(200);
    await expectRefused(member.put(path, { workspace_id: privateId }), 403, 'forbidden');
    for (const visibility of [1, 3])
      await expectRefused(
        member.put(`/api/workspaces/${otherOwn}`, { workspace_visibility: visibility }),
        409,
        'visibility_needed',
      );
    await member.put(`/api/workspaces/${own}`, { workspace_visibility: 1 }).expect(200);
    expect(await workspaceOf(home.admin, path)).toBe(otherOwn);

    await member.put(path, { workspace_id: home.workspaceId }).expect(200);
    await member.put(`/api/workspaces/${otherOwn}`, { workspace_visibility: 1 }).expect(200);
  });

  it('can be hidden by the owner of the workspace into which an admin moved it', async () => {
    const own = await createWorkspace(member, 2);
    const path = await KINDS[kind](home.admin, home.workspaceId);
    await home.admin.put(path, { workspace_id: own }).expect(200);
    await member.put(path, { workspace_id: privateId }).expect(200);
  });

  it('can be moved by the owner of its workspace and by an admin', async () => {
    const own = await createWorkspace(member, 2);
    const path = await KINDS[kind](colleague, own);
    await member.put(path, { workspace_id: privateId }).expect(200);
    await expectRefused(home.admin.get(path), 404);
    const adminsOwn = await createWorkspace(home.admin, 1);
    const teamPath = await KINDS[kind](member, home.workspaceId);
    await home.admin.put(teamPath, { workspace_id: adminsOwn }).expect(200);
  });

  it('can be returned by an admin from the audit entry of its move', async () => {
    const own = await createWorkspace(member, 2);
    const path = await KINDS[kind](colleague, own);
    await member.put(path, { workspace_id: privateId }).expect(200);
    const move = await newestMove(kind, path);
    expect(move).toMatchObject({
      user_id: member.userId,
      details: { from_workspace_id: own, to_workspace_id: privateId },
    });
    const undo = `/api/audit/${move.audit_id}/undo-move`;
    await expectRefused(member.post(undo), 403);
    const stranger = await newOrganization(test);
    await expectRefused(stranger.admin.post(undo), 404, 'not_found');
    await expectRefused(home.admin.get(path), 404);

    const returned = await home.admin.post(undo).expect(200);
    expect(returned.body.data).toEqual({
      object_type: kind,
      object_id: Number(path.split('/').at(-1)),
      workspace_id: own,
    });
    expect(await workspaceOf(home.admin, path)).toBe(own);
    expect(await newestMove(kind, path)).toMatchObject({
      user_id: home.admin.userId,
      details: { from_workspace_id: privateId, to_workspace_id: own, undoes_audit_id: move.audit_id },
    });
    await expectRefused(home.admin.post(undo), 409, 'moved_since');
  });
});

describe('returning a moved object', () => {
  it('is refused for other audit entries and for deleted workspaces or objects', async () => {
    const path = await KINDS.survey(home.admin, home.workspaceId);
    const created = await home.admin.get('/api/audit?action=workspace.created&limit=1').expect(200);
    await expectRefused(
      home.admin.post(`/api/audit/${created.body.data[0].audit_id}/undo-move`),
      422,
      'not_a_move',
    );
    const own = await createWorkspace(home.admin, 1);
    const team = await createWorkspace(home.admin, 2);
    await home.admin.put(path, { workspace_id: team }).expect(200);
    await home.admin.put(path, { workspace_id: own }).expect(200);
    const { audit_id: auditId } = await newestMove('survey', path);
    await home.admin.delete(`/api/workspaces/${team}`).expect(204);
    await expectRefused(home.admin.post(`/api/audit/${auditId}/undo-move`), 409, 'workspace_deleted');
    await home.admin.post(`/api/workspaces/${team}/restore`).expect(200);
    await home.admin.delete(path).expect(204);
    await expectRefused(home.admin.post(`/api/audit/${auditId}/undo-move`), 409, 'moved_since');
  });

  it('is refused for an object from a private workspace', async () => {
    const path = await KINDS.survey(member, privateId);
    const otherPrivate = await createWorkspace(member, 1);
    await member.put(path, { workspace_id: otherPrivate }).expect(200);
    const { audit_id: auditId } = await newestMove('survey', path);
    await expectRefused(home.admin.post(`/api/audit/${auditId}/undo-move`), 409, 'workspace_private');
    expect(await workspaceOf(member, path)).toBe(otherPrivate);
  });
});
