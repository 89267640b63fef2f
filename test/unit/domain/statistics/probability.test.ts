import { describe, expect, it } from 'vitest';
import { chiSquareUpperTail, fUpperTail, tTwoSided } from '../../../../src/domain/statistics/probability.ts';

/** Compares relative to the probability, because small tails matter most. */
function expectNear(actual: number, wanted: number): void {
  expect(Math.abs(actual - wanted)).toBeLessThanOrEqual(1e-9 * wanted);
}

// Both tables were computed with 30 digits.
describe('the upper tail of chi-square', () => {
  it.each([
    [0.5, 1, 0.479500122186953],
    [3.84, 1, 0.0500435212487051],
    [21.671778, 4, 0.000232934643516712],
    [138.2898, 9, 2.32533277019815e-25],
    [778.9065, 5, 4.22981133289868e-166],
    [10, 10, 0.440493285065212],
    [0.001, 3, 0.999991592080942],
    [100, 120, 0.907734948041067],
    [1500, 1400, 0.0315037209893924],
    [0, 3, 1],
  ])('of %d with %d degrees of freedom', (statistic, df, wanted) => {
    expectNear(chiSquareUpperTail(statistic, df), wanted);
  });
});

// pf(statistic, df1, df2, lower.tail = FALSE)
describe('the upper tail of F', () => {
  it.each([
    [4.934824632212, 1, 999, 0.0265442287717977],
    [14.54414214911, 1.889746441078, 376.0595417745, 1.45251751907505e-6],
    [3.986776623727, 5.919764763813, 1290.508718511, 0.000624133828911096],
    [0.3, 2.5, 10, 0.791387093483482],
    [1, 1, 1, 0.5],
    [50, 3, 1e6, 2.64957883438315e-32],
    [0, 2, 5, 1],
    [1.05, 400, 1e5, 0.236516153193734],
  ])('of %d with %d and %d degrees of freedom', (statistic, df1, df2, wanted) => {
    expectNear(fUpperTail(statistic, df1, df2), wanted);
  });
});

describe('both tails of t', () => {
  it.each([
    [2.319445, 154.624603, 0.0216794794592201],
    [2.554745, 165.364585, 0.0115286685655933],
    [-0.233672, 36.290036, 0.816552800871195],
    [0, 5, 1],
    [1, 1, 0.5],
    [12.7062047, 1, 0.0500000001417659],
    [0.01, 3, 0.992649111412852],
    [40, 10, 2.28085774308575e-12],
    [1.96, 1e6, 0.0499960675852698],
    [3, 0.5, 0.367308155985943],
  ])('of %d with %d degrees of freedom', (t, df, wanted) => {
    expectNear(tTwoSided(t, df), wanted);
  });
});
