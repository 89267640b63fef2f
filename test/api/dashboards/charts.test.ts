import { beforeAll, describe, expect, it, test } from 'vitest';
import { type Actor, newOrganization, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { addChart, newDashboard } from '../../support/dashboards.ts';
import { choice, number, text } from '../../support/questions.ts';
import { MISSING_ID, expectRefused, expectInvalidField } from '../../support/refusals.ts';
import { draftSurvey, type TestSurvey } from '../../support/surveys.ts';

const app = useApp();
const organization = useOrganization(app);
const { admin } = organization;
let survey: TestSurvey;
let foreignSurvey: TestSurvey;
let hiddenSurvey: TestSurvey;
let owner: Actor;

beforeAll(async () => {
  const other = await newOrganization(app);
  survey = await draftSurvey(admin, [[choice('Q1'), number('Q2'), text('Q3')]]);
  foreignSurvey = await draftSurvey(other.admin, [[choice('Q1')]]);
  owner = await organization.addUser('member');
  const hidden = await owner.post('/api/workspaces', { workspace_name: 'Hidden' }).expect(201);
  hiddenSurvey = await draftSurvey(owner, [[choice('Q1')]], { workspaceId: hidden.body.data.workspace_id });
});

describe('the elements of a dashboard', () => {
  it('are stored with short forms expanded, and updated field by field', async () => {
    const board = await newDashboard(admin);
    const created = await admin
      .post(`${board.at}/charts`, {
        page_id: board.pageId,
        chart_type: 'bar',
        chart_title: 'Which',
        chart_config: { dimension: survey.questionIds.Q1, aggregation: 'percent' },
        position: { x: 0, y: 0, w: 6, h: 4 },
      })
      .expect(201);
    const { data } = created.body;
    expect(data).toMatchObject({
      chart_type: 'bar',
      chart_config: {
        survey_id: survey.surveyId,
        dimension: { question_id: survey.questionIds.Q1 },
        aggregation: { function: 'percent' },
      },
      position: { x: 0, y: 0, w: 6, h: 4 },
      survey_deleted: false,
    });
    const at = `${board.at}/charts/${data.chart_id}`;
    expect((await admin.put(at, data).expect(200)).body.data).toEqual(data);
    const renamed = await admin.put(at, { chart_title: null }).expect(200);
    expect(renamed.body.data).toEqual({ ...data, chart_title: null });
    const pie = await admin.put(at, { chart_type: 'pie' }).expect(200);
    expect(pie.body.data.chart_type).toBe('pie');
    await admin.delete(at).expect(204);
    await expectRefused(admin.put(at, {}), 404, 'not_found');
  });

  it('can be reordered and moved to other pages only when every element is listed once', async () => {
    const board = await newDashboard(admin);
    const page = (await admin.post(`${board.at}/pages`, {}).expect(201)).body.data.page_id as number;
    const ids = [
      await addChart(admin, board, 'text', { text: 'a' }),
      await addChart(admin, board, 'text', { text: 'b' }),
      await addChart(admin, board, 'text', { text: 'c' }),
    ];
    const reorder = (body: object) => admin.put(`${board.at}/charts/reorder`, body);
    const reordered = await reorder({ chart_ids: [...ids].reverse() }).expect(200);
    expect(reordered.body.data.pages[0].chart_ids).toEqual([...ids].reverse());
    const position = { x: 6, y: 0, w: 6, h: 2 };
    const moved = await reorder({
      charts: [{ chart_id: ids[1], page_id: page, position }, { chart_id: ids[0] }, { chart_id: ids[2] }],
    }).expect(200);
    expect(moved.body.data.pages.map((page: { chart_ids: number[] }) => page.chart_ids)).toEqual([
      [ids[0], ids[2]],
      [ids[1]],
    ]);
    const at = moved.body.data.charts.find((chart: { chart_id: number }) => chart.chart_id === ids[1]);
    expect(at.position).toEqual(position);
    await expectInvalidField(reorder({ chart_ids: ids.slice(1) }), 'chart_ids');
    await expectInvalidField(reorder({ chart_ids: [...ids, ids[0]] }), 'chart_ids[3]');
    await expectInvalidField(
      reorder({ charts: [...ids.map((chart_id) => ({ chart_id })), { chart_id: 1 }] }),
      'charts[3]',
    );
    await expectInvalidField(
      reorder({ charts: ids.map((chart_id) => ({ chart_id, page_id: MISSING_ID })) }),
      'charts[0].page_id',
    );
    await expectInvalidField(reorder({}), 'charts');
  });

  test.each([
    ['bar', {}, 'chart_config.dimension'],
    ['bar', { dimension: 'Q1' }, 'chart_config.survey_id'],
    ['bar', { survey_id: 0, dimension: 'Nope', options: { sort: 'loud' } }, 'chart_config.options.sort'],
    ['bar', { survey_id: 0, dimension: 'Nope' }, 'chart_config.dimension.column_code'],
    [
      'bar',
      { survey_id: 0, dimension: { question_id: 2_000_000_000 } },
      'chart_config.dimension.question_id',
    ],
    ['bar', { survey_id: 0, dimension: 'Q1', filter: { Nope: ['1'] } }, 'chart_config.filter.Nope'],
    ['bar', { survey_id: 0, dimension: 'Q1', wieght: 'x' }, 'chart_config.wieght'],
    ['bar', { survey_id: 0, dimension: 'Q1', weight_column: 'Nope' }, 'chart_config.weight_column'],
    [
      'pie',
      { survey_id: 0, dimension: 'Q1', nets: [{ label: 'No', values: ['1', '9'] }] },
      'chart_config.nets[0].values[1]',
    ],
    [
      'kpi',
      { survey_id: 0, dimension: 'Q1', aggregation: { function: 'percent', value: '9' } },
      'chart_config.aggregation.value',
    ],
    [
      'variable',
      { survey_id: 0, dimension: 'Q1', variable: { metric: 'count', value: '9' } },
      'chart_config.variable.value',
    ],
    ['text', {}, 'chart_config.text'],
    ['text', { text: 'a', dimension: 'Q1' }, 'chart_config.dimension'],
    ['filter', { survey_id: 0 }, 'chart_config.filterElement'],
    ['variable', { survey_id: 0, dimension: 'Q1' }, 'chart_config.variable'],
    ['loud', { survey_id: 0 }, 'chart_type'],
  ])('of type %s are rejected with the configuration %j', async (chart_type, config, field) => {
    const board = await newDashboard(admin);
    const chart_config = 'survey_id' in config ? { ...config, survey_id: survey.surveyId } : config;
    await expectInvalidField(
      admin.post(`${board.at}/charts`, { page_id: board.pageId, chart_type, chart_config }),
      field,
    );
    expect((await admin.get(board.at)).body.data.charts).toEqual([]);
  });

  it('can only use surveys of the organization that the author can see', async () => {
    const board = await newDashboard(admin);
    for (const survey_id of [foreignSurvey.surveyId, hiddenSurvey.surveyId, 2_000_000_000]) {
      const chart = {
        page_id: board.pageId,
        chart_type: 'bar',
        chart_config: { survey_id, dimension: 'Q1' },
      };
      const { details } = await expectRefused(admin.post(`${board.at}/charts`, chart), 400);
      expect(details).toEqual([
        {
          field: 'chart_config.survey_id',
          message: `survey ${survey_id} does not exist, or you cannot view it`,
        },
      ]);
    }
    for (const { questionIds } of [foreignSurvey, hiddenSurvey]) {
      const question = { dimension: { question_id: questionIds.Q1 } };
      const chart = { page_id: board.pageId, chart_type: 'bar', chart_config: question };
      await expectInvalidField(admin.post(`${board.at}/charts`, chart), 'chart_config.dimension.question_id');
      const preview = { chart_type: 'bar', ...question };
      await expectInvalidField(admin.post(`${board.at}/chart-data`, preview), 'dimension.question_id');
    }
  });

  it('cannot be added to a page of another dashboard', async () => {
    const [board, elsewhere] = [await newDashboard(admin), await newDashboard(admin)];
    const chart = { page_id: elsewhere.pageId, chart_type: 'text', chart_config: { text: 'a' } };
    await expectInvalidField(admin.post(`${board.at}/charts`, chart), 'page_id');
  });

  it('of a survey that is hidden from the editor can be renamed, but not reconfigured', async () => {
    const board = await newDashboard(owner, { workspace_id: organization.workspaceId });
    const chart = await addChart(owner, board, 'bar', { survey_id: hiddenSurvey.surveyId, dimension: 'Q1' });
    const at = `${board.at}/charts/${chart}`;
    await admin.put(at, { chart_title: 'Named' }).expect(200);
    await expectInvalidField(admin.put(at, { chart_type: 'pie' }), 'chart_config.survey_id');
  });

  it('report survey_deleted after their survey is deleted', async () => {
    const deletedSurvey = await draftSurvey(admin, [[choice('Q1')]]);
    const board = await newDashboard(admin);
    const chart_id = await addChart(admin, board, 'bar', {
      survey_id: deletedSurvey.surveyId,
      dimension: 'Q1',
    });
    await admin.delete(`/api/surveys/${deletedSurvey.surveyId}`).expect(204);
    expect((await admin.get(board.at)).body.data.charts[0].survey_deleted).toBe(true);
    await expectRefused(admin.post(`${board.at}/chart-data`, { chart_id }), 410, 'survey_deleted');
    const batch = await admin.post(`${board.at}/chart-data-batch`, { charts: [{ chart_id }] }).expect(200);
    expect(batch.body.data[0].error.code).toBe('survey_deleted');
  });
});
