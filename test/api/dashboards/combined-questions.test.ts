import { beforeAll, describe, expect, test } from 'vitest';
import { useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { addChart, newDashboard, type TestDashboard } from '../../support/dashboards.ts';
import { multiple } from '../../support/questions.ts';
import { type PublishedSurvey, publish, draftSurvey } from '../../support/surveys.ts';

const app = useApp();
const organization = useOrganization(app);
let survey: Pick<PublishedSurvey, 'surveyId' | 'questionIds'>;
let board: TestDashboard;

const options = (...labels: string[]) =>
  labels.map((option_label, index) => ({ option_label, option_value: String(index + 1) }));
const KNOWN = { ...multiple('KNOWN'), options: options('Alba', 'Borea') };
const LIKE = {
  question_type: 'scale',
  question_code: 'LIKE',
  question_text: 'How much do you like {{item.label}}?',
  question_settings: { min: 1, max: 3 },
};
const SPENT = { question_type: 'number', question_code: 'SPENT', question_text: 'Spent on {{item.label}}' };
const WHY = { question_type: 'text', question_code: 'WHY', question_text: 'Why {{item.label}}?' };
const TABLE = {
  question_type: 'side_by_side',
  question_code: 'T',
  question_text: 'Where do you drink coffee?',
  question_settings: {
    rows: [
      { row_code: 'home', row_label: 'At home' },
      { row_code: 'work', row_label: 'At work' },
    ],
    columns: [
      {
        column_code: 'often',
        column_label: 'How often?',
        column_type: 'single_choice',
        options: options('Daily', 'Rarely'),
      },
      { column_code: 'cups', column_label: 'Cups', column_type: 'number' },
      { column_code: 'note', column_label: 'Note', column_type: 'text' },
    ],
  },
};

const ANSWERS = [
  {
    KNOWN: ['1', '2'],
    'LIKE[1]': 3,
    'LIKE[2]': 1,
    'SPENT[1]': 4,
    'SPENT[2]': 2,
    T_often_home: '1',
    T_cups_home: 3,
  },
  {
    KNOWN: ['1', '2'],
    'LIKE[1]': 3,
    'LIKE[2]': 2,
    'SPENT[1]': 8,
    T_often_home: '1',
    T_often_work: '2',
    T_cups_work: 1,
  },
  { KNOWN: ['1'], 'LIKE[1]': 1, 'SPENT[1]': 3, T_often_home: '2', T_cups_home: 2 },
];

beforeAll(async () => {
  const { admin } = organization;
  const draft = await draftSurvey(admin, {
    blocks: [{ block_code: 'BRAND', block_loop: { question_code: 'KNOWN' } }],
    pages: [
      { questions: [KNOWN] },
      { block_code: 'BRAND', questions: [LIKE, SPENT, WHY] },
      { questions: [TABLE] },
    ],
  });
  await publish(admin, draft.surveyId);
  survey = draft;
  await admin
    .post(`/api/responses/${survey.surveyId}/rows`, { rows: ANSWERS.map((answers) => ({ answers })) })
    .expect(201);
  board = await newDashboard(admin);
});

/** Labels of the categories and values of each series of a chart. */
async function chart(type: string, dimension: object | string, more: object = {}) {
  const { admin } = organization;
  const id = await addChart(admin, board, type, { survey_id: survey.surveyId, dimension, ...more });
  const { body } = await admin.post(`${board.at}/chart-data`, { chart_id: id }).expect(200);
  return {
    categories: body.data.categories.map(({ label }: { label: string }) => label),
    series: body.data.series.map(({ name, values }: { name: string; values: number[] }) => [name, ...values]),
  };
}

describe('a chart of a question in a loop', () => {
  test('shows the answers for each item, by question or by code', async () => {
    const expected = {
      categories: ['Alba', 'Borea'],
      series: [
        ['1', 100 / 3, 50],
        ['2', 0, 50],
        ['3', 200 / 3, 0],
      ],
    };
    expect(await chart('stacked-bar', { question_id: survey.questionIds.LIKE })).toEqual(expected);
    expect(await chart('stacked-bar', 'LIKE')).toEqual(expected);
  });

  test('shows means of points and of numbers', async () => {
    const points = await chart('bar', 'LIKE', { aggregation: { function: 'mean' } });
    // R: mean(c(3, 3, 1)); mean(c(1, 2))
    expect(points.series[0].slice(1)).toEqual([7 / 3, 1.5]);
    const numbers = await chart('horizontal-bar', 'SPENT');
    // R: mean(c(4, 8, 3)); mean(2)
    expect(numbers.categories).toEqual(['Alba', 'Borea']);
    expect(numbers.series[0].slice(1)).toEqual([5, 2]);
  });

  test('is refused where the items have texts', async () => {
    const { body } = await organization.admin
      .post(`${board.at}/charts`, {
        page_id: board.pageId,
        chart_type: 'table',
        chart_config: { survey_id: survey.surveyId, dimension: { question_id: survey.questionIds.WHY } },
      })
      .expect(400);
    expect(body.details[0].field).toMatch(/dimension/);
  });
});

describe('a chart of a column of a side-by-side table', () => {
  test('shows the answers in each row', async () => {
    expect(await chart('stacked-bar', 'T_often')).toEqual({
      categories: ['At home', 'At work'],
      series: [
        ['Daily', 200 / 3, 0],
        ['Rarely', 100 / 3, 100],
      ],
    });
    const cups = await chart('horizontal-bar', { column_code: 'T_cups' });
    // R: mean(c(3, 2)); mean(1)
    expect(cups.series[0].slice(1)).toEqual([2.5, 1]);
  });
});
