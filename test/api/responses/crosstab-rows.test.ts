import { beforeAll, describe, expect, it } from 'vitest';
import { useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { choice, multiple, number } from '../../support/questions.ts';
import { expectInvalidField, expectRefused } from '../../support/refusals.ts';
import { publishedSurvey } from '../../support/surveys.ts';

const app = useApp();
const author = useOrganization(app).admin;
let surveyId: number;

const options = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    return { option_label: `Point ${index + 1}`, option_value: String(index + 1) };
  });

/**
 * 120 respondents. In R: i <- 0:119; d <- data.frame(g = i %% 3, s = ((i * 7) %% 11 + i %% 3) %% 5 + 1, n = (i * 7) %% 11, w = 1 + (i %% 4) / 2)
 */
beforeAll(async () => {
  const survey = await publishedSurvey(author, [
    [
      choice('region'),
      choice('liking', { options: options(5), question_settings: { measure: 'scale' } }),
      { question_type: 'nps', question_code: 'recommend' },
      number('spent'),
      number('w', { question_settings: { decimals: 2 } }),
      choice('place', { options: options(6) }),
      multiple('brands'),
      choice('image', {
        question_type: 'matrix',
        question_settings: {
          rows: [
            { row_code: 'a', row_label: 'Modern' },
            { row_code: 'b', row_label: 'Honest' },
          ],
        },
      }),
      choice('many', { options: options(260) }),
      choice('more', { options: options(300) }),
    ],
  ]);
  surveyId = survey.surveyId;
  const rows = Array.from({ length: 120 }, (_, i) => ({
    answers: {
      region: String((i % 3) + 1),
      liking: String(((((i * 7) % 11) + (i % 3)) % 5) + 1),
      recommend: (i * 7) % 11,
      spent: i,
      w: 1 + (i % 4) / 2,
      // 60, 30, 15, 8, 4 and 3 respondents
      place: String([60, 90, 105, 113, 117, 120].findIndex((end) => i < end) + 1),
      brands: i < 100 ? ['1'] : ['2'],
      image: { a: String((i % 2) + 1), b: '3' },
    },
  }));
  await author.post(`/api/responses/${surveyId}/rows`, { rows }).expect(201);
});

const post = (body: object) => author.post(`/api/responses/${surveyId}/crosstab`, body);
const compute = async (body: object) => (await post(body).expect(200)).body.data;
const tableOf = async (body: object) => (await compute(body)).tables[0];
const noteCodes = ({ notes }: { notes: { code: string }[] }) => notes.map(({ code }) => code);

interface StatisticRow {
  statistic: string;
  total: { value: number };
  cells: { value: number; letters?: string[] }[];
  tests?: object[];
}
const valuesOf = ({ row_statistics: rows }: { row_statistics: StatisticRow[] }) =>
  Object.fromEntries(rows.map(({ statistic, cells }) => [statistic, cells.map(({ value }) => value)]));

function expectValues(actual: Record<string, number[]>, expected: Record<string, readonly number[]>): void {
  for (const [name, values] of Object.entries(expected))
    for (const [index, value] of values.entries())
      expect(Math.abs(actual[name]![index]! - value) / Math.max(1, Math.abs(value)), name).toBeLessThan(1e-6);
}

