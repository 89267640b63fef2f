import { beforeAll, describe, expect, it, test } from 'vitest';
import {
  type Actor,
  anonymous,
  newOrganization,
  type Organization,
  useOrganization,
} from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { addChart, type TestDashboard, newDashboard, share } from '../../support/dashboards.ts';
import { choice, number } from '../../support/questions.ts';
import { MISSING_ID, expectRefused, expectInvalidField } from '../../support/refusals.ts';
import { insertResponse } from '../../support/stored-responses.ts';
import { type TestSurvey, publishedSurvey } from '../../support/surveys.ts';

const app = useApp({ PUBLIC_URL: 'https://figures.example.org' });
const organization = useOrganization(app);
const { admin } = organization;
let other: Organization;
let survey: TestSurvey;
let board: TestDashboard;
let bar: number;
let client: Actor;

const publicPath = ({ slug }: TestDashboard) => `/api/public/d/${organization.slug}/${slug}`;

beforeAll(async () => {
  other = await newOrganization(app);
  client = await organization.addUser('client');
  survey = await publishedSurvey(admin, [[choice('Q1'), choice('Q2'), number('Q3')]]);
  for (const Q1 of ['1', '1', '2'])
    await insertResponse(app, survey.surveyId, { answers: { Q1, Q2: '1', Q3: 4 } });
  board = await newDashboard(admin);
  bar = await addChart(admin, board, 'bar', {
    survey_id: survey.surveyId,
    dimension: 'Q1',
    filter: { Q2: ['1'] },
  });
  await addChart(admin, board, 'filter', {
    survey_id: survey.surveyId,
    filterElement: { column_code: 'Q1' },
  });
});

describe('shares', () => {
  it('of each type are listed without passwords and deleted one by one', async () => {
    const shared = await newDashboard(admin);
    const group = (await admin.post('/api/groups', { group_name: 'Readers' }).expect(201)).body.data.group_id;
    const ids = [
      await share(admin, shared, { share_type: 'password', share_password: 'open sesame' }),
      await share(admin, shared, { share_type: 'user', user_id: client.userId }),
      await share(admin, shared, { share_type: 'group', group_id: group }),
    ];
    const { data } = (await admin.get(`${shared.at}/shares`).expect(200)).body;
    const address = `https://figures.example.org/d/${organization.slug}/${shared.slug}`;
    expect(data).toMatchObject([
      { share_id: ids[0], share_type: 'password', public_url: address },
      {
        share_id: ids[1],
        share_type: 'user',
        user_id: client.userId,
        user_name: 'A client',
        public_url: null,
      },
      { share_id: ids[2], share_type: 'group', group_id: group, group_name: 'Readers' },
    ]);
    expect(JSON.stringify(data)).not.toMatch(/sesame|hash|\$2/);
    expect((await admin.get(shared.at)).body.data).toMatchObject({
      open_to: 'password',
      public_url: address,
    });
    for (const id of ids) await admin.delete(`${shared.at}/shares/${id}`).expect(204);
    expect((await admin.get(`${shared.at}/shares`)).body.data).toEqual([]);
    expect((await admin.get(shared.at)).body.data).toMatchObject({ open_to: 'members', public_url: null });
    await expectRefused(admin.delete(`${shared.at}/shares/${ids[0]}`), 404, 'not_found');
  });

  it('with users and groups match the grants that admins see', async () => {
    const shared = await newDashboard(admin);
    const user = await organization.addUser('client');
    const grantsPath = `/api/users/${user.userId}/dashboards`;
    const shareId = await share(admin, shared, { share_type: 'user', user_id: user.userId });
    expect((await admin.get(grantsPath)).body.data).toMatchObject([
      { dashboard_id: shared.id, granted_directly: true },
    ]);
    await admin.put(grantsPath, { dashboard_ids: [] }).expect(200);
    expect((await admin.get(`${shared.at}/shares`)).body.data).toEqual([]);
    await expectRefused(admin.delete(`${shared.at}/shares/${shareId}`), 404);
    await admin.put(grantsPath, { dashboard_ids: [shared.id] }).expect(200);
    expect((await admin.get(`${shared.at}/shares`)).body.data).toMatchObject([{ user_id: user.userId }]);
  });

  it('return 409 for duplicates and for a public share next to a password', async () => {
    const shared = await newDashboard(admin);
    await share(admin, shared, { share_type: 'public' });
    const postShare = (body: object) => admin.post(`${shared.at}/shares`, body);
    await expectRefused(postShare({ share_type: 'public' }), 409, 'already_shared');
    await expectRefused(
      postShare({ share_type: 'password', share_password: 'sesame' }),
      409,
      'shared_otherwise',
    );
    await share(admin, shared, { share_type: 'user', user_id: client.userId });
    await expectRefused(postShare({ share_type: 'user', user_id: client.userId }), 409, 'already_shared');
  });

  test.each([
    [{}, 'share_type'],
    [{ share_type: 'everyone' }, 'share_type'],
    [{ share_type: 'password' }, 'share_password'],
    [{ share_type: 'password', share_password: 'abc' }, 'share_password'],
    [{ share_type: 'public', share_password: 'sesame' }, 'share_password'],
    [{ share_type: 'user' }, 'user_id'],
    [{ share_type: 'user', user_id: MISSING_ID }, 'user_id'],
    [{ share_type: 'group', group_id: MISSING_ID }, 'group_id'],
    [{ share_type: 'group', user_id: 1, group_id: 1 }, 'user_id'],
  ])('are rejected with %j', (body, field) =>
    expectInvalidField(admin.post(`${board.at}/shares`, body), field),
  );

  it('are limited to users of the organization', async () => {
    await expectInvalidField(
      admin.post(`${board.at}/shares`, { share_type: 'user', user_id: other.admin.userId }),
      'user_id',
    );
  });

  it('require edit access to create or list', async () => {
    const owner = await organization.addUser('member');
    const viewer = await organization.addUser('member');
    const body = { workspace_name: 'Shared', workspace_visibility: 3 };
    const workspace_id: number = (await owner.post('/api/workspaces', body).expect(201)).body.data
      .workspace_id;
    await owner
      .post(`/api/workspaces/${workspace_id}/members`, { user_id: viewer.userId, role: 'viewer' })
      .expect(201);
    const otherDashboard = await newDashboard(owner, { workspace_id });
    await viewer.get(otherDashboard.at).expect(200);
    await expectRefused(viewer.get(`${otherDashboard.at}/shares`), 403);
    await expectRefused(viewer.post(`${otherDashboard.at}/shares`, { share_type: 'public' }), 403);
    await expectRefused(viewer.put(otherDashboard.at, { dashboard_name: 'Mine' }), 403);
  });
});

