import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../../src/lib/errors.ts';
import { option, question } from '../../dataset/survey-fixture.ts';
import { answersOfTable, datasetOf, crosstabOf, tableOf } from './crosstab-of.ts';

const choices = (count: number) => Array.from({ length: count }, (_, index) => option(index + 1));

const dataset = datasetOf(
  [
    question('single_choice', 'gender', [...choices(2), option(-99, { missing: true })]),
    question('single_choice', 'age_group', choices(3)),
    question('multiple_choice', 'brands', [...choices(3), option(9, { missing: true })]),
    question('multiple_choice', 'many', choices(12)),
    question('scale', 'liking', [], { max: 5 }),
    question('number', 'spent'),
    question('ranking', 'order', choices(3)),
    question('text', 'why'),
    question('date', 'born'),
  ],
  [
    {
      gender: '1',
      age_group: '1',
      brands: ['1', '2'],
      many: ['1', '12'],
      liking: 5,
      spent: 10,
      order: ['2', '1'],
    },
    { gender: '1', age_group: '2', brands: ['2'], many: ['9'], liking: 4, spent: 20, order: ['1', '2', '3'] },
    { gender: '2', age_group: '2', brands: ['1', '3'], many: ['1', '2'], liking: 3, order: ['3'] },
    { gender: '2', age_group: '3', brands: ['9'], many: ['12'], liking: 2, spent: 60 },
    { gender: '2', age_group: null, brands: null, many: null, liking: null, spent: 30, order: null },
    { gender: '-99', age_group: '1', brands: ['3', '9'], many: ['3'], liking: 1, spent: 40 },
    { gender: null, age_group: '1', brands: ['1'], liking: 1 },
  ],
);
const labels = (rows: { label: string }[]) => rows.map(({ label }) => label);
const counts = ({ rows }: { rows: { cells: { count: number }[] }[] }) =>
  rows.map(({ cells }) => cells.map(({ count }) => count));
const totals = ({ rows }: { rows: { total: { count: number } }[] }) => rows.map(({ total }) => total.count);
const codes = ({ notes }: { notes: { code: string }[] }) => notes.map(({ code }) => code);

