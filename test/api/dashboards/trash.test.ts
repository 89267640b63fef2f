import { beforeAll, describe, expect, it } from 'vitest';
import { type Actor, anonymous, newOrganization, useOrganization } from '../../support/actors.ts';
import { appOn, useApp } from '../../support/app.ts';
import { addChart, newDashboard, share, type TestDashboard } from '../../support/dashboards.ts';
import { choice } from '../../support/questions.ts';
import { expectRefused } from '../../support/refusals.ts';
import { addSlide, newReport } from '../../support/reports.ts';
import { publishedSurvey, type PublishedSurvey } from '../../support/surveys.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const test = useApp();
const home = useOrganization(test);
const { admin } = home;
let survey: PublishedSurvey;
let editor: Actor;
let viewer: Actor;
let sharedWorkspaceId: number;

const appAfter = (days: number) =>
  appOn(test.database, {}, { clock: { now: () => new Date(Date.now() + days * DAY_MS) } });
const publicPath = ({ slug }: TestDashboard) => `/api/public/d/${home.slug}/${slug}`;
const listDeleted = async (actor: Actor, query = '') =>
  (await actor.get(`/api/dashboards?deleted=true${query}`).expect(200)).body.data as Record<
    string,
    unknown
  >[];

beforeAll(async () => {
  survey = await publishedSurvey(admin, [[choice('Q1')]]);
  editor = await home.addUser('member');
  viewer = await home.addUser('member');
  const created = await admin
    .post('/api/workspaces', { workspace_name: 'Shared', workspace_visibility: 3 })
    .expect(201);
  sharedWorkspaceId = created.body.data.workspace_id;
  for (const [actor, role] of [
    [editor, 'editor'],
    [viewer, 'viewer'],
  ] as const)
    await admin
      .post(`/api/workspaces/${sharedWorkspaceId}/members`, { user_id: actor.userId, role })
      .expect(201);
});

async function filledDashboard(fields: object = {}): Promise<TestDashboard> {
  const board = await newDashboard(admin, fields);
  await addChart(admin, board, 'bar', { survey_id: survey.surveyId, dimension: 'Q1' });
  return board;
}

