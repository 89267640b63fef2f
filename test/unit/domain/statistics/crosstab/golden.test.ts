import { describe, expect, test } from 'vitest';
import { option, question } from '../../dataset/survey-fixture.ts';
import { bigFive } from '../big-five.ts';
import { answersOfTable, datasetOf, tableOf } from './crosstab-of.ts';

const options = (count: number) => Array.from({ length: count }, (_, index) => option(index + 1));
const near = (actual: number | null | undefined, wanted: number) =>
  expect(Math.abs((actual ?? NaN) - wanted)).toBeLessThan(1e-6);

/** By stype E, H, M: schools without and with sch.wide, their raked weights, and how many of the latter are comp.imp Yes. */
const SCHOOLS = [
  { without: 12, low: 39.8392362, having: 132, high: 29.8706755, yes: 112 },
  { without: 3, low: 67.1255292, having: 11, high: 50.3294011, yes: 7 },
  { without: 8, low: 49.0690722, having: 17, high: 36.7910249, yes: 14 },
];

function schools() {
  const weights: number[] = [];
  const answers = SCHOOLS.flatMap(({ without, low, having, high, yes }, index) => {
    const stype = String(index + 1);
    return Array.from({ length: without + having }, (_, school) => {
      weights.push((school < without ? low : high) * (183 / 6194));
      return { stype, compimp: school >= without && school < without + yes ? '2' : '1' };
    });
  });
  const dataset = datasetOf(
    [question('single_choice', 'stype', options(3)), question('single_choice', 'compimp', options(2))],
    answers,
  );
  return { dataset, weights: Float64Array.from(weights) };
}

describe('the weighted schools of the R package survey', () => {
  const { dataset, weights } = schools();
  const table = tableOf(dataset, { rows: ['compimp'], columns: ['stype'], weights });
  const yes = table.rows[1]!;

  test('have the effective bases and shares of R', () => {
    const wanted = [
      [130.61721, 142.849576, 0.756733],
      [22.306264, 13.775027, 0.46663],
      [30.076526, 24.515009, 0.505967],
    ];
    for (const [position, [weighted, effective, share]] of wanted.entries()) {
      near(table.columns[position]!.base.weighted, weighted!);
      near(table.columns[position]!.base.effective, effective!);
      near(yes.cells[position]!.column_percent! / 100, share!);
    }
    expect(table.columns.map(({ base }) => base.unweighted)).toEqual([144, 14, 25]);
    expect(table.base.effective).toBeCloseTo(174.0112, 4);
  });

  test('have its t and p, and the letters that follow', () => {
    // Type H has an effective base under 20: pooled proportions with effective bases. The others, with the raked weights rw:
    // svychisq(~comp.imp + stype, subset(svydesign(~1, weights = ~rw, data = apiclus1), stype != "H"))
    const wanted: [string, number, number][] = [
      ['AB', 2.319445, 0.021679],
      ['AC', 2.5176436, 0.0127501739],
      ['BC', -0.233672, 0.816553],
    ];
    expect(yes.tests).toHaveLength(3);
    for (const [index, [columns, t, p]] of wanted.entries()) {
      const found = yes.tests![index]!;
      expect(found.columns.join('')).toBe(columns);
      near(found.t, t);
      near(found.p_value, p);
    }
    expect(yes.cells.map(({ letters }) => letters)).toEqual([['B', 'C'], [], []]);
  });

  test('are not compared below the minimum base', () => {
    const few = tableOf(dataset, { rows: ['compimp'], columns: ['stype'], weights, minBase: 30 });
    expect(few.rows[1]!.tests).toEqual([]);
    expect(few.notes.map(({ code }) => code)).toEqual(['rao_scott', 'small_expected', 'small_base']);
  });

  test('have the same Rao-Scott F as R, with a note', () => {
    // svychisq(~compimp + stype, svydesign(~1, weights = ~w, data = d), statistic = "F")
    const found = table.chi_square!;
    expect(found.test).toBe('rao_scott_f');
    near(found.statistic, 4.58154329608);
    near(found.df, 1.96533572818);
    near(found.df2! / 1e3, 0.35769110252841);
    near(found.p_value, 0.011270512368);
    // Two rows: V² is chi-square per respondent.
    near(found.uncorrected!.statistic, found.cramers_v ** 2 * 183);
    expect(found.uncorrected!.df).toBe(2);
    expect(table.notes).toContainEqual({
      code: 'rao_scott',
      message: expect.stringContaining('corrected for the weights'),
    });
  });

  test('note a cell with an expected count below five and the missing exact test', () => {
    // chisq.test(table(compimp, stype))$expected: the smallest is 3.825137
    near(table.chi_square!.smallest_expected, 3.825136612022);
    expect(table.chi_square).toMatchObject({ expected_below_5: 1, fisher_p_value: null });
    expect(table.notes.find(({ code }) => code === 'small_expected')!.message).toBe(
      '1 of 6 cells has an expected count below 5 (the smallest is 3.8), so the chi-square test is only approximate; ' +
        'a weighted table has no exact test.',
    );
  });
});

