import { describe, expect, it } from 'vitest';
import {
  cohensH,
  computeCorrelation,
  npsInterval,
  testMeans,
  testShares,
  wilsonInterval,
} from '../../../../src/domain/insights/difference.ts';
import { falseDiscoveryRates } from '../../../../src/domain/insights/insights.ts';

describe('figures with known values', () => {
  it('match p.adjust(c(0.01, 0.04, 0.03, 0.005), "BH") of R', () => {
    const rates = falseDiscoveryRates([0.01, 0.04, 0.03, 0.005]);
    expect(rates.map((rate) => rate.toFixed(6))).toEqual(['0.020000', '0.040000', '0.040000', '0.020000']);
    expect(falseDiscoveryRates([])).toEqual([]);
  });

  it('match prop.test(15, 50, correct = FALSE) of R: the interval is 0.1910 to 0.4375', () => {
    const { low, high } = wilsonInterval(0.3, 50);
    expect(low).toBeCloseTo(0.191, 4);
    expect(high).toBeCloseTo(0.4375, 4);
    expect(wilsonInterval(1, 20)).toMatchObject({ high: 1 });
  });

  it("match Cohen's h of 0.5 and 0.25: 0.5236 (π/6)", () => {
    expect(cohensH(0.5, 0.25)).toBeCloseTo(Math.PI / 6, 12);
  });

  it('match a Net Promoter Score of 50 % and 20 % among 100: 30 ± 15.3', () => {
    const { low, high } = npsInterval(0.5, 0.2, 100);
    // Its variance is 0.7 - 0.09.
    expect(low).toBeCloseTo(30 - 1.959964 * 7.81025, 4);
    expect(high).toBeCloseTo(30 + 1.959964 * 7.81025, 4);
  });

  it('match cor.test of x = 1..5 and y = 2, 1, 4, 3, 5 of R: r 0.8, t 2.3094, p 0.1041', () => {
    const rows = { mask: new Uint8Array(5).fill(1), weights: null };
    const found = computeCorrelation(Float64Array.of(1, 2, 3, 4, 5), Float64Array.of(2, 1, 4, 3, 5), rows)!;
    expect(found.r).toBeCloseTo(0.8, 12);
    expect(found.pValue).toBeCloseTo(0.1041, 4);
    expect(
      computeCorrelation(Float64Array.of(1, 1, 1, 1, 1), Float64Array.of(2, 1, 4, 3, 5), rows),
    ).toBeNull();
  });

  it('have the same correlation for values far from zero and near it, weighted or not', () => {
    const [x, y] = [
      [0.1, 0.4, 0.2, 0.9, 0.5],
      [3, 1, 4, 1, 5],
    ];
    const far = Float64Array.from(x, (value) => -1e6 + value * 2 ** -7);
    const mask = new Uint8Array(5).fill(1);
    // cor.test(x, y) of R with x <- c(.1, .4, .2, .9, .5), y <- c(3, 1, 4, 1, 5)
    const plain = computeCorrelation(far, Float64Array.from(y), { mask, weights: null })!;
    expect(plain.r).toBeCloseTo(-0.4397493721533646, 6);
    expect(plain.pValue).toBeCloseTo(0.4587028746702991, 6);
    // cov.wt(cbind(x, y), c(.3, 1.7, .9, 1.1, .05), cor = TRUE)$cor[1, 2]
    const weights = Float64Array.of(0.3, 1.7, 0.9, 1.1, 0.05);
    expect(computeCorrelation(far, Float64Array.from(y), { mask, weights })!.r).toBeCloseTo(
      -0.6304310678901714,
      6,
    );
    // Rounding errors of w·x/w are not variance: shifted by 1,000, which is exact, the correlation is unchanged.
    const rows = {
      mask: new Uint8Array(4).fill(1),
      weights: Float64Array.of(0.05000000000000007, 0.05, 0.05, 0.05),
    };
    const near = Float64Array.of(-999.9999999999992, -999.9983921925955, -999.9983921925955, -999.9999);
    const moved = near.map((value) => value + 1_000);
    const other = Float64Array.of(1, 3, 0, 2);
    expect(computeCorrelation(near, other, rows)!.r).toBeCloseTo(
      computeCorrelation(moved, other, rows)!.r,
      10,
    );
  });

  it('match UCBAdmissions, admit by department: χ² 778.9065 on 5 df, V = √(χ²/4526), with A admitted most', () => {
    const admitted = [601, 370, 322, 269, 147, 46];
    const rejected = [332, 215, 596, 523, 437, 668];
    const counts = (line: number[]) => line.map((count) => ({ count, weight: count, squaredWeight: count }));
    const found = testShares({
      answers: ['Admitted', null],
      groups: ['A', 'B', 'C', 'D', 'E', 'F'],
      cells: [counts(admitted), counts(rejected)],
      designSize: null,
    })!;
    expect(found.base * found.cramersV ** 2).toBeCloseTo(778.9065, 4);
    expect(found).toMatchObject({ answer: 'Admitted', base: 4526 });
    expect(['A', 'F']).toContain(found.group.label);
  });

  it('merge answers too rare for a chi-square and never name them', () => {
    const counts = (line: number[]) => line.map((count) => ({ count, weight: count, squaredWeight: count }));
    const table = { answers: ['a', 'b', 'c', 'd'], groups: ['x', 'y'], designSize: null };
    const together = testShares({
      ...table,
      cells: [counts([40, 20]), counts([20, 40]), counts([2, 0]), counts([0, 2])],
    })!;
    const alone = testShares({ ...table, cells: [counts([40, 20]), counts([20, 40])] })!;
    expect(together.base).toBe(124);
    expect(['a', 'b']).toContain(together.answer);
    expect(alone.pValue).toBeCloseTo(0.000261, 6);
  });

  it('compare means like t.test: 5.2 ± 1 against 4.6 ± 1.5 of 40 each', () => {
    const mean = (value: number, sd: number) => {
      return { count: 40, weighted_count: null, effective_base: 40, mean: value, sd, se: null };
    };
    const found = testMeans([mean(4.6, 1.5), mean(5.2, 1)], ['old', 'new'])!;
    // t = 0.6 / √(1/40 + 2.25/40) = 2.1049, df = 67.94
    expect(found.higher).toEqual({ label: 'new', mean: 5.2, base: 40 });
    expect(found.pValue).toBeCloseTo(0.039, 3);
    expect(found.d).toBeCloseTo(0.6 / Math.sqrt((1 + 2.25) / 2), 12);
  });
});
