import { describe, expect, test } from 'vitest';
import type { ChartFigures } from '../../../../src/domain/charts/chart-data.ts';
import { LIGHT_THEME } from '../../../../src/domain/charts/drawing/chart-theme.ts';
import {
  chartConfigSchema,
  createChartDrawing,
  figureTypeOf,
} from '../../../../src/domain/charts/registry.ts';
import { chartDeckTable } from '../../../../src/domain/reports/deck-tables.ts';
import { loadChartRenderer } from '../../../../src/exporters/chart-svg.ts';
import { AppError } from '../../../../src/lib/errors.ts';
import { schemaWording } from '../../../../src/lib/schema-problems.ts';
import { option, question } from '../dataset/survey-fixture.ts';
import { bigFive } from '../statistics/big-five.ts';
import { datasetOf } from '../statistics/crosstab/crosstab-of.ts';
import { figuresOf, type Looking } from './figures-of.ts';

/** Rainfall in inches of 70 cities: the data set `precip` of R. */
const PRECIP = [
  67, 54.7, 7, 48.5, 14, 17.2, 20.7, 13, 43.4, 40.2, 38.9, 54.5, 59.8, 48.3, 22.9, 11.5, 34.4, 35.1, 38.7,
  30.8, 30.6, 43.1, 56.8, 40.8, 41.8, 42.5, 31, 31.7, 30.2, 25.9, 49.2, 37, 35.9, 15, 30.2, 7.2, 36.2, 45.5,
  7.8, 33.4, 36.1, 40.2, 42.7, 42.5, 16.2, 39, 35, 37, 31.4, 37.6, 39.9, 36.2, 42.8, 46.4, 24.7, 49.1, 46,
  35.9, 7.8, 48.2, 15.2, 32.5, 44.7, 42.6, 38.8, 17.4, 40.8, 29.1, 14.6, 59.2,
];
/** Stopping distances: `cars$dist` of R. */
const DISTANCES = [
  2, 10, 4, 22, 16, 10, 18, 26, 34, 17, 28, 14, 20, 24, 28, 26, 34, 34, 46, 26, 36, 60, 80, 20, 26, 54, 32,
  40, 32, 40, 50, 42, 56, 76, 84, 36, 46, 68, 32, 48, 52, 56, 64, 66, 54, 70, 92, 93, 120, 85,
];

const ages = bigFive();
const rain = datasetOf(
  [question('number', 'rain')],
  PRECIP.map((value) => ({ rain: value })),
);
const stops = datasetOf(
  [question('number', 'distance')],
  DISTANCES.map((distance) => ({ distance })),
);
const points = datasetOf(
  [
    question('scale', 'agree'),
    question('nps', 'recommend'),
    question('slider', 'warmth'),
    question('single_choice', 'region', [option(1), option(2)]),
    question('matrix', 'rated', [option(1), option(2)], { rows: [{ row_code: 'r1', row_label: 'Row' }] }),
    question('text', 'why'),
    question('date', 'day'),
  ],
  Array.from({ length: 21 }, (_, index) => ({
    agree: index < 3 ? 1 : index < 8 ? 2 : index < 17 ? 3 : 5,
    recommend: index % 11,
    warmth: 50,
    region: '1',
    rated: { r1: '1' },
    why: 'so',
    day: '2026-03-01',
  })),
);

const histogram = (data: typeof ages, config: object, looking: Looking = {}): ChartFigures =>
  figuresOf(data, config, { type: 'histogram', ...looking });
const valuesOf = ({ series }: ChartFigures) => series[0]!.values;
const labelsOf = ({ categories }: ChartFigures) => categories.map(({ label }) => label);

