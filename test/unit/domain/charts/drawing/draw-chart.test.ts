import { describe, expect, test } from 'vitest';
import type { ChartFigures } from '../../../../../src/domain/charts/chart-data.ts';
import {
  createChartDrawing,
  FIGURE_CHARTS,
  type FigureChart,
  figureTypeOf,
} from '../../../../../src/domain/charts/registry.ts';
import {
  type DrawableChart,
  textWidth,
  wrapText,
} from '../../../../../src/domain/charts/drawing/chart-drawing.ts';
import {
  DARK_THEME,
  chooseFills,
  type Fill,
  LIGHT_THEME,
} from '../../../../../src/domain/charts/drawing/chart-theme.ts';
import { formatFigure } from '../../../../../src/domain/charts/figures/figure-texts.ts';
import { loadChartRenderer } from '../../../../../src/exporters/chart-svg.ts';

const draw = await loadChartRenderer();
const base = { unweighted: 200, weighted: 200, effective: 200 };

interface Given {
  labels?: string[];
  series?: { name: string; values: (number | null)[]; letters?: string[][]; drawn_as?: 'line' }[];
  by?: ChartFigures['series_by'];
  name?: ChartFigures['aggregation']['function'];
}

function figures(
  type: FigureChart,
  { labels = ['Yes', 'No', 'Perhaps'], series, by = null, name = 'percent' }: Given = {},
): ChartFigures {
  return {
    chart_type: type,
    dimension: { column_code: 'Q1', label: 'Question 1', measure: 'nominal' },
    series_by: by,
    aggregation: { function: name, label: 'Percent' },
    categories: labels.map((label, index) => ({ code: index + 1, value: String(index + 1), label })),
    series: (series ?? [{ name: 'Percent', values: [50, 30, 20] }]).map((entry) => ({
      ...entry,
      counts: entry.values,
      percents: entry.values,
      base,
    })),
    base,
    notes: [],
  };
}

const drawing = (chart: ChartFigures, changes: Partial<DrawableChart> = {}) =>
  createChartDrawing({
    figures: chart,
    options: {},
    theme: LIGHT_THEME,
    width: 540,
    height: 240,
    ...changes,
  });
const svgOf = (chart: ChartFigures, changes: Partial<DrawableChart> = {}) =>
  draw(drawing(chart, changes)!, 'c1');
