import { describe, expect, test } from 'vitest';
import { useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { exportResponses } from '../../support/file-transfer.ts';
import { newDashboard } from '../../support/dashboards.ts';
import { choice, multiple } from '../../support/questions.ts';
import { readSav } from '../../support/sav-reader.ts';
import { publishedSurvey } from '../../support/surveys.ts';

const app = useApp();
const author = useOrganization(app).admin;

const options = (values: readonly string[], missing: readonly string[] = ['dk']) =>
  values.map((option_value) => ({
    option_label: `Option ${option_value}`,
    option_value,
    option_missing: missing.includes(option_value),
  }));
const rating = (question_code: string, values: readonly string[]) =>
  choice(question_code, { options: options(values), question_settings: { measure: 'ordinal' } });
const TENS = Array.from({ length: 11 }, (_, point) => String(point));
const HALVES = ['0.5', '1', '1.5', '2'];

async function collect(questions: object[], answers: object[]) {
  const { surveyId } = await publishedSurvey(author, [questions]);
  const rows = answers.map((each) => ({ answers: each }));
  await author.post(`/api/responses/${surveyId}/rows`, { rows }).expect(201);
  return surveyId;
}
const distributionOf = async (surveyId: number, column: string, query = '') =>
  (await author.get(`/api/responses/${surveyId}/distribution/${column}${query}`).expect(200)).body.data;
const fileOf = async (surveyId: number, format: string, columns?: string[]) =>
  (await exportResponses(author, surveyId, { format, ...(columns && { columns }) })).file;
const csvOf = async (surveyId: number, columns?: string[]) =>
  (await fileOf(surveyId, 'csv', columns)).toString();
const savOf = async (surveyId: number, columns?: string[]) =>
  readSav(await fileOf(surveyId, 'spss', columns));
const countMatching = async (surveyId: number, filter: unknown) => {
  const text = encodeURIComponent(typeof filter === 'string' ? filter : JSON.stringify(filter));
  const reply = await author.get(`/api/responses/${surveyId}/grid?filter=${text}`).expect(200);
  return (reply.body.data.rows as unknown[]).length;
};

describe('figures of options with numeric values', () => {
  test('use the values where one option is a word', async () => {
    const answers = [...TENS.map((Q1) => ({ Q1 })), { Q1: 'dk' }];
    const surveyId = await collect([rating('Q1', [...TENS, 'dk'])], answers);
    const { stats, categories, notes } = await distributionOf(surveyId, 'Q1');
    // R: mean(0:10) = 5, sd(0:10) = 3.316625
    expect(stats).toMatchObject({ mean: 5, median: 5, min: 0, max: 10 });
    expect(stats.sd).toBeCloseTo(3.3166247903554, 10);
    expect(categories.map((each: { code: number }) => each.code)).toEqual([...TENS.map(Number), 11]);
    expect(notes).toEqual([]);
  });

  test('are the same in distribution, chart, crosstab, matrix and computed column', async () => {
    const values = ['5', '1', 'dk', '4'];
    const matrix = {
      ...rating('G', values),
      question_type: 'matrix',
      question_settings: { rows: [{ row_code: 'r1', row_label: 'Row' }] },
    };
    const answers = ['5', '5', '5', '1', 'dk'].map((value) => ({ Q1: value, G: { r1: value } }));
    const surveyId = await collect([rating('Q1', values), matrix], answers);
    for (const column of ['Q1', 'G_r1'])
      expect((await distributionOf(surveyId, column)).stats.mean, column).toBe(4);
    const table = await author
      .post(`/api/responses/${surveyId}/crosstab`, { rows: ['Q1'], columns: [] })
      .expect(200);
    expect(table.body.data.tables[0].mean.total.mean).toBe(4);
    const box = {
      survey_id: surveyId,
      chart_type: 'kpi',
      dimension: 'Q1',
      aggregation: { function: 'top_box' },
    };
    const board = await newDashboard(author);
    const chart = await author.post(`${board.at}/chart-data`, box).expect(200);
    // Of the points 1, 4 and 5, three of four respondents gave one of the two highest.
    expect(chart.body.data.series[0].values[0]).toBe(75);
    const column = { column_code: 'double', expression: 'Q1 * 2' };
    await author.post(`/api/responses/${surveyId}/computed-columns`, column).expect(201);
    expect((await distributionOf(surveyId, 'double')).stats.mean).toBe(8);
  });

  test('can be halves, in expressions, trees and files too', async () => {
    const surveyId = await collect(
      [rating('frac', HALVES)],
      ['0.5', '1.5', '1.5', '2'].map((frac) => ({ frac })),
    );
    const { stats, notes } = await distributionOf(surveyId, 'frac');
    expect(stats.mean).toBe(1.375);
    expect(notes).toEqual([
      { code: 'numbers_are_values', message: expect.stringContaining('"0.5" is 0.5') as string },
    ]);
    expect(await countMatching(surveyId, 'frac = 1.5')).toBe(2);
    expect(await countMatching(surveyId, 'frac in (0.5, 2)')).toBe(2);
    expect(await countMatching(surveyId, 'frac > 1')).toBe(3);
    expect(await countMatching(surveyId, { left: { code: 'frac' }, operator: 'gt', right: 1 })).toBe(3);
    expect(await countMatching(surveyId, { left: { code: 'frac' }, operator: 'equals', right: 1.5 })).toBe(2);
    const csv = await csvOf(surveyId, ['frac']);
    expect(csv.trim().split('\r\n')).toEqual(['frac', '0.5', '1.5', '1.5', '2']);
    const sav = await savOf(surveyId, ['frac']);
    expect(sav.rows).toEqual([[0.5], [1.5], [1.5], [2]]);
  });

  test('are numbers beyond 32 bits', async () => {
    const surveyId = await collect(
      [rating('big', ['10000000000', '1'])],
      [{ big: '10000000000' }, { big: '1' }],
    );
    expect((await distributionOf(surveyId, 'big')).stats.max).toBe(1e10);
  });
});

test('an option value can be sent as a number with a fraction, and a code that is taken is refused', async () => {
  const survey = await publishedSurvey(author, [[choice('Q1')]]);
  const question = {
    ...choice('Q2', { options: [{ option_label: 'Half', option_value: 0.5, option_code: 8 }] }),
    page_id: survey.pageIds[0],
  };
  const created = await author.post(`/api/surveys/${survey.surveyId}/questions`, question).expect(201);
  expect(created.body.data.options[0]).toMatchObject({ option_value: '0.5', option_code: 8 });
  const taken = [
    { option_label: 'a', option_code: 2 },
    { option_label: 'b', option_code: 2 },
  ];
  const refused = await author
    .post(`/api/surveys/${survey.surveyId}/questions`, { ...question, question_code: 'Q3', options: taken })
    .expect(400);
  expect(refused.body.details[0].field).toBe('options[1].option_code');
});

describe('a multiple choice with an option that is flagged as missing', () => {
  const SETS = [['1'], ['1', '2'], ['2'], ['1'], ['1', '2'], [], ...Array.from({ length: 6 }, () => ['dk'])];

  test('has the same base as a set and as 0/1 columns, in figures and files', async () => {
    const surveyId = await collect(
      [multiple('M', { options: options(['1', '2', 'dk']) })],
      SETS.map((M) => ({ M })),
    );
    const set = await distributionOf(surveyId, 'M');
    const flag = await distributionOf(surveyId, 'M_1');
    expect([set.base, flag.base]).toEqual([6, 6]);
    expect(flag.missing.option_missing).toBe(6);
    expect(set.categories[0].percent).toBeCloseTo(66.666667, 5);
    expect(flag.categories[1].percent).toBeCloseTo(66.666667, 5);
    expect((await distributionOf(surveyId, 'M_3')).base).toBe(12);
    expect(await countMatching(surveyId, 'M_1 = 0')).toBe(2);
    expect(await countMatching(surveyId, { left: { code: 'M_1' }, operator: 'equals', right: 0 })).toBe(2);
    const columns = ['M_1', 'M_2', 'M_3'];
    const csv = await csvOf(surveyId, columns);
    expect(csv.trim().split('\r\n').slice(-2)).toEqual([',,1', ',,1']);
    expect(csv.trim().split('\r\n')[6]).toBe('0,0,0');
    const sav = await savOf(surveyId, columns);
    expect(sav.rows.at(-1)).toEqual([null, null, 1]);
  });

  test('of a matrix has missing 0/1 columns only in the rows where nothing else is chosen', async () => {
    const matrix = {
      question_code: 'G',
      question_type: 'matrix',
      question_text: 'Grid',
      question_settings: {
        matrix_type: 'multiple',
        rows: ['r1', 'r2'].map((row_code) => ({ row_code, row_label: row_code })),
      },
      options: options(['1', '2', 'dk']),
    };
    const surveyId = await collect(
      [matrix],
      [{ G: { r1: ['dk'], r2: ['1', 'dk'] } }, { G: { r1: ['2'], r2: [] } }],
    );
    const csv = await csvOf(surveyId);
    expect(csv).toContain(',,1,1,0,1');
    expect((await distributionOf(surveyId, 'G_r1_1')).base).toBe(1);
    expect((await distributionOf(surveyId, 'G_r2_1')).base).toBe(2);
  });
});
