import {
  type ChartDrawing,
  type DrawableChart,
  FONT_SIZE,
  formatValue,
  LINE_HEIGHT,
  roundUpToNice,
  showsValues,
  STATIC_CHART,
  STATIC_SERIES,
  wrapText,
} from '../drawing/chart-drawing.ts';
import { seriesFill, seriesLegend } from '../drawing/bars.ts';
import { figureType } from './figure-type.ts';

export const radarType = figureType({
  type: 'radar',
  name: 'Radar chart',
  layout: 'categories',
  draw: drawRadar,
  nativeWriter: 'radar',
  // A mark is a polygon, which is a series.
  page: { isCentered: true, hasSmallMarks: false, tooltip: () => 'column' },
  example: {
    title: 'Mean satisfaction by region',
    config: { dimension: 'Q8', aggregation: { function: 'mean', column_code: 'Q4' } },
  },
});

/** Replaces braces, which echarts would parse as rich text styles. */
const stripMarkup = (text: string) => text.replaceAll('{', '(').replaceAll('}', ')').replaceAll('|', '/');

/** Height of the names above and below a radar, in pixels. */
const NAMES_AROUND = 76;

/** One polygon per series; each category is an axis. */
function drawRadar(chart: DrawableChart): ChartDrawing {
  const { figures, theme, width } = chart;
  const { categories, series } = figures;
  const legend = seriesLegend(chart);
  const most = Math.max(...series.flatMap(({ values }) => values.map((value) => value ?? 0)), 0);
  const max = roundUpToNice(most);
  const nameSize = width < 400 ? 11 : FONT_SIZE;
  const nameRoom = Math.min(130, width * 0.29);
  const names = categories.map(({ label }) =>
    wrapText(stripMarkup(label), { width: nameRoom, fontSize: nameSize, maxLines: 2 }).join('\n'),
  );
  const room = Math.min(Math.max(chart.height - legend.height - NAMES_AROUND, 232), width * 0.95 - 68, 352);
  const radius = Math.max(Math.min(room / 2, width / 2 - nameRoom + 4), 64);
  const single = series.length === 1;
  return {
    width,
    height: legend.height + radius * 2 + NAMES_AROUND,
    option: {
      ...STATIC_CHART,
      graphic: legend.graphic,
      radar: {
        center: [width / 2, legend.height + radius + 40],
        radius,
        indicator: names.map((name, index) => {
          const value = series[0]?.values[index] ?? null;
          const figure = value === null ? '–' : formatValue(chart, value);
          return {
            name: single && showsValues(chart) ? `{n|${name}}\n{v|${figure}}` : `{n|${name}}`,
            max,
            min: 0,
          };
        }),
        axisName: {
          color: theme.text,
          rich: {
            n: { color: theme.text, fontSize: nameSize, lineHeight: LINE_HEIGHT },
            v: { color: theme.text, fontSize: FONT_SIZE, fontWeight: 600, lineHeight: LINE_HEIGHT },
          },
        },
        axisNameGap: 10,
        splitNumber: 4,
        splitArea: { show: false },
        splitLine: { lineStyle: { color: theme.line, width: 1 } },
        axisLine: { lineStyle: { color: theme.line, width: 1 } },
      },
      series: [
        {
          ...STATIC_SERIES,
          type: 'radar',
          symbol: 'circle',
          symbolSize: 6,
          data: series.map(({ values }, seriesIndex) => {
            const { fill } = seriesFill(chart, seriesIndex);
            return {
              value: values.map((value) => value ?? 0),
              // A series without values has no symbols.
              symbolSize: values.some((value) => value !== null) ? 6 : 0,
              lineStyle: { color: fill, width: 2.5 },
              itemStyle: { color: fill, borderColor: theme.background, borderWidth: 1.5 },
              areaStyle: { color: fill, opacity: 0.12 },
            };
          }),
        },
      ],
    },
  };
}