const texts = (svg: string) => [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text);
const marks = (svg: string) => svg.match(/data-index="/g)?.length ?? 0;

const GENDER = { column_code: 'gender', label: 'Gender', measure: 'nominal' } as const;
const TWO = [
  { name: 'Female', values: [50, 30, 20] },
  { name: 'Male', values: [10, 30, null] },
];

describe('bars of percentages', () => {
  const one = (values: number[]) => [{ name: 'Percent', values }];
  const option = (type: FigureChart, values: number[], name: Given['name'] = 'percent') =>
    drawing(figures(type, { series: one(values), name }))!.option as unknown as {
      xAxis: { max: number };
      yAxis: { max: number; interval: number };
      series: { showBackground: boolean }[];
    };

  test('have a track of 100 % if they are horizontal', () => {
    expect(option('horizontal-bar', [33, 12, 5])).toMatchObject({
      xAxis: { max: 100 },
      series: [{ showBackground: true }],
    });
    expect(option('horizontal-bar', [3, 2, 1], 'count')).toMatchObject({
      xAxis: { max: 3 },
      series: [{ showBackground: false }],
    });
  });

  test.each([
    [[10, 5, 8], 20],
    [[33, 12, 5], 40],
    [[60, 30, 10], 60],
    [[61, 30, 9], 100],
  ])('of %j have an axis up to %i if they are vertical', (values, max) => {
    expect(option('bar', values).yAxis).toMatchObject({ max, interval: max / 4 });
  });
});

const DRAWN_TYPES = FIGURE_CHARTS.filter((type) => figureTypeOf({ chart_type: type }).draw !== null);

describe('a chart drawn with echarts', () => {
  test.each(DRAWN_TYPES)(
    'renders a %s wide and narrow, with and without series, identically each time',
    (type) => {
      for (const width of [320, 1100])
        for (const chart of [figures(type), figures(type, { series: TWO, by: GENDER })]) {
          const svg = svgOf(chart, { width });
          expect(svg).toMatch(new RegExp(`^<svg viewBox="0 0 ${width} \\d+">`));
          expect(svgOf(chart, { width })).toBe(svg);
          expect(svg).not.toMatch(/NaN|undefined| style="| class="|<style/);
        }
    },
  );

  test('renders a KPI and a table as text, and nothing without figures', () => {
    expect(drawing(figures('kpi'))).toBeNull();
    expect(drawing(figures('table'))).toBeNull();
    expect(drawing(figures('bar', { labels: [], series: [{ name: 'Percent', values: [] }] }))).toBeNull();
  });

  test('puts names and figures of each category beside its mark', () => {
    const svg = svgOf(figures('bar'));
    expect(texts(svg)).toEqual(expect.arrayContaining(['Yes', 'No', 'Perhaps', '50%', '30%', '20%']));
    expect(marks(svg)).toBe(3);
  });

  test('shows a suppressed value as a dash, not as an empty bar', () => {
    const svg = svgOf(figures('horizontal-bar', { series: [{ name: 'Percent', values: [50, null, 20] }] }));
    expect(texts(svg)).toContain('–');
    expect(texts(svg)).not.toContain('0%');
  });

  test('keeps a histogram of many classes vertical and shows as many labels as fit', () => {
    const labels = Array.from({ length: 30 }, (_, position) => `${position * 10}–${position * 10 + 9}`);
    const values = labels.map((_, position) => 1_000 + position);
    const chart = figures('bar', { labels, series: [{ name: 'Count', values }], name: 'count' });
    const binning = { method: 'freedman_diaconis', classes: 30, width: 10, breaks: [0, 300] } as const;
    const upright = { ...chart, binning: { ...binning, breaks: [...binning.breaks] } };
    expect(drawing(upright)!.height).toBe(240);
    expect(drawing(chart)!.height).toBeGreaterThan(500);
    const narrow = texts(svgOf(upright));
    expect(narrow.filter((text) => text?.includes('–')).length).toBeGreaterThan(4);
    expect(narrow.filter((text) => text?.includes('–')).length).toBeLessThan(30);
    expect(narrow).not.toContain('1,001');
    expect(texts(svgOf(upright, { width: 1400 }))).toContain('1,001');
  });

  test('gives the remainder of a stacked bar the color of a remainder', () => {
    const chart = figures('stacked-bar', { series: TWO, by: GENDER });
    const rest = {
      ...chart,
      series: chart.series.map((entry, position) =>
        position === 1 ? { ...entry, is_rest: true as const } : entry,
      ),
    };
    expect(svgOf(rest)).toContain(LIGHT_THEME.rest.fill);
    expect(svgOf(chart)).not.toContain(LIGHT_THEME.rest.fill);
  });

  test('turns vertical bars horizontal if their labels do not fit', () => {
    const many = Array.from({ length: 12 }, (_, position) => `Category ${position}`);
    const chart = figures('bar', {
      labels: many,
      series: [{ name: 'Percent', values: many.map((_, position) => position) }],
    });
    const heightAt = (width: number) => drawing(chart, { width })!.height;
    expect(heightAt(1100)).toBe(240);
    expect(heightAt(320)).toBeGreaterThan(12 * 30);
  });

  test('shows significance letters at the figures and at the columns they refer to', () => {
    const [first, second] = TWO as [(typeof TWO)[0], (typeof TWO)[1]];
    const series = [
      { ...first, letters: [['B'], [], []] },
      { ...second, letters: [[], [], []] },
    ];
    expect(texts(svgOf(figures('bar', { series, by: GENDER })))).toEqual(
      expect.arrayContaining(['Female (A)', 'Male (B)', 'B']),
    );
    const single = [{ name: 'Mean', values: [4.1, 4.5, 3.9], letters: [['C'], ['A', 'C'], []] }];
    expect(texts(svgOf(figures('bar', { series: single, name: 'mean' })))).toEqual(
      expect.arrayContaining(['Yes (A)', 'No (B)', '4.10', 'C', 'AC']),
    );
  });

  test('escapes markup in names', () => {
    const labels = ['<script>alert(1)</script>', '{v|x} {b}', '" onload="x'];
    for (const type of DRAWN_TYPES) {
      const svg = svgOf(figures(type, { labels, series: TWO, by: GENDER }), { width: 1100 });
      expect(svg).not.toContain('<script');
      expect(svg).not.toMatch(/<[^>]* onload=/);
    }
  });

  const ends = (fills: readonly Fill[]) => [fills[0]!, fills.at(-1)!];
  test.each([
    ['nominal', ['Disagree', 'Agree'], LIGHT_THEME.colors.slice(0, 2)],
    ['ordinal', ['Disagree', 'Agree'], ends(LIGHT_THEME.scale)],
    ['ordinal', ['In high school', 'Graduate degree'], ends(LIGHT_THEME.sequence)],
    ['scale', ['18–39', '40–79'], ends(LIGHT_THEME.sequence)],
  ] as const)('colors %s answers from %j by their order and their ends', (measure, names, fills) => {
    const parts = TWO.map((entry, position) => ({ ...entry, name: names[position]! }));
    const svg = svgOf(figures('stacked-bar', { series: parts, by: { ...GENDER, measure } }));
    const drawn = [0, 1].map(
      (series) => new RegExp(`fill="(#\\w+)"[^>]*data-series="${series}"`).exec(svg)?.[1],
    );
    expect(drawn).toEqual(fills.map(({ fill }) => fill));
  });

  test("prefers the author's colors and keeps labels on them readable", () => {
    const fills = chooseFills(LIGHT_THEME, { count: 3, palette: 'categorical', chosen: ['#000', '#ffff00'] });
    expect(fills.map(({ fill }) => fill)).toEqual(['#000', '#ffff00', LIGHT_THEME.colors[2]!.fill]);
    expect(fills.map(({ textOnFill: on }) => on).slice(0, 2)).toEqual(['#ffffff', '#14130f']);
  });
});

/** WCAG 2: (lighter + 0.05) / (darker + 0.05) of the relative luminances. */
function contrast(item: string, other: string): number {
  const luminance = (hex: string) => {
    const [red, green, blue] = [1, 3, 5].map((position) => {
      const part = parseInt(hex.slice(position, position + 2), 16) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
  };
  const [darker, lighter] = [luminance(item), luminance(other)].sort((a, b) => a - b);
  return (lighter! + 0.05) / (darker! + 0.05);
}

test('labels on the default colors are readable in light and dark mode', () => {
  for (const { colors, scale, sequence, rest, text: ink, mutedText: soft, background: ground } of [
    LIGHT_THEME,
    DARK_THEME,
  ]) {
    for (const { fill, textOnFill: on } of [...colors, ...scale, ...sequence, rest])
      expect(contrast(fill, on), fill).toBeGreaterThan(3.9);
    for (const text of [ink, soft]) expect(contrast(text, ground)).toBeGreaterThan(4.5);
  }
});

describe('texts in a chart', () => {
  test('wrap at words and are truncated at the last line', () => {
    const lines = wrapText('Am indifferent to the feelings of others', {
      width: 110,
      fontSize: 12,
      maxLines: 2,
    });
    expect(lines).toHaveLength(2);
    expect(lines[0]).toBe('Am indifferent to');
    expect(lines[1]).toMatch(/^the .*…$/);
    for (const line of lines) expect(textWidth(line, 12)).toBeLessThanOrEqual(110);
    expect(wrapText('', { width: 100, fontSize: 12, maxLines: 3 })).toEqual(['']);
  });

  test.each([
    [45.4, 'percent', undefined, '45%'],
    [45.45, 'percent', 1, '45.5%'],
    [2436, 'count', undefined, '2,436'],
    [4.256, 'mean', undefined, '4.26'],
    [28.78, 'mean', undefined, '28.8'],
    [12, 'nps', undefined, '+12'],
    [-12, 'nps', undefined, '-12'],
    [-0.2, 'nps', undefined, '0'],
    [67.2, 'top_box', undefined, '67%'],
  ] as const)('%d as %s with %s decimals is %s', (value, name, decimals, text) => {
    expect(formatFigure(value, name, decimals)).toBe(text);
  });
});
