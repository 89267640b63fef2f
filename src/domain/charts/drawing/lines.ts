import {
  categoryAxis,
  categoryNames,
  layOutAxisLabels,
  valueRange,
  seriesFill,
  seriesLegend,
  valueAxis,
} from './bars.ts';
import { pointNumber } from '../figures/scale-points.ts';
import { layOutPointNames } from './point-names.ts';
import {
  type ChartDrawing,
  type DrawableChart,
  FONT_SIZE,
  formatValue,
  LINE_HEIGHT,
  showsValues,
  STATIC_CHART,
  STATIC_SERIES,
  textWidth,
} from './chart-drawing.ts';

/** With more points than this, only the last one is labeled. */
export const MAX_LABELED = 12;

/** Leaves room for the values below the lowest line. */
const belowLabels = ({ min, max }: { min: number; max: number }) => min - (max - min || 1) * 0.3;

/** A line chart over ordered categories, optionally filled as an area. */
export function drawLines(chart: DrawableChart, isArea: boolean): ChartDrawing {
  const { figures, theme, width } = chart;
  const { series, categories, aggregation } = figures;
  const legend = seriesLegend(chart);
  const labeled = showsValues(chart) && categories.length <= MAX_LABELED && series.length <= 2;
  const names = categoryNames(chart);
  const half = (name: string | undefined) => Math.min(textWidth(name ?? '', FONT_SIZE), 80) / 2 + 2;
  const left = Math.max(half(names[0]), labeled ? 18 : 40);
  const right = Math.max(half(names.at(-1)), labeled ? 18 : 40);
  const room = (width - left - right) / Math.max(1, categories.length - 1);
  const points = layOutPointNames(chart, { room });
  const pointsHeight = points?.height ?? 0;
  const axisNames = points === null ? names : categoryNames(chart, pointNumber);
  const { labels, lines } = layOutAxisLabels(axisNames, room);
  /** Of two lines, the upper one is labeled above and the lower one below. */
  const isLower = (seriesIndex: number, index: number) => {
    const [own, other] = [series[seriesIndex]?.values[index], series[1 - seriesIndex]?.values[index]];
    // Just above the axis there is no room below a point.
    if (own == null || other == null || (startsAtLeast && own - least < (greatest - least) * 0.15))
      return false;
    return own < other || (own === other && seriesIndex === 1);
  };
  const counts = ['count', 'percent', 'top_box', 'rank_summary', 'sum'].includes(aggregation.function);
  const { least, greatest } = valueRange(series.map(({ values }) => values));
  const startsAtLeast = counts || isArea;
  const isDense = categories.length > 16;
  const top = legend.height + 24;
  const bottom = lines * LINE_HEIGHT + 12 + pointsHeight;
  const height = Math.max(chart.height, top + bottom + 120);
  return {
    width,
    height,
    option: {
      ...STATIC_CHART,
      graphic: [...legend.graphic, ...(points?.draw(height - pointsHeight) ?? [])],
      grid: { left, right, top, bottom, outerBoundsMode: 'none' },
      xAxis: { ...categoryAxis(chart, labels), boundaryGap: false },
      yAxis: {
        ...valueAxis(chart, !labeled),
        ...(startsAtLeast ? { min: least } : { scale: true, min: labeled ? belowLabels : undefined }),
      },
      series: series.map(({ values }, seriesIndex) => {
        const { fill } = seriesFill(chart, seriesIndex);
        return {
          ...STATIC_SERIES,
          type: 'line',
          data: values.map((value, index) => ({
            value: value ?? '-',
            label: {
              show: value !== null && (labeled || index === values.length - 1) && showsValues(chart),
              position: !labeled ? 'right' : isLower(seriesIndex, index) ? 'bottom' : 'top',
              color: theme.text,
              fontSize: FONT_SIZE,
              fontWeight: 600,
              formatter: value === null ? '' : formatValue(chart, value),
            },
          })),
          symbol: 'circle',
          symbolSize: isDense ? 4 : 7,
          showAllSymbol: true,
          lineStyle: { color: fill, width: 2.5, cap: 'round', join: 'round' },
          itemStyle: {
            color: fill,
            borderColor: theme.background,
            borderWidth: isDense ? 0 : 1.5,
          },
          ...(isArea && {
            areaStyle: { color: fill, opacity: series.length > 1 ? 0.12 : 0.16 },
          }),
        };
      }),
    },
  };
}