describe('a client', () => {
  it('sees dashboards shared with them or their group until the share is deleted', async () => {
    const [user, groupMember] = [await organization.addUser('client'), await organization.addUser('client')];
    const group = (await admin.post('/api/groups', { group_name: 'Guests' }).expect(201)).body.data.group_id;
    await admin.post(`/api/groups/${group}/members`, { user_ids: [groupMember.userId] }).expect(201);
    for (const actor of [user, groupMember]) {
      await expectRefused(actor.get(board.at), 404, 'not_found');
      expect((await actor.get('/api/dashboards').expect(200)).body.data).toEqual([]);
    }
    const shares = [
      await share(admin, board, { share_type: 'user', user_id: user.userId }),
      await share(admin, board, { share_type: 'group', group_id: group }),
    ];
    for (const actor of [user, groupMember]) {
      const { data } = (await actor.get(board.at).expect(200)).body;
      expect(data).toMatchObject({ dashboard_id: board.id, my_role: null });
      expect(data.charts[0].chart_config).not.toHaveProperty('filter');
      const listed = (await actor.get('/api/dashboards').expect(200)).body.data;
      expect(listed.map((row: { dashboard_id: number }) => row.dashboard_id)).toEqual([board.id]);
      const within = await actor.get(`/api/dashboards?workspace_id=${organization.workspaceId}`).expect(200);
      expect(within.body.data).toEqual(listed);
      await expectRefused(actor.get(`/api/dashboards?workspace_id=${other.workspaceId}`), 404, 'not_found');
      const figures = await actor.post(`${board.at}/chart-data`, { chart_id: bar }).expect(200);
      expect(figures.body.data.series[0].counts).toEqual([2, 1, 0]);
    }
    for (const id of shares) await admin.delete(`${board.at}/shares/${id}`).expect(204);
    for (const actor of [user, groupMember]) {
      await expectRefused(actor.get(board.at), 404, 'not_found');
      await expectRefused(actor.post(`${board.at}/chart-data`, { chart_id: bar }), 404, 'not_found');
    }
  });

  it('gets only elements of the dashboard through its filters', async () => {
    const user = await organization.addUser('client');
    await share(admin, board, { share_type: 'user', user_id: user.userId });
    const getChartData = (body: object, by: Actor = user) => by.post(`${board.at}/chart-data`, body);
    const { surveyId, questionIds } = survey;
    const shown = { survey_id: surveyId, question_id: questionIds.Q1, chart_type: 'bar' };
    const filtered = await getChartData({ ...shown, filters: { Q1: ['2'] } }).expect(200);
    expect(filtered.body.data.series[0].counts).toEqual([0, 1, 0]);
    await expectRefused(getChartData({ ...shown, question_id: questionIds.Q2 }), 404, 'not_found');
    await expectRefused(getChartData({ ...shown, chart_type: 'pie' }), 404, 'not_found');
    await expectRefused(getChartData({ ...shown, aggregation: 'percent' }), 404, 'not_found');
    for (const code of ['Q2', 'response_id'])
      await expectInvalidField(
        getChartData({ chart_id: bar, filters: { [code]: ['1'] } }),
        `filters.${code}`,
      );
    await expectInvalidField(
      getChartData({ chart_id: bar, filters: { connector: 'and', conditions: [] } }),
      'filters.connector',
    );
    // An expression could use columns other than the dashboard's filters; it is refused, not ignored.
    await expectInvalidField(getChartData({ chart_id: bar, filters: 'Q1 = 2' }), 'filters');
    await expectInvalidField(
      user.post(`${board.at}/chart-data-batch`, { charts: [{ chart_id: bar }], filters: 'Q1 = 2' }),
      'filters',
    );
    await expectRefused(user.put(board.at, { dashboard_name: 'Mine' }), 403);
    await expectRefused(user.get(`/api/surveys/${surveyId}`), 403);
    // Members can request any figure.
    await getChartData({ ...shown, question_id: questionIds.Q2, filters: { Q3: 4 } }, admin).expect(200);
    await getChartData({ chart_id: bar, filters: { Q2: ['1'] } }, admin).expect(200);
  });
});

