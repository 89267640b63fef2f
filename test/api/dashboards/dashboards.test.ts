import { beforeAll, describe, expect, it, test } from 'vitest';
import { type Actor, newOrganization, type Organization, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { addChart, newDashboard } from '../../support/dashboards.ts';
import { choice } from '../../support/questions.ts';
import { MISSING_ID, expectRefused, expectInvalidField } from '../../support/refusals.ts';
import { draftSurvey, type TestSurvey } from '../../support/surveys.ts';

const app = useApp();
const organization = useOrganization(app);
const { admin } = organization;
let other: Organization;
let survey: TestSurvey;

beforeAll(async () => {
  other = await newOrganization(app);
  survey = await draftSurvey(admin, [[choice('Q1')]]);
});

const bar = () => ({ survey_id: survey.surveyId, dimension: 'Q1' });

describe('a dashboard', () => {
  it('needs only a name, changes field by field, and accepts its own reply', async () => {
    const created = await admin.post('/api/dashboards', { dashboard_name: ' Käufer & Märkte ' }).expect(201);
    const { data } = created.body;
    expect(data).toEqual({
      dashboard_id: expect.any(Number),
      workspace_id: organization.workspaceId,
      dashboard_name: 'Käufer & Märkte',
      dashboard_description: null,
      dashboard_slug: 'kaufer-markte',
      organization_slug: organization.slug,
      dashboard_settings: { theme: 'auto', color: null, min_base: 5 },
      open_to: 'members',
      public_url: null,
      revision: 1,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const at = `/api/dashboards/${data.dashboard_id}`;
    const detail = await admin.get(at).expect(200);
    expect(detail.body.data).toEqual({ ...data, my_role: 'owner', pages: [], charts: [] });
    expect((await admin.put(at, detail.body.data).expect(200)).body.data).toEqual(data);
    const changes = { dashboard_description: 'All markets', dashboard_settings: { theme: 'dark' } };
    const changed = await admin.put(at, changes).expect(200);
    expect(changed.body.data).toMatchObject({
      dashboard_name: 'Käufer & Märkte',
      dashboard_description: 'All markets',
      dashboard_settings: { theme: 'dark', color: null },
      revision: 2,
    });
  });

  it('has a slug that is unique in its organization; a slug derived from the name gets a number', async () => {
    const create = (body: object, by: Actor = admin) => by.post('/api/dashboards', body);
    const slugs: string[] = [];
    while (slugs.length < 3)
      slugs.push((await create({ dashboard_name: 'Same name' }).expect(201)).body.data.dashboard_slug);
    expect(slugs).toEqual(['same-name', 'same-name-2', 'same-name-3']);
    await expectRefused(create({ dashboard_name: 'X', dashboard_slug: 'same-name' }), 409, 'slug_taken');
    await create({ dashboard_name: 'X', dashboard_slug: 'same-name' }, other.admin).expect(201);
    const checkSlug = async (slug: string) =>
      (await admin.get(`/api/dashboards/check-slug?slug=${slug}`).expect(200)).body.data;
    expect(await checkSlug('same-name')).toEqual({ slug: 'same-name', available: false });
    expect(await checkSlug('same-name-4')).toEqual({ slug: 'same-name-4', available: true });
    await expectInvalidField(admin.get('/api/dashboards/check-slug?slug=Not%20one'), 'slug');
    const renamed = await newDashboard(admin);
    await expectRefused(admin.put(renamed.at, { dashboard_slug: 'same-name' }), 409, 'slug_taken');
    await admin.delete(renamed.at).expect(204);
    await newDashboard(admin, { dashboard_slug: renamed.slug });
  });

  it('gets a unique slug when 30 are created concurrently', async () => {
    const all = await Promise.all(
      Array.from({ length: 30 }, () =>
        admin.post('/api/dashboards', { dashboard_name: 'At once' }).expect(201),
      ),
    );
    const slugs = all.map(({ body }) => body.data.dashboard_slug);
    expect(new Set(slugs).size).toBe(30);
  });

  it('is listed newest first with paging and search until deleted', async () => {
    const workspace = await admin.post('/api/workspaces', { workspace_name: 'Listed' }).expect(201);
    const workspace_id: number = workspace.body.data.workspace_id;
    const names = ['Alpha one', 'Beta', 'Alpha two'];
    const ids: number[] = [];
    for (const dashboard_name of names)
      ids.push((await newDashboard(admin, { dashboard_name, workspace_id })).id);
    const list = async (query = '') =>
      (await admin.get(`/api/dashboards?workspace_id=${workspace_id}${query}`).expect(200)).body;
    const idsOf = (body: { data: { dashboard_id: number }[] }) =>
      body.data.map((dashboard) => dashboard.dashboard_id);
    expect(idsOf(await list())).toEqual([...ids].reverse());
    expect((await list()).data[0]).toMatchObject({ page_count: 1, chart_count: 0 });
    expect(idsOf(await list('&search=ALPHA'))).toEqual([ids[2], ids[0]]);
    const first = await list('&limit=2');
    expect(first.meta).toEqual({ limit: 2, next_cursor: expect.any(String), total: 3 });
    expect(idsOf(await list(`&limit=2&cursor=${first.meta.next_cursor}`))).toEqual([ids[0]]);
    await admin.delete(`/api/dashboards/${ids[1]}`).expect(204);
    expect(idsOf(await list())).toEqual([ids[2], ids[0]]);
    await expectRefused(admin.get(`/api/dashboards/${ids[1]}`), 404, 'not_found');
    await expectRefused(admin.delete(`/api/dashboards/${ids[1]}`), 404, 'not_found');
  });

  it('returns 404 in another organization, even to an admin', async () => {
    const board = await newDashboard(other.admin);
    for (const id of [board.id, MISSING_ID]) {
      await expectRefused(admin.get(`/api/dashboards/${id}`), 404, 'not_found');
      await expectRefused(admin.put(`/api/dashboards/${id}`, { dashboard_name: 'Ours' }), 404, 'not_found');
      await expectRefused(admin.post(`/api/dashboards/${id}/pages`, {}), 404, 'not_found');
    }
  });

  it('moves only to a workspace where the caller is an editor', async () => {
    const board = await newDashboard(admin);
    const workspace = await admin.post('/api/workspaces', { workspace_name: 'There' }).expect(201);
    const workspace_id: number = workspace.body.data.workspace_id;
    await expectRefused(admin.put(board.at, { workspace_id: MISSING_ID }), 404);
    const moved = await admin.put(board.at, { workspace_id }).expect(200);
    expect(moved.body.data.workspace_id).toBe(workspace_id);
    await expectRefused(admin.get(`${board.at}?workspace_id=${organization.workspaceId}`), 404);
  });

  it('is copied with its pages and elements, but without its shares', async () => {
    const board = await newDashboard(admin, { dashboard_name: 'Original' });
    await addChart(admin, board, 'bar', bar());
    await addChart(admin, board, 'text', { text: '# Hello' });
    await admin.post(`${board.at}/shares`, { share_type: 'public' }).expect(201);
    const copy = await admin.post(`${board.at}/duplicate`, {}).expect(201);
    expect(copy.body.data).toMatchObject({
      dashboard_name: 'Original (copy)',
      dashboard_slug: 'original-copy',
      open_to: 'members',
    });
    const [before, after] = [
      (await admin.get(board.at)).body.data,
      (await admin.get(`/api/dashboards/${copy.body.data.dashboard_id}`).expect(200)).body.data,
    ];
    const chartsOf = (data: typeof before) =>
      data.charts.map(({ chart_id: _id, page_id: _page, ...chart }: Record<string, unknown>) => chart);
    expect(chartsOf(after)).toEqual(chartsOf(before));
    expect(after.pages[0].page_id).not.toBe(before.pages[0].page_id);
  });

  test.each([
    [{}, 'dashboard_name'],
    [{ dashboard_name: '  ' }, 'dashboard_name'],
    [{ dashboard_name: 'x', dashboard_slug: 'Not a slug' }, 'dashboard_slug'],
    [{ dashboard_name: 'x', dashboard_slug: '-a' }, 'dashboard_slug'],
    [{ dashboard_name: 'x', dashboard_slug: 'a'.repeat(81) }, 'dashboard_slug'],
    [{ dashboard_name: 'x', dashboard_settings: { theme: 'loud' } }, 'dashboard_settings.theme'],
    [{ dashboard_name: 'x', dashbord_slug: 'x' }, 'dashbord_slug'],
  ])('is rejected with %j', (body, field) => expectInvalidField(admin.post('/api/dashboards', body), field));
});

describe('the pages of a dashboard', () => {
  it('are added, renamed, reordered and deleted with their elements', async () => {
    const board = await newDashboard(admin);
    const second = await admin.post(`${board.at}/pages`, {}).expect(201);
    const pageId: number = second.body.data.page_id;
    expect(second.body.data).toEqual({ page_id: pageId, page_title: null, chart_ids: [] });
    const chart = await addChart(admin, { ...board, pageId }, 'bar', bar());
    await admin.put(`${board.at}/pages/${pageId}`, { page_title: 'Two' }).expect(200);
    const ordered = await admin
      .put(`${board.at}/pages/reorder`, { page_ids: [pageId, board.pageId] })
      .expect(200);
    expect(ordered.body.data.pages).toEqual([
      { page_id: pageId, page_title: 'Two', chart_ids: [chart] },
      { page_id: board.pageId, page_title: 'One', chart_ids: [] },
    ]);
    await admin.delete(`${board.at}/pages/${pageId}`).expect(204);
    const { pages, charts } = (await admin.get(board.at).expect(200)).body.data;
    expect([pages.length, charts]).toEqual([1, []]);
    await expectRefused(admin.delete(`${board.at}/pages/${pageId}`), 404);
  });

  it('can be reordered only when every page is listed once', async () => {
    const board = await newDashboard(admin);
    const elsewhere = await newDashboard(admin);
    const reorder = (page_ids: unknown) => admin.put(`${board.at}/pages/reorder`, { page_ids });
    await expectInvalidField(reorder([]), 'page_ids');
    await expectInvalidField(reorder([board.pageId, board.pageId]), 'page_ids[1]');
    await expectInvalidField(reorder([board.pageId, elsewhere.pageId]), 'page_ids[1]');
    await reorder([board.pageId]).expect(200);
  });
});

it('the audit log records changes of a dashboard by ids and field names, without texts', async () => {
  const board = await newDashboard(admin);
  const chart = await addChart(admin, board, 'text', { text: 'Secret text' });
  await admin.put(board.at, { dashboard_name: 'Secret name' }).expect(200);
  await admin.delete(`${board.at}/charts/${chart}`).expect(204);
  await admin.delete(board.at).expect(204);
  const { rows } = await app.database.db.raw(
    `SELECT action, details, user_id FROM audit_log WHERE object_type = 'dashboard' AND object_id = ? ORDER BY audit_id`,
    [String(board.id)],
  );
  expect(rows.map(({ action, details }: { action: string; details: unknown }) => [action, details])).toEqual([
    ['dashboard.created', null],
    ['dashboard.page_created', { page_id: board.pageId }],
    ['dashboard.chart_created', { chart_id: chart }],
    ['dashboard.updated', { fields: ['dashboard_name'] }],
    ['dashboard.chart_deleted', { chart_id: chart }],
    ['dashboard.deleted', null],
  ]);
});