describe('the classes of a histogram', () => {
  test('follow the rule of Freedman and Diaconis, with round bounds', () => {
    const chart = histogram(ages, { dimension: 'age' });
    // nclass.FD(bfi$age)
    expect(chart.binning).toMatchObject({ method: 'freedman_diaconis', classes: 39, width: 5 });
    // hist(bfi$age, breaks = seq(0, 90, 5), right = FALSE)$counts
    expect(valuesOf(chart)).toEqual([
      1, 1, 59, 501, 721, 473, 306, 240, 180, 120, 115, 55, 18, 6, 3, 0, 0, 1,
    ]);
    expect(labelsOf(chart).slice(0, 2)).toEqual(['0–4', '5–9']);
  });

  test('are as many as options.bins asks for, or nearly', () => {
    const chart = histogram(ages, { dimension: 'age', options: { bins: 8 } });
    expect(chart.binning).toMatchObject({ method: 'fixed', classes: 8, width: 10 });
    // hist(bfi$age, breaks = 8, right = FALSE)$counts, whose breaks are seq(0, 90, 10)
    expect(valuesOf(chart)).toEqual([2, 560, 1194, 546, 300, 170, 24, 3, 1]);
  });

  test('include their lower bound, the last class both', () => {
    const chart = histogram(rain, { dimension: 'rain' });
    // nclass.FD(precip)
    expect(chart.binning).toMatchObject({ classes: 10, width: 10 });
    // hist(precip, breaks = seq(0, 70, 10), right = FALSE)$counts
    expect(valuesOf(chart)).toEqual([4, 9, 5, 25, 21, 5, 1]);
    expect(labelsOf(chart).at(-1)).toBe('60 to 70');
    const whole = histogram(stops, { dimension: 'distance' });
    // nclass.FD(cars$dist)
    expect(whole.binning).toMatchObject({ classes: 8, width: 20 });
    // hist(cars$dist, breaks = seq(0, 140, 20), right = FALSE)$counts
    expect(valuesOf(whole)).toEqual([8, 18, 12, 6, 5, 0, 1]);
    expect(labelsOf(whole).at(-1)).toBe('120–139');
  });

  test('count weights', () => {
    const weights = Float64Array.from(PRECIP, (_, index) => [0.5, 1, 2, 1.5][index % 4]!);
    const chart = histogram(rain, { dimension: 'rain' }, { weights });
    // w <- rep(c(0.5, 1, 2, 1.5), length.out = 70)
    // tapply(w, cut(precip, seq(0, 70, 10), right = FALSE, include.lowest = TRUE), sum)
    expect(valuesOf(chart)).toEqual([7.5, 8, 8.5, 30, 26, 6, 0.5]);
    expect(chart.series[0]!.counts).toEqual([4, 9, 5, 25, 21, 5, 1]);
    const percents = valuesOf(histogram(rain, { dimension: 'rain', aggregation: 'percent' }, { weights }));
    expect(percents[0]).toBeCloseTo((100 * 7.5) / 86.5, 10);
  });

  test('are the points of a scale or an NPS', () => {
    const chart = histogram(points, { dimension: 'agree' });
    expect(labelsOf(chart)).toEqual(['1', '2', '3', '4', '5']);
    // hist(agree, breaks = seq(0.5, 5.5, 1))$counts
    expect(valuesOf(chart)).toEqual([3, 5, 9, 0, 4]);
    expect(labelsOf(histogram(points, { dimension: 'recommend' }))).toHaveLength(11);
  });

  test('are one class if all values are equal, and none without answers', () => {
    expect(valuesOf(histogram(points, { dimension: 'warmth' }))).toEqual([21]);
    const none = histogram(points, { dimension: 'warmth' }, { mask: new Uint8Array(21) });
    expect(none.categories).toEqual([]);
    expect(createChartDrawing(drawable(none))).toBeNull();
  });
});

