import { beforeAll, describe, expect, it } from 'vitest';
import { newOrganization, type Organization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { useWorkers } from '../../support/jobs.ts';
import {
  type Kind,
  type Visibility,
  VISIBILITIES,
  ROLES,
  canSee,
} from '../../support/permission-matrix/callers.ts';
import { createCallers, createWorkspace, type Fixtures } from '../../support/permission-matrix/fixtures.ts';
import { expectRefused } from '../../support/refusals.ts';
import { storeDashboard, insertShare } from '../../support/stored-dashboards.ts';
import { draftSurvey } from '../../support/surveys.ts';

const test = useApp();
const queue = useWorkers(test);
const visibilities = Object.keys(VISIBILITIES) as Visibility[];
/** All who work in workspaces. */
const WORKERS: Kind[] = ['otherMember', 'viewer', 'editor', 'owner', 'admin', 'superadmin', 'foreign'];
const visibleTo = (kind: Kind): Visibility[] => visibilities.filter((visibility) => canSee(kind, visibility));

let organization: Organization;
let people: Fixtures['callers'];
const workspaces = {} as Record<Visibility, number>;
const surveys = {} as Record<Visibility, number>;
const dashboards = {} as Record<Visibility, number>;
let groupId: number;

beforeAll(async () => {
  organization = await newOrganization(test);
  people = await createCallers(test, organization, await newOrganization(test));
  const { owner, viewer, editor, client, admin } = people;
  const group = await admin.key.post('/api/groups', { group_name: 'Readers' }).expect(201);
  groupId = group.body.data.group_id;
  const members = { user_ids: [client.key.userId] };
  await admin.key.post(`/api/groups/${groupId}/members`, members).expect(201);
  for (const visibility of visibilities) {
    const invited = { viewer: viewer.key, editor: editor.key };
    workspaces[visibility] = await createWorkspace(owner.key, visibility, invited);
    const name = { survey_name: `Coffee, ${visibility}`, pages: [[]] };
    const { surveyId } = await draftSurvey(owner.key, name, { workspaceId: workspaces[visibility] });
    surveys[visibility] = surveyId;
    const there = { organizationId: organization.organizationId, workspaceId: workspaces[visibility] };
    dashboards[visibility] = await storeDashboard(test, there);
    await insertShare(test, organization.organizationId, dashboards[visibility], { groupId });
    for (const kind of WORKERS.filter((worker) => worker !== 'foreign'))
      await queue.enqueue(people[kind].key, 'nobody-runs', {}, { surveyId });
  }
});

interface ListReply {
  data: Record<string, unknown>[];
  meta: { total: number; next_cursor: string | null };
}

/** The whole list, and the same a page at a time: both must report the same total. */
async function listAll(kind: Kind, path: string, query: object = {}): Promise<ListReply['data']> {
  const { body } = await people[kind].key.get(path).query(query).expect(200);
  const { data, meta } = body as ListReply;
  expect(meta.total, `${kind}: total of ${path}`).toBe(data.length);
  const first = await people[kind].key
    .get(path)
    .query({ ...query, limit: 1 })
    .expect(200);
  expect(first.body.meta.total, `${kind}: total of a page of ${path}`).toBe(data.length);
  expect(first.body.meta.next_cursor === null).toBe(data.length < 2);
  return data;
}
const sorted = (ids: unknown[]) => [...(ids as number[])].sort((a, b) => a - b);
const expectedVisibilities = (kind: Kind) => (kind === 'foreign' ? [] : visibleTo(kind));

describe.each(WORKERS)('the lists of %s', (kind) => {
  it('contain and count exactly the visible workspaces, also in searches', async () => {
    const all = await listAll(kind, '/api/workspaces');
    const ours = all.filter(({ owner_id }) => owner_id === people.owner.key.userId);
    expect(sorted(ours.map(({ workspace_id }) => workspace_id))).toEqual(
      sorted(expectedVisibilities(kind).map((visibility) => workspaces[visibility])),
    );
    for (const visibility of visibilities) {
      const found = await listAll(kind, '/api/workspaces', { search: `a ${visibility} one` });
      expect(found.length).toBe(expectedVisibilities(kind).includes(visibility) ? 1 : 0);
    }
  });

  it('contain and count exactly the surveys of visible workspaces, also in searches', async () => {
    for (const visibility of visibilities) {
      const query = { workspace_id: workspaces[visibility] };
      if (!expectedVisibilities(kind).includes(visibility)) {
        await expectRefused(people[kind].key.get('/api/surveys').query(query), 404, 'not_found');
        continue;
      }
      for (const search of [undefined, 'coffee', `COFFEE, ${visibility}`]) {
        const found = await listAll(kind, '/api/surveys', { ...query, ...(search ? { search } : {}) });
        expect(found.map(({ survey_id }) => survey_id)).toEqual([surveys[visibility]]);
      }
      for (const other of visibilities.filter((candidate) => candidate !== visibility))
        expect(await listAll(kind, '/api/surveys', { ...query, search: `coffee, ${other}` })).toEqual([]);
    }
  });

  it('contain no hidden surveys without a workspace filter', async () => {
    const found = await listAll(kind, '/api/surveys');
    const visible = new Set<unknown>(expectedVisibilities(kind).map((visibility) => surveys[visibility]));
    expect(found.filter(({ survey_id }) => !visible.has(survey_id))).toEqual([]);
  });

  it('contain their own jobs about visible surveys', async () => {
    const jobs = await listAll(kind, '/api/jobs');
    expect(sorted(jobs.map(({ survey_id }) => survey_id))).toEqual(
      sorted(expectedVisibilities(kind).map((visibility) => surveys[visibility])),
    );
  });

  it('count the visible dashboards of a group', async () => {
    const groups = await listAll(kind, '/api/groups');
    expect(groups.map(({ dashboard_count }) => dashboard_count)).toEqual(
      kind === 'foreign' ? [] : [expectedVisibilities(kind).length],
    );
  });
});

describe.each(['admin', 'superadmin'] as const)('lists shown to a %s', (kind) => {
  it('omit dashboards in hidden workspaces, of a group and of a user', async () => {
    const ids = visibleTo(kind).map((visibility) => dashboards[visibility]);
    for (const path of [
      `/api/groups/${groupId}/dashboards`,
      `/api/users/${people.client.key.userId}/dashboards`,
    ])
      expect(sorted((await listAll(kind, path)).map(({ dashboard_id }) => dashboard_id))).toEqual(ids);
  });

  it('include all users in the audit log, but no names or contents of private objects', async () => {
    const { body } = await people[kind].key.get('/api/audit').query({ limit: 1000 }).expect(200);
    const text = JSON.stringify(body.data);
    expect(text).toContain('survey.');
    expect(text).not.toMatch(/coffee|a private one|a shared one/i);
    const elsewhere = await people.foreign.key.get('/api/audit').expect(200);
    const actors = (elsewhere.body.data as { user_id: number }[]).map(({ user_id }) => user_id);
    expect(new Set(actors)).toEqual(new Set([people.foreign.key.userId]));
  });
});

it('a client lists all dashboards granted to them, and nothing else', async () => {
  const own = await listAll('client', `/api/users/${people.client.key.userId}/dashboards`);
  expect(own.map(({ dashboard_id }) => dashboard_id)).toEqual(
    visibilities.map((visibility) => dashboards[visibility]),
  );
  for (const path of ['workspaces', 'surveys', 'jobs', 'groups', 'audit', 'workspaces/orphaned', 'users'])
    await expectRefused(people.client.key.get(`/api/${path}`), 403, 'forbidden');
});

it('members cannot list users or the audit log, and admins see no workspaces of active owners as orphaned', async () => {
  for (const kind of WORKERS.filter((worker) => ROLES[worker] === 'member'))
    for (const path of ['audit', 'users', 'invite-links', 'workspaces/orphaned'])
      await expectRefused(people[kind].key.get(`/api/${path}`), 403, 'forbidden');
  for (const kind of ['admin', 'superadmin', 'foreign'] as const)
    expect(await listAll(kind, '/api/workspaces/orphaned')).toEqual([]);
});

it('admins list the workspaces of a suspended owner by name, without access to them', async () => {
  const { owner, admin } = people;
  await admin.key.post(`/api/users/${owner.key.userId}/suspend`).expect(200);
  for (const kind of ['admin', 'superadmin'] as const) {
    const orphaned = await listAll(kind, '/api/workspaces/orphaned');
    expect(sorted(orphaned.map(({ workspace_id }) => workspace_id))).toEqual(
      sorted(Object.values(workspaces)),
    );
    await expectRefused(people[kind].key.get(`/api/workspaces/${workspaces.private}`), 404, 'not_found');
    const surveysThere = people[kind].key.get('/api/surveys').query({ workspace_id: workspaces.shared });
    await expectRefused(surveysThere, 404, 'not_found');
  }
  expect(await listAll('foreign', '/api/workspaces/orphaned')).toEqual([]);
});