test.each([
  [
    'HairEyeColor hair by eye',
    // Both sexes: black, brown, red, blond by brown, blue, hazel, green.
    [
      [68, 20, 15, 5],
      [119, 84, 54, 29],
      [26, 17, 14, 14],
      [7, 94, 10, 16],
    ],
    138.2898,
    9,
    0.279045,
  ],
  [
    'UCBAdmissions admitted by department',
    [
      [601, 370, 322, 269, 147, 46],
      [332, 215, 596, 523, 437, 668],
    ],
    778.9065,
    5,
    null,
  ],
] as const)('the chi-square of %s matches the published value', (_, counts, statistic, df, v) => {
  const mutable = counts.map((row) => [...row]);
  const dataset = datasetOf(
    [
      question('single_choice', 'down', options(mutable.length)),
      question('single_choice', 'across', options(mutable[0]!.length)),
    ],
    answersOfTable('down', 'across', mutable),
  );
  const { chi_square: test } = tableOf(dataset, { rows: ['down'], columns: ['across'] });
  expect(test).toMatchObject({ test: 'pearson', df, df2: null, uncorrected: null });
  expect(test!.statistic).toBeCloseTo(statistic, 4);
  if (v !== null) expect(test!.cramers_v).toBeCloseTo(v, 6);
});

describe('a sparse table', () => {
  const sparse = (counts: number[][]) => {
    const questions = ['down', 'across'].map((code) => question('single_choice', code, options(3)));
    const dataset = datasetOf(questions, answersOfTable('down', 'across', counts));
    return tableOf(dataset, { rows: ['down'], columns: ['across'] });
  };

  test('of two by two has the p of fisher.test, with a note', () => {
    const { chi_square: found, notes } = sparse([
      [8, 2],
      [1, 5],
    ]);
    // fisher.test(matrix(c(8, 2, 1, 5), 2))$p.value
    near(found!.fisher_p_value, 0.03496503497);
    expect(found).toMatchObject({ test: 'pearson', smallest_expected: 2.625, expected_below_5: 3 });
    expect(notes).toEqual([
      {
        code: 'small_expected',
        message:
          '3 of 4 cells have an expected count below 5 (the smallest is 2.6), so the chi-square test is only approximate; ' +
          "Fisher's exact test gives p = 0.035.",
      },
    ]);
  });

  test('of more categories has a note to combine them', () => {
    const { chi_square: found, notes } = sparse([
      [8, 2, 4],
      [1, 5, 2],
    ]);
    expect(found!.fisher_p_value).toBeNull();
    expect(notes.map(({ code, message }) => [code, message.endsWith('combine rare categories.')])).toEqual([
      ['small_expected', true],
    ]);
  });

  test('has no note if every expected count is at least five', () => {
    const { chi_square: found, notes } = sparse([
      [10, 10],
      [10, 10],
    ]);
    expect(found).toMatchObject({ smallest_expected: 10, expected_below_5: 0, fisher_p_value: 1 });
    expect(notes).toEqual([]);
  });
});

test('keeps missing answers in the design of a weighted test, as in svychisq', () => {
  const rows = [
    [10, 20],
    [12, 9],
    [7, 11],
  ];
  const given = answersOfTable('down', 'across', rows);
  const missing = Array.from({ length: 31 }, (): Record<string, string> => ({ across: '1' }));
  const questions = ['down', 'across'].map((code) => question('single_choice', code, options(3)));
  const dataset = datasetOf(questions, [...given, ...missing]);
  const weights = Float64Array.from([...given, ...missing], (_, index) => 0.5 + (index % 4));
  const { chi_square: found, outside_base: outside } = tableOf(dataset, {
    rows: ['down'],
    columns: ['across'],
    weights,
  });
  expect(outside).toBe(31);
  // d <- data.frame(r = c(rep(c(1, 1, 2, 2, 3, 3), c(10, 20, 12, 9, 7, 11)), rep(NA, 31)), c = c(rep(c(1, 2, 1, 2, 1, 2), c(10, 20, 12, 9, 7, 11)), rep(1, 31)))
  // svychisq(~r + c, svydesign(~1, weights = ~w, data = transform(d, w = 0.5 + (0:99) %% 4)))
  near(found!.statistic, 1.28793412999);
  near(found!.df, 1.99948022312);
  near(found!.df2! / 1e3, 0.19794854208924);
  near(found!.p_value, 0.278137709783);
});

test('gender by education of the Big Five data has the same chi-square as R', () => {
  const { chi_square: found, base } = tableOf(bigFive(), { rows: ['gender'], columns: ['education'] });
  expect(found).toMatchObject({ df: 4 });
  near(found?.statistic, 21.671778);
  expect(base.unweighted).toBe(2800 - 223);
});

test('compares means like t.test of R on the sleep data', () => {
  const sleep = [
    [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0],
    [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4],
  ];
  const dataset = datasetOf(
    [question('number', 'extra', [], { decimals: 1 }), question('single_choice', 'drug', options(2))],
    sleep.flatMap((hours, drug) => hours.map((extra) => ({ extra, drug: String(drug + 1) }))),
  );
  const { mean, rows } = tableOf(dataset, { rows: ['extra'], columns: ['drug'] });
  expect(rows).toEqual([]);
  expect(mean!.cells.map((cell) => cell.mean)).toEqual([expect.closeTo(0.75, 10), expect.closeTo(2.33, 10)]);
  expect(mean!.cells[0]!.sd).toBeCloseTo(1.78901, 5);
  const [welch] = mean!.tests!;
  expect(welch!.t).toBeCloseTo(-1.8608, 4);
  expect(welch!.df).toBeCloseTo(17.776, 3);
  expect(welch!.p_value).toBeCloseTo(0.07939, 5);
  expect(mean!.cells.map(({ letters }) => letters)).toEqual([[], ['a']]);
});
