import { describe, expect, it, test } from 'vitest';
import { type Count, NO_RESPONSES } from '../../../../src/domain/statistics/base.ts';
import {
  computeFisherExactPValue,
  testIndependence,
  testTableIndependence,
} from '../../../../src/domain/statistics/independence.ts';
import { randomNumbers } from '../../../../src/lib/seeded-random.ts';

const near = (actual: number | null | undefined, wanted: number) =>
  expect(Math.abs((actual ?? NaN) / wanted - 1)).toBeLessThan(1e-6);
const plain = (count: number): Count => ({ count, weight: count, squaredWeight: count });
const weighing = (count: number, weight: number): Count => {
  return { count, weight: count * weight, squaredWeight: count * weight * weight };
};
const sizeOf = (table: readonly (readonly Count[])[]) =>
  table.flat().reduce((sum, { count }) => sum + count, 0);

/** A table whose cells hold respondents of two weights, 0.5 and 2.25. */
const twoWeights = (light: readonly (readonly number[])[], heavy: readonly (readonly number[])[]) =>
  light.map((line, row) =>
    line.map((count, column): Count => {
      const [a, b] = [weighing(count, 0.5), weighing(heavy[row]![column]!, 2.25)];
      return {
        count: a.count + b.count,
        weight: a.weight + b.weight,
        squaredWeight: a.squaredWeight + b.squaredWeight,
      };
    }),
  );

interface Golden {
  statistic: number;
  df: number;
  df2: number;
  pValue: number;
}

function expectRaoScott(table: Count[][], wanted: Golden, designSize = sizeOf(table)) {
  const found = testIndependence(table, designSize)!;
  expect(found.test).toBe('rao_scott_f');
  near(found.statistic, wanted.statistic);
  near(found.df, wanted.df);
  near(found.df2, wanted.df2);
  near(found.pValue, wanted.pValue);
}

