import { beforeAll, describe, expect, it } from 'vitest';
import { type Actor, newOrganization, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { newDashboard } from '../../support/dashboards.ts';
import { expectRefused } from '../../support/refusals.ts';
import { newReport } from '../../support/reports.ts';
import { draftSurvey } from '../../support/surveys.ts';

const test = useApp();
const organization = useOrganization(test);
/** A member who edits in the team's workspace and owns another workspace. */
let member: Actor;
let colleague: Actor;
let privateId: number;

const workspace = async (by: Actor, visibility: 1 | 2 | 3, members: [Actor, 'viewer' | 'editor'][] = []) => {
  const created = await by
    .post('/api/workspaces', {
      workspace_name: `Of visibility ${visibility}`,
      workspace_visibility: visibility,
    })
    .expect(201);
  const workspaceId: number = created.body.data.workspace_id;
  for (const [user, role] of members)
    await by.post(`/api/workspaces/${workspaceId}/members`, { user_id: user.userId, role }).expect(201);
  return workspaceId;
};

/** One of each kind of object, made by a person in a workspace; its address. */
const KINDS = {
  survey: async (by: Actor, workspaceId: number) =>
    `/api/surveys/${(await draftSurvey(by, [[]], { workspaceId })).surveyId}`,
  dashboard: async (by: Actor, workspaceId: number) =>
    `/api/dashboards/${(await newDashboard(by, { workspace_id: workspaceId })).id}`,
  report: async (by: Actor, workspaceId: number) =>
    `/api/reports/${(await newReport(by, { workspace_id: workspaceId })).id}`,
};
const kinds = Object.keys(KINDS) as (keyof typeof KINDS)[];
const workspaceOf = async (by: Actor, path: string): Promise<number> =>
  (await by.get(path).expect(200)).body.data.workspace_id;
const newestMove = async (kind: string, path: string) =>
  (
    await organization.admin
      .get(`/api/audit?action=${kind}.moved&object_id=${path.split('/').at(-1)}&limit=1`)
      .expect(200)
  ).body.data[0] as { audit_id: number; details: object; user_id: number };

/** Expects 409 with the object that would be hidden. */
const expectHidingRefused = async (request: Parameters<typeof expectRefused>[0], path: string) => {
  const { message } = await expectRefused(request, 409, 'visibility_needed');
  const [, kind, id] = /^\/api\/(\w+)s\/(\d+)$/u.exec(path) ?? [];
  expect(message).toContain(`${kind} ${id} "`);
};

beforeAll(async () => {
  [member, colleague] = [await organization.addUser('member'), await organization.addUser('member')];
  privateId = await workspace(member, 1);
});

describe.each(kinds)('a %s', (kind) => {
  it("cannot be moved by a member out of a team's view, even by its author", async () => {
    for (const author of [organization.admin, member]) {
      const path = await KINDS[kind](author, organization.workspaceId);
      const body = await expectRefused(member.put(path, { workspace_id: privateId }), 403, 'forbidden');
      expect(body.message).toContain('workspace_id');
      const sharedWithAdmin = await workspace(member, 3, [[organization.admin, 'editor']]);
      await expectRefused(member.put(path, { workspace_id: sharedWithAdmin }), 403, 'forbidden');
      expect(await workspaceOf(organization.admin, path)).toBe(organization.workspaceId);
    }
  });

  it('can be moved by a member to where all viewers still see it', async () => {
    const otherTeam = await workspace(colleague, 2);
    const path = await KINDS[kind](organization.admin, organization.workspaceId);
    await member.put(path, { workspace_id: otherTeam }).expect(200);
    const shared = await workspace(colleague, 3, [[member, 'editor']]);
    const wider = await workspace(member, 3, [
      [colleague, 'viewer'],
      [organization.admin, 'viewer'],
    ]);
    const narrower = await workspace(member, 3, [[organization.admin, 'viewer']]);
    const fromShared = await KINDS[kind](colleague, shared);
    await expectRefused(member.put(fromShared, { workspace_id: narrower }), 403, 'forbidden');
    await expectRefused(member.put(fromShared, { workspace_id: privateId }), 403, 'forbidden');
    await member.put(fromShared, { workspace_id: wider }).expect(200);
    expect(await workspaceOf(colleague, fromShared)).toBe(wider);
  });

  it('cannot be hidden in two steps by the member who moved it to their own team workspace', async () => {
    const own = await workspace(member, 2);
    const path = await KINDS[kind](organization.admin, organization.workspaceId);
    await member.put(path, { workspace_id: own }).expect(200);

    await expectRefused(member.put(path, { workspace_id: privateId }), 403, 'forbidden');
    const otherOwn = await workspace(member, 2);
    await member.put(path, { workspace_id: otherOwn }).expect(200);
    await expectRefused(member.put(path, { workspace_id: privateId }), 403, 'forbidden');
    for (const visibility of [1, 3])
      await expectRefused(
        member.put(`/api/workspaces/${otherOwn}`, { workspace_visibility: visibility }),
        409,
        'visibility_needed',
      );
    await member.put(`/api/workspaces/${own}`, { workspace_visibility: 1 }).expect(200);
    expect(await workspaceOf(organization.admin, path)).toBe(otherOwn);

    await member.put(path, { workspace_id: organization.workspaceId }).expect(200);
    await member.put(`/api/workspaces/${otherOwn}`, { workspace_visibility: 1 }).expect(200);
  });

  it('can be hidden by its owner after an admin moved it to them', async () => {
    const own = await workspace(member, 2);
    const path = await KINDS[kind](organization.admin, organization.workspaceId);
    await organization.admin.put(path, { workspace_id: own }).expect(200);
    await member.put(path, { workspace_id: privateId }).expect(200);
  });

  it('can be moved by the owner of its workspace who created it, and by an admin', async () => {
    const own = await workspace(member, 2);
    const path = await KINDS[kind](member, own);
    await member.put(path, { workspace_id: privateId }).expect(200);
    await expectRefused(organization.admin.get(path), 404);
    const adminsOwn = await workspace(organization.admin, 1);
    const teams = await KINDS[kind](member, organization.workspaceId);
    await organization.admin.put(teams, { workspace_id: adminsOwn }).expect(200);
  });

  it("that a colleague created in a team's workspace stays in view, whatever its owner does", async () => {
    const own = await workspace(member, 2);
    const path = await KINDS[kind](colleague, own);
    const withColleague = await workspace(member, 3, [[colleague, 'viewer']]);
    for (const target of [privateId, withColleague]) {
      const { message } = await expectRefused(member.put(path, { workspace_id: target }), 403, 'forbidden');
      expect(message).toContain(`created by user ${colleague.userId}`);
    }
    for (const visibility of [1, 3])
      await expectHidingRefused(
        member.put(`/api/workspaces/${own}`, { workspace_visibility: visibility }),
        path,
      );
    await expectHidingRefused(member.delete(`/api/workspaces/${own}`), path);
    // Neither through the trash, from which it could be restored.
    await member.delete(path).expect(204);
    await expectHidingRefused(member.put(`/api/workspaces/${own}`, { workspace_visibility: 1 }), path);
    await expectHidingRefused(member.delete(`/api/workspaces/${own}`), path);
    await organization.admin.delete(`/api/workspaces/${own}`).expect(204);
    const { body } = await organization.admin.get('/api/audit?action=workspace.deleted&limit=1').expect(200);
    expect(body.data[0].details).toEqual({
      hidden_objects: [{ object_type: kind, object_id: Number(path.split('/').at(-1)) }],
    });
  });

  it('that an invited colleague created cannot be taken from them by removing them', async () => {
    const own = await workspace(member, 3, [[colleague, 'editor']]);
    const path = await KINDS[kind](colleague, own);
    const removal = `/api/workspaces/${own}/members/${colleague.userId}`;
    await expectHidingRefused(member.delete(removal), path);
    await expectHidingRefused(member.put(`/api/workspaces/${own}`, { workspace_visibility: 1 }), path);
    await expectHidingRefused(member.delete(`/api/workspaces/${own}`), path);
    await expectRefused(member.put(path, { workspace_id: privateId }), 403, 'forbidden');
    expect(await workspaceOf(colleague, path)).toBe(own);

    const between = await workspace(member, 3, [[colleague, 'viewer']]);
    await member.put(path, { workspace_id: between }).expect(200);
    await member.delete(removal).expect(204);
    expect(await workspaceOf(colleague, path)).toBe(between);
  });

  it('cannot be hidden with the workspace that an editor moved it to', async () => {
    const shared = await workspace(colleague, 3, [
      [member, 'editor'],
      [organization.admin, 'viewer'],
    ]);
    const own = await workspace(member, 3, [
      [colleague, 'viewer'],
      [organization.admin, 'viewer'],
    ]);
    // The author moves it; the colleagues who saw it keep seeing it.
    const path = await KINDS[kind](member, shared);
    await member.put(path, { workspace_id: own }).expect(200);
    for (const user of [colleague, organization.admin])
      await expectHidingRefused(member.delete(`/api/workspaces/${own}/members/${user.userId}`), path);
    await expectHidingRefused(member.delete(`/api/workspaces/${own}`), path);
    await expectHidingRefused(member.put(`/api/workspaces/${own}`, { workspace_visibility: 1 }), path);

    // A new owner cannot do it either.
    const accomplice = await organization.addUser('member');
    await member.post(`/api/workspaces/${own}/transfer`, { user_id: accomplice.userId }).expect(200);
    await expectHidingRefused(accomplice.delete(`/api/workspaces/${own}/members/${colleague.userId}`), path);
    expect(await workspaceOf(colleague, path)).toBe(own);
    await accomplice.put(path, { workspace_id: await workspace(accomplice, 2) }).expect(200);
    await accomplice.delete(`/api/workspaces/${own}/members/${colleague.userId}`).expect(204);
    await accomplice.delete(`/api/workspaces/${own}`).expect(204);
  });

  it('must still be seen by the same users after an admin undid a later move', async () => {
    const own = await workspace(member, 2);
    const next = await workspace(member, 2);
    const path = await KINDS[kind](member, organization.workspaceId);
    await member.put(path, { workspace_id: own }).expect(200);
    await member.put(path, { workspace_id: next }).expect(200);
    const { audit_id: auditId } = await newestMove(kind, path);
    await organization.admin.post(`/api/audit/${auditId}/undo-move`).expect(200);
    await expectHidingRefused(member.put(`/api/workspaces/${own}`, { workspace_visibility: 1 }), path);
    await expectRefused(member.put(path, { workspace_id: privateId }), 403, 'forbidden');
  });

  it('is not hidden by a move and a change of visibility at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const own = await workspace(member, 2);
      const path = await KINDS[kind](organization.admin, organization.workspaceId);
      await Promise.all([
        member.put(path, { workspace_id: own }).then(),
        member.put(`/api/workspaces/${own}`, { workspace_visibility: 1 }).then(),
      ]);
      await organization.admin.get(path).expect(200);
    }
  });

  it('can be returned by an admin, from the audit entry of its move', async () => {
    const own = await workspace(member, 2);
    const path = await KINDS[kind](member, own);
    await member.put(path, { workspace_id: privateId }).expect(200);
    const move = await newestMove(kind, path);
    expect(move).toMatchObject({
      user_id: member.userId,
      details: { from_workspace_id: own, to_workspace_id: privateId },
    });
    const undo = `/api/audit/${move.audit_id}/undo-move`;
    await expectRefused(member.post(undo), 403);
    const otherOrganization = await newOrganization(test);
    await expectRefused(otherOrganization.admin.post(undo), 404, 'not_found');
    await expectRefused(organization.admin.get(path), 404);

    const returned = await organization.admin.post(undo).expect(200);
    expect(returned.body.data).toEqual({
      object_type: kind,
      object_id: Number(path.split('/').at(-1)),
      workspace_id: own,
    });
    expect(await workspaceOf(organization.admin, path)).toBe(own);
    expect(await newestMove(kind, path)).toMatchObject({
      user_id: organization.admin.userId,
      details: { from_workspace_id: privateId, to_workspace_id: own, undoes_audit_id: move.audit_id },
    });
    await expectRefused(organization.admin.post(undo), 409, 'moved_since');
  });
});

