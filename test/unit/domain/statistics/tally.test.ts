import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { selectCountedRows } from '../../../../src/domain/statistics/base.ts';
import { computeMoments, computeQuantile } from '../../../../src/domain/statistics/moments.ts';
import { tallyNumbers } from '../../../../src/domain/statistics/tally.ts';

/** mpg of the 32 cars in R's mtcars. */
const MPG = [
  21, 21, 22.8, 21.4, 18.7, 18.1, 14.3, 24.4, 22.8, 19.2, 17.8, 16.4, 17.3, 15.2, 10.4, 10.4, 14.7, 32.4,
  30.4, 33.9, 21.5, 15.5, 15.2, 13.3, 19.2, 27.3, 26, 30.4, 15.8, 19.7, 15, 21.4,
];

/** Their hp. */
const HORSEPOWER = [
  110, 110, 93, 110, 175, 105, 245, 62, 95, 123, 123, 180, 180, 180, 205, 215, 230, 66, 52, 65, 97, 150, 150,
  245, 175, 66, 91, 113, 264, 175, 335, 109,
];

const everyRow = (length: number) => new Uint8Array(length).fill(1);
const tally = (values: readonly number[], weights: readonly number[] | null = null) =>
  tallyNumbers(
    Float64Array.from(values),
    selectCountedRows(everyRow(values.length), weights ? Float64Array.from(weights) : null),
  );

/** R's quantile(x, p, type = 7), on sorted copies. */
function typeSeven(values: readonly number[], probability: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const position = (sorted.length - 1) * probability;
  const low = sorted[Math.floor(position)] ?? NaN;
  const high = sorted[Math.ceil(position)] ?? NaN;
  return low + (position - Math.floor(position)) * (high - low);
}

/** The two-pass textbook formula. */
function naiveMoments(values: readonly number[], weights: readonly number[]) {
  const weight = weights.reduce((sum, w) => sum + w, 0);
  const mean = values.reduce((sum, value, index) => sum + value * (weights[index] ?? 0), 0) / weight;
  const squares = values.reduce((sum, value, index) => sum + (weights[index] ?? 0) * (value - mean) ** 2, 0);
  return { mean, sd: Math.sqrt(((squares / weight) * values.length) / (values.length - 1)) };
}

function close(actual: number | null, expected: number): void {
  expect(actual).toBeCloseTo(expected, 7);
}

const few = fc.integer({ min: -5, max: 5 });
const wide = fc.integer({ min: -1_000_000, max: 1_000_000 });
const real = fc.double({ min: -1_000, max: 1_000, noNaN: true });
const sample = fc.oneof(
  fc.array(few, { minLength: 2, maxLength: 50 }),
  fc.array(wide, { minLength: 2, maxLength: 50 }),
  fc.array(real, { minLength: 2, maxLength: 50 }),
);
const weighted = fc.oneof(few, wide, real).chain(() =>
  fc.array(fc.tuple(fc.oneof(few, real), fc.double({ min: 0.05, max: 20, noNaN: true })), {
    minLength: 2,
    maxLength: 40,
  }),
);
const probability = fc.double({ min: 0, max: 1, noNaN: true });

describe('a tally', () => {
  test('lists every distinct value once, ascending, with its rows and weights', () => {
    const { values, counts, weights, squaredWeights } = tally([3, 1, 3, 0.5, -0, 0], [1, 2, 3, 1, 1, 1]);
    expect([...values]).toEqual([0, 0.5, 1, 3]);
    expect([...counts]).toEqual([2, 1, 1, 2]);
    expect([...weights]).toEqual([2, 1, 2, 4]);
    expect([...squaredWeights]).toEqual([2, 1, 4, 10]);
  });

  test('excludes uncounted rows and missing values', () => {
    const rows = selectCountedRows(Uint8Array.of(1, 0, 1, 1), Float64Array.of(1, 1, NaN, 2));
    expect([...tallyNumbers(Float64Array.of(7, 8, 9, NaN), rows).values]).toEqual([7]);
    expect(rows.withoutWeight).toBe(1);
  });

  test('of small integers equals a naive count for any positions of other values, missing values and excluded rows', () => {
    const value = fc.oneof(
      fc.integer({ min: 0, max: 5 }),
      fc.constantFrom(NaN, 255, 256, -1, -0, 2.5, 2 ** 32, Infinity),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(value, fc.constantFrom(0, 1)), { maxLength: 30 }), (rows) => {
        const expected = new Map<number, number>();
        for (const [number, counts] of rows) {
          if (counts === 1 && !Number.isNaN(number))
            expected.set(number + 0, (expected.get(number + 0) ?? 0) + 1);
        }
        const mask = Uint8Array.from(rows, ([, counts]) => counts);
        const found = tallyNumbers(
          Float64Array.from(rows, ([number]) => number),
          selectCountedRows(mask, null),
        );
        expect([...found.values].map((number, index) => [number, found.counts[index]])).toEqual(
          [...expected].sort(([a], [b]) => a - b),
        );
      }),
    );
  });

  test('is the same whether counted in an array or sorted', () => {
    fc.assert(
      fc.property(fc.array(few, { minLength: 1 }), (values) => {
        // One distant value forces sorting.
        const sorted = tally([...values, 10_000_000]);
        const dense = tally(values);
        expect([...sorted.values].slice(0, -1)).toEqual([...dense.values]);
        expect([...sorted.counts].slice(0, -1)).toEqual([...dense.counts]);
      }),
    );
  });
});

