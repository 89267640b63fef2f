import type { FigureChart } from './chart-config.ts';
import { drawHorizontalBars, drawStackedBars, drawVerticalBars } from './drawing/bars.ts';
import { type ChartDrawing, type DrawableChart, mergeLabelSeries } from './chart-drawing.ts';
import { drawLineOverBars, drawLines } from './drawing/lines.ts';
import { drawHistogram } from './drawing/histogram.ts';
import { drawGauge, drawRadar, drawPieOrDonut } from './drawing/pie-radar-gauge.ts';

type DrawableType = Exclude<FigureChart, 'kpi' | 'table'>;

const DRAWING_FUNCTIONS: Record<DrawableType, (chart: DrawableChart) => ChartDrawing> = {
  bar: drawVerticalBars,
  'horizontal-bar': drawHorizontalBars,
  'stacked-bar': drawStackedBars,
  line: (chart) => drawLines(chart, false),
  area: (chart) => drawLines(chart, true),
  'line-bar': drawLineOverBars,
  pie: (chart) => drawPieOrDonut(chart, false),
  donut: (chart) => drawPieOrDonut(chart, true),
  radar: drawRadar,
  gauge: drawGauge,
};

/** Whether the element is drawn; a kpi and a table are text. */
export function isDrawable(type: FigureChart): type is DrawableType {
  return type in DRAWING_FUNCTIONS;
}

/**
 * Creates the echarts option of a chart for pages and files. Vertical bars with too many names become horizontal bars, or a
 * histogram if binned. Returns null if there is nothing to draw.
 */
export function createChartDrawing(input: DrawableChart): ChartDrawing | null {
  const chart = mergeLabelSeries(input);
  const { chart_type: type, categories, series } = chart.figures;
  if (!isDrawable(type) || categories.length === 0 || series.length === 0) return null;
  if (type !== 'bar' || fitsVerticalBars(chart)) return DRAWING_FUNCTIONS[type](chart);
  return chart.figures.binning === undefined || series.length > 1
    ? drawHorizontalBars(chart)
    : drawHistogram(chart);
}

/** Names under narrower bars are not readable, in pixels. */
const MIN_BAND_WIDTH = 44;
const MIN_BAR_WIDTH = 26;

/** Whether vertical bars have enough room. */
export function fitsVerticalBars({ figures, width }: Pick<DrawableChart, 'figures' | 'width'>): boolean {
  const band = width / figures.categories.length;
  return band >= MIN_BAND_WIDTH && (band * 0.72) / figures.series.length >= MIN_BAR_WIDTH;
}
