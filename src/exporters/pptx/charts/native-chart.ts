import type { FigureChart } from '../../../domain/charts/chart-config.ts';
import { fitsVerticalBars, isDrawable } from '../../../domain/charts/draw-chart.ts';
import { mergeLabelSeries } from '../../../domain/charts/chart-drawing.ts';
import { clusteredBars, stackedBars } from './bar-charts.ts';
import { lineChart, barLineChart } from './line-charts.ts';
import { gaugeChart, radarChart, pieOrDonutChart } from './pie-radar-gauge.ts';
import type { NativeChart, PlottedChart } from './plotted-chart.ts';

type DrawnChartType = Exclude<FigureChart, 'kpi' | 'table'>;

const CHART_BUILDERS: Record<DrawnChartType, (chart: PlottedChart) => NativeChart> = {
  bar: (chart) => clusteredBars(chart, !fitsVerticalBars(chart)),
  'horizontal-bar': (chart) => clusteredBars(chart, true),
  'stacked-bar': stackedBars,
  line: (chart) => lineChart(chart, false),
  area: (chart) => lineChart(chart, true),
  'line-bar': barLineChart,
  pie: (chart) => pieOrDonutChart(chart, false),
  donut: (chart) => pieOrDonutChart(chart, true),
  radar: radarChart,
  gauge: gaugeChart,
};

/** A native PowerPoint chart with its workbook; null: the figures are shown as text. */
export function nativeChart(plotted: PlottedChart): NativeChart | null {
  const chart = mergeLabelSeries(plotted);
  const { chart_type: type, categories, series } = chart.figures;
  if (!isDrawable(type) || categories.length === 0 || series.length === 0) return null;
  return CHART_BUILDERS[type](chart);
}