describe('rows of statistics', () => {
  const body = { rows: ['liking', 'recommend'], columns: ['region'], statistics: 'all', min_base: 10 };

  it('are computed from the numbers of the answers', async () => {
    const row_statistics = ['mean', 'median', 'sd', 'se', 'sum', 'top_2', 'bottom_1', 'index', 'nps'];
    const { tables } = await compute({ ...body, row_statistics });
    const [liking, recommend] = tables;
    // By g: mean(s), median(s), sd(s), sd(s) / sqrt(40), sum(s), 100 * mean(s >= 4), 100 * mean(s == 1), 100 * mean(s) / mean(d$s)
    expectValues(valuesOf(liking), {
      mean: [2.75, 2.95, 2.95],
      median: [3, 3, 3],
      sd: [1.49786172379, 1.37654342281, 1.37654342281],
      se: [0.236832733358, 0.21765062571, 0.21765062571],
      sum: [110, 118, 118],
      top_2: [35, 37.5, 35],
      bottom_1: [30, 17.5, 20],
      index: [95.3757225434, 102.312138728, 102.312138728],
    });
    expect(valuesOf(liking)).not.toHaveProperty('nps');
    // 100 * (mean(n >= 9) - mean(n <= 6))
    expectValues(valuesOf(recommend), { nps: [-40, -52.5, -42.5] });
    // t.test(s[g == 0], s[g == 1]); prop.test(c(14, 15), c(40, 40), correct = FALSE)
    const [mean, , , , , top] = liking.row_statistics;
    expect(mean.tests[0]).toMatchObject({
      t: expect.closeTo(-0.6217854134, 8),
      df: expect.closeTo(77.45008866, 6),
      p_value: expect.closeTo(0.535909039, 8),
    });
    expect(top.tests[0].t ** 2).toBeCloseTo(0.05409060176, 8);
    // t.test of 100, 0 and -100
    const nps = recommend.row_statistics.find(({ statistic }: StatisticRow) => statistic === 'nps');
    expect(nps.tests[0]).toMatchObject({
      t: expect.closeTo(0.7157855285, 8),
      p_value: expect.closeTo(0.476273558, 8),
    });
    expect(liking.row_statistics[1].cells[0]).not.toHaveProperty('letters');
  });

  it('are weighted', async () => {
    const table = await tableOf({
      ...body,
      weight: 'w',
      row_statistics: ['mean', 'median', 'sd', 'se', 'sum', 'top_2'],
    });
    // s <- subset(svydesign(~1, weights = ~w, data = d), g == 0); svymean(~s, s); sqrt(svyvar(~s, s)); weighted_quantile(s, w, 0.5)
    expectValues(valuesOf(table), {
      mean: [2.75714285714, 2.95, 2.95714285714],
      median: [3, 3, 3],
      sd: [1.51123474525, 1.36048364596, 1.36878560958],
      se: [0.249891215626, 0.221783590238, 0.22472991944],
      sum: [193, 206.5, 207],
      top_2: [35, 37.1428571429, 35],
    });
  });

  it('have intervals and comparisons', async () => {
    const table = await tableOf({
      ...body,
      intervals: true,
      compare_with: ['rest'],
      row_statistics: ['mean', 'top_2'],
    });
    const [mean, top] = table.row_statistics;
    // t.test(s[g == 0])$conf.int is 2.75 -/+ qt(0.975, 39) * 0.236832733358
    expect(mean.cells[0].ci_low).toBeCloseTo(2.75 - 2.02269092003676 * 0.236832733358, 6);
    // prop.test(14, 40, correct = FALSE)$conf.int
    expect(top.cells[0]).toMatchObject({ ci_low: expect.closeTo(22.1345288732, 6), df: null });
    expect(mean.cells[0].comparisons.rest.difference).toBeCloseTo(-0.2, 8);
    expect(top.cells[1].comparisons.rest.difference).toBeCloseTo(2.5, 8);
  });

  it('are empty for variables without a mean', async () => {
    const table = await tableOf({ rows: ['region'], columns: ['place'], row_statistics: ['mean'] });
    expect(table.row_statistics).toEqual([]);
    await expectInvalidField(post({ rows: ['region'], row_statistics: ['mode'] }), 'row_statistics[0]');
  });
});

