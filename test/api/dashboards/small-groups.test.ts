import { beforeEach, describe, expect, it } from 'vitest';
import { anonymous, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { addChart, type TestDashboard, newDashboard, share } from '../../support/dashboards.ts';
import { choice, number } from '../../support/questions.ts';
import { expectInvalidField } from '../../support/refusals.ts';
import { publishedSurvey } from '../../support/surveys.ts';

const app = useApp();
const organization = useOrganization(app);
const { admin } = organization;
const PASSWORD = 'open sesame';

describe.each([{ share_type: 'public' }, { share_type: 'password', share_password: PASSWORD }])(
  'a dashboard with a share of type $share_type',
  (shared) => {
    let board: TestDashboard;
    let path: string;
    let cookie: string;
    let mean: number;

    beforeEach(async () => {
      const { surveyId: survey_id } = await publishedSurvey(admin, [
        [choice('Q1'), choice('Q2'), number('Q3')],
      ]);
      const answer = (Q1: string, Q2: string, Q3: number) =>
        admin
          .post(`/api/responses/${survey_id}/rows`, {
            rows: [{ answers: { Q1, Q2, Q3 }, language: Q1 === '2' ? 'fr' : 'en' }],
          })
          .expect(201);
      await answer('1', '1', 10);
      await answer('1', '1', 12);
      await answer('2', '1', 14);
      for (let n = 0; n < 8; n += 1) await answer('1', '2', 40 + n);

      board = await newDashboard(admin);
      await addChart(admin, board, 'bar', { survey_id, dimension: 'Q1' });
      const variable = { metric: 'mean', column_code: 'Q3' };
      mean = await addChart(admin, board, 'variable', { survey_id, dimension: 'Q3', variable });
      for (const column_code of ['Q1', 'Q2', 'language'])
        await addChart(admin, board, 'filter', { survey_id, filterElement: { column_code } });
      await share(admin, board, shared);
      path = `/api/public/d/${organization.slug}/${board.slug}`;
      cookie = '';
      if (shared.share_type !== 'password') return;
      const unlocked = await anonymous(app).post(`${path}/unlock`, { password: PASSWORD }).expect(200);
      const cookies = unlocked.headers['set-cookie'] as unknown as string[];
      cookie = cookies[0]!.split(';')[0]!;
    });

    const get = (at: string) => anonymous(app).get(at).set('Cookie', cookie).expect(200);
    const figures = async (filters: object = {}) => {
      const query = `figures=true&filters=${encodeURIComponent(JSON.stringify(filters))}`;
      return (await get(`${path}?${query}`)).body.data.figures;
    };

    it('hides groups of fewer than 5 respondents by default, with and without filters', async () => {
      const [bars, all, , , languages] = await figures();
      expect(bars.series[0].counts).toEqual([null, null, 0]);
      expect(bars.suppressed).toBe(true);
      expect(all.base.unweighted).toBe(11);
      expect(languages.options).toEqual([{ value: 'en', label: 'en' }]);

      const [noBars, none] = await figures({ Q1: ['1'], Q2: ['1'] });
      expect(noBars).toMatchObject({ suppressed: true, base: null, categories: [], series: [] });
      expect(none).toMatchObject({ value: null, base: null, suppressed: true });
      expect(none.notes[0].message).toContain('Hidden: fewer than 5 respondents');
      const chartRequest = { chart_id: mean, filters: { Q1: '1', Q2: '1' } };
      const one = await anonymous(app)
        .post(`${path}/chart-data`, chartRequest)
        .set('Cookie', cookie)
        .expect(200);
      expect(one.body.data).toMatchObject({ value: null, suppressed: true });
    });

    it('states on the page what is hidden and omits its figures', async () => {
      const page = (await get(`/d/${organization.slug}/${board.slug}?f.Q1=1&f.Q2=1`)).text;
      expect(page).toContain('Hidden: fewer than 5 respondents');
      expect(page).not.toMatch(/n = 2\b|11\.0/);
    });

    it('shows smaller groups after an owner lowers the minimum base, which is audited', async () => {
      await admin.put(board.at, { dashboard_settings: { min_base: 1 } }).expect(200);
      const [bars, two] = await figures({ Q1: ['1'], Q2: ['1'] });
      expect(bars.series[0].counts).toEqual([2, 0, 0]);
      expect(two).toMatchObject({ value: 11, base: { unweighted: 2 } });
      const { rows } = await app.database.db.raw(
        "SELECT details FROM audit_log WHERE action = 'dashboard.updated' AND object_id = ?",
        [String(board.id)],
      );
      expect(rows).toEqual([{ details: { fields: ['dashboard_settings'], min_base: 1 } }]);
    });

    it('accepts a minimum base from 1 to 1000 only', async () => {
      for (const min_base of [0, 1.5, 1001, '5'])
        await expectInvalidField(
          admin.put(board.at, { dashboard_settings: { min_base } }),
          'dashboard_settings.min_base',
        );
    });
  },
);
