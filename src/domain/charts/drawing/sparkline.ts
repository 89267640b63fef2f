import type { VariableFigure } from '../chart-data.ts';
import { type ChartDrawing, STATIC_CHART, STATIC_SERIES } from '../chart-drawing.ts';
import type { ChartTheme } from '../chart-theme.ts';

/** A small line chart of one number without axes; the last value has a marker. */
export function drawSparkline(
  points: NonNullable<VariableFigure['sparkline']>,
  { theme: theme, width, height }: { theme: ChartTheme; width: number; height: number },
): ChartDrawing {
  const [{ fill }] = theme.colors as [ChartTheme['colors'][number]];
  const last = points.findLastIndex(({ value }) => value !== null);
  return {
    width,
    height,
    option: {
      ...STATIC_CHART,
      grid: { left: 4, right: 6, top: 6, bottom: 4, outerBoundsMode: 'none' },
      xAxis: { type: 'category', show: false, boundaryGap: false, data: points.map(({ at }) => at) },
      yAxis: { type: 'value', show: false, scale: true },
      series: [
        {
          ...STATIC_SERIES,
          type: 'line',
          data: points.map(({ value }, index) => ({
            value: value ?? '-',
            symbolSize: index === last ? 7 : 0,
          })),
          symbol: 'circle',
          showAllSymbol: true,
          lineStyle: { color: fill, width: 2, cap: 'round', join: 'round' },
          itemStyle: { color: fill, borderColor: theme.background, borderWidth: 1.5 },
          areaStyle: { color: fill, opacity: 0.1 },
        },
      ],
    },
  };
}
