import { beforeAll, describe, expect, test } from 'vitest';
import { useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { newDashboard } from '../../support/dashboards.ts';
import { multiple } from '../../support/questions.ts';
import { expectRefused } from '../../support/refusals.ts';
import { publishedSurvey } from '../../support/surveys.ts';

const app = useApp();
const author = useOrganization(app).admin;
let surveyId: number;
let genderId: number;
let at: string;

beforeAll(async () => {
  const gender = {
    question_type: 'single_choice',
    question_code: 'gender',
    options: [
      { option_label: 'Male', option_value: 'm' },
      { option_label: 'Female', option_value: 'f' },
      { option_label: 'Other', option_value: 'o1' },
      { option_label: 'Other', option_value: 'o2' },
    ],
  };
  const created = await publishedSurvey(author, [[gender, multiple('Q2')]]);
  ({ surveyId } = created);
  genderId = created.questionIds.gender!;
  at = `/api/responses/${surveyId}`;
  const rows = ['m', 'f', 'f', 'o1'].map((value) => ({ answers: { gender: value, Q2: ['1', '2'] } }));
  await author.post(`${at}/rows`, { rows }).expect(201);
});

const countResponses = async (filters: unknown): Promise<number> => {
  const { body } = await author.post(`${at}/crosstab`, { rows: ['Q2'], filters }).expect(200);
  return body.data.counted.responses;
};

describe('a filter', () => {
  test.each<[string, () => unknown]>([
    ['a label as a value of the short form', () => ({ gender: ['Female'] })],
    ['a label in another case', () => ({ gender: 'female' })],
    ['a label in a comparison', () => ({ left: { code: 'gender' }, operator: 'equals', right: 'Female' })],
    ['a question id as the key of the short form', () => ({ [genderId]: ['f'] })],
    ['question_id in a comparison', () => ({ question_id: genderId, operator: 'in', right: ['Female'] })],
    [
      'question_id on the left side',
      () => ({ left: { question_id: genderId }, operator: 'equals', right: 'f' }),
    ],
    ['an expression with a label', () => 'gender = "Female"'],
    ['an expression with a list of labels', () => 'gender in ("Female", "f")'],
    ['an expression with a code', () => 'gender = 2'],
  ])('accepts %s', async (_, filter) => {
    expect(await countResponses(filter())).toBe(2);
  });

  test('null counts all responses', async () => {
    expect(await countResponses(null)).toBe(4);
    await author.post(`${at}/export`, { format: 'csv', filter: null, filters: null }).expect(200);
    await author.get(`${at}/grid?filter=null`).expect(200);
    const { at: dashboard } = await newDashboard(author);
    const chart = { survey_id: surveyId, question_id: genderId, chart_type: 'bar', filters: null };
    const { body } = await author.post(`${dashboard}/chart-data`, chart).expect(200);
    expect(body.data.base.unweighted).toBe(4);
    const chartFilter = { ...chart, filters: { [genderId]: 'Female' }, filter: null };
    const narrowed = await author.post(`${dashboard}/chart-data`, chartFilter).expect(200);
    expect(narrowed.body.data.base.unweighted).toBe(2);
    expect(narrowed.body.data.filters_applied).toMatchObject([{ column_code: 'gender', values: ['f'] }]);
  });

  test('accepts ids and labels in the grid and the distribution', async () => {
    const query = `filters=${encodeURIComponent(JSON.stringify({ [genderId]: ['Female'] }))}`;
    const { body } = await author.get(`${at}/grid?${query}`).expect(200);
    expect(body.data.rows).toHaveLength(2);
    const figures = await author.get(`${at}/distribution/Q2_1?${query}`).expect(200);
    expect(figures.body.data.counted.responses).toBe(2);
  });

  test.each<[string, unknown, string, string]>([
    ['an ambiguous label', { gender: ['Other'] }, 'filters.gender', '"o1", "o2"'],
    [
      'an unknown question id',
      { 99999: ['1'] },
      'filters.99999',
      'question "99999" does not exist in this survey',
    ],
    ['an ambiguous label in an expression', 'gender = "Other"', 'filters', '"o1", "o2"'],
    ['an unknown label', 'gender = "Femal"', 'filters', 'accepted: "Male", "Female"'],
  ])('rejects %s with the available options', async (_, filters, field, message) => {
    const { details } = await expectRefused(author.post(`${at}/crosstab`, { rows: ['Q2'], filters }), 400);
    expect(details[0]!.message).toContain(message);
    expect(details[0]!.field).toBe(field);
  });

  test('null selects no responses for a bulk change', async () => {
    await expectRefused(author.post(`${at}/bulk`, { action: 'flag', filter: null }), 400);
  });
});
