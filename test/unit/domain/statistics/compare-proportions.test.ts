import { describe, expect, it } from 'vitest';
import { compareProportions } from '../../../../src/domain/statistics/compare-pairs.ts';

function simple(count: number, share: number) {
  const part = count * share;
  return {
    base: { count, weight: count, squaredWeight: count },
    part: { count: part, weight: part, squaredWeight: part },
  };
}

const free = { minBase: 0, correction: 'none' } as const;

/** Schools of one type: those without sch.wide, all of them comp.imp No, those with, and how many of these are comp.imp Yes. */
function schools(without: number, weightWithout: number, having: number, weightHaving: number, yes: number) {
  const weight = without * weightWithout + having * weightHaving;
  const squaredWeight = without * weightWithout ** 2 + having * weightHaving ** 2;
  const part = { count: yes, weight: yes * weightHaving, squaredWeight: yes * weightHaving ** 2 };
  return { base: { count: without + having, weight, squaredWeight }, part };
}

/** comp.imp = Yes by stype E, H, M on the raked apiclus1 schools of the R package survey. */
const SCHOOLS = [
  schools(12, 39.8392362, 132, 29.8706755, 112),
  schools(3, 67.1255292, 11, 50.3294011, 7),
  schools(8, 49.0690722, 17, 36.7910249, 14),
];

describe('compareProportions', () => {
  it('returns t and p of weighted data', () => {
    const { pairs } = compareProportions(SCHOOLS, free);
    const wanted = [
      [2.319445, 0.021679],
      [2.554745, 0.011529],
      [-0.233672, 0.816553],
    ];
    for (const [index, [t, pValue]] of wanted.entries()) {
      expect(Math.abs(pairs[index]!.t - t!)).toBeLessThan(1e-6);
      expect(Math.abs(pairs[index]!.pValue - pValue!)).toBeLessThan(1e-6);
    }
  });

  it('adds the letters of the columns that are exceeded', () => {
    expect(compareProportions(SCHOOLS, free).letters).toEqual([['B', 'C'], [], []]);
  });

  it('uses lower-case letters between 90 and 95 %', () => {
    expect(compareProportions([simple(100, 0.38), simple(100, 0.5)], free).letters).toEqual([[], ['a']]);
  });

  it('does not test columns below the minimum base', () => {
    const { pairs, letters } = compareProportions(SCHOOLS, { ...free, minBase: 17 });
    expect(pairs.map(({ first, second }) => [first, second])).toEqual([[0, 2]]);
    expect(letters).toEqual([['C'], [], []]);
  });

  it('does not test columns without variance or respondents', () => {
    const { pairs } = compareProportions([simple(50, 1), simple(50, 1), simple(0, 0)], free);
    expect(pairs).toEqual([]);
  });

  it('adjusts p values for multiple tests', () => {
    const [p1, p2, p3] = compareProportions(SCHOOLS, free).pairs.map(({ pValue }) => pValue);
    const bonferroni = compareProportions(SCHOOLS, { ...free, correction: 'bonferroni' });
    expect(bonferroni.pairs.map(({ pValue }) => pValue)).toEqual([p1! * 3, p2! * 3, 1]);
    expect(bonferroni.letters).toEqual([['b', 'C'], [], []]);
    const fdr = compareProportions(SCHOOLS, { ...free, correction: 'fdr' });
    // Both small ones: the second of three, 3/2 of the larger.
    const both = (p1! * 3) / 2;
    for (const [index, wanted] of [both, both, p3!].entries()) {
      expect(fdr.pairs[index]!.pValue).toBeCloseTo(wanted, 12);
    }
  });
});