describe('rows', () => {
  it('are numbers in groups on request', async () => {
    const grouped = await tableOf({
      rows: ['spent'],
      columns: ['region'],
      max_row_groups: 4,
      row_statistics: ['mean'],
    });
    expect(grouped.rows.map(({ total }: { total: { count: number } }) => total.count)).toEqual([50, 50, 20]);
    expect(valuesOf(grouped).mean).toEqual([58.5, 59.5, 60.5]);
    const plain = await tableOf({ rows: ['spent'], columns: ['region'] });
    expect(plain.rows).toEqual([]);
  });

  it('of a matrix are a table for each statement', async () => {
    const { tables } = await compute({ rows: ['image', 'region'], columns: ['region'] });
    expect(tables.map(({ row }: { row: { column_codes: string[] } }) => row.column_codes[0])).toEqual([
      'image_a',
      'image_b',
      'region',
    ]);
    expect(tables[1].rows[2].total.count).toBe(120);
  });

  it('are sorted by their total or label, with nets last', async () => {
    const nets = [{ column_code: 'place', label: 'All others', values: ['4', '5', '6'] }];
    const labelsOf = async (sort: string) =>
      (await tableOf({ rows: ['place'], columns: ['region'], nets, sort })).rows.map(
        ({ label }: { label: string }) => label.replace('Point ', ''),
      );
    expect(await labelsOf('lowest')).toEqual(['6', '5', '4', '3', '2', '1', 'All others']);
    expect(await labelsOf('highest')).toEqual(['1', '2', '3', '4', '5', '6', 'All others']);
    expect(await labelsOf('label')).toEqual(['1', '2', '3', '4', '5', '6', 'All others']);
    await expectInvalidField(post({ rows: ['place'], sort: 'size' }), 'sort');
  });
});

describe('small columns', () => {
  const body = { rows: ['region'], columns: ['place'], small_column_limit: 10 };
  const labelsOf = ({ columns }: { columns: { label: string; base: { unweighted: number } }[] }) =>
    columns.map(({ label, base }) => `${label}: ${base.unweighted}`);

  it('are hidden', async () => {
    const table = await tableOf({ ...body, small_columns: 'hide' });
    expect(labelsOf(table)).toEqual(['Point 1: 60', 'Point 2: 30', 'Point 3: 15']);
    expect(table.base.unweighted).toBe(120);
    expect(table.notes.at(-1)).toEqual({
      code: 'columns_hidden',
      message: '3 columns with fewer than 10 respondents not shown; the total contains them.',
    });
  });

  it('are merged', async () => {
    const table = await tableOf({ ...body, small_columns: 'merge' });
    expect(labelsOf(table).at(-1)).toBe('Point 4 + Point 5 + Point 6: 15');
    expect(table.columns.at(-1)).toMatchObject({ letter: 'D', is_net: false });
    expect(table.columns.at(-1).categories[0].values).toEqual(['4', '5', '6']);
    // (4 - 1) columns by (3 - 1) rows
    expect(table.chi_square.df).toBe(6);
    expect(noteCodes(table)).toContain('columns_merged');
  });

  it('are shown by default, and options of a multiple choice are not merged', async () => {
    expect((await tableOf(body)).columns).toHaveLength(6);
    const brands = await tableOf({
      ...body,
      columns: ['brands'],
      small_columns: 'merge',
      small_column_limit: 50,
    });
    expect(labelsOf(brands)).toEqual(['Option 1: 100', 'Option 2: 20', 'Option 3: 0']);
  });
});

it('refuses tables with too many columns, rows or cells', async () => {
  const refuse = async (body: object) => (await expectRefused(post(body), 422, 'crosstab_too_large')).message;
  expect(await refuse({ rows: ['region'], columns: ['many'] })).toContain('260 columns');
  expect(await refuse({ rows: [['more', 'region']], columns: ['region'] })).toContain('900 rows');
  const rows = Array.from({ length: 20 }, () => ['more']);
  const columns = Array.from({ length: 5 }, () => ['place', 'region']);
  expect(await refuse({ rows, columns })).toContain('100000 cells');
  expect((await tableOf({ rows: ['more'], columns: [['place', 'region']] })).rows).toHaveLength(300);
});
