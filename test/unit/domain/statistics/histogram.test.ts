import { describe, expect, test } from 'vitest';
import { selectCountedRows } from '../../../../src/domain/statistics/base.ts';
import {
  freedmanDiaconis,
  computeHistogram,
  MAX_BINS,
  formatBinLabels,
} from '../../../../src/domain/statistics/histogram.ts';
import { tallyNumbers } from '../../../../src/domain/statistics/tally.ts';

const MPG = [
  21, 21, 22.8, 21.4, 18.7, 18.1, 14.3, 24.4, 22.8, 19.2, 17.8, 16.4, 17.3, 15.2, 10.4, 10.4, 14.7, 32.4,
  30.4, 33.9, 21.5, 15.5, 15.2, 13.3, 19.2, 27.3, 26, 30.4, 15.8, 19.7, 15, 21.4,
];
const from = (length: number, value: (index: number) => number) =>
  Array.from({ length }, (_, index) => value(index + 1));

function tallyOf(values: readonly number[], weights: number[] | null = null) {
  const mask = new Uint8Array(values.length).fill(1);
  return tallyNumbers(
    Float64Array.from(values),
    selectCountedRows(mask, weights && Float64Array.from(weights)),
  );
}

describe('the number of bins by the Freedman-Diaconis rule', () => {
  test.each([
    ['nclass.FD(mtcars$mpg)', MPG, 6],
    ['nclass.FD((1:200)^2)', from(200, (index) => index ** 2), 6],
    ['nclass.FD(exp((1:500)/50))', from(500, (index) => Math.exp(index / 50)), 49],
    ['nclass.FD(sqrt(1:1000)*3.123456789)', from(1_000, (index) => Math.sqrt(index) * 3.123456789), 14],
    ['nclass.FD(1:40)', from(40, (index) => index), 4],
    ['nclass.FD(c(rep(5,90),1:10))', [...from(90, () => 5), ...from(10, (index) => index)], 14],
    ['nclass.FD(c(rep(7,1000),1:3))', [...from(1_000, () => 7), 1, 2, 3], 15],
    ['nclass.FD(c(rep(7,5000),100))', [...from(5_000, () => 7), 100], 346],
    ['nclass.FD(1e6+(1:300)/7), whose quartiles are equal in five digits', from(300, (i) => 1e6 + i / 7), 7],
    ['nclass.FD(rep(4,10))', from(10, () => 4), 1],
  ])('equals R: %s', (_, values, classes) => expect(freedmanDiaconis(tallyOf(values))).toBe(classes));

  test('does not depend on the scale of weights and uses the effective base as n', () => {
    expect(
      freedmanDiaconis(
        tallyOf(
          MPG,
          MPG.map(() => 7.5),
        ),
      ),
    ).toBe(6);
    const values = from(1_000, (index) => Math.sqrt(index) * 3.123456789);
    const uneven = values.map((_, index) => (index % 2 === 0 ? 100 : 0.001));
    // Half of the respondents have all of the weight: 2 * IQR and range are nearly the same, and 500 ** (1 / 3) is a fifth less.
    const half = freedmanDiaconis(tallyOf(values.filter((_, index) => index % 2 === 0)));
    expect(freedmanDiaconis(tallyOf(values, uneven))).toBe(half);
    expect(half).toBeLessThan(14);
  });
});

describe('bins', () => {
  test('have round edges and contain every value once', () => {
    const histogram = computeHistogram(tallyOf(MPG), 'auto')!;
    expect(histogram).toMatchObject({ method: 'freedman_diaconis', classes: 6, width: 5 });
    expect(histogram.breaks).toEqual([10, 15, 20, 25, 30, 35]);
    expect(formatBinLabels(histogram).map(({ label }) => label)).toEqual([
      '10 to under 15',
      '15 to under 20',
      '20 to under 25',
      '25 to under 30',
      '30 to 35',
    ]);
  });

  test('of integers are labeled by their first and last value', () => {
    const ages = from(63, (index) => index + 17);
    const histogram = computeHistogram(tallyOf(ages), 'auto')!;
    expect(histogram.width).toBe(20);
    expect(formatBinLabels(histogram)[0]).toEqual({ value: '0..20', label: '0–19' });
    const single = computeHistogram(
      tallyOf([...ages, ...from(40_000, (index) => 18 + (index % 25))]),
      'auto',
    )!;
    expect(single.breaks.length - 1).toBeLessThanOrEqual(MAX_BINS);
    expect(Number.isInteger(single.width)).toBe(true);
  });

  test.each([
    ['far apart', [...from(5_000, (index) => index / 100), 1e6]],
    ['below zero', from(900, (index) => -index / 7)],
    ['close together', from(700, (index) => 1e6 + index / 1e4)],
    ['tiny', from(700, (index) => index / 1e9)],
    ['of many classes', from(5_000, (index) => Math.exp(index / 500))],
  ])('of values %s are at most 30 and contain all values', (_, values) => {
    const { breaks, width } = computeHistogram(tallyOf(values), 'auto')!;
    expect(breaks.length - 1).toBeLessThanOrEqual(MAX_BINS);
    expect(breaks[0]).toBeLessThanOrEqual(Math.min(...values));
    expect(breaks.at(-1)).toBeGreaterThanOrEqual(Math.max(...values));
    breaks.slice(1).forEach((edge, index) => expect((edge - breaks[index]!) / width).toBeCloseTo(1, 6));
  });

  test('are created above 20 distinct values, in the requested number, or not at all', () => {
    expect(computeHistogram(tallyOf(from(20, (index) => index)), 'auto')).toBeNull();
    expect(computeHistogram(tallyOf(from(21, (index) => index)), 'auto')).not.toBeNull();
    expect(computeHistogram(tallyOf(MPG), 'none')).toBeNull();
    expect(computeHistogram(tallyOf(MPG), 12)).toMatchObject({ method: 'fixed', classes: 12, width: 2 });
    expect(computeHistogram(tallyOf([3, 3, 3]), 5)).toBeNull();
  });
});
