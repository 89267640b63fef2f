/** Elements that draw the figures of a dimension. */
export const FIGURE_CHARTS = [
  'bar',
  'horizontal-bar',
  'stacked-bar',
  'line',
  'area',
  'line-bar',
  'pie',
  'donut',
  'radar',
  'gauge',
  'kpi',
  'table',
] as const;
export type FigureChart = (typeof FIGURE_CHARTS)[number];

/** All dashboard elements. */
export const CHART_TYPES = [...FIGURE_CHARTS, 'text', 'filter', 'variable'] as const;
export type ChartType = (typeof CHART_TYPES)[number];

/** Elements that show a single number. */
export type SingleFigureChart = Extract<FigureChart, 'gauge' | 'kpi'>;

export function isFigureChart(type: ChartType): type is FigureChart {
  return (FIGURE_CHARTS as readonly string[]).includes(type);
}

export function isSingleFigure(type: ChartType): type is SingleFigureChart {
  return type === 'gauge' || type === 'kpi';
}

/** Functions that can be computed for each category. */
export const AGGREGATIONS = [
  'count',
  'percent',
  'mean',
  'sum',
  'median',
  'min',
  'max',
  'nps',
  'top_box',
  'rank_summary',
] as const;
export type AggregationName = (typeof AGGREGATIONS)[number];

/** Whether the function counts responses; the others measure a number. */
export function isCounting(name: AggregationName): name is 'count' | 'percent' {
  return name === 'count' || name === 'percent';
}