it('gives view access to a member outside the workspace', async () => {
  const [owner, guest] = [await organization.addUser('member'), await organization.addUser('member')];
  const workspace = await owner.post('/api/workspaces', { workspace_name: 'Private' }).expect(201);
  const otherDashboard = await newDashboard(owner, { workspace_id: workspace.body.data.workspace_id });
  await expectRefused(guest.get(otherDashboard.at), 404);
  await share(owner, otherDashboard, { share_type: 'user', user_id: guest.userId });
  expect((await guest.get(otherDashboard.at).expect(200)).body.data.my_role).toBeNull();
  await expectRefused(guest.put(otherDashboard.at, { dashboard_name: 'Mine' }), 403);
});

it('keeps the order of a batch and reports errors in place', async () => {
  const charts = [
    { chart_id: bar },
    { chart_id: MISSING_ID },
    { chart_type: 'bar' },
    { chart_id: bar, filters: { Q1: ['1'] } },
  ];
  const { data } = (await admin.post(`${board.at}/chart-data-batch`, { charts }).expect(200)).body;
  expect(data).toMatchObject([
    { chart_type: 'bar', series: [{ counts: [2, 1, 0] }] },
    { error: { code: 'not_found' } },
    { error: { code: 'validation_failed' } },
    { chart_type: 'bar', series: [{ counts: [2, 0, 0] }] },
  ]);
  const many = Array.from({ length: 101 }, () => ({ chart_id: bar }));
  await expectInvalidField(admin.post(`${board.at}/chart-data-batch`, { charts: many }), 'charts');
  await expectInvalidField(admin.post(`${board.at}/chart-data-batch`, { charts: [] }), 'charts');
  // An unknown field is reported with the index of its chart.
  const batchWith = (more: object) => ({ charts: [{ chart_id: bar }, { chart_id: bar, ...more }] });
  for (const [more, field] of [
    [{ nets: [] }, 'charts[1].nets'],
    [{ weight: 'Q2' }, 'charts[1].weight'],
    [{ chart_config: { dimension: 'Q1' } }, 'charts[1].chart_config'],
  ] as const)
    await expectInvalidField(admin.post(`${board.at}/chart-data-batch`, batchWith(more)), field);
  expect(publicPath(board)).toContain(organization.slug);
  await expectRefused(anonymous(app).post(`${board.at}/chart-data`, { chart_id: bar }), 401);
});