describe('a deleted dashboard', () => {
  it('is listed and restored with its pages, charts, shares and address', async () => {
    const board = await filledDashboard();
    const client = await home.addUser('client');
    await share(admin, board, { share_type: 'public' });
    await share(admin, board, { share_type: 'user', user_id: client.userId });
    const before = (await admin.get(board.at).expect(200)).body.data;
    await admin.delete(board.at).expect(204);
    expect(await listDeleted(admin)).toEqual([
      expect.objectContaining({ dashboard_id: board.id, chart_count: 1, deleted_at: expect.any(String) }),
    ]);
    expect((await admin.get('/api/dashboards').expect(200)).body.data).not.toContainEqual(
      expect.objectContaining({ dashboard_id: board.id }),
    );
    const restored = await admin.post(`${board.at}/restore`).expect(200);
    expect(restored.body.data).toMatchObject({ dashboard_slug: board.slug, open_to: 'public' });
    const after = (await admin.get(board.at).expect(200)).body.data;
    const changing = { revision: 0, updated_at: '' };
    expect({ ...after, ...changing }).toEqual({ ...before, ...changing });
    await client.get(board.at).expect(200);
    await anonymous(test).get(publicPath(board)).expect(200);
    expect(await listDeleted(admin)).toEqual([]);
    await expectRefused(admin.post(`${board.at}/restore`), 404, 'not_found');
    const { body } = await admin.get('/api/audit?action=dashboard').expect(200);
    expect(body.data.slice(0, 2)).toMatchObject([
      { action: 'dashboard.restored', object_id: String(board.id) },
      { action: 'dashboard.deleted', object_id: String(board.id) },
    ]);
  });

  it('gets another slug if its own is in use', async () => {
    const fields = { dashboard_name: 'Coffee', dashboard_slug: 'coffee' };
    const first = await newDashboard(admin, fields);
    await admin.delete(first.at).expect(204);
    expect((await admin.get('/api/dashboards/check-slug?slug=coffee').expect(200)).body.data.available).toBe(
      true,
    );
    await newDashboard(admin, fields);
    const restored = await admin.post(`${first.at}/restore`).expect(200);
    expect(restored.body.data.dashboard_slug).toBe('coffee-2');
    const { body } = await admin.get('/api/audit?action=dashboard.restored&limit=1').expect(200);
    expect(body.data[0].details).toEqual({ dashboard_slug: 'coffee-2' });
  });

  it('gets different slugs when two with the same one are restored at once', async () => {
    const boards: TestDashboard[] = [];
    for (let n = 0; n < 4; n += 1) {
      boards.push(await newDashboard(admin, { dashboard_name: 'Tea', dashboard_slug: 'tea' }));
      await admin.delete(boards[n]!.at).expect(204);
    }
    const replies = await Promise.all(boards.map(({ at }) => admin.post(`${at}/restore`).expect(200)));
    const slugs = replies.map(({ body }) => body.data.dashboard_slug as string);
    expect(new Set(slugs).size).toBe(4);
    expect(slugs).toContain('tea');
  });

  it('does not answer on its pages, in figures, searches, grants, copies and moves', async () => {
    const board = await filledDashboard({ dashboard_name: 'Hidden board' });
    const [{ chart_id: chartId }] = (await admin.get(board.at).expect(200)).body.data.charts;
    await share(admin, board, { share_type: 'public' });
    const client = await home.addUser('client');
    await share(admin, board, { share_type: 'user', user_id: client.userId });
    const report = await newReport(admin);
    await addSlide(admin, report, { slide_type: 'chart', slide_content: { chart_id: chartId } });
    await admin.delete(board.at).expect(204);
    const other = await admin.post('/api/workspaces', { workspace_name: 'Other' }).expect(201);
    for (const actor of [admin, client]) {
      await actor.get(board.at).expect(404);
      await actor.get(`/dashboards/${board.id}`).expect(404);
      await actor.post(`${board.at}/chart-data`, { chart_id: chartId }).expect(404);
      await actor.get(`/dashboards/${board.id}/events`).expect(404);
    }
    await admin.put(board.at, { workspace_id: other.body.data.workspace_id }).expect(404);
    await admin.post(`${board.at}/duplicate`, {}).expect(404);
    await admin.delete(board.at).expect(404);
    await admin.get(`${board.at}/shares`).expect(404);
    await admin.post('/api/reports/from-dashboard', { dashboard_id: board.id }).expect(404);
    await addSlide(admin, report, { slide_type: 'section', slide_title: 'Other slides still work' });
    await expectRefused(
      admin.post(`${report.at}/slides`, { slide_type: 'chart', slide_content: { chart_id: chartId } }),
      400,
      'validation_failed',
    );
    const open = anonymous(test);
    await open.get(publicPath(board)).expect(404);
    await open.post(`${publicPath(board)}/chart-data`, { chart_id: chartId }).expect(404);
    await open.get(`/d/${home.slug}/${board.slug}`).expect(404);
    await open.get(`/d/${home.slug}/${board.slug}/events`).expect(404);
    expect((await client.get('/api/dashboards').expect(200)).body.data).toEqual([]);
    expect((await admin.get(`/api/users/${client.userId}/dashboards`).expect(200)).body.data).toEqual([]);
    const found = await admin.get(`/api/workspaces/${home.workspaceId}/search?q=Hidden%20board`).expect(200);
    expect(found.body.data.dashboards).toEqual([]);
  });

  it('is restored by editors of its workspace only, and listed for them only', async () => {
    const board = await newDashboard(admin, { workspace_id: sharedWorkspaceId });
    const stranger = (await newOrganization(test)).admin;
    const outsider = await home.addUser('member');
    const client = await home.addUser('client');
    await share(admin, board, { share_type: 'user', user_id: client.userId });
    await share(admin, board, { share_type: 'user', user_id: outsider.userId });
    const ofShared = `&workspace_id=${sharedWorkspaceId}`;
    for (const actor of [viewer, client]) await actor.delete(board.at).expect(403);
    await outsider.delete(board.at).expect(403);
    await editor.delete(board.at).expect(204);
    await viewer.post(`${board.at}/restore`).expect(403);
    await client.post(`${board.at}/restore`).expect(403);
    for (const actor of [stranger, outsider]) await actor.post(`${board.at}/restore`).expect(404);
    await anonymous(test).post(`${board.at}/restore`).expect(401);
    expect(await listDeleted(viewer, ofShared)).toEqual([]);
    expect(await listDeleted(client)).toEqual([]);
    await outsider.get(`/api/dashboards?deleted=true${ofShared}`).expect(404);
    expect(await listDeleted(editor, ofShared)).toHaveLength(1);
    expect(await listDeleted(admin)).not.toContainEqual(expect.objectContaining({ dashboard_id: board.id }));
    await editor.post(`${board.at}/restore?workspace_id=${home.workspaceId}`).expect(404);
    await editor.post(`${board.at}/restore`).expect(200);
  });

  it('is refused with a value of `deleted` that says nothing', async () => {
    await admin.get('/api/dashboards?deleted=false').expect(400);
    await admin.get('/api/reports?deleted=1').expect(400);
  });

  it('cannot be restored or listed after 30 days', async () => {
    const board = await newDashboard(admin);
    await admin.delete(board.at).expect(204);
    const scope = {
      userId: admin.userId,
      organizationId: admin.organizationId,
      workspaceId: home.workspaceId,
      dashboardId: board.id,
      role: 'owner',
    } as const;
    const { dashboardTrash } = appAfter(31).container.services;
    const page = { after: null, skip: 0, limit: 10, search: null };
    expect(await dashboardTrash.list(scope, page)).toEqual({ found: [], total: 0 });
    await expect(dashboardTrash.restore({ role: 'admin' }, scope)).rejects.toMatchObject({
      kind: 'not_found',
    });
    await admin.post(`${board.at}/restore`).expect(200);
  });

  it('of a deleted workspace is restored after that workspace', async () => {
    const created = await admin.post('/api/workspaces', { workspace_name: 'Gone' }).expect(201);
    const workspaceId: number = created.body.data.workspace_id;
    const board = await newDashboard(admin, { workspace_id: workspaceId });
    await admin.delete(board.at).expect(204);
    await admin.delete(`/api/workspaces/${workspaceId}`).expect(204);
    await admin.post(`${board.at}/restore`).expect(404);
    await admin.get(`/api/dashboards?deleted=true&workspace_id=${workspaceId}`).expect(404);
    await admin.post(`/api/workspaces/${workspaceId}/restore`).expect(200);
    await admin.post(`${board.at}/restore`).expect(200);
  });

  it('shows charts of a survey that was deleted meanwhile as such', async () => {
    const own = await publishedSurvey(admin, [[choice('Q1')]]);
    const board = await newDashboard(admin);
    await addChart(admin, board, 'bar', { survey_id: own.surveyId, dimension: 'Q1' });
    await admin.delete(board.at).expect(204);
    await admin.delete(`/api/surveys/${own.surveyId}`).expect(204);
    await admin.post(`${board.at}/restore`).expect(200);
    const { body } = await admin.get(board.at).expect(200);
    expect(body.data.charts).toEqual([expect.objectContaining({ survey_deleted: true })]);
  });
});

