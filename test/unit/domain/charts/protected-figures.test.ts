import { describe, expect, test } from 'vitest';
import type { Dataset } from '../../../../src/domain/dataset/dataset.ts';
import { option, question } from '../dataset/survey-fixture.ts';
import { answersOfTable, datasetOf } from '../statistics/crosstab/crosstab-of.ts';
import { figuresOf } from './figures-of.ts';

const options = (count: number) => Array.from({ length: count }, (_, index) => option(index + 1));
const MIN_BASE = 5;

/** Responses of a choice `group` and a scale `score`, from counts by group and score. */
const answered = (counts: number[][]): Dataset =>
  datasetOf(
    [
      question('single_choice', 'group', options(counts.length)),
      question('single_choice', 'score', options(5), { measure: 'scale' }),
    ],
    answersOfTable('group', 'score', counts),
  );
const disclosed = (dataset: Dataset, config: object) =>
  figuresOf(dataset, { dimension: 'group', ...config }, { minBase: MIN_BASE });

describe('figures of a public dashboard', () => {
  const shown = (counts: number[][], config: object = {}, publicMinBase = MIN_BASE) =>
    figuresOf(answered(counts), { dimension: 'group', ...config }, { publicMinBase });
  const mean = { aggregation: { function: 'mean', column_code: 'score' } };

  test('are exact, except small groups and figures that would reveal them', () => {
    const chart = shown([[31], [2], [17], [9]]);
    expect(chart.series[0]).toMatchObject({ counts: [31, null, 17, null], base: { unweighted: 59 } });
    expect(chart.suppressed).toBe(true);
    expect(chart.notes.map(({ message }) => message)).toEqual([
      'Hidden: fewer than 5 respondents. Figures that would reveal a hidden one are hidden too.',
    ]);
  });

  test('are all suppressed below the minimum base', () => {
    const chart = shown([[1, 0, 1]], mean);
    expect(chart).toMatchObject({ categories: [], series: [], base: null, suppressed: true });
  });

  test('show the exact mean of a large enough group', () => {
    const chart = shown(
      [
        [4, 3, 2, 1, 1],
        [1, 1, 0, 0, 0],
        [9, 9, 9, 9, 9],
      ],
      mean,
    );
    const [first, second] = chart.series[0]!.values;
    expect([first, second].filter((value) => value === null)).toHaveLength(2);
    expect(chart.series[0]!.values[2]).toBe(3);
    expect(chart.series[0]!.counts[2]).toBe(45);
  });

  test('suppress nothing if the dashboard shows every group', () => {
    expect(figuresOf(answered([[31], [2]]), { dimension: 'group' }).series[0]!.counts).toEqual([31, 2]);
  });
});

describe('the order of protected figures', () => {
  const sorted = (counts: number[], more: object = {}) =>
    disclosed(answered(counts.map((count) => [count])), { options: { sort: 'value_desc', ...more } });
  const codes = ({ categories }: ReturnType<typeof sorted>) => categories.map(({ value }) => value);

  test('follows the disclosed values: 11 and 12 are both rounded to 10', () => {
    expect(codes(sorted([11, 12, 30]))).toEqual(['3', '1', '2']);
    expect(codes(sorted([12, 11, 30]))).toEqual(['3', '1', '2']);
  });

  test('stays the same with one respondent more or less, also with a limit', () => {
    expect(codes(sorted([11, 12, 30], { limit: 2 }))).toEqual(['3', '1', null]);
    expect(codes(sorted([12, 11, 30], { limit: 2 }))).toEqual(['3', '1', null]);
  });

  test('reveals nothing about a cell suppressed with a small one', () => {
    expect(codes(sorted([30, 2, 20, 9]))).toEqual(['1', '3', '2', '4']);
    expect(codes(sorted([30, 2, 20, 19]))).toEqual(['1', '3', '2', '4']);
  });
});

describe('a measure with two values is a share of one of them', () => {
  const value = (counts: number[][], aggregation: object) =>
    disclosed(answered(counts), { aggregation }).series[0]!.values;
  const topBox = { function: 'top_box', column_code: 'score' };
  const mean = { function: 'mean', column_code: 'score' };

  test('suppresses a top box of one respondent, or of all but one', () => {
    expect(
      value(
        [
          [19, 0, 0, 1, 0],
          [1, 0, 0, 0, 19],
          [14, 0, 0, 3, 3],
        ],
        topBox,
      ),
    ).toEqual([null, null, 25]);
  });

  test('suppresses a mean that reveals how many have each value', () => {
    expect(
      value(
        [
          [19, 0, 0, 0, 1],
          [14, 6, 0, 0, 0],
          [20, 0, 0, 0, 0],
        ],
        mean,
      ),
    ).toEqual([null, 1.25, 1]);
    expect(value([[14, 6, 0, 0, 0]], { function: 'sum', column_code: 'score' })).toEqual([25]);
  });

  test('shows them to members', () => {
    const chart = figuresOf(answered([[19, 0, 0, 0, 1]]), { dimension: 'group', aggregation: mean });
    expect(chart.series[0]!.values[0]).toBeCloseTo(1.2, 10);
  });
});