function refusal(make: () => unknown): AppError {
  try {
    make();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('a crosstab', () => {
  test('counts respondents who answered both, with column, row and total percents', () => {
    const table = tableOf(dataset, { rows: ['age_group'], columns: ['gender'] });
    expect(counts(table)).toEqual([
      [1, 0],
      [1, 1],
      [0, 1],
    ]);
    expect(table.base.unweighted).toBe(4);
    expect(table.outside_base).toBe(3);
    expect(table.columns.map(({ letter, base }) => [letter, base.unweighted])).toEqual([
      ['A', 2],
      ['B', 2],
    ]);
    expect(table.rows[1]!.cells[0]).toMatchObject({
      count: 1,
      weighted_count: null,
      column_percent: 50,
      row_percent: 50,
      total_percent: 25,
    });
    expect(table.rows[1]!.total).toMatchObject({ count: 2, column_percent: 50, row_percent: 100 });
  });

  test('has the requested base', () => {
    const shown = tableOf(dataset, { rows: ['age_group'], columns: ['gender'], base: 'shown' });
    expect(shown.base.unweighted).toBe(7);
    expect(shown.columns.map(({ missing, base }) => [missing, base.unweighted])).toEqual([
      [false, 2],
      [false, 3],
      [true, 1],
    ]);
    expect(shown.rows[0]!.total.count).toBe(3);
    const all = tableOf(dataset, { rows: ['many'], columns: ['gender'], base: 'all' });
    expect(all.base.unweighted).toBe(7);
    expect(all.columns[1]!.base.unweighted).toBe(3);
  });

  test('without columns shows only the total', () => {
    const table = tableOf(dataset, { rows: ['gender'] });
    expect(table).toMatchObject({ column: null, columns: [], base: { unweighted: 5 } });
    expect(totals(table)).toEqual([2, 3]);
    expect(table).not.toHaveProperty('chi_square');
  });

  test('omits statistics that are not requested', () => {
    const table = tableOf(dataset, { rows: ['gender'], columns: ['age_group'], statistics: ['row_percent'] });
    expect(Object.keys(table.rows[0]!.cells[0]!)).toEqual(['count', 'weighted_count', 'row_percent']);
    expect(table).not.toHaveProperty('chi_square');
    expect(table.mean).toBeNull();
  });

  test('is computed for every row variable by every column variable, in order', () => {
    const tables = crosstabOf(dataset, { rows: ['gender', 'liking'], columns: ['age_group', 'brands'] });
    expect(
      tables.map(({ row, column }) => `${row.column_codes.join()}/${column!.column_codes.join()}`),
    ).toEqual(['gender/age_group', 'gender/brands', 'liking/age_group', 'liking/brands']);
  });
});

describe('multiple responses', () => {
  test('have respondents as their base, excluding those with only "don\'t know"', () => {
    const table = tableOf(dataset, { rows: ['brands'] });
    expect(table.row.type).toBe('multiple');
    expect(totals(table)).toEqual([3, 2, 2]);
    expect(table.base.unweighted).toBe(5);
    expect(table.rows[0]!.total.column_percent).toBeCloseTo(60, 10);
  });

  test('are counted correctly with more than eight options, as rows and as columns', () => {
    const down = tableOf(dataset, { rows: ['many'], columns: ['gender'] });
    expect(totals(down)).toEqual([2, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 2]);
    expect(down.base.unweighted).toBe(4);
    const across = tableOf(dataset, { rows: ['gender'], columns: ['many'] });
    expect(counts(across)).toEqual([0, 1].map((column) => counts(down).map((row) => row[column])));
    expect(across.columns.map(({ base }) => base.unweighted)).toEqual(totals(down));
  });

  test('crossed with themselves count pairs of options', () => {
    const table = tableOf(dataset, { rows: ['brands'], columns: ['many'] });
    expect(counts(table)[0]).toEqual([2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    expect(table.chi_square).toBeNull();
    expect(codes(table)).toEqual(['chi_square_overlap', 'columns_overlap']);
  });

  test('have letters as rows, but not as columns', () => {
    const across = tableOf(dataset, { rows: ['gender'], columns: ['brands'] });
    expect(across.rows.every(({ tests }) => tests!.length === 0)).toBe(true);
    const down = tableOf(dataset, { rows: ['brands'], columns: ['gender'] });
    expect(down.rows[1]!.tests).toHaveLength(1);
    expect(codes(down)).toEqual(['chi_square_overlap']);
  });
});

describe('nets', () => {
  test('merge categories without counting a respondent twice, and are not compared', () => {
    const nets = [
      { columnCode: 'many', label: 'First or last', values: ['1', '12'] },
      { columnCode: 'many', label: 'First two', values: ['1', '2'] },
      { columnCode: 'age_group', label: 'Over', values: ['2', '3'] },
    ];
    const table = tableOf(dataset, { rows: ['many'], columns: ['age_group'], nets });
    expect(labels(table.rows).slice(-2)).toEqual(['First or last', 'First two']);
    expect(totals(table).slice(-2)).toEqual([3, 2]);
    expect(table.rows.at(-1)).toMatchObject({
      is_net: true,
      categories: [{ column_code: 'many', code: null, value: null, values: ['1', '2'] }],
    });
    expect(labels(table.columns)).toEqual(['Option 1', 'Option 2', 'Option 3', 'Over']);
    expect(counts(table)[0]).toEqual([1, 1, 0, 1]);
    expect(table.rows[0]!.tests!.some(({ columns }) => columns.includes('D'))).toBe(false);
    expect(codes(table)).toContain('nets_not_compared');
  });

  test('are excluded from chi-square', () => {
    const nets = [{ columnCode: 'age_group', label: 'Over', values: ['2', '3'] }];
    const wanted = { rows: ['age_group'], columns: ['gender'] };
    expect(tableOf(dataset, { ...wanted, nets }).chi_square).toEqual(tableOf(dataset, wanted).chi_square);
  });

  test('with an unknown value are rejected with its path', () => {
    const nets = [{ columnCode: 'gender', label: 'Any', values: ['1', '7'] }];
    const error = refusal(() => tableOf(dataset, { rows: ['gender'], nets }));
    expect(error).toMatchObject({ kind: 'invalid', details: [{ field: 'nets[0].values[1]' }] });
  });
});

describe('nesting', () => {
  test('creates every category within every outer one', () => {
    const table = tableOf(dataset, { rows: ['liking'], columns: [['gender', 'age_group']] });
    expect(table.column!.column_codes).toEqual(['gender', 'age_group']);
    expect(table.columns.map(({ base }) => base.unweighted)).toEqual([1, 1, 0, 0, 1, 1]);
    expect(table.columns[4]!.categories.map(({ column_code: code, value }) => [code, value])).toEqual([
      ['gender', '2'],
      ['age_group', '2'],
    ]);
    expect(table.base.unweighted).toBe(4);
  });

  test('compares only within the same outer category', () => {
    const doubled = datasetOf(
      [question('single_choice', 'sex', choices(2)), question('single_choice', 'age', choices(3))],
      ['1', '2', '3', '1', '2', '3'].flatMap((age) => [
        { sex: '1', age },
        { sex: '2', age },
      ]),
    );
    const { rows } = tableOf(doubled, { rows: ['age'], columns: [['sex', 'age']] });
    const pairs = rows.flatMap(({ tests }) => tests!.map(({ columns }) => columns.join('')));
    expect(new Set(pairs)).toEqual(new Set(['AB', 'AC', 'BC', 'DE', 'DF', 'EF']));
  });

  test('accepts multiple responses on any level', () => {
    const outer = tableOf(dataset, { rows: [['brands', 'gender']] });
    expect(totals(outer)).toEqual([1, 1, 2, 0, 0, 1]);
    expect(outer.base.unweighted).toBe(3);
    const inner = tableOf(dataset, { rows: [['gender', 'brands']] });
    expect(totals(inner)).toEqual([1, 2, 0, 1, 0, 1]);
    const wide = tableOf(dataset, { rows: [['gender', 'many', 'age_group']] });
    expect(wide.rows).toHaveLength(2 * 12 * 3);
    expect(totals(wide).reduce((sum, count) => sum + count)).toBe(2 + 1 + 2 + 1);
  });
});

describe('other types of variables', () => {
  test('a scale has its points and their mean', () => {
    const table = tableOf(dataset, { rows: ['liking'], columns: ['gender'] });
    expect(table.rows).toHaveLength(5);
    expect(table.mean!.cells.map(({ mean, count }) => [mean, count])).toEqual([
      [4.5, 2],
      [2.5, 2],
    ]);
    expect(table.mean!.cells[0]!.sd).toBeCloseTo(Math.SQRT1_2, 10);
  });

  test('a choice has a mean row with letters only if it is ordinal or scale', () => {
    const counts = [
      [30, 20, 10, 5],
      [5, 10, 20, 30],
    ];
    const meanOf = (settings: Record<string, unknown>) => {
      const table = tableOf(
        datasetOf(
          [
            question('single_choice', 'group', [option(1), option(2)]),
            question(
              'single_choice',
              'vote',
              ['abstain', 'no', 'undecided', 'yes'].map((value, index) => option(index + 1, { value })),
              settings,
            ),
          ],
          answersOfTable('group', 'vote', counts).map(({ group, vote }) => ({
            group: group!,
            vote: ['abstain', 'no', 'undecided', 'yes'][Number(vote) - 1]!,
          })),
        ),
        { rows: ['vote'], columns: ['group'] },
      );
      return table.mean;
    };
    expect(meanOf({})).toBeNull();
    expect(meanOf({ measure: 'nominal' })).toBeNull();
    for (const measure of ['ordinal', 'scale']) {
      const mean = meanOf({ measure })!;
      // R: x <- rep(1:4, c(30, 20, 10, 5)); y <- rep(1:4, c(5, 10, 20, 30)); mean(x); mean(y)
      expect(mean.cells.map((cell) => cell.mean)).toEqual([
        expect.closeTo(1.8461538462, 9),
        expect.closeTo(3.1538461538, 9),
      ]);
      expect(mean.cells.map(({ letters }) => letters)).toEqual([[], ['A']]);
    }
  });

  test('a number is a row of means and cannot be a column', () => {
    const table = tableOf(dataset, { rows: ['spent'], columns: ['gender'] });
    expect(table.row.type).toBe('number');
    expect(table.mean!.cells.map(({ mean }) => mean)).toEqual([15, 45]);
    expect(table.mean!.total).toMatchObject({ count: 4, mean: 30 });
    const error = refusal(() => tableOf(dataset, { rows: ['gender'], columns: ['spent'] }));
    expect(error).toMatchObject({ kind: 'unprocessable', code: 'no_categories' });
    expect(error.message).toContain('bin it first');
  });

  test("a number's mean in columns of multiple responses counts each respondent in every one", () => {
    const { mean } = tableOf(dataset, { rows: ['spent'], columns: ['brands'] });
    expect(mean!.cells.map(({ mean: value }) => value)).toEqual([10, 15, 40]);
    expect(mean!.total.count).toBe(3);
    expect(mean!.total.mean).toBeCloseTo(70 / 3, 12);
  });

  test('a rank has as many categories as its question has options', () => {
    const table = tableOf(dataset, { rows: ['order_1'] });
    expect(labels(table.rows)).toEqual(['1', '2', '3']);
    expect(totals(table)).toEqual([1, 1, 0]);
  });

  test('one option of a multiple choice has the categories no and yes', () => {
    const table = tableOf(dataset, { rows: ['brands_1'], columns: ['gender'] });
    // The second man chose only an option flagged as missing.
    expect(counts(table)).toEqual([
      [1, 0],
      [1, 1],
    ]);
  });

  test('metadata with few values are categories', () => {
    expect(totals(tableOf(dataset, { rows: ['response_status'] }))).toEqual([7, 0, 0]);
    const table = tableOf(dataset, { rows: ['response_id'] });
    expect(table.rows).toHaveLength(7);
    expect(table.mean).toBeNull();
  });

  test.each(['why', 'born', 'started_at'])('%s cannot be rows', (code) => {
    const error = refusal(() => tableOf(dataset, { rows: [code] }));
    expect(error).toMatchObject({ kind: 'unprocessable', code: 'no_categories' });
  });
});

test('rejects tables that are too large before counting', () => {
  const wide = datasetOf(
    [
      question('single_choice', 'id', choices(2)),
      ...['a', 'b', 'c'].map((code) => question('single_choice', code, choices(80))),
    ],
    [{ a: '1', b: '2', c: '3' }],
  );
  for (const wanted of [
    { rows: ['a'], columns: [['b', 'c']] },
    { rows: [['a', 'b', 'c']] },
    { rows: [['a', 'b']], columns: ['c'] },
  ]) {
    const error = refusal(() => tableOf(wide, wanted));
    expect(error).toMatchObject({ kind: 'unprocessable', code: 'crosstab_too_large' });
    expect(error.message).toContain('at most 5000');
  }
  const many = tableOf(wide, { rows: ['id'], columns: ['b'], statistics: ['letters'] });
  expect(codes(many)).toEqual(['too_many_columns']);
});

test('excludes responses without a positive weight', () => {
  const weights = Float64Array.of(2, 1, NaN, 0, 1, -3, 1);
  const table = tableOf(dataset, { rows: ['gender'], columns: ['age_group'], weights });
  expect(counts(table)).toEqual([
    [1, 1, 0],
    [0, 0, 0],
  ]);
  expect(table.base).toEqual({ unweighted: 2, weighted: 3, effective: 9 / 5 });
  expect(table.outside_base).toBe(2);
  const { mean } = tableOf(dataset, { rows: ['spent'], columns: ['gender'], weights });
  expect(mean!.cells[0]).toMatchObject({ count: 2, weighted_count: 3 });
  expect(mean!.cells[0]!.mean).toBeCloseTo(40 / 3, 12);
});
