import type { FigureChart } from '../../../domain/charts/chart-types.ts';
import { fitsVerticalBars, isDrawable } from '../../../domain/charts/draw-chart.ts';
import { mergeLabelSeries } from '../../../domain/charts/drawing/label-series.ts';
import { clusteredBars, stackedBars } from './bar-charts.ts';
import { lineChart, lineOverBars } from './line-charts.ts';
import { gaugeChart, radarChart, ringChart } from './round-charts.ts';
import type { NativeChart, PlottedChart } from './plotted-chart.ts';

type Drawn = Exclude<FigureChart, 'kpi' | 'table'>;

const NATIVE: Record<Drawn, (chart: PlottedChart) => NativeChart> = {
  bar: (chart) => clusteredBars(chart, !fitsVerticalBars(chart)),
  'horizontal-bar': (chart) => clusteredBars(chart, true),
  'stacked-bar': stackedBars,
  line: (chart) => lineChart(chart, false),
  area: (chart) => lineChart(chart, true),
  'line-bar': lineOverBars,
  pie: (chart) => ringChart(chart, false),
  donut: (chart) => ringChart(chart, true),
  radar: radarChart,
  gauge: gaugeChart,
};

/** A chart that PowerPoint draws itself, with its workbook; null: the figures are shown as text. */
export function nativeChart(whole: PlottedChart): NativeChart | null {
  const chart = mergeLabelSeries(whole);
  const { chart_type: type, categories, series } = chart.figures;
  if (!isDrawable(type) || categories.length === 0 || series.length === 0) return null;
  return NATIVE[type](chart);
}
