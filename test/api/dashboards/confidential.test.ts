import { beforeEach, describe, expect, it } from 'vitest';
import { type Actor, anonymous, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { addChart, type TestDashboard, newDashboard, share } from '../../support/dashboards.ts';
import { choice, number } from '../../support/questions.ts';
import { expectInvalidField } from '../../support/refusals.ts';
import { publishedSurvey } from '../../support/surveys.ts';

const app = useApp();
const organization = useOrganization(app);
const { admin } = organization;

/** Departments 1 to 3 have equal pay. In department 4, one respondent of gender 2 earns three times the sum of the other five. */
const ROWS = [
  ...['1', '2', '3'].flatMap((DEPT) =>
    Array.from({ length: 20 }, (_, n) => ({ DEPT, GEN: String(1 + (n % 2)), PAY: 50 + n })),
  ),
  ...Array.from({ length: 5 }, (_, n) => ({ DEPT: '4', GEN: '1', PAY: 48 + n })),
  { DEPT: '4', GEN: '2', PAY: 750 },
];
const DEPARTMENTS = ['1', '2', '3', '4'].map((option_value) => ({
  option_label: `Department ${option_value}`,
  option_value,
}));

describe('a public dashboard of a confidential survey', () => {
  let surveyId: number;
  let board: TestDashboard;
  let bars: number;
  let total: number;
  let mean: number;

  beforeEach(async () => {
    ({ surveyId } = await publishedSurvey(admin, [
      [choice('DEPT', { options: DEPARTMENTS }), choice('GEN'), number('PAY')],
    ]));
    await admin.put(`/api/surveys/${surveyId}`, { survey_settings: { confidential: true } }).expect(200);
    await admin
      .post(`/api/responses/${surveyId}/rows`, { rows: ROWS.map((answers) => ({ answers })) })
      .expect(201);
    board = await newDashboard(admin);
    const aggregation = { function: 'sum', column_code: 'PAY' };
    const shared = { survey_id: surveyId, dimension: 'PAY' };
    bars = await addChart(admin, board, 'bar', { ...shared, dimension: 'DEPT', aggregation });
    total = await addChart(admin, board, 'variable', { ...shared, variable: { metric: 'sum' } });
    mean = await addChart(admin, board, 'kpi', {
      ...shared,
      aggregation: { ...aggregation, function: 'mean' },
    });
    for (const column_code of ['DEPT', 'GEN'])
      await addChart(admin, board, 'filter', { survey_id: surveyId, filterElement: { column_code } });
    await share(admin, board, { share_type: 'public' });
  });

  const getFigures = async (chart_id: number, filters?: object, by: Actor = anonymous(app)) => {
    const at = by === admin ? board.at : `/api/public/d/${organization.slug}/${board.slug}`;
    return (await by.post(`${at}/chart-data`, { chart_id, filters }).expect(200)).body.data;
  };

  it('hides sums and means dominated by one respondent', async () => {
    expect((await getFigures(total, { DEPT: '4' })).value).toBeNull();
    expect(await getFigures(mean, { DEPT: '4' })).toMatchObject({ suppressed: true, series: [] });
    const { series, suppressed } = await getFigures(bars);
    expect(series[0].values[3]).toBeNull();
    expect(series[0].values.filter((value: number | null) => value === null)).toHaveLength(2);
    expect(suppressed).toBe(true);
  });

  it('hides sums and means that differ by one respondent between filter choices', async () => {
    expect((await getFigures(total, { DEPT: '4', GEN: '1' })).value).toBeNull();
    expect(await getFigures(mean, { DEPT: '4', GEN: '1' })).toMatchObject({ suppressed: true, series: [] });
    expect((await getFigures(bars, { GEN: '1' })).series[0].values[3]).toBeNull();
    expect((await getFigures(total, { DEPT: '1', GEN: '1' })).value).not.toBeNull();
  });

  it('shows all figures to members', async () => {
    expect((await getFigures(total, { DEPT: '4' }, admin)).value).toBeCloseTo(1000, 9);
    expect((await getFigures(total, { DEPT: '4', GEN: '1' }, admin)).value).toBeCloseTo(250, 9);
  });

  it('uses dominance_percent of the survey', async () => {
    const put = (dominance_percent: unknown) =>
      admin.put(`/api/surveys/${surveyId}`, { survey_settings: { dominance_percent } });
    await put(400).expect(200);
    expect((await getFigures(total, { DEPT: '4' })).value).not.toBeNull();
    expect((await getFigures(total, { DEPT: '4', GEN: '1' })).value).toBeNull();
    for (const wrong of [9, 1001, 50.5])
      await expectInvalidField(put(wrong), 'survey_settings.dominance_percent');
  });
});
