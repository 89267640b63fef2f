import { mergeLabelSeries } from '../../../domain/charts/chart-drawing.ts';
import { fitsVerticalBars } from '../../../domain/charts/drawing/bars.ts';
import { figureTypeOf, type NativeWriter } from '../../../domain/charts/registry.ts';
import { clusteredBars, stackedBars } from './bar-charts.ts';
import { histogramChart } from './histogram-chart.ts';
import { lineChart, barLineChart } from './line-charts.ts';
import { gaugeChart, radarChart, pieOrDonutChart } from './pie-radar-gauge.ts';
import type { NativeChart, PlottedChart } from './plotted-chart.ts';

/** The writers by the names in the chart types. */
const WRITERS: Record<NativeWriter, (chart: PlottedChart) => NativeChart> = {
  bars: (chart) => clusteredBars(chart, !fitsVerticalBars(chart)),
  'horizontal-bars': (chart) => clusteredBars(chart, true),
  'stacked-bars': stackedBars,
  lines: (chart) => lineChart(chart, false),
  areas: (chart) => lineChart(chart, true),
  'bars-and-line': barLineChart,
  pie: (chart) => pieOrDonutChart(chart, false),
  donut: (chart) => pieOrDonutChart(chart, true),
  histogram: histogramChart,
  radar: radarChart,
  gauge: gaugeChart,
};

/** A native PowerPoint chart with its workbook; null: the figures are shown as text. */
export function createNativeChart(plotted: PlottedChart): NativeChart | null {
  const chart = mergeLabelSeries(plotted);
  const { categories, series } = chart.figures;
  const { nativeWriter: writer } = figureTypeOf(chart.figures);
  if (writer === null || categories.length === 0 || series.length === 0) return null;
  return WRITERS[writer](chart);
}
