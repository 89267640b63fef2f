import { describe, expect, test } from 'vitest';
import { useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { newDashboard } from '../../support/dashboards.ts';
import { choice, multiple, number } from '../../support/questions.ts';
import { publishedSurvey } from '../../support/surveys.ts';

const app = useApp();
const author = useOrganization(app).admin;

const options = (values: readonly string[], missing = '') =>
  values.map((option_value) => ({
    option_label: `Option ${option_value}`,
    option_value,
    option_missing: option_value === missing,
  }));

async function collect(pages: object[] | object[][], answers: object[]) {
  const survey = await publishedSurvey(author, pages as object[][]);
  const rows = answers.map((each) => ({ answers: each }));
  const { body } = await author.post(`/api/responses/${survey.surveyId}/rows`, { rows }).expect(201);
  return { ...survey, added: body.data };
}
async function chartOf(surveyId: number, chart: object) {
  const { at } = await newDashboard(author);
  const reply = await author.post(`${at}/chart-data`, { survey_id: surveyId, ...chart }).expect(200);
  return reply.body.data;
}
const codesOf = (notes: { code: string }[]) => notes.map(({ code }) => code);

describe('charts', () => {
  test('of slices say that several answers add up to more than 100%', async () => {
    const { surveyId } = await collect(
      [[multiple('M', { options: options(['1', '2']) })]],
      [{ M: ['1', '2'] }, { M: ['1'] }, { M: ['2', '1'] }],
    );
    const pie = { chart_type: 'pie', dimension: 'M', aggregation: 'percent' };
    expect(codesOf((await chartOf(surveyId, pie)).notes)).toContain('parts_overlap');
    const bar = { chart_type: 'bar', dimension: 'M', aggregation: 'percent' };
    expect(codesOf((await chartOf(surveyId, bar)).notes)).not.toContain('parts_overlap');
  });

  test.each(['gauge', 'kpi'])(
    'of type %s have no figure for an option that is outside the base',
    async (chart_type) => {
      const { surveyId } = await collect(
        [[choice('Q1', { options: options(['1', '2', '9'], '9') })]],
        [{ Q1: '1' }, { Q1: '9' }, { Q1: '9' }],
      );
      const percentOf = (value: string[], base = 'answering') =>
        chartOf(surveyId, {
          chart_type,
          dimension: 'Q1',
          options: { base },
          aggregation: { function: 'percent', value },
        });
      const outside = await percentOf(['9']);
      expect(outside.series[0].values).toEqual([null]);
      expect(codesOf(outside.notes)).toContain('outside_base');
      expect((await percentOf(['1'])).series[0].values).toEqual([100]);
      expect((await percentOf(['9'], 'shown')).series[0].values[0]).toBeCloseTo(66.667, 2);
    },
  );

  test('and tables say how many responses lack a weight', async () => {
    const { surveyId } = await collect(
      [[choice('Q1'), choice('Q2')]],
      Array.from({ length: 40 }, (_, index) => ({
        Q1: String(1 + (index % 2)),
        Q2: String(1 + (index % 3)),
      })),
    );
    const targets = ['1', '2'].map((value) => ({ value, target: 50 }));
    const weight = { name: 'W', column_code: 'W', dimensions: [{ column_code: 'Q1', targets }] };
    await author.post(`/api/responses/${surveyId}/weighting/create`, weight).expect(201);
    await author
      .post(`/api/responses/${surveyId}/rows`, { rows: [{ answers: { Q1: '1', Q2: '2' } }] })
      .expect(201);
    const chart = { chart_type: 'bar', dimension: 'Q2', aggregation: 'percent', weight_column: 'W' };
    expect((await chartOf(surveyId, chart)).notes).toContainEqual({
      code: 'without_weight',
      message: '1 response has no weight and is left out.',
    });
    const table = { rows: ['Q2'], columns: ['Q1'], weight_column: 'W' };
    const reply = await author.post(`/api/responses/${surveyId}/crosstab`, table).expect(200);
    expect(codesOf(reply.body.data.tables[0].notes)).toContain('without_weight');
  });
});

test('a scale keeps its points once there are responses', async () => {
  const scale = {
    question_type: 'scale',
    question_code: 'S',
    question_text: 'How good?',
    question_settings: { min: 1, max: 5 },
  };
  const { surveyId } = await collect([[scale]], [{ S: 5 }, { S: 4 }]);
  const survey = await author.get(`/api/surveys/${surveyId}`).expect(200);
  const at = `/api/surveys/${surveyId}/questions/${survey.body.data.questions[0].question_id}`;
  for (const settings of [{ max: 3 }, { min: 2 }, { step: 2 }]) {
    const refused = await author.put(at, { question_settings: settings }).expect(409);
    expect(refused.body.code).toBe('fixed_by_data');
    expect(refused.body.details[0].field).toBe(`question_settings.${Object.keys(settings)[0]}`);
  }
  await author.put(at, { question_settings: { max: 7 } }).expect(200);
});

test('answers that the logic leaves out are listed', async () => {
  const shown = { display: { left: { code: 'Q1' }, operator: 'equals', right: '1' } };
  const { added } = await collect(
    [[choice('Q1')], [number('Q2', { question_settings: { logic: shown } })]],
    [
      { Q1: '1', Q2: 5 },
      { Q1: '2', Q2: 7 },
    ],
  );
  expect(added).toMatchObject({ created: 2, errors: [] });
  expect(added.dropped).toEqual([
    {
      index: 1,
      details: [{ field: 'rows[1].answers.Q2', message: expect.stringContaining('not stored') as string }],
    },
  ]);
});
