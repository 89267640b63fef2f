import {
  type ChartDrawing,
  type DrawableChart,
  FONT_SIZE,
  formatValue,
  roundUpToNice,
  STATIC_CHART,
  STATIC_SERIES,
} from '../drawing/chart-drawing.ts';
import { chooseFill } from '../drawing/chart-theme.ts';
import { formatFigure, isPercentage } from '../figures/figure-texts.ts';
import { figureType } from './figure-type.ts';

export const gaugeType = figureType({
  type: 'gauge',
  name: 'Gauge',
  layout: 'single',
  draw: drawGauge,
  nativeWriter: 'gauge',
  page: { isCentered: true, hasSmallMarks: false, tooltip: () => 'none' },
  example: { title: 'Net Promoter Score', config: { dimension: 'Q6' } },
});

/** The range of a gauge: all possible values if they are limited, otherwise up to the next round number. */
export function gaugeRange(chart: DrawableChart, value: number): [number, number] {
  const { function: name } = chart.figures.aggregation;
  if (isPercentage(name)) return [0, 100];
  if (name === 'nps') return [-100, 100];
  if (name === 'count') return [0, Math.max(chart.figures.base?.unweighted ?? 0, value, 1)];
  const end = [5, 7, 10, 100].find((candidate) => value <= candidate) ?? roundUpToNice(value);
  return [Math.min(0, value), end];
}

/** A single figure as a half-circle gauge. */
function drawGauge(chart: DrawableChart): ChartDrawing {
  const { figures, theme, options, width } = chart;
  const value = figures.series[0]?.values[0] ?? null;
  const [min, max] = gaugeRange(chart, value ?? 0);
  const radius = Math.min(width * 0.46, 150);
  const height = radius + 44;
  const [centerX, centerY] = [width / 2, radius + 8];
  const { fill } = chooseFill(theme, { count: 1, palette: 'categorical', chosen: options.colors }, 0);
  const band = radius * 0.2;
  const small = {
    fill: theme.mutedText,
    fontSize: FONT_SIZE,
    textAlign: 'center',
    textVerticalAlign: 'middle',
  };
  const end = (at: number, x: number) => ({
    type: 'text',
    silent: true,
    x,
    y: centerY + 16,
    style: { ...small, text: formatFigure(at, figures.aggregation.function, 0) },
  });
  return {
    width,
    height,
    option: {
      ...STATIC_CHART,
      graphic: [
        {
          type: 'text',
          silent: true,
          x: centerX,
          y: centerY - radius * 0.18,
          style: {
            text: value === null ? '–' : formatValue(chart, value),
            fill: theme.text,
            fontSize: Math.round(radius * 0.3),
            fontWeight: 650,
            textAlign: 'center',
            textVerticalAlign: 'middle',
          },
        },
        end(min, centerX - radius + band / 2),
        end(max, centerX + radius - band / 2),
      ],
      series: [
        {
          ...STATIC_SERIES,
          type: 'gauge',
          startAngle: 180,
          endAngle: 0,
          min,
          max,
          center: [centerX, centerY],
          radius,
          pointer: { show: false },
          progress: { show: value !== null, width: band, roundCap: false, itemStyle: { color: fill } },
          axisLine: { lineStyle: { width: band, color: [[1, theme.line]] } },
          axisTick: { show: false },
          splitLine: { show: false },
          axisLabel: { show: false },
          anchor: { show: false },
          title: { show: false },
          detail: { show: false },
          data: [{ value: value ?? min }],
        },
      ],
    },
  };
}
