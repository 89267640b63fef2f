import { beforeAll, describe, expect, test } from 'vitest';
import { anonymous, newOrganization, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { choice, multiple, number, text } from '../../support/questions.ts';
import { type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';
import { expectRefused, expectInvalidField } from '../../support/refusals.ts';

const app = useApp();
const organization = useOrganization(app);
const author = organization.admin;
let survey: PublishedSurvey;

beforeAll(async () => {
  survey = await publishedSurvey(author, [
    [
      choice('region'),
      choice('size'),
      multiple('brands'),
      number('spent'),
      number('w', { question_settings: { decimals: 2 } }),
      text('why'),
    ],
  ]);
  // 24 responses: each combination of region and size about three times, except region 3, which always has size 1.
  const rows = Array.from({ length: 24 }, (_, index) => {
    const region = String((index % 3) + 1);
    return {
      answers: {
        region,
        size: region === '3' ? '1' : String((Math.floor(index / 3) % 3) + 1),
        brands: index % 2 === 0 ? ['1', '2'] : ['3'],
        spent: index,
        w: region === '1' ? 0.5 : 1.25,
      },
    };
  });
  await author.post(`/api/responses/${survey.surveyId}/rows`, { rows }).expect(201);
});

const postCrosstab = (body: object, actor = author) =>
  actor.post(`/api/responses/${survey.surveyId}/crosstab`, body);
async function computeCrosstab(body: object) {
  return (await postCrosstab(body).expect(200)).body.data;
}

describe('a crosstab', () => {
  test('groups numbers and dates of its columns on request', async () => {
    const { tables } = await computeCrosstab({
      rows: ['size', 'spent'],
      columns: ['spent', 'w', 'started_at'],
      max_groups: 5,
    });
    const labels = tables.map(({ columns }: { columns: { label: string }[] }) =>
      columns.map(({ label }) => label),
    );
    expect(labels[0]).toEqual(['0–4', '5–9', '10–14', '15–19', '20–24']);
    expect(labels[1]).toEqual(['0.5', '1.25']);
    expect(labels[2]).toHaveLength(1);
    expect(tables[0].columns.map(({ base }: { base: { unweighted: number } }) => base.unweighted)).toEqual([
      5, 5, 5, 5, 4,
    ]);
    // The mean of the numbers in each of their groups.
    expect(tables[3].mean.cells.map(({ mean }: { mean: number }) => mean)).toEqual([2, 7, 12, 17, 21.5]);
    await expectRefused(postCrosstab({ rows: ['size'], columns: ['spent'] }), 422, 'no_categories');
    await expectInvalidField(postCrosstab({ rows: ['size'], max_groups: 1 }), 'max_groups');
  });

  test('is filtered and weighted', async () => {
    const filter = { left: { code: 'size' }, operator: 'in', right: ['1', '2'] };
    const full = await computeCrosstab({ rows: ['size'], columns: ['region'], weight: 'w', filter });
    expect(full).toMatchObject({ weight_column: 'w', responses: 20, without_weight: 0, min_base: 30 });
    const [table] = full.tables;
    expect(table.columns.map(({ base }: { base: object }) => base)).toEqual([
      { unweighted: 6, weighted: 3, effective: 6 },
      { unweighted: 6, weighted: 7.5, effective: 6 },
      { unweighted: 8, weighted: 10, effective: 8 },
    ]);
    expect(table.rows[0].total).toMatchObject({ count: 14, weighted_count: 15.25 });
    expect(table.rows[0].cells[0]).toMatchObject({ count: 3, weighted_count: 1.5, column_percent: 50 });
    expect(table.chi_square).toMatchObject({
      test: 'rao_scott_f',
      // The design degrees of freedom come from all 20 counted responses.
      df2: expect.closeTo(19 * table.chi_square.df, 9),
      uncorrected: { df: 2 },
      fisher_p_value: null,
      smallest_expected: expect.closeTo(1.8, 9),
    });
    expect(table.notes.map(({ code }: { code: string }) => code)).toEqual([
      'rao_scott',
      'small_expected',
      'small_base',
    ]);
    const short = await computeCrosstab({
      rows: ['size'],
      columns: ['region'],
      weight_column: 'w',
      filters: { size: ['1', '2'] },
    });
    expect(short).toEqual(full);
  });

  test('has nets, multiple responses, nesting and several columns side by side', async () => {
    const { tables } = await computeCrosstab({
      rows: ['brands', ['region', 'size'], 'spent'],
      columns: ['region', ['size', 'brands']],
      nets: [{ column_code: 'brands', label: 'Established brands', values: ['1', 2] }],
      statistics: ['column_percent', 'letters', 'tests', 'means'],
      min_base: 5,
    });
    expect(tables).toHaveLength(6);
    const [brands] = tables;
    expect(brands.row).toEqual({ column_codes: ['brands'], label: 'Which for brands?', type: 'multiple' });
    expect(
      brands.rows.map(({ label, total }: { label: string; total: { count: number } }) => [
        label,
        total.count,
      ]),
    ).toEqual([
      ['Option 1', 12],
      ['Option 2', 12],
      ['Option 3', 12],
      ['Established brands', 12],
    ]);
    expect(brands.rows[3].tests).toHaveLength(3);
    const nested = tables[2];
    expect(nested.rows).toHaveLength(9);
    expect(nested.rows[8].categories.map(({ value }: { value: string }) => value)).toEqual(['3', '3']);
    const spent = tables[4];
    expect(spent.rows).toEqual([]);
    expect(spent.mean.total).toMatchObject({ count: 24, mean: 11.5 });
    expect(spent.mean.cells[0]).toMatchObject({ count: 8, mean: 10.5 });
    expect(spent.mean.tests).toHaveLength(3);
    expect(tables[5].notes).toEqual([
      { code: 'overlap_tested', message: expect.any(String) },
      { code: 'nets_not_compared', message: expect.any(String) },
      { code: 'small_base', message: expect.any(String) },
    ]);
  });

  test("with two by two categories has Fisher's exact test", async () => {
    const filter = { region: ['1', '2'], size: ['1', '2'] };
    const [table] = (await computeCrosstab({ rows: ['size'], columns: ['region'], filter })).tables;
    // Three respondents in each cell: chisq.test is 0, fisher.test(matrix(3, 2, 2))$p.value is 1.
    expect(table.chi_square).toEqual({
      test: 'pearson',
      statistic: 0,
      df: 1,
      df2: null,
      p_value: 1,
      cramers_v: 0,
      uncorrected: null,
      fisher_p_value: 1,
      smallest_expected: 3,
      expected_below_5: 4,
    });
    expect(table.notes[0]).toEqual({
      code: 'small_expected',
      message: expect.stringMatching(/^4 of 4 cells .* Fisher's exact test gives p = 1\.000\.$/),
    });
  });

  test('returns all statistics, including tests, for "all"', async () => {
    const all = ['column_percent', 'row_percent', 'total_percent', 'chi_square', 'letters', 'means', 'tests'];
    const body = { rows: ['size'], columns: ['region'] };
    expect(await computeCrosstab({ ...body, statistics: 'all' })).toEqual(
      await computeCrosstab({ ...body, statistics: all }),
    );
    await expectInvalidField(postCrosstab({ ...body, statistics: 'everything' }), 'statistics');
  });

  test('includes a response that was just stored', async () => {
    const total = async () => (await computeCrosstab({ rows: ['response_status'] })).responses;
    const before = await total();
    await author
      .post(`/api/responses/${survey.surveyId}/rows`, { rows: [{ answers: { spent: 3 } }] })
      .expect(201);
    expect(await total()).toBe(before + 1);
  });
});

describe('an invalid crosstab', () => {
  test.each([
    [{ rows: ['regin'] }, 'rows[0]'],
    [{ rows: ['size', ['size', 'regin']] }, 'rows[1][1]'],
    [{ rows: ['size'], columns: ['regin'] }, 'columns[0]'],
    [{ rows: ['size'], weight: 'ww' }, 'weight'],
    [{ rows: ['size'], filter: { regin: ['1'] } }, 'filter.regin'],
    [{ rows: ['size'], nets: [{ column_code: 'region', label: 'x', values: ['1'] }] }, 'nets[0].column_code'],
    [
      { rows: ['size'], nets: [{ column_code: 'size', label: 'x', values: ['1', '4'] }] },
      'nets[0].values[1]',
    ],
    [{ rows: [] }, 'rows'],
    [{ rows: [['size', 'size', 'size', 'size']] }, 'rows[0]'],
    [{ rows: ['size'], correction: 'sidak' }, 'correction'],
    [{ rows: ['size'], collumns: ['region'] }, 'collumns'],
    [{ rows: Array.from({ length: 21 }, () => 'size') }, 'rows'],
  ])('%j is rejected, naming %s', async (body, field) => {
    await expectInvalidField(postCrosstab(body), field);
  });

  test('with a misspelt column is rejected with a similar code', async () => {
    const { message } = await expectRefused(postCrosstab({ rows: ['regin'] }), 400, 'validation_failed');
    expect(message).toContain('did you mean "region"');
  });

  test('with a column of the wrong type is rejected with the reason', async () => {
    const spent = await expectRefused(
      postCrosstab({ rows: ['size'], columns: ['spent'] }),
      422,
      'no_categories',
    );
    expect(spent.message).toContain('bin it first');
    expect(spent.details).toEqual([
      { field: 'columns[0]', message: expect.stringContaining('bin it first') },
    ]);
    await expectRefused(postCrosstab({ rows: ['why'] }), 422, 'no_categories');
    const nested = await expectRefused(
      postCrosstab({ rows: ['size', ['size', 'why']] }),
      422,
      'no_categories',
    );
    expect(nested.details[0]!.field).toBe('rows[1][1]');
    await expectRefused(postCrosstab({ rows: ['started_at'] }), 422, 'no_categories');
    const weight = await expectRefused(
      postCrosstab({ rows: ['size'], weight: 'region' }),
      422,
      'not_a_weight',
    );
    expect(weight.details[0]!.field).toBe('weight');
  });
});

test('is available to members of the organization, not to clients or other organizations', async () => {
  const body = { rows: ['size'] };
  expect((await postCrosstab(body, anonymous(app))).status).toBe(401);
  expect((await postCrosstab(body, await organization.addUser('client'))).status).toBe(403);
  expect((await postCrosstab(body, (await newOrganization(app)).admin)).status).toBe(404);
  expect((await postCrosstab(body, await organization.addUser('member'))).status).toBe(200);
});
