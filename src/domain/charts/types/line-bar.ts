import {
  type ChartDrawing,
  type DrawableChart,
  FONT_SIZE,
  LINE_HEIGHT,
  showsValues,
  STATIC_CHART,
  STATIC_SERIES,
} from '../drawing/chart-drawing.ts';
import {
  categoryAxis,
  categoryNames,
  layOutAxisLabels,
  seriesFill,
  seriesLegend,
  valueAxis,
} from '../drawing/bars.ts';
import { layOutPointNames } from '../drawing/point-names.ts';
import { MAX_LABELED } from '../drawing/lines.ts';
import { formatFigure } from '../figures/figure-texts.ts';
import { pointNumber } from '../figures/scale-points.ts';
import { figureType } from './figure-type.ts';

export const lineBarType = figureType({
  type: 'line-bar',
  name: 'Bars with a line',
  layout: 'categories',
  hasLine: true,
  draw: drawLineOverBars,
  nativeWriter: 'bars-and-line',
  page: { isCentered: false, hasSmallMarks: true, tooltip: () => 'index' },
  example: {
    title: 'Respondents and mean satisfaction by region',
    config: {
      dimension: 'Q8',
      line_aggregation: { function: 'mean', column_code: 'Q4' },
    },
  },
});

/** Bars with a line on a second axis. */
function drawLineOverBars(chart: DrawableChart): ChartDrawing {
  const { figures, theme, width, options } = chart;
  const legend = seriesLegend(chart);
  const names = categoryNames(chart);
  const [left, right] = [44, 44];
  const room = (width - left - right) / Math.max(1, names.length);
  const points = layOutPointNames(chart, { room, left, right });
  const axisNames = points === null ? names : categoryNames(chart, pointNumber);
  const { labels, lines } = layOutAxisLabels(axisNames, room);
  const top = legend.height + 24;
  const pointsHeight = points?.height ?? 0;
  const bottom = lines * LINE_HEIGHT + 12 + pointsHeight;
  const height = Math.max(chart.height, top + bottom + 130);
  const isLine = figures.series.map((one) => one.drawn_as === 'line');
  const axis = valueAxis(chart, true);
  return {
    width,
    height,
    option: {
      ...STATIC_CHART,
      graphic: [...legend.graphic, ...(points?.draw(height - pointsHeight) ?? [])],
      grid: { left, right, top, bottom, outerBoundsMode: 'none' },
      xAxis: categoryAxis(chart, labels),
      yAxis: [axis, { ...axis, splitLine: { show: false }, scale: true }],
      series: figures.series.map(({ values }, seriesIndex) => {
        const { fill } = seriesFill(chart, seriesIndex);
        return {
          ...STATIC_SERIES,
          type: isLine[seriesIndex] ? 'line' : 'bar',
          yAxisIndex: isLine[seriesIndex] ? 1 : 0,
          data: values.map((value) => ({
            value: value ?? (isLine[seriesIndex] ? '-' : 0),
            label: {
              show:
                showsValues(chart) &&
                isLine[seriesIndex] === true &&
                value !== null &&
                names.length <= MAX_LABELED,
              position: 'top',
              color: theme.text,
              fontSize: FONT_SIZE,
              fontWeight: 600,
              backgroundColor: theme.background,
              borderRadius: 3,
              padding: [2, 4],
              // The figures do not contain the function of the line; two decimals suit a mean and a share.
              formatter: value === null ? '' : formatFigure(value, 'mean', options.decimals),
            },
          })),
          barMaxWidth: 56,
          symbol: 'circle',
          symbolSize: 7,
          showAllSymbol: true,
          ...(isLine[seriesIndex]
            ? {
                lineStyle: { color: fill, width: 2.5 },
                itemStyle: { color: fill, borderColor: theme.background, borderWidth: 1.5 },
              }
            : { itemStyle: { color: fill, borderRadius: [3, 3, 0, 0] } }),
        };
      }),
    },
  };
}