// R 4.2.2, survey 4.1.1. The tables of two weights: one row of d per respondent with r, c and w, then
// svychisq(~r + c, svydesign(~1, weights = ~w, data = d), statistic = "F")
describe('the weighted F of Rao and Scott matches svychisq', () => {
  const LIGHT = [
    [10, 20, 5, 8],
    [12, 9, 14, 30],
    [7, 11, 16, 4],
  ];
  const HEAVY = [
    [4, 6, 9, 2],
    [10, 3, 5, 8],
    [1, 12, 7, 6],
  ];

  it('of a boost sample, 500 respondents with 1.8 and 500 with 0.2, 50 % and 57 %', () => {
    // d <- data.frame(g = rep(1:2, each = 500), v = rep(c("y", "n", "y", "n"), c(250, 250, 285, 215)), w = rep(c(1.8, 0.2), each = 500))
    // svychisq(~v + g, svydesign(~1, weights = ~w, data = d), statistic = "F")
    const table = [
      [weighing(250, 1.8), weighing(285, 0.2)],
      [weighing(250, 1.8), weighing(215, 0.2)],
    ];
    expectRaoScott(table, { statistic: 4.934824632, df: 1, df2: 999, pValue: 0.02654422877 });
  });

  it('of apistrat, stype by comp.imp', () => {
    // data(api); svychisq(~stype + comp.imp, svydesign(~1, weights = ~pw, data = apistrat))
    const table = [
      [weighing(25, 44.2099990845), weighing(75, 44.2099990845)],
      [weighing(33, 15.1000003815), weighing(17, 15.1000003815)],
      [weighing(26, 20.3600006104), weighing(24, 20.3600006104)],
    ];
    expectRaoScott(table, {
      statistic: 14.54414215,
      df: 1.889746441,
      df2: 376.0595418,
      pValue: 1.452517519e-6,
    });
  });

  const THREE_BY_FOUR = { statistic: 3.986776623727, df: 5.919764763813, df2: 1290.508718511 };

  it('of three rows and four columns, and of the transposed table', () => {
    const table = twoWeights(LIGHT, HEAVY);
    const wanted = { ...THREE_BY_FOUR, pValue: 0.0006241338289102 };
    expectRaoScott(table, wanted);
    expectRaoScott(
      table[0]!.map((_, column) => table.map((row) => row[column]!)),
      wanted,
    );
  });

  it('with 40 respondents without a row value, who remain in the design', () => {
    // d <- rbind(d, data.frame(r = rep(NA, 40), c = 1, w = 3))
    const wanted = { statistic: 3.989601020046, df: 5.919764763813, df2: 1527.299309064 };
    expectRaoScott(twoWeights(LIGHT, HEAVY), { ...wanted, pValue: 0.0006126751887811 }, 219 + 40);
  });

  it('for any scale of the weights', () => {
    const table = twoWeights(LIGHT, HEAVY).map((row) =>
      row.map(({ count, weight, squaredWeight }) => {
        return { count, weight: 1000 * weight, squaredWeight: 1e6 * squaredWeight };
      }),
    );
    expectRaoScott(table, { ...THREE_BY_FOUR, pValue: 0.0006241338289102 });
  });

  it('ignoring an empty row and an empty column', () => {
    const table = twoWeights(LIGHT, HEAVY).map((row) => [...row, NO_RESPONSES]);
    const padded = [...table, table[0]!.map(() => NO_RESPONSES)];
    expectRaoScott(padded, { ...THREE_BY_FOUR, pValue: 0.0006241338289102 });
  });

  const without = (table: number[][], ...cells: [number, number][]) => {
    const copy = table.map((row) => [...row]);
    for (const [row, column] of cells) copy[row]![column] = 0;
    return copy;
  };

  it.each<[string, [number, number][], Golden]>([
    [
      'one empty cell',
      [[0, 3]],
      { statistic: 5.441312412395, df: 5.909655269347, df2: 1229.208296024, pValue: 1.63923031807e-5 },
    ],
    [
      'three empty cells',
      [
        [0, 3],
        [1, 1],
        [2, 0],
      ],
      { statistic: 9.331991427278, df: 5.490101753475, df2: 1032.139129653, pValue: 2.455028021485e-9 },
    ],
  ])('of a table with %s', (_, cells, wanted) => {
    expectRaoScott(twoWeights(without(LIGHT, ...cells), without(HEAVY, ...cells)), wanted);
  });

  it('of two by two with an empty cell', () => {
    const table = twoWeights(
      [
        [10, 0],
        [5, 12],
      ],
      [
        [4, 0],
        [9, 3],
      ],
    );
    expectRaoScott(table, { statistic: 4.08240623341, df: 1, df2: 42, pValue: 0.04973873317728 });
  });

  it('of three by three with four empty cells in two rows and two columns', () => {
    const table = twoWeights(
      [
        [10, 0, 0],
        [0, 4, 5],
        [0, 7, 8],
      ],
      [
        [4, 0, 0],
        [0, 2, 1],
        [0, 5, 4],
      ],
    );
    const wanted = { statistic: 9.92620085225, df: 3.370694466337, df2: 165.1640288505 };
    expectRaoScott(table, { ...wanted, pValue: 1.7006817678e-6 });
  });

  it('with expected shares if the table is singular in R', () => {
    const table = twoWeights(
      [
        [10, 0, 0],
        [7, 0, 0],
        [3, 7, 8],
      ],
      [
        [4, 0, 0],
        [3, 0, 0],
        [4, 5, 4],
      ],
    );
    // svychisq fails: the system is computationally singular. Its own matrices with iDmat <- diag(1 / e), e the expected shares, give
    // these values; df2 is df times 54 of the 55 respondents.
    const found = testIndependence(table, sizeOf(table))!;
    near(found.uncorrected!.statistic, 27.845253209197);
    near(found.statistic, 9.573802794019);
    near(found.df, 2.895922911426);
  });

  it('finite if every row has only one column', () => {
    const table = [
      [weighing(14, 1.5), NO_RESPONSES],
      [NO_RESPONSES, weighing(14, 1.5)],
    ];
    const found = testIndependence(table, 28)!;
    near(found.statistic, 28);
    expect(found.pValue).toBeLessThan(1e-4);
  });

  it('with the uncorrected chi-square of the respondents in the table', () => {
    // chisq.test(svytable(~stype + comp.imp, design, Ntotal = 200), correct = FALSE)
    const table = twoWeights(LIGHT, HEAVY);
    const { uncorrected, cramersV } = testIndependence(table, 500)!;
    near(uncorrected!.statistic, 35.84479303);
    expect(uncorrected!.df).toBe(6);
    near(cramersV, Math.sqrt(35.84479303 / 219 / 2));
  });

  it('of thousands of cells in reasonable time', () => {
    const random = randomNumbers(5);
    const table = Array.from({ length: 2 }, () =>
      Array.from({ length: 2_000 }, () => weighing(1 + Math.floor(9 * random()), 0.5 + random())),
    );
    const started = performance.now();
    const { df, pValue } = testIndependence(table, sizeOf(table))!;
    expect(df).toBeGreaterThan(1_500);
    expect(pValue).toBeGreaterThan(0);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

describe('unweighted tests of independence', () => {
  const HAIR_EYE = [
    [68, 20, 15, 5],
    [119, 84, 54, 29],
    [26, 17, 14, 14],
    [7, 94, 10, 16],
  ].map((row) => row.map(plain));

  it("use Pearson's chi-square: chisq.test(t, correct = FALSE) of HairEyeColor", () => {
    const found = testIndependence(HAIR_EYE, null)!;
    expect(found).toMatchObject({ test: 'pearson', df: 9, df2: null, uncorrected: null });
    expect(found.statistic).toBeCloseTo(138.2898, 4);
    expect(Math.abs(found.pValue / 2.3253e-25 - 1)).toBeLessThan(1e-4);
  });

  it('return null for fewer than two rows or columns', () => {
    expect(testIndependence([[plain(3), plain(4)]], null)).toBeNull();
    expect(testIndependence([[weighing(3, 2)], [weighing(4, 2)]], 7)).toBeNull();
  });

  it('count cells with small expected counts, unweighted even with weights', () => {
    const sparse = [
      [plain(8), plain(2)],
      [plain(1), plain(5)],
    ];
    // chisq.test(matrix(c(8, 2, 1, 5), 2, byrow = TRUE))$expected: 5.625 4.375 3.375 2.625
    const expected = { smallest: 2.625, cellsBelow: 3, cells: 4 };
    expect(testTableIndependence(sparse, null)).toMatchObject({ expected });
    const weighted = sparse.map((row) => row.map(({ count }, column) => weighing(count, 1 + column)));
    expect(testTableIndependence(weighted, 16)).toMatchObject({ expected, fisherPValue: null });
  });

  it('have the p of fisher.test for a table of two by two, and none for three categories', () => {
    const two = [
      [plain(8), plain(2)],
      [plain(1), plain(5)],
    ];
    near(testTableIndependence(two, null)!.fisherPValue, 0.03496503497);
    expect(testTableIndependence([...two, [plain(4), plain(4)]], null)!.fisherPValue).toBeNull();
  });
});

describe("Fisher's exact test", () => {
  // fisher.test(matrix(c(…), 2, byrow = TRUE))$p.value
  it.each([
    [8, 2, 1, 5, 0.03496503496503],
    [39, 1, 552, 48, 0.352145623154],
    [3, 1, 1, 3, 0.4857142857143],
    [0, 10, 5, 2, 0.003393665158371],
    [1000, 900, 1100, 1200, 0.002142817897726],
    [40, 10, 10, 40, 2.222100814831e-9],
  ])('of %d, %d, %d, %d', (a, b, c, d, wanted) => {
    near(computeFisherExactPValue([a, b], [c, d]), wanted);
    near(computeFisherExactPValue([a, c], [b, d]), wanted);
    near(computeFisherExactPValue([d, c], [b, a]), wanted);
  });

  it('is 1 if only one table is possible', () => {
    expect(computeFisherExactPValue([3, 0], [4, 0])).toBe(1);
  });
});

describe('without differences, one test in twenty is significant at 5 %', () => {
  const RUNS = 1_000;
  const PER_GROUP = 300;
  /** By group and respondent; `random` is a new number for every respondent. */
  const patterns: [string, (group: number, random: () => number) => number][] = [
    ['weights that vary in one group', (group, random) => (group === 0 ? 1 : random() < 0.2 ? 4 : 0.25)],
    ['a boost sample', (group) => (group === 0 ? 1.8 : 0.2)],
    ['random weights', (_, random) => 0.2 - Math.log(1 - random())],
  ];

  test.each(patterns)('%s', (_, weightOf) => {
    const random = randomNumbers(20_261_122);
    let significant = 0;
    for (let run = 0; run < RUNS; run++) {
      const table = Array.from({ length: 3 }, () => [{ ...NO_RESPONSES }, { ...NO_RESPONSES }]);
      for (let group = 0; group < 2; group++) {
        for (let respondent = 0; respondent < PER_GROUP; respondent++) {
          const draw = random();
          const cell = table[draw < 0.5 ? 0 : draw < 0.8 ? 1 : 2]![group]!;
          const weight = weightOf(group, random);
          cell.count += 1;
          cell.weight += weight;
          cell.squaredWeight += weight * weight;
        }
      }
      if (testIndependence(table, 2 * PER_GROUP)!.pValue < 0.05) significant += 1;
    }
    expect(significant / RUNS).toBeGreaterThanOrEqual(0.03);
    expect(significant / RUNS).toBeLessThanOrEqual(0.08);
  });
});
