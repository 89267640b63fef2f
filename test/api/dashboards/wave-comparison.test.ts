import { beforeAll, describe, expect, it } from 'vitest';
import { type Actor, anonymous, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { addChart, type TestDashboard, newDashboard, share } from '../../support/dashboards.ts';
import { choice, number } from '../../support/questions.ts';
import { publishedSurvey } from '../../support/surveys.ts';
import { createWave } from '../../support/waves.ts';

const app = useApp();
const organization = useOrganization(app);
const { admin } = organization;
let visitor: Actor;
let surveyId: number;
let board: TestDashboard;

/** How many of the 100 respondents of each wave chose the first option. */
const FIRST = { Spring: 50, Summer: 62, Autumn: 70 };

beforeAll(async () => {
  visitor = anonymous(app);
  ({ surveyId } = await publishedSurvey(admin, [[choice('Q1'), number('Q2')]]));
  for (const [wave_name, first] of Object.entries(FIRST)) {
    const { wave_id: waveId } = await createWave(admin, surveyId, { wave_name });
    // Q2 is 1 or 3, so the mean of a wave is 3 minus twice the share of the first option.
    await app.database.db.raw(
      `INSERT INTO responses (survey_id, response_token, response_status, survey_version, wave_id, answers)
       SELECT ?, md5(random()::text), 'complete', 1, ?,
         CASE WHEN n <= ? THEN '{"Q1": "1", "Q2": 1}'::jsonb ELSE '{"Q1": "2", "Q2": 3}'::jsonb END
       FROM generate_series(1, 100) AS n`,
      [surveyId, waveId, first],
    );
  }
  board = await newDashboard(admin);
});

const getFigures = async (config: object) =>
  (await admin.post(`${board.at}/chart-data`, { survey_id: surveyId, ...config }).expect(200)).body.data;

// Calculated by hand: the pooled z of 50 and 62 of 100 is 1.71 (90%), of 50 and 70 it is 2.89 (95%), of 62 and 70 it is 1.19.
describe('compared waves', () => {
  it('get letters for significantly different percentages', async () => {
    const { series, series_by } = await getFigures({
      chart_type: 'bar',
      dimension: 'Q1',
      series: 'wave_id',
      aggregation: 'percent',
      compare: { letters: true, level: 0.9 },
    });
    expect(series_by.column_code).toBe('wave_id');
    const summary = series.map(({ name, values, letters }: Record<string, unknown[]>) => [
      name,
      values!.slice(0, 2),
      letters!.slice(0, 2),
    ]);
    expect(summary).toEqual([
      ['Spring', [50, 50], [[], ['b', 'C']]],
      ['Summer', [62, 38], [['a'], []]],
      ['Autumn', [70, 30], [['A'], []]],
    ]);
  });

  it('get letters for significantly different means', async () => {
    const { categories, series } = await getFigures({
      chart_type: 'line',
      dimension: 'wave_id',
      aggregation: { function: 'mean', column_code: 'Q2' },
      compare: { letters: true },
    });
    expect(categories.map(({ label }: { label: string }) => label)).toEqual(['Spring', 'Summer', 'Autumn']);
    expect(series).toHaveLength(1);
    expect(series[0].values).toEqual([2, 1.76, 1.6]);
    expect(series[0].letters).toEqual([['C'], [], []]);
  });
});

describe('a response counted on a public dashboard', () => {
  it('disappears as soon as it is deleted', async () => {
    await addChart(admin, board, 'bar', { survey_id: surveyId, dimension: 'Q1' });
    await share(admin, board, { share_type: 'public' });
    const path = `/api/public/d/${organization.slug}/${board.slug}?figures=true`;
    const counts = async () =>
      (await visitor.get(path).expect(200)).body.data.figures[0].series[0].counts.slice(0, 2);
    expect(await counts()).toEqual([182, 118]);
    const deleted = { action: 'delete', filter: { Q1: ['2'] } };
    await admin.post(`/api/responses/${surveyId}/bulk`, deleted).expect(200);
    expect(await counts()).toEqual([182, 0]);
  });
});
