import type { Schema } from '../data/api.ts';
import type { Figure } from './figure-kind.ts';

/** A chart of a dashboard or a report that shows figures. */
export type ChartType = Schema<'FigureNewDashboardChart'>['chart_type'];

export const CHART_LABELS: Readonly<Record<ChartType, string>> = {
  bar: 'Bars',
  'horizontal-bar': 'Horizontal bars',
  'stacked-bar': 'Stacked bars',
  line: 'Line',
  area: 'Area',
  'line-bar': 'Bars and line',
  pie: 'Pie',
  donut: 'Donut',
  histogram: 'Histogram',
  radar: 'Radar',
  gauge: 'Gauge',
  kpi: 'One number',
  table: 'Table',
};

/** Any element of a dashboard. */
export type ElementType = Schema<'DashboardChart'>['chart_type'];

const ELEMENT_LABELS: Readonly<Record<ElementType, string>> = {
  ...CHART_LABELS,
  text: 'Text',
  filter: 'Filter',
  variable: 'Number',
};

export const elementLabel = (type: ElementType): string => ELEMENT_LABELS[type];

/** Filters are above all pages of a dashboard; the rest is on the grid of a page. */
export const isOnGrid = (type: ElementType): boolean => type !== 'filter';

/** What an element needs room for: one number, a text, or a chart. */
export function shapeOf(type: ElementType): 'number' | 'text' | 'chart' {
  if (type === 'kpi' || type === 'variable') return 'number';
  return type === 'text' ? 'text' : 'chart';
}

/** Whether a chart shows one number instead of categories. */
export const isOneNumber = (type: ChartType): boolean => type === 'kpi' || type === 'gauge';

/** Whether the categories of a chart are the parts of one bar. */
export const isStack = (type: ChartType): boolean => type === 'stacked-bar';

/** The first is the default. */
export type ChartChoice = readonly [ChartType, ...ChartType[]];

/** The chart types that suit a figure. */
export const CHARTS_OF_FIGURES: Readonly<Record<Figure['kind'], ChartChoice>> = {
  choices: ['horizontal-bar', 'bar', 'donut', 'table'],
  scale: ['bar', 'stacked-bar', 'kpi', 'gauge', 'table'],
  nps: ['bar', 'kpi', 'gauge', 'table'],
  histogram: ['histogram', 'bar', 'kpi', 'table'],
  dates: ['line', 'bar', 'table'],
  texts: ['table', 'kpi'],
  files: ['kpi'],
  matrix: ['stacked-bar', 'bar', 'radar', 'table'],
  row_numbers: ['horizontal-bar', 'table'],
  ranking: ['horizontal-bar', 'stacked-bar', 'table'],
  numbers: ['horizontal-bar', 'donut', 'table'],
};

/** Figures that the results show in percent, as these charts then do. Without it they count respondents. */
export const showsPercent = (kind: Figure['kind'], type: ChartType): boolean =>
  ['choices', 'scale', 'nps', 'histogram'].includes(kind) && !isOneNumber(type);

/** Single numbers, one distribution and the parts of one whole cannot be split by another question. */
export const hasSeries = (type: ChartType): boolean =>
  !isOneNumber(type) && type !== 'donut' && type !== 'histogram';
