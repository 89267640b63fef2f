import { beforeAll, describe, expect, it } from 'vitest';
import { type Actor, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { createDashboard, share } from '../../support/dashboards.ts';
import { choice } from '../../support/questions.ts';
import { expectRefused, expectInvalidField } from '../../support/refusals.ts';
import { draftSurvey } from '../../support/surveys.ts';

const app = useApp();
const organization = useOrganization(app);
const { admin } = organization;
let dashboardId: number;
let surveyId: number;

beforeAll(async () => {
  ({ surveyId } = await draftSurvey(admin, [
    [choice('Q1', { question_settings: { measure: 'ordinal' } }), choice('Q2')],
  ]));
  const shown = { survey_id: surveyId, dimension: 'Q1' };
  const number = (chart_title: string) => ({
    chart_type: 'variable',
    chart_title,
    chart_config: { ...shown, variable: 'base' },
  });
  const { id } = await createDashboard(organization, 'Tracker', [
    [
      { chart_type: 'filter', chart_config: { survey_id: surveyId, filterElement: { column_code: 'Q2' } } },
      { chart_type: 'text', chart_config: { text: '# About this survey\n\nAll questions.' } },
      ...['a', 'b', 'c', 'd', 'e'].map(number),
      { chart_type: 'bar', chart_title: 'Liking', chart_config: { ...shown, filter: { Q2: ['1'] } } },
    ],
    [{ chart_type: 'gauge', chart_title: 'Top', chart_config: { ...shown, aggregation: 'top_box' } }],
  ]);
  dashboardId = id;
});

const createReport = (body: object = {}, by: Actor = admin) =>
  by.post('/api/reports/from-dashboard', { dashboard_id: dashboardId, ...body });

interface Slide {
  slide_type: string;
  slide_title: string | null;
  slide_content: { charts?: unknown[]; figures?: unknown[]; text?: string };
}
const slidesOf = ({ body }: { body: { data: { slides: Slide[] } } }) => body.data.slides;

describe('a report created from a dashboard', () => {
  it('has a section per page, up to four key figures per slide, a slide per chart and text, and an appendix', async () => {
    const created = await createReport().expect(201);
    expect(created.body.data).toMatchObject({
      report_name: 'Tracker',
      workspace_id: organization.workspaceId,
    });
    expect(slidesOf(created).map(({ slide_type, slide_title }) => `${slide_type}: ${slide_title}`)).toEqual([
      'title: Tracker',
      'section: Page 1',
      'text: About this survey',
      'key-figures: Key figures',
      'key-figures: Key figures',
      'chart: Liking',
      'section: Page 2',
      'chart: Top',
      'appendix: Appendix',
    ]);
    expect(slidesOf(created)[2]!.slide_content).toEqual({ text: 'All questions.' });
    expect(slidesOf(created).map(({ slide_content }) => slide_content.figures?.length ?? 0)).toEqual([
      0, 0, 0, 3, 2, 0, 0, 0, 0,
    ]);
    expect(slidesOf(created)[5]!.slide_content).toEqual({ charts: [{ chart_id: expect.any(Number) }] });
  });

  it('copies the configuration of each element with linked=false', async () => {
    const created = await createReport({ linked: false, report_name: 'Frozen' }).expect(201);
    expect(created.body.data.report_name).toBe('Frozen');
    expect(slidesOf(created)[5]!.slide_content.charts).toEqual([
      {
        chart_type: 'bar',
        chart_config: expect.objectContaining({ survey_id: surveyId, filter: { Q2: ['1'] } }),
      },
    ]);
    expect(slidesOf(created)[3]!.slide_content.figures![0]).toMatchObject({
      chart_type: 'variable',
      title: 'a',
    });
    // Every generated slide is also a valid request body.
    const at = `/api/reports/${created.body.data.report_id}/slides`;
    for (const slide of slidesOf(created)) {
      const { slide_type, slide_title, slide_content } = slide;
      await admin.post(at, { slide_type, slide_title, slide_content }).expect(201);
    }
  });

  it('can be created linked by a viewer of the dashboard in their own workspace', async () => {
    const otherAdmin = await organization.addUser('member');
    const body = { workspace_name: 'Own', workspace_visibility: 1 };
    const workspace = await otherAdmin.post('/api/workspaces', body).expect(201);
    const { workspace_id } = workspace.body.data;
    const hidden = await admin.post('/api/workspaces', { ...body, workspace_name: 'Hidden' }).expect(201);
    const copy = await admin.post(`/api/dashboards/${dashboardId}/duplicate`, {}).expect(201);
    const id: number = copy.body.data.dashboard_id;
    const at = `/api/dashboards/${id}`;
    await admin.put(at, { workspace_id: hidden.body.data.workspace_id }).expect(200);
    const request = { dashboard_id: id, workspace_id };
    await expectRefused(createReport(request, otherAdmin), 404, 'not_found');
    const dashboard = { id, at, slug: '', pageId: 0 };
    await share(admin, dashboard, { share_type: 'user', user_id: otherAdmin.userId });
    expect((await createReport(request, otherAdmin).expect(201)).body.data.workspace_id).toBe(workspace_id);
    await expectRefused(createReport({ ...request, linked: false }, otherAdmin), 403);
  });

  it('is rejected for an invalid dashboard, workspace or field', async () => {
    await expectRefused(createReport({ dashboard_id: 2_000_000_000 }), 404, 'not_found');
    await expectRefused(createReport({ workspace_id: 2_000_000_000 }), 404, 'not_found');
    await expectInvalidField(createReport({ linkd: true }), 'linkd');
    await expectInvalidField(admin.post('/api/reports/from-dashboard', {}), 'dashboard_id');
    await expectRefused(createReport({}, await organization.addUser('client')), 403);
  });
});
