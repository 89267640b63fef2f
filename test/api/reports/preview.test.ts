import { beforeAll, describe, expect, it } from 'vitest';
import { newOrganization, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { choice, number } from '../../support/questions.ts';
import { expectRefused } from '../../support/refusals.ts';
import { addImage, addSlide, newReport } from '../../support/reports.ts';
import { PNG } from '../../support/sample-files.ts';
import { publishedSurvey } from '../../support/surveys.ts';

const app = useApp();
const organization = useOrganization(app);
const { admin } = organization;
let surveyId: number;
beforeAll(async () => {
  ({ surveyId } = await publishedSurvey(admin, [[choice('Q1'), number('Q2')]]));
  const rows = Array.from({ length: 12 }, (_, index) => ({
    answers: { Q1: String(1 + (index % 2)), Q2: index },
  }));
  await admin.post(`/api/responses/${surveyId}/rows`, { rows }).expect(201);
});

const preview = async (at: string) => (await admin.get(`${at}/preview`).expect(200)).body.data;

describe('the preview of a report', () => {
  it('has each kind of slide with current figures', async () => {
    const report = await newReport(admin);
    const imageId = await addImage(admin, report, PNG);
    const figure = (chart_type: string, config: object) => ({
      chart_type,
      chart_config: { survey_id: surveyId, ...config },
    });
    for (const slide of [
      { slide_type: 'title', slide_title: 'Cover', slide_content: { subtitle: 'For all' } },
      {
        slide_type: 'text',
        slide_content: { text: '# Fine\n\n<script>alert(1)</script> **bold** ![x](https://e.org/x.png)' },
      },
      {
        slide_type: 'chart',
        slide_title: 'Choice',
        slide_content: { charts: [figure('bar', { dimension: 'Q1', aggregation: 'percent' })] },
      },
      { slide_type: 'chart', slide_content: { charts: [figure('table', { dimension: 'Q1' })] } },
      {
        slide_type: 'key-figures',
        slide_content: { figures: [figure('kpi', { dimension: 'Q2', aggregation: 'mean' })] },
      },
      { slide_type: 'table', slide_content: { survey_id: surveyId, rows: ['Q1'] } },
      { slide_type: 'image', slide_content: { image_id: imageId, alt: 'A picture' } },
      { slide_type: 'appendix', slide_content: { survey_ids: [surveyId], parts: ['sample'] } },
    ])
      await addSlide(admin, report, slide);
    const { slides, shown_slides: shown } = await preview(report.at);
    expect(shown).toBe(8);
    const [cover, text, chart, table, keys, crosstab, image, appendix] = slides;
    expect(cover).toMatchObject({ slide_type: 'title', title: 'Cover', subtitle: 'For all', charts: [] });
    expect(text.text_html).toContain('<h3>Fine</h3>');
    expect(text.text_html).toContain('<strong>bold</strong>');
    expect(text.text_html).not.toMatch(/<script|<img/);
    expect(chart.charts).toMatchObject([{ svg: expect.stringMatching(/^<svg/), problem: null, table: null }]);
    expect(chart.charts[0].svg).toContain('50%');
    expect(table.charts).toMatchObject([{ svg: null, table: { rows: expect.any(Array) } }]);
    expect(keys.figures).toMatchObject([{ value: '5.50', problem: null }]);
    expect(crosstab.table.rows.length).toBeGreaterThan(1);
    expect(image.image).toMatchObject({
      url: expect.stringMatching(/^data:image\/png;base64,/),
      alt: 'A picture',
    });
    expect(appendix.methods[0].facts.length).toBeGreaterThan(0);
  });

  it('says why a figure cannot be shown', async () => {
    const report = await newReport(admin);
    const gone = await publishedSurvey(admin, [[choice('Q1')]]);
    await addSlide(admin, report, {
      slide_type: 'chart',
      slide_content: {
        charts: [{ chart_type: 'bar', chart_config: { survey_id: gone.surveyId, dimension: 'Q1' } }],
      },
    });
    const empty = (await preview(report.at)).slides[0].charts[0];
    expect(empty).toMatchObject({ svg: null, problem: expect.stringMatching(/^No /) });
    await admin.delete(`/api/surveys/${gone.surveyId}`).expect(204);
    const deleted = (await preview(report.at)).slides[0].charts[0];
    expect(deleted).toMatchObject({ svg: null, problem: 'The survey of this figure was deleted' });
  });

  it('is not shown to another organization', async () => {
    const report = await newReport(admin);
    const other = await newOrganization(app);
    await expectRefused(other.admin.get(`${report.at}/preview`), 404, 'not_found');
  });
});

describe('a report from a dashboard', () => {
  it('has the name that the user gave on its cover', async () => {
    const { body } = await admin.post('/api/dashboards', { dashboard_name: 'Internal figures' }).expect(201);
    const dashboard_id = body.data.dashboard_id as number;
    const create = async (more: object) =>
      (await admin.post('/api/reports/from-dashboard', { dashboard_id, ...more }).expect(201)).body.data
        .report_id as number;
    const cover = async (reportId: number) => (await preview(`/api/reports/${reportId}`)).slides[0].title;
    expect(await cover(await create({ report_name: 'Yearly report' }))).toBe('Yearly report');
    expect(await cover(await create({}))).toBe('Internal figures');
  });
});
