import { beforeAll, describe, expect, it } from 'vitest';
import { newOrganization, type Organization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { useWorkers } from '../../support/jobs.ts';
import { type Kind, type Place, PLACES, ROLES, sees } from '../../support/permission-matrix/callers.ts';
import { everyKind, workspaceIn, type Fixtures } from '../../support/permission-matrix/fixtures.ts';
import { expectRefused } from '../../support/refusals.ts';
import { storeDashboard, storeShare } from '../../support/stored-dashboards.ts';
import { draftSurvey } from '../../support/surveys.ts';

const test = useApp();
const queue = useWorkers(test);
const places = Object.keys(PLACES) as Place[];
/** Callers who may work in workspaces. */
const CALLERS: Kind[] = ['stranger', 'viewer', 'editor', 'owner', 'admin', 'superadmin', 'foreign'];
const visiblePlaces = (kind: Kind): Place[] => places.filter((place) => sees(kind, place));

let home: Organization;
let people: Fixtures['people'];
const workspaces = {} as Record<Place, number>;
const surveys = {} as Record<Place, number>;
const dashboards = {} as Record<Place, number>;
let groupId: number;

beforeAll(async () => {
  home = await newOrganization(test);
  people = await everyKind(test, home, await newOrganization(test));
  const { owner, viewer, editor, client, admin } = people;
  const group = await admin.key.post('/api/groups', { group_name: 'Readers' }).expect(201);
  groupId = group.body.data.group_id;
  const members = { user_ids: [client.key.userId] };
  await admin.key.post(`/api/groups/${groupId}/members`, members).expect(201);
  for (const place of places) {
    const invited = { viewer: viewer.key, editor: editor.key };
    workspaces[place] = await workspaceIn(owner.key, place, invited);
    const name = { survey_name: `Coffee, ${place}`, pages: [[]] };
    const { surveyId } = await draftSurvey(owner.key, name, { workspaceId: workspaces[place] });
    surveys[place] = surveyId;
    const inWorkspace = { organizationId: home.organizationId, workspaceId: workspaces[place] };
    dashboards[place] = await storeDashboard(test, inWorkspace);
    await storeShare(test, home.organizationId, dashboards[place], { groupId });
    for (const kind of CALLERS.filter((one) => one !== 'foreign'))
      await queue.enqueue(people[kind].key, 'never-run', {}, { surveyId });
  }
});

interface ListReply {
  data: Record<string, unknown>[];
  meta: { total: number; next_cursor: string | null };
}

/** Reads the whole list and its first page; both must report the same total. */
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
const visibleTo = (kind: Kind) => (kind === 'foreign' ? [] : visiblePlaces(kind));

describe.each(CALLERS)('the lists of %s', (kind) => {
  it('contain only visible workspaces, also in totals and searches', async () => {
    const all = await listAll(kind, '/api/workspaces');
    const ours = all.filter(({ owner_id }) => owner_id === people.owner.key.userId);
    expect(sorted(ours.map(({ workspace_id }) => workspace_id))).toEqual(
      sorted(visibleTo(kind).map((place) => workspaces[place])),
    );
    for (const place of places) {
      const found = await listAll(kind, '/api/workspaces', { search: `a ${place} one` });
      expect(found.length).toBe(visibleTo(kind).includes(place) ? 1 : 0);
    }
  });

  it('contain only surveys of visible workspaces, also in totals and searches', async () => {
    for (const place of places) {
      const query = { workspace_id: workspaces[place] };
      if (!visibleTo(kind).includes(place)) {
        await expectRefused(people[kind].key.get('/api/surveys').query(query), 404, 'not_found');
        continue;
      }
      for (const search of [undefined, 'coffee', `COFFEE, ${place}`]) {
        const found = await listAll(kind, '/api/surveys', { ...query, ...(search ? { search } : {}) });
        expect(found.map(({ survey_id }) => survey_id)).toEqual([surveys[place]]);
      }
      for (const other of places.filter((one) => one !== place))
        expect(await listAll(kind, '/api/surveys', { ...query, search: `coffee, ${other}` })).toEqual([]);
    }
  });

  it('contain no survey of a hidden workspace if none is selected', async () => {
    const found = await listAll(kind, '/api/surveys');
    const visible = new Set<unknown>(visibleTo(kind).map((place) => surveys[place]));
    expect(found.filter(({ survey_id }) => !visible.has(survey_id))).toEqual([]);
  });

  it('contain their own jobs for visible surveys', async () => {
    const jobs = await listAll(kind, '/api/jobs');
    expect(sorted(jobs.map(({ survey_id }) => survey_id))).toEqual(
      sorted(visibleTo(kind).map((place) => surveys[place])),
    );
  });

  it('count the visible dashboards of a group', async () => {
    const groups = await listAll(kind, '/api/groups');
    expect(groups.map(({ dashboard_count }) => dashboard_count)).toEqual(
      kind === 'foreign' ? [] : [visibleTo(kind).length],
    );
  });
});

describe.each(['admin', 'superadmin'] as const)('the lists of %s', (kind) => {
  it('contain only visible dashboards of a group or user', async () => {
    const seen = visiblePlaces(kind).map((place) => dashboards[place]);
    for (const path of [
      `/api/groups/${groupId}/dashboards`,
      `/api/users/${people.client.key.userId}/dashboards`,
    ])
      expect(sorted((await listAll(kind, path)).map(({ dashboard_id }) => dashboard_id))).toEqual(seen);
  });

  it('contain audit entries of the organization without private names or contents', async () => {
    const { body } = await people[kind].key.get('/api/audit').query({ limit: 1000 }).expect(200);
    const text = JSON.stringify(body.data);
    expect(text).toContain('survey.');
    expect(text).not.toMatch(/coffee|a private one|a shared one/i);
    const foreignAudit = await people.foreign.key.get('/api/audit').expect(200);
    const actors = (foreignAudit.body.data as { user_id: number }[]).map(({ user_id }) => user_id);
    expect(new Set(actors)).toEqual(new Set([people.foreign.key.userId]));
  });
});

it('a client lists only the dashboards shared with them', async () => {
  const own = await listAll('client', `/api/users/${people.client.key.userId}/dashboards`);
  expect(own.map(({ dashboard_id }) => dashboard_id)).toEqual(places.map((place) => dashboards[place]));
  for (const path of ['workspaces', 'surveys', 'jobs', 'groups', 'audit', 'workspaces/orphaned', 'users'])
    await expectRefused(people.client.key.get(`/api/${path}`), 403, 'forbidden');
});

it('members cannot list users or audit entries, and only workspaces without an active owner are orphaned', async () => {
  for (const kind of CALLERS.filter((one) => ROLES[one] === 'member'))
    for (const path of ['audit', 'users', 'invite-links', 'workspaces/orphaned'])
      await expectRefused(people[kind].key.get(`/api/${path}`), 403, 'forbidden');
  for (const kind of ['admin', 'superadmin', 'foreign'] as const)
    expect(await listAll(kind, '/api/workspaces/orphaned')).toEqual([]);
});

it('admins list the workspaces of a suspended owner by name but cannot open them', async () => {
  const { owner, admin } = people;
  await admin.key.post(`/api/users/${owner.key.userId}/suspend`).expect(200);
  for (const kind of ['admin', 'superadmin'] as const) {
    const orphaned = await listAll(kind, '/api/workspaces/orphaned');
    expect(sorted(orphaned.map(({ workspace_id }) => workspace_id))).toEqual(
      sorted(Object.values(workspaces)),
    );
    await expectRefused(people[kind].key.get(`/api/workspaces/${workspaces.private}`), 404, 'not_found');
    const surveyList = people[kind].key.get('/api/surveys').query({ workspace_id: workspaces.shared });
    await expectRefused(surveyList, 404, 'not_found');
  }
  expect(await listAll('foreign', '/api/workspaces/orphaned')).toEqual([]);
});
