import { beforeAll, describe, expect, test } from 'vitest';
import { FIGURE_CHARTS } from '../../../src/domain/charts/registry.ts';
import { anonymous, newOrganization, type Organization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { newDashboard, type TestDashboard } from '../../support/dashboards.ts';
import { exportResponses, withFile } from '../../support/file-transfer.ts';
import { choice, number } from '../../support/questions.ts';
import { readStoredResponses } from '../../support/stored-responses.ts';
import { type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';

const app = useApp();
let organization: Organization;
let survey: PublishedSurvey;
let board: TestDashboard;

const points = (question_code: string, question_settings: object = {}, extra: object = {}) => ({
  question_type: 'constant_sum',
  question_code,
  question_text: 'Divide the points',
  question_settings,
  options: ['Taste', 'Price', 'Speed'].map((option_label) => ({
    option_label,
    option_value: option_label.toLowerCase(),
  })),
  ...extra,
});

const ANSWERS = [
  { Q1: { '1': 60, '2': 40 }, Q2: '1', w: 2 },
  { Q1: { '1': '33.4', '2': 33.3, '3': 33.3 }, Q2: '1', w: 1 },
  { Q1: { '3': 100 }, Q2: '2', w: 1 },
  { Q1: null, Q2: '2', w: 1 },
];

beforeAll(async () => {
  organization = await newOrganization(app);
  survey = await publishedSurvey(organization.admin, [
    [points('Q1', { decimals: 1, suffix: 'points' }), choice('Q2'), number('w')],
  ]);
  for (const answers of ANSWERS)
    await anonymous(app)
      .post(`/api/public/s/${survey.linkToken}/responses`, { status: 'complete', answers })
      .expect(201);
  board = await newDashboard(organization.admin);
});

const at = (path: string) => `/api/responses/${survey.surveyId}/${path}`;
const getData = async (path: string) => (await organization.admin.get(at(path)).expect(200)).body.data;

describe('answers to a constant sum', () => {
  test('are stored with 0 for items without a number', async () => {
    const stored = await readStoredResponses(app, survey.surveyId);
    expect(stored.map(({ answers }) => answers.Q1)).toEqual([
      { '1': 60, '2': 40, '3': 0 },
      { '1': 33.4, '2': 33.3, '3': 33.3 },
      { '1': 0, '2': 0, '3': 100 },
      null,
    ]);
  });

  test.each([
    [{ '1': 60, '2': 39.9 }, 'answers.Q1', 'must add up to 100, not 99.9'],
    [{ '1': 99.95, '2': 0.05 }, 'answers.Q1.1', 'must have at most 1 decimal, not 99.95'],
    [{ taste: 100 }, 'answers.Q1', '"taste" is not an option_code of Q1; accepted: "1", "2", "3"'],
  ])('are refused: %j', async (Q1, field, message) => {
    const { body } = await anonymous(app)
      .post(`/api/public/s/${survey.linkToken}/responses`, { status: 'complete', answers: { Q1 } })
      .expect(400);
    expect(body.details).toContainEqual({ field, message });
  });

  test('are edited together and imported by column', async () => {
    const other = await publishedSurvey(organization.admin, [[points('Q1')]]);
    const csv = 'Q1_1,Q1_2,Q1_3\n10,90,\n10,20,30\n';
    const imported = await withFile(
      organization.admin.post(`/api/responses/${other.surveyId}/import`),
      csv,
      { atomic: 'false' },
      'points.csv',
    );
    expect(imported.body.data, JSON.stringify(imported.body)).toMatchObject({ created: 1, failed: 1 });
    const [row] = await readStoredResponses(app, other.surveyId);
    expect(row!.answers).toEqual({ Q1: { '1': 10, '2': 90, '3': 0 } });
    const rowPath = `/api/responses/${other.surveyId}/rows/${row!.response_id}`;
    const refused = await organization.admin.patch(rowPath, { values: { Q1_1: 20 } }).expect(400);
    expect(JSON.stringify(refused.body)).toContain(
      'must add up to 100, not 110; set the numbers of the question together',
    );
    await organization.admin.patch(rowPath, { values: { Q1_1: 20, Q1_3: 0, Q1_2: 80 } }).expect(200);
    const [edited] = await readStoredResponses(app, other.surveyId);
    expect(edited!.answers).toEqual({ Q1: { '1': 20, '2': 80, '3': 0 } });
  });
});

describe('figures of a constant sum', () => {
  // R: x <- data.frame(a = c(60, 33.4, 0), b = c(40, 33.3, 0), c = c(0, 33.3, 100)); colMeans(x); sapply(x, sd)
  const MEANS = [31.133333, 24.433333, 44.433333];
  const DEVIATIONS = [30.064154, 21.42343, 50.921148];
  // R: sapply(x, weighted.mean, w = c(2, 1, 1))
  const WEIGHTED = [38.35, 28.325, 33.325];

  test('are a distribution for each item', async () => {
    const whole = await getData('distribution/q1');
    expect(whole).toMatchObject({ column_code: 'Q1', type: 'numbers', base: 3, base_of: 'answering' });
    expect(
      whole.options.map(({ option_value: value, column_code: code }: Record<string, string>) => [
        value,
        code,
      ]),
    ).toEqual([
      ['taste', 'Q1_1'],
      ['price', 'Q1_2'],
      ['speed', 'Q1_3'],
    ]);
    whole.options.forEach(
      ({ base, stats }: { base: number; stats: { mean: number; sd: number } }, index: number) => {
        expect(base).toBe(3);
        expect(stats.mean).toBeCloseTo(MEANS[index]!, 6);
        expect(stats.sd).toBeCloseTo(DEVIATIONS[index]!, 6);
      },
    );
    const weighted = await getData('distribution/Q1?weight=w');
    weighted.options.forEach(({ stats }: { stats: { mean: number } }, index: number) =>
      expect(stats.mean).toBeCloseTo(WEIGHTED[index]!, 6),
    );
    expect(await getData(`question/${survey.questionIds.Q1}`)).toMatchObject({
      question_type: 'constant_sum',
      whole: { type: 'numbers', base: 3 },
    });
  });

  test('are means per item in charts of every type but a histogram', async () => {
    const charts = FIGURE_CHARTS.filter((type) => type !== 'histogram').map((chart_type) => ({
      survey_id: survey.surveyId,
      question_id: survey.questionIds.Q1,
      chart_type,
    }));
    const { body } = await organization.admin.post(`${board.at}/chart-data-batch`, { charts }).expect(200);
    for (const [index, item] of body.data.entries()) {
      const { categories, series, base } = item;
      expect(base, charts[index]!.chart_type).toMatchObject({ unweighted: 3 });
      const shown = categories.map(({ label }: { label: string }, position: number) => [
        label,
        series[0].values[position],
      ]);
      for (const [label, value] of shown)
        expect(value, `${charts[index]!.chart_type} ${label}`).toBeCloseTo(
          MEANS[['Taste', 'Price', 'Speed'].indexOf(label)]!,
          6,
        );
    }
    const bar = body.data[charts.findIndex(({ chart_type: type }) => type === 'bar')];
    expect(bar.aggregation).toMatchObject({ function: 'mean', label: 'Mean' });
    expect(bar.categories).toHaveLength(3);
  });

  test('can be split by a series, and refuse a count of respondents', async () => {
    const chart = { survey_id: survey.surveyId, dimension: 'Q1', chart_type: 'bar', series: 'Q2' };
    const { body } = await organization.admin.post(`${board.at}/chart-data`, chart).expect(200);
    expect(
      body.data.series.map(({ name, values }: { name: string; values: number[] }) => [name, values]),
    ).toEqual([
      ['Option 1', [46.7, 36.65, 16.65].map((value) => expect.closeTo(value, 6) as number)],
      ['Option 2', [0, 0, 100]],
      ['Option 3', [null, null, null]],
    ]);
    const counted = { ...chart, series: undefined, aggregation: 'percent' };
    const refused = await organization.admin.post(`${board.at}/chart-data`, counted).expect(400);
    expect(refused.body.details[0].message).toBe(
      'percent is not allowed for a constant sum shown as a whole: each item has a number; use mean, sum or median',
    );
  });

  test('are filtered by item', async () => {
    const filter = (row_code: string, operator: string, right?: number) =>
      encodeURIComponent(JSON.stringify({ left: { code: 'Q1', row_code }, operator, right }));
    expect((await getData(`distribution/Q2?filter=${filter('1', 'gt', 33)}`)).base).toBe(2);
    expect((await getData(`distribution/Q2?filter=${filter('3', 'equals', 0)}`)).base).toBe(1);
    const unknown = await organization.admin
      .get(at(`distribution/Q2?filter=${filter('7', 'gt', 1)}`))
      .expect(400);
    expect(JSON.stringify(unknown.body)).toContain('\\"7\\" is not an item of Q1');
  });

  test('are means of an item in a crosstab', async () => {
    const { body } = await organization.admin
      .post(at('crosstab'), { rows: ['Q1_1'], columns: ['Q2'] })
      .expect(200);
    const [table] = body.data.tables;
    expect(JSON.stringify(table)).toContain('46.7');
  });
});

describe('files with a constant sum', () => {
  test('have a numeric column for each item', async () => {
    const csv = await exportResponses(organization.admin, survey.surveyId, {
      format: 'csv',
      columns: ['Q1_1', 'Q1_2', 'Q1_3'],
    });
    expect(
      csv.file
        .toString()
        .replace(/^\uFEFF/, '')
        .trim()
        .split(/\r?\n/),
    ).toEqual(['Q1_1,Q1_2,Q1_3', '60,40,0', '33.4,33.3,33.3', '0,0,100', ',,']);
  });
});

describe('a survey with a constant sum', () => {
  test('is not published with bounds that cannot add up', async () => {
    const { admin } = organization;
    const { surveyId, pageIds } = await publishedSurvey(admin, [[choice('Q1')]]);
    await admin
      .post(`/api/surveys/${surveyId}/questions`, { page_id: pageIds[0], ...points('Q2', { max: 30 }) })
      .expect(201);
    const { body } = await admin.get(`/api/surveys/${surveyId}/publish-check`).expect(200);
    expect(JSON.stringify(body.data)).toContain(
      'max must be at least 34 for 3 items that must add up to 100, not 30',
    );
    const wrong = { page_id: pageIds[0], ...points('Q3', { max: 130 }) };
    const refused = await admin.post(`/api/surveys/${surveyId}/questions`, wrong).expect(400);
    expect(refused.body.details).toContainEqual({
      field: 'question_settings.max',
      message: 'must be at most total (100), not 130',
    });
  });

  test('evaluates logic and pipes by item, and offers the items of an earlier question', async () => {
    const { admin } = organization;
    const carry = { logic: { carry_forward: { from: 'Q1', mode: 'selected' } } };
    const display = { left: { code: 'Q1', row_code: '1' }, operator: 'gte', right: 50 };
    const { linkToken, surveyId } = await publishedSurvey(admin, [
      [points('Q1', { min: 0, max: 80 })],
      [
        choice('Q2', { question_required: true, question_settings: { logic: { display } } }),
        points('Q3', { ...carry, total: 10, max: 6 }, { question_required: true }),
      ],
    ]);
    const submit = (answers: object) =>
      anonymous(app).post(`/api/public/s/${linkToken}/responses`, { status: 'complete', answers });
    const missing = await submit({ Q1: { '1': 60, '2': 40 }, Q3: { '1': 5, '2': 5 } }).expect(400);
    expect(missing.body.details.map(({ field }: { field: string }) => field)).toEqual(['answers.Q2']);
    const wrong = await submit({ Q1: { '1': 40, '2': 60 }, Q3: { '1': 4, '3': 6 } }).expect(400);
    expect(wrong.body.details).toEqual([{ field: 'answers.Q3', message: 'must add up to 10, not 4' }]);
    await submit({ Q1: { '1': 40, '2': 60 }, Q3: { '1': 4, '2': 6 } }).expect(201);
    const [stored] = await readStoredResponses(app, surveyId);
    expect(stored!.answers).toEqual({
      Q1: { '1': 40, '2': 60, '3': 0 },
      Q3: { '1': 4, '2': 6 },
    });
  });

  test('is filled with test responses that add up', async () => {
    const { admin } = organization;
    const { surveyId } = await publishedSurvey(admin, [[points('Q1', { total: 10, decimals: 2, min: 1 })]]);
    await admin.post(`/api/responses/${surveyId}/seed`, { count: 40, seed: 7 });
    const stored = await readStoredResponses(app, surveyId);
    expect(stored).toHaveLength(40);
    const sums = stored.flatMap(({ answers }) =>
      answers.Q1 === null
        ? []
        : Object.values(answers.Q1 as Record<string, number>).reduce((sum, value) => sum + value, 0),
    );
    expect(sums.length).toBeGreaterThan(30);
    for (const sum of sums) expect(sum).toBeCloseTo(10, 10);
  });
});