describe('returning a moved object', () => {
  it('accepts only moves, and no deleted workspaces or objects', async () => {
    const path = await KINDS.survey(organization.admin, organization.workspaceId);
    const created = await organization.admin.get('/api/audit?action=workspace.created&limit=1').expect(200);
    await expectRefused(
      organization.admin.post(`/api/audit/${created.body.data[0].audit_id}/undo-move`),
      422,
      'not_a_move',
    );
    const own = await workspace(organization.admin, 1);
    const team = await workspace(organization.admin, 2);
    await organization.admin.put(path, { workspace_id: team }).expect(200);
    await organization.admin.put(path, { workspace_id: own }).expect(200);
    const { audit_id: auditId } = await newestMove('survey', path);
    await organization.admin.delete(`/api/workspaces/${team}`).expect(204);
    await expectRefused(organization.admin.post(`/api/audit/${auditId}/undo-move`), 409, 'workspace_deleted');
    await organization.admin.post(`/api/workspaces/${team}/restore`).expect(200);
    await organization.admin.delete(path).expect(204);
    await expectRefused(organization.admin.post(`/api/audit/${auditId}/undo-move`), 409, 'moved_since');
  });

  it('is rejected for an object in a private workspace', async () => {
    const path = await KINDS.survey(member, privateId);
    const otherPrivate = await workspace(member, 1);
    await member.put(path, { workspace_id: otherPrivate }).expect(200);
    const { audit_id: auditId } = await newestMove('survey', path);
    await expectRefused(organization.admin.post(`/api/audit/${auditId}/undo-move`), 409, 'workspace_private');
    expect(await workspaceOf(member, path)).toBe(otherPrivate);
  });
});
