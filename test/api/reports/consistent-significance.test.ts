import { beforeAll, expect, test } from 'vitest';
import { useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { type TestDashboard, newDashboard } from '../../support/dashboards.ts';
import { deckOf } from '../../support/report-deck.ts';
import { choice } from '../../support/questions.ts';
import { publishedSurvey } from '../../support/surveys.ts';

const app = useApp();
const organization = useOrganization(app);
const { admin } = organization;
let surveyId: number;
let board: TestDashboard;

/** By group: the number of top-two ratings and the number of answers. */
const TOP = { 1: [39, 40], 2: [552, 600] } as const;

beforeAll(async () => {
  const rating = {
    question_type: 'scale',
    question_code: 'rating',
    question_text: 'How good was it?',
    question_settings: { min: 1, max: 5 },
  };
  ({ surveyId } = await publishedSurvey(admin, [[choice('group'), rating]]));
  const rows = Object.entries(TOP).flatMap(([group, [top, of]]) =>
    Array.from({ length: of }, (_, index) => ({
      answers: { group, rating: index < top ? 4 + (index % 2) : 2 },
    })),
  );
  await admin.post(`/api/responses/${surveyId}/rows`, { rows }).expect(201);
  board = await newDashboard(admin);
});

const chart = () => ({
  survey_id: surveyId,
  dimension: 'group',
  aggregation: { function: 'top_box', column_code: 'rating', n: 2 },
  compare: { letters: true, level: 0.9 },
});
const nets = [{ column_code: 'rating', label: 'Top 2', values: ['4', '5'] }];

test('uses the same significance test in crosstabs, dashboards and reports (39 of 40 against 552 of 600: p = .206)', async () => {
  const request = { rows: ['rating'], columns: ['group'], nets, statistics: 'all' };
  const { body } = await admin.post(`/api/responses/${surveyId}/crosstab`, request).expect(200);
  const net = body.data.tables[0].rows.at(-1);
  // prop.test(c(39, 552), c(40, 600), correct = FALSE): X-squared is t²
  expect(net.tests[0]).toMatchObject({ columns: ['A', 'B'], t: expect.closeTo(1.266679, 6), df: 638 });
  expect(net.tests[0].p_value).toBeCloseTo(0.206, 3);
  expect(
    net.cells.slice(0, 2).map(({ column_percent: percent }: { column_percent: number }) => percent),
  ).toEqual([97.5, 92]);
  expect(net.cells.flatMap(({ letters }: { letters: string[] }) => letters)).toEqual([]);

  const reply = await admin
    .post(`${board.at}/chart-data`, { chart_type: 'bar', chart_config: chart() })
    .expect(200);
  const [series] = reply.body.data.series;
  expect(series.values.slice(0, 2)).toEqual([97.5, 92]);
  expect(series.letters.flat()).toEqual([]);

  const [slide, table] = await deckOf(app, organization, [
    { slide_type: 'chart', slide_content: { charts: [{ chart_type: 'bar', chart_config: chart() }] } },
    {
      slide_type: 'table',
      slide_content: { survey_id: surveyId, rows: ['rating'], columns: ['group'], nets },
    },
  ]);
  if (slide?.type !== 'chart' || table?.type !== 'table') throw new Error('a slide is of another type');
  const { figures } = slide.charts[0]!;
  if (!('series' in figures) || !('rows' in table.table)) throw new Error('a slide has no figures');
  const [drawn] = figures.series;
  expect(drawn!.values.slice(0, 2)).toEqual([97.5, 92]);
  expect(drawn!.letters!.flat()).toEqual([]);
  const row = table.table.rows.find(({ label }) => label === 'Top 2')!;
  expect(row.cells.map(({ text, letters }) => [text, letters]).slice(1, 3)).toEqual([
    ['98%', ''],
    ['92%', ''],
  ]);
});