describe('mean and SD', () => {
  test('of mtcars$mpg equal those of R', () => {
    const { mean, sd, count } = computeMoments(tally(MPG));
    expect(count).toBe(32);
    expect(mean).toBeCloseTo(20.090625, 6);
    expect(sd).toBeCloseTo(6.026948, 6);
  });

  test('equal those of a two-pass algorithm, weighted or not', () => {
    fc.assert(
      fc.property(sample, (values) => {
        const expected = naiveMoments(
          values,
          values.map(() => 1),
        );
        const { mean, sd } = computeMoments(tally(values));
        close(mean, expected.mean);
        close(sd, expected.sd);
      }),
    );
    fc.assert(
      fc.property(weighted, (pairs) => {
        const [values, weights] = [pairs.map(([value]) => value), pairs.map(([, weight]) => weight)];
        const expected = naiveMoments(values, weights);
        const { mean, sd } = computeMoments(tally(values, weights));
        close(mean, expected.mean);
        close(sd, expected.sd);
      }),
    );
  });

  /** Weights for which w·x/w is not x: found by the property above. sqrt(svyvar(~x, svydesign(~1, weights = ~w, data = d))) of R. */
  test('equal those of a two-pass algorithm if the weighted first value is rounded', () => {
    const values = [-999.9999999999992, -999.9983921925955];
    const { sd } = computeMoments(tally(values, [0.05000000000000007, 0.05]));
    expect(Math.abs(sd! / 0.001136891518019114 - 1)).toBeLessThan(1e-9);
    // sd(c(-999.9999999999992, -999.9983921925955)) of R
    expect(Math.abs(computeMoments(tally(values)).sd! / 0.00113689151801911 - 1)).toBeLessThan(1e-9);
  });

  test('do not cancel out far from zero, weighted', () => {
    // d <- data.frame(x = 1e9 + c(4, 7, 13, 16), w = c(.3, 1.7, .9, 1.1)): svymean(~x, de) and sqrt(svyvar(~x, de)) of R
    const { mean, sd } = computeMoments(tally([1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16], [0.3, 1.7, 0.9, 1.1]));
    expect(mean).toBe(1000000010.6);
    expect(Math.abs(sd! / 4.91121166312347 - 1)).toBeLessThan(1e-9);
  });

  test('do not cancel out far from zero', () => {
    const { mean, sd } = computeMoments(tally([1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16]));
    expect(mean).toBe(1e9 + 10);
    expect(sd).toBeCloseTo(Math.sqrt(30), 9);
  });

  test('equal svyvar computed by hand, with weights', () => {
    // n/(n-1) · Σw(x-m)²/Σw with m = (1·1 + 3·2)/4 = 1.75: 2 · 0.75/4 = 0.375
    const { mean, sd } = computeMoments(tally([1, 2], [1, 3]));
    expect(mean).toBe(1.75);
    expect(sd).toBeCloseTo(Math.sqrt(0.375), 12);
  });

  test('are null with too few values', () => {
    expect(computeMoments(tally([]))).toMatchObject({ mean: null, sd: null });
    expect(computeMoments(tally([5]))).toMatchObject({ mean: 5, sd: null });
  });
});

