import { beforeAll, describe, expect, test } from 'vitest';
import { FIGURE_CHARTS } from '../../../src/domain/charts/registry.ts';
import { anonymous, newOrganization, type Organization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { addChart, type TestDashboard, newDashboard, share } from '../../support/dashboards.ts';
import { choice, number } from '../../support/questions.ts';
import { type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';

const app = useApp();
let organization: Organization;
let survey: PublishedSurvey;
let board: TestDashboard;

const rows = ['price', 'taste'].map((row_code) => ({ row_code, row_label: `The ${row_code}` }));

beforeAll(async () => {
  organization = await newOrganization(app);
  survey = await publishedSurvey(organization.admin, [
    [
      choice('Q3', { question_type: 'matrix', question_settings: { rows } }),
      choice('Q4', { question_type: 'ranking' }),
      number('w'),
    ],
  ]);
  const answers = [
    { Q3: { price: '1', taste: '3' }, Q4: ['1', '2', '3'], w: 2 },
    { Q3: { price: '1', taste: '3' }, Q4: ['2', '1'], w: 1 },
    { Q3: { price: '2' }, Q4: ['1'], w: 1 },
    { Q3: null, Q4: null, w: 1 },
  ];
  await organization.admin
    .post(`/api/responses/${survey.surveyId}/rows`, { rows: answers.map((one) => ({ answers: one })) })
    .expect(201);
  board = await newDashboard(organization.admin);
});

const getData = async (path: string) =>
  (await organization.admin.get(`/api/responses/${survey.surveyId}/${path}`).expect(200)).body.data;

describe('the distribution of a matrix', () => {
  test('contains each row', async () => {
    const matrix = await getData('distribution/Q3');
    expect(matrix).toMatchObject({ column_code: 'Q3', type: 'matrix', base: 3, base_of: 'answering' });
    expect(matrix.rows).toHaveLength(2);
    expect(matrix.rows[0]).toMatchObject({
      row_code: 'price',
      row_label: 'The price',
      column_code: 'Q3_price',
      base: 3,
    });
    expect(matrix.rows[0].categories.map(({ percent }: { percent: number }) => percent)).toEqual([
      200 / 3,
      100 / 3,
      0,
    ]);
    expect(matrix.rows[1].base).toBe(2);
    expect((await getData('distribution/Q3?base=shown')).rows[1].base).toBe(4);
  });
});

describe('the distribution of a ranking', () => {
  test('contains mean ranks, and top shares with respondents who saw it as base', async () => {
    const ranking = await getData('distribution/q4');
    expect(ranking).toMatchObject({ column_code: 'Q4', type: 'ranking', base: 4, base_of: 'shown' });
    expect(ranking.options[0]).toMatchObject({
      column_code: 'Q4_1',
      value: '1',
      base: 4,
      mean_rank: 4 / 3,
      ranked: { count: 3, percent: 75 },
      top_1: { count: 2, percent: 50, weighted_count: null },
      top_3: { count: 3, percent: 75 },
    });
    expect(
      ranking.options[1].ranks.map(({ rank, count }: { rank: number; count: number }) => [rank, count]),
    ).toEqual([
      [1, 1],
      [2, 1],
      [3, 0],
    ]);
  });

  test('can use the respondents who ranked the option as base, and a weight', async () => {
    const ranking = await getData('distribution/Q4?base=answering&weight=w');
    expect(ranking).toMatchObject({ base: 3, weighted_base: 4, base_of: 'answering' });
    expect(ranking.options[0]).toMatchObject({ base: 3, weighted_base: 4, mean_rank: 1.25 });
    expect(ranking.options[0].top_1).toMatchObject({ count: 2, weighted_count: 3, weighted_percent: 75 });
    expect(ranking.options[2]).toMatchObject({ base: 1, mean_rank: 3, top_3: { percent: 100 } });
  });
});

test('the data of a question contain the whole and its parts', async () => {
  const { questionIds } = survey;
  const ranking = await getData(`question/${questionIds.Q4}`);
  expect(await getData('distribution/Q4')).toMatchObject(ranking.whole);
  expect(ranking.distributions).toHaveLength(3);
  expect(await getData('distribution/Q3')).toMatchObject((await getData(`question/${questionIds.Q3}`)).whole);
  expect((await getData(`question/${questionIds.w}`)).whole).toBeNull();
});

test('returns 404 for an unknown code', async () => {
  const { body } = await organization.admin
    .get(`/api/responses/${survey.surveyId}/distribution/Q9`)
    .expect(404);
  expect(body.message).toContain('No such column: "Q9"');
});

describe('charts of whole questions', () => {
  test('support every type but a histogram for a matrix or ranking by question_id, alone and in a batch', async () => {
    const { surveyId, questionIds } = survey;
    const charts = ['Q3', 'Q4'].flatMap((code) =>
      FIGURE_CHARTS.filter((type) => type !== 'histogram').map((chart_type) => ({
        survey_id: surveyId,
        question_id: questionIds[code],
        chart_type,
      })),
    );
    const batch = await organization.admin.post(`${board.at}/chart-data-batch`, { charts }).expect(200);
    expect(batch.body.data).toHaveLength(charts.length);
    for (const item of batch.body.data)
      expect(item).toMatchObject({ base: { unweighted: expect.any(Number) } });
    for (const index of [2, 13]) {
      const alone = await organization.admin.post(`${board.at}/chart-data`, charts[index]).expect(200);
      expect(alone.body.data).toEqual(batch.body.data[index]);
    }
  });

  test('can be on a dashboard, also a public one', async () => {
    const { surveyId } = await publishedSurvey(organization.admin, [
      [choice('Q3', { question_type: 'matrix', question_settings: { rows } })],
    ]);
    const many = Array.from({ length: 40 }, (_, index) => ({
      answers: { Q3: { price: String(1 + (index % 2)), taste: '3' } },
    }));
    await organization.admin.post(`/api/responses/${surveyId}/rows`, { rows: many }).expect(201);
    const chartId = await addChart(organization.admin, board, 'stacked-bar', {
      survey_id: surveyId,
      dimension: 'Q3',
    });
    const stored = await organization.admin.get(board.at).expect(200);
    expect(JSON.stringify(stored.body.data)).toContain('"aggregation":{"function":"percent"}');
    await share(organization.admin, board, { share_type: 'public' });
    const { body } = await anonymous(app)
      .post(`/api/public/d/${organization.slug}/${board.slug}/chart-data`, { chart_id: chartId })
      .expect(200);
    expect(body.data.categories.map(({ label }: { label: string }) => label)).toEqual([
      'The price',
      'The taste',
    ]);
    expect(body.data.series.map(({ values }: { values: number[] }) => values)).toEqual([
      [50, 0],
      [50, 0],
      [0, 100],
    ]);
  });
});
