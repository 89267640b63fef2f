import { beforeAll, describe, expect, it, test } from 'vitest';
import { type Actor, newOrganization, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { addChart, type TestDashboard, newDashboard } from '../../support/dashboards.ts';
import { choice, number } from '../../support/questions.ts';
import { expectRefused, expectInvalidField } from '../../support/refusals.ts';
import { addImage, addSlide, type TestReport, newReport } from '../../support/reports.ts';
import { PNG } from '../../support/sample-files.ts';
import { draftSurvey, type TestSurvey } from '../../support/surveys.ts';

const app = useApp();
const organization = useOrganization(app);
const { admin } = organization;
let survey: TestSurvey;
let report: TestReport;
let board: TestDashboard;
/** A survey and an element in the private workspace of another member. */
let hiddenChart: { survey: TestSurvey; chartId: number };

beforeAll(async () => {
  survey = await draftSurvey(admin, [[choice('Q1'), choice('Q2'), number('N1')]]);
  report = await newReport(admin);
  board = await newDashboard(admin);
  const otherAdmin = await organization.addUser('member');
  const body = { workspace_name: 'Private', workspace_visibility: 1 };
  const workspace = await otherAdmin.post('/api/workspaces', body).expect(201);
  const { workspace_id } = workspace.body.data;
  await otherAdmin.put(`/api/workspaces/current/${workspace_id}`).expect(200);
  const hidden = await draftSurvey(otherAdmin, [[choice('Q1')]]);
  const otherDashboard = await newDashboard(otherAdmin, { workspace_id });
  const config = { survey_id: hidden.surveyId, dimension: 'Q1' };
  hiddenChart = { survey: hidden, chartId: await addChart(otherAdmin, otherDashboard, 'bar', config) };
});

const bar = (more: object = {}) => ({
  chart_type: 'bar',
  chart_config: { survey_id: survey.surveyId, dimension: 'Q1', ...more },
});
const tableOf = (more: object = {}) => ({
  survey_id: survey.surveyId,
  rows: ['Q1'],
  columns: ['Q2'],
  ...more,
});

const postSlide = (body: object, by: Actor = admin) => by.post(`${report.at}/slides`, body);
const createContent = async (slide_type: string, slide_content: object) =>
  (await postSlide({ slide_type, slide_content }).expect(201)).body.data.slide_content;

describe('the content of a slide', () => {
  it('is stored with short forms expanded', async () => {
    const shown = { survey_id: survey.surveyId, dimension: { column_code: 'Q1' } };
    const chart = await createContent('chart', { ...bar(), text: 'Note' });
    expect(chart).toMatchObject({
      charts: [{ chart_type: 'bar', chart_config: { dimension: { question_id: survey.questionIds.Q1 } } }],
      text: 'Note',
    });
    expect(chart.charts[0].chart_config).toMatchObject(shown);
    const inline = { chart_type: 'bar', title: 'T', ...bar().chart_config, text: 'Note' };
    expect(await createContent('chart', inline)).toEqual({
      ...chart,
      charts: [{ ...chart.charts[0], title: 'T' }],
    });
    await expectInvalidField(
      postSlide({ slide_type: 'chart', slide_content: { ...inline, dimenson: 'Q1' } }),
      'slide_content.charts[0].chart_config.dimenson',
    );
    const variable = { chart_type: 'variable', chart_config: { ...bar().chart_config, variable: 'base' } };
    expect((await createContent('key-figures', variable)).figures[0].chart_config.variable).toEqual({
      metric: 'base',
    });
    expect(await createContent('table', tableOf())).toMatchObject({
      rows: [['Q1']],
      columns: [['Q2']],
      show: 'column_percent',
      letters: true,
    });
    expect(await createContent('appendix', {})).toEqual({
      parts: ['sample', 'field', 'weighting', 'questions'],
    });
  });

  it('takes the survey from its question', async () => {
    const config = { chart_type: 'pie', chart_config: { dimension: { question_id: survey.questionIds.Q2 } } };
    const { charts } = await createContent('chart', config);
    expect(charts[0].chart_config.survey_id).toBe(survey.surveyId);
  });

  it('may link a visible dashboard element on a slide type that allows it', async () => {
    const chart_id = await addChart(admin, board, 'bar', bar().chart_config);
    expect(await createContent('chart', { chart_id })).toEqual({ charts: [{ chart_id }] });
    const variable = await addChart(admin, board, 'variable', { ...bar().chart_config, variable: 'base' });
    expect(await createContent('key-figures', { chart_id: variable })).toEqual({
      figures: [{ chart_id: variable }],
    });
    const at = 'slide_content.charts[0].chart_id';
    await expectInvalidField(postSlide({ slide_type: 'chart', slide_content: { chart_id: variable } }), at);
    const text = await addChart(admin, board, 'text', { text: 'x' });
    await expectInvalidField(postSlide({ slide_type: 'chart', slide_content: { chart_id: text } }), at);
    await expectInvalidField(
      postSlide({ slide_type: 'key-figures', slide_content: { figures: [{ chart_id }] } }),
      'slide_content.figures[0].chart_id',
    );
    const theirs = { slide_type: 'chart', slide_content: { charts: [{ chart_id: hiddenChart.chartId }] } };
    await expectInvalidField(postSlide(theirs), at);
    await expectInvalidField(
      postSlide({ slide_type: 'chart', slide_content: { chart_id: 2_000_000_000 } }),
      at,
    );
  });

  it('is replaced as a whole and required when the type changes', async () => {
    const id = await addSlide(admin, report, { slide_title: 'T', slide_content: { text: 'One' } });
    const at = `${report.at}/slides/${id}`;
    const changed = await admin.put(at, { slide_content: { text: 'Two', notes: 'Explain it' } }).expect(200);
    expect(changed.body.data).toMatchObject({
      slide_type: 'text',
      slide_title: 'T',
      slide_content: { text: 'Two', notes: 'Explain it' },
    });
    await expectInvalidField(admin.put(at, { slide_type: 'chart' }), 'slide_content');
    await expectInvalidField(
      admin.put(at, { slide_type: 'chart', slide_content: { text: 'x' } }),
      'slide_content.charts',
    );
    await admin.put(at, { slide_type: 'section', slide_content: {} }).expect(200);
    expect((await admin.put(at, { slide_title: null }).expect(200)).body.data.slide_title).toBeNull();
  });

  it('of a hidden survey stays unchanged and cannot be created', async () => {
    const editor = await organization.addUser('member');
    const hidden = { survey_id: hiddenChart.survey.surveyId, dimension: 'Q1' };
    const chart = { charts: [{ chart_type: 'bar', chart_config: hidden }] };
    const at = 'slide_content.charts[0].chart_config.survey_id';
    await expectInvalidField(postSlide({ slide_type: 'chart', slide_content: chart }, editor), at);
    const id = await addSlide(admin, report, { slide_type: 'chart', slide_content: bar() });
    await app.database.db.raw(`UPDATE report_slides SET slide_content = ? WHERE slide_id = ?`, [
      JSON.stringify(chart),
      id,
    ]);
    const put = (body: object) => editor.put(`${report.at}/slides/${id}`, body);
    await put({ slide_title: 'Named', slide_content: { ...chart, text: 'Explained' } }).expect(200);
    const another = { ...hidden, weight_column: 'w' };
    await expectInvalidField(
      put({ slide_content: { charts: [{ chart_type: 'bar', chart_config: another }] } }),
      at,
    );
  });

  test.each([
    ['title', { subtitel: 'x' }, 'slide_content.subtitel'],
    ['text', {}, 'slide_content.text'],
    ['text', { text: 'x'.repeat(20_001) }, 'slide_content.text'],
    ['chart', {}, 'slide_content.charts'],
    ['chart', { charts: [] }, 'slide_content.charts'],
    ['chart', { charts: [{ chart_type: 'bar' }] }, 'slide_content.charts[0].chart_config'],
    ['image', {}, 'slide_content.image_id'],
    ['image', { image_id: 2_000_000_000 }, 'slide_content.image_id'],
    ['appendix', { parts: ['all'] }, 'slide_content.parts[0]'],
    ['appendix', { survey_ids: [2_000_000_000] }, 'slide_content.survey_ids[0]'],
    ['constructor', {}, 'slide_type'],
  ])('of type %s is rejected with %j, naming %s', async (slide_type, slide_content, field) => {
    await expectInvalidField(postSlide({ slide_type, slide_content }), field);
  });

  test.each([
    [{ dimension: 'Q9' }, 'dimension.column_code'],
    [{ dimension: { question_id: 2_000_000_000 } }, 'dimension.question_id'],
    [{ dimenson: 'Q1' }, 'dimenson'],
    [{ filter: { Q9: ['1'] } }, 'filter.Q9'],
    [{ survey_id: 2_000_000_000 }, 'survey_id'],
  ])('with an invalid chart %j is rejected with the path of the field', async (more, field) => {
    const content = { charts: [bar(), bar(more)] };
    const at = `slide_content.charts[1].chart_config.${field}`;
    const { details, code } = (await postSlide({ slide_type: 'chart', slide_content: content }).expect(400))
      .body;
    expect(code).toBe('validation_failed');
    expect(details[0].field).toBe(at);
  });

  test.each([
    [{ rows: ['Q9'] }, 'slide_content.rows[0]'],
    [{ columns: ['Q2', ['Q1', 'Q9']] }, 'slide_content.columns[1][1]'],
    [{ weight_column: 'w' }, 'slide_content.weight_column'],
    [{ filter: { Q9: ['1'] } }, 'slide_content.filter.Q9'],
    [{ nets: [{ column_code: 'N1', label: 'x', values: ['1'] }] }, 'slide_content.nets[0].column_code'],
    [{ survey_id: 2_000_000_000 }, 'slide_content.survey_id'],
    [{ rows: [] }, 'slide_content.rows'],
    [{ show: 'all' }, 'slide_content.show'],
  ])('with an invalid table %j is rejected, naming %s', async (more, field) => {
    await expectInvalidField(postSlide({ slide_type: 'table', slide_content: tableOf(more) }), field);
  });

  test.each([
    [{ image_url: 'https://example.com/a.png' }, 'slide_content.image_url'],
    [{ url: 'http://169.254.169.254/latest' }, 'slide_content.url'],
    [{ src: `data:image/png;base64,${PNG.toString('base64')}` }, 'slide_content.src'],
    [{ image_id: `data:image/png;base64,${PNG.toString('base64')}` }, 'slide_content.image_id'],
  ])('with a picture URL %j is rejected with the upload endpoint', async (slide_content, field) => {
    const body = await expectRefused(postSlide({ slide_type: 'image', slide_content }), 400);
    expect(body.details).toEqual([{ field, message: expect.stringContaining(`POST ${report.at}/images`) }]);
  });

  it('rejects a picture of another report', async () => {
    const image_id = await addImage(admin, await newReport(admin), PNG);
    await expectInvalidField(
      postSlide({ slide_type: 'image', slide_content: { image_id } }),
      'slide_content.image_id',
    );
    const other = await newOrganization(app);
    const otherId = await addImage(other.admin, await newReport(other.admin), PNG);
    await expectInvalidField(
      postSlide({ slide_type: 'image', slide_content: { image_id: otherId } }),
      'slide_content.image_id',
    );
  });
});
