import type { FigureChart } from './chart-types.ts';
import { lyingBars, stackedBars, standingBars } from './drawing/bars.ts';
import type { ChartDrawing, DrawnChart } from './drawing/chart-drawing.ts';
import { withLabelSeries } from './drawing/label-series.ts';
import { lineOverBars, lines } from './drawing/lines.ts';
import { histogram } from './drawing/histogram.ts';
import { gauge, radar, ring } from './drawing/round.ts';

type Drawn = Exclude<FigureChart, 'kpi' | 'table'>;

const DRAWN: Record<Drawn, (chart: DrawnChart) => ChartDrawing> = {
  bar: standingBars,
  'horizontal-bar': lyingBars,
  'stacked-bar': stackedBars,
  line: (chart) => lines(chart, false),
  area: (chart) => lines(chart, true),
  'line-bar': lineOverBars,
  pie: (chart) => ring(chart, false),
  donut: (chart) => ring(chart, true),
  radar,
  gauge,
};

/** Whether the element is a picture; a kpi and a table are text. */
export function isDrawn(type: FigureChart): type is Drawn {
  return type in DRAWN;
}

/**
 * What echarts draws of a chart's figures, on the page as in a file. Standing bars with more names than there is room for lie down, those
 * of a histogram stay. null:
 * there is nothing to draw.
 */
export function chartDrawing(whole: DrawnChart): ChartDrawing | null {
  const chart = withLabelSeries(whole);
  const { chart_type: type, categories, series } = chart.figures;
  if (!isDrawn(type) || categories.length === 0 || series.length === 0) return null;
  if (type !== 'bar' || fitsStanding(chart)) return DRAWN[type](chart);
  return chart.figures.binning === undefined || series.length > 1 ? lyingBars(chart) : histogram(chart);
}

/** Narrower than this, a name under a bar is no longer read. */
const LEAST_BAND = 44;
const LEAST_BAR = 26;

/** Whether bars that are to stand have room to. */
export function fitsStanding({ figures, width }: Pick<DrawnChart, 'figures' | 'width'>): boolean {
  const band = width / figures.categories.length;
  return band >= LEAST_BAND && (band * 0.72) / figures.series.length >= LEAST_BAR;
}