describe('a quantile', () => {
  test('is type 7 of R', () => {
    expect(computeQuantile(tally(MPG), 0.25)).toBeCloseTo(15.425, 9);
    expect(computeQuantile(tally(MPG), 0.5)).toBeCloseTo(19.2, 9);
    expect(computeQuantile(tally(MPG), 0.75)).toBeCloseTo(22.8, 9);
    fc.assert(
      fc.property(sample, probability, (values, p) => {
        close(computeQuantile(tally(values), p), typeSeven(values, p));
      }),
      { numRuns: 500 },
    );
  });

  test('with equal weights equals the unweighted one at any scale', () => {
    fc.assert(
      fc.property(
        sample,
        probability,
        fc.double({ min: 0.01, max: 100, noNaN: true }),
        (values, p, weight) => {
          const equal = values.map(() => weight);
          expect(
            Math.abs((computeQuantile(tally(values, equal), p) ?? NaN) - typeSeven(values, p)),
          ).toBeLessThan(1e-7);
        },
      ),
    );
  });

  test('with weights is within the values, increases with the probability and does not depend on the scale of the weights', () => {
    fc.assert(
      fc.property(weighted, probability, probability, (pairs, p, q) => {
        const [values, weights] = [pairs.map(([value]) => value), pairs.map(([, weight]) => weight)];
        const low = computeQuantile(tally(values, weights), Math.min(p, q)) ?? NaN;
        const high = computeQuantile(tally(values, weights), Math.max(p, q)) ?? NaN;
        expect(low).toBeGreaterThanOrEqual(Math.min(...values) - 1e-9);
        expect(high).toBeLessThanOrEqual(Math.max(...values) + 1e-9);
        expect(high).toBeGreaterThanOrEqual(low - 1e-7);
        const scaled = weights.map((weight) => weight * 8);
        close(computeQuantile(tally(values, scaled), p), computeQuantile(tally(values, weights), p) ?? NaN);
      }),
    );
  });

  test('with weights of mean 1 equals wtd.quantile of Hmisc', () => {
    // p <- c(.1, .25, .5, .75, .9)
    const probabilities = [0.1, 0.25, 0.5, 0.75, 0.9];
    const found = (values: number[], weights: number[]) =>
      probabilities.map((p) => computeQuantile(tally(values, weights), p));
    const equal = (actual: (number | null)[], expected: number[]) =>
      expected.forEach((figure, index) => expect(Math.abs(actual[index]! - figure)).toBeLessThan(1e-6));
    // wtd.quantile(mtcars$mpg, mtcars$hp, p, normwt = TRUE), of Hmisc 4.8-0; the same for mtcars$hp * 0.013
    equal(found(MPG, HORSEPOWER), [13.4, 15, 16.85, 21, 25.68]);
    equal(
      found(
        MPG,
        HORSEPOWER.map((weight) => weight * 0.013),
      ),
      [13.4, 15, 16.85, 21, 25.68],
    );
    // Ties, in any order: wtd.quantile(c(1, 2, 2, 3, 7, 9, 10), c(1, .5, 2, 3, .2, 1.1, .7), p, normwt = TRUE)
    equal(found([1, 2, 2, 3, 7, 9, 10], [1, 0.5, 2, 3, 0.2, 1.1, 0.7]), [2, 2.5, 3, 6, 9.4]);
    equal(found([10, 2, 9, 1, 7, 3, 2], [0.7, 2, 1.1, 1, 0.2, 3, 0.5]), [2, 2.5, 3, 6, 9.4]);
    // The same with weights of zero: wtd.quantile(c(0, 1, 2, 2, 3, 7, 9, 10, 99), c(0, 1, .5, 2, 3, .2, 1.1, .7, 0), p, normwt = TRUE)
    equal(found([0, 1, 2, 2, 3, 7, 9, 10, 99], [0, 1, 0.5, 2, 3, 0.2, 1.1, 0.7, 0]), [2, 2.5, 3, 6, 9.4]);
    // One value, few values: wtd.quantile(c(5, 5, 5), c(.2, 3, 1), p, normwt = TRUE) and so on
    equal(found([5, 5, 5], [0.2, 3, 1]), [5, 5, 5, 5, 5]);
    equal(found([4, 8], [0.3, 1.9]), [8, 8, 8, 8, 8]);
    equal(found([1, 2, 3], [1, 1, 98]), [3, 3, 3, 3, 3]);
    equal(found([1, 2, 3], [98, 1, 1]), [1, 1, 1, 2, 2.6]);
    // Equal weights: quantile(mtcars$mpg, p, type = 7), and wtd.quantile(mtcars$mpg, rep(.37, 32), p, normwt = TRUE)
    const equalWeights = MPG.map(() => 0.37);
    equal(found(MPG, equalWeights), [14.34, 15.425, 19.2, 22.8, 30.09]);
  });

  test('with weights follows the weights', () => {
    expect(computeQuantile(tally([1, 2, 3], [1, 1, 98]), 0.5)).toBeCloseTo(3, 2);
    expect(computeQuantile(tally([1, 2, 3], [98, 1, 1]), 0.5)).toBeCloseTo(1, 2);
  });

  test('is null without values and the value itself with one value', () => {
    expect(computeQuantile(tally([]), 0.5)).toBeNull();
    expect(computeQuantile(tally([7]), 0.9)).toBe(7);
  });
});
