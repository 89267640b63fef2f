import {
  type ChartDrawing,
  createLegend,
  type DrawableChart,
  formatValue,
  showsValues,
  STATIC_CHART,
  STATIC_SERIES,
  textWidth,
} from '../drawing/chart-drawing.ts';
import { chooseFill } from '../drawing/chart-theme.ts';
import { choosePalette } from '../drawing/palette.ts';
import { restFillOr, categoryAxis, layOutHorizontalBars, valueAxis } from '../drawing/bars.ts';
import { figureType, maxStackCategories } from './figure-type.ts';

export const stackedBarType = figureType({
  type: 'stacked-bar',
  name: 'Stacked bars',
  layout: 'stack',
  draw: drawStackedBars,
  nativeWriter: 'stacked-bars',
  maxCategories: maxStackCategories,
  page: {
    isCentered: false,
    hasSmallMarks: false,
    // Without a series, the categories are the parts of one bar, and each part is a series of the drawing.
    tooltip: ({ series_by: by }) => (by === null ? 'series' : 'index'),
  },
  example: {
    title: 'Satisfaction by region',
    config: { dimension: 'Q8', series: 'Q4', aggregation: 'percent' },
  },
});

/** One stacked bar per category. Without series, the categories are the parts of a single bar. */
function drawStackedBars(chart: DrawableChart): ChartDrawing {
  const { figures, theme, options, width } = chart;
  const single = figures.series_by === null;
  const unfilled = single
    ? figures.categories.map(({ label }, index) => ({
        name: label,
        values: [figures.series[0]?.values[index] ?? null],
        letters: undefined,
      }))
    : figures.series;
  const { measure } = figures.series_by ?? figures.dimension;
  const palette = choosePalette(
    measure,
    unfilled.map(({ name }) => name),
  );
  const choice = { count: unfilled.length, palette, chosen: options.colors };
  const parts = unfilled.map(({ name, values, letters }, index) => {
    const fill = chooseFill(theme, choice, index);
    return { name, values, letters, fill: single ? fill : restFillOr(fill, chart, index) };
  });
  const legend = createLegend(chart, parts);
  const names = single ? [''] : figures.categories.map(({ label }) => label);
  const { left, labels, band } = single
    ? { left: 0, labels: [''], band: 48 }
    : layOutHorizontalBars(chart, names, 1);
  const sums = names.map((_, row) => parts.reduce((sum, { values }) => sum + (values[row] ?? 0), 0));
  const greatest = Math.max(...sums, 0);
  const inner = width - left - 4;
  const rowHeight = Math.max(band, 40);
  return {
    width,
    height: legend.height + names.length * rowHeight + 8,
    option: {
      ...STATIC_CHART,
      graphic: legend.graphic,
      grid: { left, right: 4, top: legend.height, bottom: 8, outerBoundsMode: 'none' },
      xAxis: { ...valueAxis(chart, false), min: 0, max: greatest || 1 },
      yAxis: { ...categoryAxis(chart, labels), inverse: true, axisLine: { show: false } },
      series: parts.map(({ values, letters, fill }) => ({
        ...STATIC_SERIES,
        type: 'bar',
        stack: 'all',
        barWidth: Math.min(30, rowHeight - 12),
        itemStyle: { color: fill.fill, borderColor: theme.background, borderWidth: 1 },
        data: values.map((value, row) => {
          const marks = letters?.[row]?.join('') ?? '';
          const text = value === null ? '' : `${formatValue(chart, value)}${marks === '' ? '' : ` ${marks}`}`;
          const fits = ((value ?? 0) / (greatest || 1)) * inner > textWidth(text, 11) + 8;
          return {
            value: value ?? 0,
            label: {
              show: showsValues(chart) && fits,
              position: 'inside',
              color: fill.textOnFill,
              fontSize: 11,
              fontWeight: 600,
              formatter: text,
            },
          };
        }),
      })),
    },
  };
}
