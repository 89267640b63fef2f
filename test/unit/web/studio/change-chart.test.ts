import { describe, expect, it } from 'vitest';
import { resizeChart } from '../../../../src/web/studio/client/dashboards/arrange-charts.ts';
import { chartFilterInWords } from '../../../../src/web/studio/client/dashboards/chart-filter.ts';
import { currentCells, sizeName } from '../../../../src/web/studio/client/dashboards/chart-size.ts';
import {
  type FigureChart,
  measureOptions,
  readFigureChange,
} from '../../../../src/web/studio/client/dashboards/figure-change.ts';
import { layOutElements } from '../../../../src/domain/dashboards/dashboard.ts';

type Position = { x: number; y: number; w: number; h: number };

const at = (x: number, y: number, w: number, h: number): Position => ({ x, y, w, h });
const placed = (chart_id: number, page_id: number, position: Position | null = null) => ({
  chart_id,
  page_id,
  chart_type: 'bar' as const,
  position,
});

describe('the size of a chart', () => {
  it('gives all charts of its page a place and leaves other pages as they are', () => {
    const charts = [placed(1, 10), placed(2, 10), placed(3, 10), placed(4, 20)];
    expect(resizeChart(charts, [10, 20], { chartId: 2, size: { w: 12, h: 7 } })).toEqual([
      { chart_id: 1, page_id: 10, position: at(0, 0, 6, 6) },
      { chart_id: 2, page_id: 10, position: at(0, 6, 12, 7) },
      { chart_id: 3, page_id: 10, position: at(0, 13, 6, 6) },
      { chart_id: 4, page_id: 20, position: null },
    ]);
  });

  it('is the nearest by width', () => {
    const sizes = [3, 4, 5, 6, 8, 10, 12].map((w) => sizeName(placed(1, 10, at(0, 0, w, 4))));
    expect(sizes).toEqual(['small', 'small', 'medium', 'medium', 'large', 'large', 'full']);
  });

  it.each(['bar', 'kpi', 'gauge', 'text', 'variable'] as const)(
    'without a place is that of the page for a %s',
    (type) => {
      const [position] = layOutElements([{ type, position: null }]);
      expect(currentCells({ chart_type: type, position: null })).toEqual({ w: position!.w, h: position!.h });
    },
  );
});

const QUESTIONS = [
  {
    question_id: 1,
    question_code: 'drink',
    question_text: 'What do you drink?',
    question_type: 'single_choice',
    question_settings: {},
    options: [
      { option_value: '1', option_label: 'Coffee' },
      { option_value: '2', option_label: 'Tea' },
    ],
  },
] as unknown as Parameters<typeof chartFilterInWords>[1];

describe('the filter of a chart in words', () => {
  it.each([
    [{ drink: ['1', '2'] }, '“What do you drink?” is any of “Coffee”, “Tea”'],
    [
      {
        connector: 'or',
        conditions: [{ drink: '1' }, { left: { type: 'column', code: 'age' }, operator: 'lt', right: 30 }],
      },
      '“What do you drink?” is “Coffee” or the column “age” is less than 30',
    ],
    ['drink = 1 AND age < 30', 'drink = 1 AND age < 30'],
  ])('%j', (filter, words) => {
    expect(chartFilterInWords(filter, QUESTIONS)).toBe(words);
  });
});

describe('the change of a figure', () => {
  const OPTIONS = { sort: 'original', show_rest: true, show_values: true, bins: 'auto' } as const;
  const chart = (chart_config: object, chart_type: FigureChart['chart_type'] = 'bar') =>
    ({
      chart_type,
      chart_config: { dimension: { question_id: 1 }, options: OPTIONS, ...chart_config },
    }) as unknown as FigureChart;
  const change = (of: FigureChart, values: Record<string, string>) =>
    readFigureChange(of, new Map(Object.entries(values)), true);

  it('keeps members that the form does not show', () => {
    const config = {
      aggregation: { function: 'mean', column_code: 'cups' },
      series: { column_code: 'started_at', period: 'week' },
      weight_column: 'w',
      compare: { letters: true, level: 0.95 },
    };
    expect(
      change(chart(config), { chart_type: 'bar', aggregation: 'current', series: 'started_at' }),
    ).toEqual({ chart_type: 'bar', chart_config: chart(config).chart_config });
  });

  it('removes what needs the series, without changing the chart that is shown', () => {
    const config = {
      aggregation: { function: 'percent' },
      series: { column_code: 'place' },
      compare: { letters: true, level: 0.95 },
      options: { ...OPTIONS, stacked_percent: true },
    };
    const shown = chart(config);
    expect(change(shown, { chart_type: 'bar', aggregation: 'percent', series: '' }).chart_config).toEqual({
      dimension: { question_id: 1 },
      aggregation: { function: 'percent' },
      options: OPTIONS,
    });
    expect(shown).toEqual(chart(config));
  });

  it('removes what a chart of one number cannot have', () => {
    const config = {
      aggregation: { function: 'count' },
      series: { column_code: 'place' },
      nets: [{ label: 'Hot', values: ['1', '2'] }],
    };
    expect(change(chart(config), { chart_type: 'kpi', aggregation: 'nps' })).toEqual({
      chart_type: 'kpi',
      chart_config: { dimension: { question_id: 1 }, aggregation: { function: 'nps' }, options: OPTIONS },
    });
  });

  it('offers a special aggregation as the current one for types of its kind only', () => {
    const figure = {
      chart: chart({ aggregation: { function: 'percent', value: ['2'] } }, 'kpi'),
      kind: 'nps' as const,
      questions: QUESTIONS,
    };
    expect(measureOptions(figure, 'gauge')).toMatchObject({
      value: 'current',
      options: [
        ['current', 'Percent of Tea'],
        ['nps', 'Net Promoter Score'],
        ['mean', 'Mean'],
        ['median', 'Median'],
        ['count', 'Number of respondents'],
      ],
    });
    expect(measureOptions(figure, 'bar')).toEqual({
      value: 'percent',
      options: [
        ['percent', 'Percent'],
        ['count', 'Number of respondents'],
      ],
    });
  });
});