describe('restoring a public dashboard', () => {
  const strict = useApp({ ADMINS_PUBLISH_DASHBOARDS: 'true' });
  const organization = useOrganization(strict);
  const openPath = ({ slug }: TestDashboard) => `/api/public/d/${organization.slug}/${slug}`;

  it.each([{ share_type: 'public' }, { share_type: 'password', share_password: 'open sesame' }])(
    'removes its $share_type share if the user may not publish, and records it',
    async (body) => {
      const member = await organization.addUser('member');
      const board = await newDashboard(organization.admin);
      const client = await organization.addUser('client');
      const shareId = await share(organization.admin, board, body);
      await share(organization.admin, board, { share_type: 'user', user_id: client.userId });
      await member.delete(board.at).expect(204);
      const restored = await member.post(`${board.at}/restore`).expect(200);
      expect(restored.body.data).toMatchObject({ open_to: 'members', public_url: null });
      await anonymous(strict).get(openPath(board)).expect(404);
      await client.get(board.at).expect(200);
      const { body: audit } = await organization.admin
        .get(`/api/audit?action=dashboard.unshared&object_id=${board.id}`)
        .expect(200);
      expect(audit.data).toMatchObject([{ details: { share_id: shareId, share_type: body.share_type } }]);
    },
  );

  it('keeps it open for an admin', async () => {
    const board = await newDashboard(organization.admin);
    await share(organization.admin, board, { share_type: 'public' });
    await organization.admin.delete(board.at).expect(204);
    await organization.admin.post(`${board.at}/restore`).expect(200);
    await anonymous(strict).get(openPath(board)).expect(200);
  });
});