describe('a histogram refuses', () => {
  test.each([
    [{ series: 'agree' }, 'chart_config.series'],
    [{ nets: [{ label: 'Low', values: ['1'] }] }, 'chart_config.nets'],
    [{ aggregation: { function: 'mean', column_code: 'agree' } }, 'chart_config.aggregation.function'],
    [{ options: { sort: 'value_desc' } }, 'chart_config.options.sort'],
    [{ options: { limit: 3 } }, 'chart_config.options.limit'],
    [{ options: { bins: 'none' } }, 'chart_config.options.bins'],
  ])('%j', (config, field) => {
    const parsed = chartConfigSchema('histogram').safeParse(
      { survey_id: 1, dimension: 'age', ...config },
      { error: schemaWording },
    );
    expect(parsed.error?.issues.map(({ path }) => ['chart_config', ...path].join('.'))).toEqual([field]);
  });

  test.each(['region', 'rated', 'why', 'day'])('the question %s, which is not a number', (dimension) => {
    const compute = () => histogram(points, { dimension });
    expect(compute).toThrow(AppError);
    expect(compute).toThrow(
      `dimension: a histogram shows the distribution of a number; ${dimension} is not a number`,
    );
  });

  test('a number of classes for the points of a scale', () => {
    expect(() => histogram(points, { dimension: 'agree', options: { bins: 3 } })).toThrow(
      'options.bins: is not allowed for agree: each of its points is a class',
    );
  });
});

describe('the table of a histogram', () => {
  test('has percentages up to each class', () => {
    const table = chartDeckTable(histogram(rain, { dimension: 'rain' }));
    expect(table.columns.map(({ label }) => label)).toEqual(['Percent', 'Count', 'Cumulative percent']);
    expect(table.rows.map(({ cells }) => cells.map(({ text }) => text))).toEqual([
      ['70', '70', '70'],
      ['6%', '4', '6%'],
      ['13%', '9', '19%'],
      ['7%', '5', '26%'],
      ['36%', '25', '61%'],
      ['30%', '21', '91%'],
      ['7%', '5', '99%'],
      ['1%', '1', '100%'],
    ]);
  });

  test('has no percentages up to a class if small groups are hidden or figures are rounded', () => {
    for (const looking of [{ publicMinBase: 5 }, { minBase: 5 }]) {
      const table = chartDeckTable(histogram(rain, { dimension: 'rain' }, looking));
      expect(table.columns.map(({ label }) => label)).toEqual(['Percent', 'Count']);
    }
  });
});

const drawable = (figures: ChartFigures, width = 560) => ({
  figures,
  options: {},
  theme: LIGHT_THEME,
  width,
  height: 240,
});
const draw = await loadChartRenderer();
const textsOf = (figures: ChartFigures, width?: number) =>
  [...draw(createChartDrawing(drawable(figures, width))!, 'c').matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(
    (found) => found[1],
  );

describe('the drawing of a histogram', () => {
  test('has the bounds of the classes on its axis', () => {
    const texts = textsOf(histogram(rain, { dimension: 'rain' }));
    expect(texts).toEqual(expect.arrayContaining(['0', '10', '60', '70', '25', '21']));
    expect(texts).not.toContain('0 to under 10');
  });

  test('shows as many bounds and values as fit', () => {
    const texts = textsOf(histogram(ages, { dimension: 'age' }), 300);
    expect(texts).toEqual(expect.arrayContaining(['0', '90', '800']));
    expect(texts).not.toContain('5');
    expect(texts).not.toContain('721');
  });

  test('names the classes if some are hidden, and the points of a scale', () => {
    const hidden = textsOf(histogram(rain, { dimension: 'rain' }, { publicMinBase: 5 }));
    expect(hidden).toEqual(expect.arrayContaining(['Other']));
    expect(textsOf(histogram(points, { dimension: 'agree' }))).toEqual(
      expect.arrayContaining(['1', '2', '3', '4', '5']),
    );
  });
});

test('the text alternative of a histogram lists its classes', () => {
  const chart = histogram(rain, { dimension: 'rain' });
  expect(figureTypeOf(chart).altText(chart, 'Rain')).toMatch(
    /^Rain\. Histogram: Count by Question rain\. 0 to under 10 6%, 10 to under 20 13%, .* Base: 70 respondents\.$/,
  );
});
