import { describe, expect, it } from 'vitest';
import { loadChartRenderer } from '../../../../../src/exporters/chart-svg.ts';
import { LIGHT_THEME } from '../../../../../src/domain/charts/drawing/chart-theme.ts';
import { createChartDrawing, type FigureChart } from '../../../../../src/domain/charts/registry.ts';
import { option, question } from '../../dataset/survey-fixture.ts';
import { datasetOf } from '../../statistics/crosstab/crosstab-of.ts';
import { figuresOf, type Looking } from '../figures-of.ts';

const ENDS = { min_label: 'Not at all likely', max_label: 'Extremely likely' };
const data = datasetOf(
  [
    question('nps', 'recommend', [], ENDS),
    question('scale', 'liking', [], { min: 1, max: 5, mid_label: 'Neither', ...ENDS }),
    question('single_choice', 'drink', [option(1, { label: '1' }), option(2, { label: '2 or more' })]),
  ],
  Array.from({ length: 44 }, (_, index) => ({
    recommend: index % 11,
    liking: 1 + (index % 5),
    drink: String(1 + (index % 2)),
  })),
);
const labels = (dimension: string, config: object = {}) =>
  figuresOf(data, { dimension, ...config }).categories.map(({ label }) => label);
const scores = (config: object, looking: Looking = {}) =>
  figuresOf(data, { dimension: 'recommend', ...config }, looking).notes.flatMap(({ code, message }) =>
    code === 'net_promoter_score' ? [message] : [],
  );

describe('the points of a scale', () => {
  it('keep their number beside their name', () => {
    expect(labels('recommend')).toEqual([
      '0 · Not at all likely',
      '1',
      '2',
      '3',
      '4',
      '5',
      '6',
      '7',
      '8',
      '9',
      '10 · Extremely likely',
    ]);
    expect(labels('liking')[2]).toBe('3 · Neither');
    const { series } = figuresOf(data, { dimension: 'drink', series: 'liking' });
    expect(series.map(({ name }) => name)).toEqual([
      '1 · Not at all likely',
      '2',
      '3 · Neither',
      '4',
      '5 · Extremely likely',
    ]);
  });

  it('are not the options of a choice', () => {
    expect(labels('drink')).toEqual(['1', '2 or more']);
  });

  const draw = async (type: FigureChart, dimension: string, width: number) => {
    const renderer = await loadChartRenderer();
    const figures = figuresOf(data, { dimension, aggregation: 'percent' }, { type });
    const svg = renderer(
      createChartDrawing({ figures, options: {}, theme: LIGHT_THEME, width, height: 240 })!,
      'c1',
    );
    return [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text);
  };

  it.each(['bar', 'histogram', 'line', 'area', 'line-bar'] as const)(
    'have their numbers on the axis of a %s and the names of the ends below it',
    async (type) => {
      const texts = await draw(type, 'recommend', 520);
      expect(texts).toEqual(
        expect.arrayContaining(['0', '1', '9', '10', 'Not at all likely', 'Extremely likely']),
      );
    },
  );

  it('have their names on the axis where there is room', async () => {
    expect(await draw('bar', 'liking', 1000)).toEqual(
      expect.arrayContaining(['1 · Not at all likely', '2', '3 · Neither', '5 · Extremely likely']),
    );
  });
});

describe('the Net Promoter Score of a chart of points', () => {
  const EXPECTED = 'Net Promoter Score: -45';

  it('is in its notes if it counts respondents', () => {
    expect(scores({})).toEqual([EXPECTED]);
    expect(scores({ aggregation: 'percent', options: { base: 'total' } })).toEqual([EXPECTED]);
  });

  it('is missing where the points are split, incomplete or no scores', () => {
    expect(scores({ series: 'drink' })).toEqual([]);
    expect(scores({ options: { limit: 5 } })).toEqual([]);
    expect(scores({ dimension: 'liking' })).toEqual([]);
    expect(scores({}, { type: 'kpi' })).toEqual([]);
  });

  it('is missing where figures are hidden or rounded', () => {
    expect(scores({}, { minBase: 3 })).toEqual([]);
    expect(scores({}, { publicMinBase: 5 })).toEqual([]);
  });
});
