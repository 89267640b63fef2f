import { describe, expect, test } from 'vitest';
import { largestContribution } from '../../../../src/domain/charts/figures/category-tallies.ts';
import { tallyNumbers } from '../../../../src/domain/statistics/tally.ts';
import { question } from '../dataset/survey-fixture.ts';
import { datasetOf } from '../statistics/crosstab/crosstab-of.ts';
import { option } from '../dataset/survey-fixture.ts';
import { figuresOf } from './figures-of.ts';

const largestOf = (values: number[], weights: number[] | null = null) =>
  largestContribution(
    tallyNumbers(Float64Array.from(values), {
      mask: new Uint8Array(values.length).fill(1),
      weights: weights === null ? null : Float64Array.from(weights),
      withoutWeight: 0,
    }),
  );

describe('the largest contribution', () => {
  test.each<[string, number[], number[] | null, number | null]>([
    ['of one outlier', [750, 50, 50, 50, 50, 50], null, 300],
    ['of respondents with the same value', [7, 7, 7, 7, 7], null, 25],
    ['of a negative amount', [-80, 20, 20], null, 200],
    ['of the only contributor', [9, 0, 0, 0], null, Infinity],
    ['without contributors', [0, 0, 0], null, null],
    ['with weights', [10, 10, 20], [1, 1, 3], 300],
    ['of the largest weight among equal values', [10, 10], [1, 3], 300],
  ])('%s', (_, values, weights, percent) => {
    const found = largestOf(values, weights);
    if (percent === null || percent === Infinity) expect(found).toBe(percent);
    else expect(found).toBeCloseTo(percent, 9);
  });
});

describe('sums and means of a confidential survey', () => {
  const questions = [
    question('single_choice', 'dept', [option(1), option(2), option(3), option(4)]),
    question('number', 'pay', []),
  ];
  const payOf = (dept: string, amounts: number[]) => amounts.map((pay) => ({ dept, pay }));
  const even = (from: number) => Array.from({ length: 8 }, (_, index) => from + index);
  const answers = [
    ...payOf('1', even(30)),
    ...payOf('2', [...even(40), 41]),
    ...payOf('3', [...even(50), 51, 52]),
    ...payOf('4', [750, 40, 40, 40, 40, 40, 50]),
  ];
  const shown = (name: string, dominancePercent: number) =>
    figuresOf(
      datasetOf(questions, answers),
      { dimension: 'dept', aggregation: { function: name, column_code: 'pay' } },
      { minBase: 5, dominancePercent },
    );

  test.each(['sum', 'mean'])(
    'suppress a %s to which one respondent contributes most, and one more figure',
    (name) => {
      const { series, suppressed } = shown(name, 50);
      expect(series[0]!.values.map((value) => value === null)).toEqual([true, false, false, true]);
      expect(series[0]!.counts[3]).toBeNull();
      expect(suppressed).toBe(true);
    },
  );

  test('are shown if the survey allows such a large contribution', () => {
    expect(shown('sum', 1_000).series[0]!.values).not.toContain(null);
  });

  test('do not suppress a median or round it to a step larger than itself', () => {
    const { series } = shown('median', 50);
    expect(series[0]!.values[3]).toBe(40);
  });
});
