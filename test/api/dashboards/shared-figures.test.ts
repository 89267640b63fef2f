import { describe, expect, test, vi } from 'vitest';
import { SharedSuppression } from '../../../src/domain/charts/disclosure/shared-suppression.ts';
import { anonymous, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { addChart, newDashboard, share } from '../../support/dashboards.ts';
import { choice } from '../../support/questions.ts';
import { publishedSurvey } from '../../support/surveys.ts';

const app = useApp();
const organization = useOrganization(app);
const author = organization.admin;

/** A survey with the same responses as every other one of this file. */
async function createSurvey(): Promise<number> {
  const options = ['1', '2', '3'].map((value) => ({ option_value: value, option_label: `Option ${value}` }));
  const survey = await publishedSurvey(author, [
    [
      choice('GROUP', { options }),
      { question_type: 'nps', question_code: 'SCORE', question_text: 'Would you recommend us?' },
      { ...choice('USES', { options }), question_type: 'multiple_choice' },
      { ...choice('ORDER', { options }), question_type: 'ranking' },
    ],
  ]);
  const rows = Array.from({ length: 70 }, (_, i) => ({
    answers: {
      GROUP: String(1 + (i % 7 === 0 ? 2 : i % 2)),
      SCORE: (i * i) % 11,
      USES: i % 5 === 0 ? ['1', '3'] : i % 3 === 0 ? ['2'] : ['1'],
      ORDER: i % 6 === 0 ? ['3', '1', '2'] : ['1', '2', '3'],
    },
  }));
  await author.post(`/api/responses/${survey.surveyId}/rows`, { rows }).expect(201);
  return survey.surveyId;
}

const ELEMENTS: [type: string, config: object][] = [
  ['bar', { dimension: 'GROUP' }],
  ['bar', { dimension: 'SCORE' }],
  ['bar', { dimension: 'SCORE', series: 'GROUP' }],
  ['bar', { dimension: 'GROUP', aggregation: { function: 'mean', column_code: 'SCORE' } }],
  ['bar', { dimension: 'GROUP', aggregation: { function: 'nps', column_code: 'SCORE' } }],
  ['kpi', { dimension: 'SCORE', aggregation: { function: 'top_box', n: 2 } }],
  ['bar', { dimension: 'USES', series: 'GROUP' }],
  ['bar', { dimension: 'ORDER' }],
  ['variable', { dimension: 'SCORE', variable: { metric: 'mean', column_code: 'SCORE' } }],
];

/** A public dashboard with the elements; returns its path and their ids. */
async function createBoard(): Promise<{ path: string; ids: number[]; survey_id: number }> {
  const survey_id = await createSurvey();
  const board = await newDashboard(author);
  const ids: number[] = [];
  for (const [type, config] of ELEMENTS)
    ids.push(await addChart(author, board, type, { survey_id, ...config }));
  await share(author, board, { share_type: 'public' });
  return { path: `/api/public/d/${organization.slug}/${board.slug}`, ids, survey_id };
}

type Figures = Record<string, unknown>;
/** Without what tells surveys and elements apart. */
const valuesOf = (figures: Figures[]): Figures[] =>
  figures.map((figure) =>
    Object.fromEntries(
      Object.entries(figure).filter(([key]) => !['chart_id', 'data_version', 'dimension'].includes(key)),
    ),
  );

describe('elements of a public dashboard', () => {
  test('have the same figures when they are loaded one by one and as a whole, from one computation each', async () => {
    const resolve = vi.spyOn(SharedSuppression.prototype, 'resolve');
    try {
      const visitor = anonymous(app);
      const [single, whole] = [await createBoard(), await createBoard()];
      const load = (chart_id: number) => visitor.post(`${single.path}/chart-data`, { chart_id }).expect(200);
      // At the same time, as a browser does.
      const replies = await Promise.all(single.ids.map(load));
      const one = replies.map(({ body }) => body.data as Figures);
      expect(resolve).toHaveBeenCalledTimes(1);
      const reply = await visitor.get(`${whole.path}?figures=true`).expect(200);
      const all = reply.body.data.figures as Figures[];
      expect(resolve).toHaveBeenCalledTimes(2);
      expect(valuesOf(one)).toEqual(valuesOf(all));
      expect(one.filter(({ suppressed }) => suppressed === true).length).toBeGreaterThan(2);

      // Neither is computed again, until the responses change.
      await Promise.all(single.ids.map(load));
      expect(resolve).toHaveBeenCalledTimes(2);
      await author
        .post(`/api/responses/${single.survey_id}/rows`, { rows: [{ answers: { GROUP: '3', SCORE: 1 } }] })
        .expect(201);
      await Promise.all(single.ids.map(load));
      expect(resolve).toHaveBeenCalledTimes(3);
    } finally {
      resolve.mockRestore();
    }
  });
});
