import { isCompared } from '../../../domain/charts/drawing/bars.ts';
import { createLegend, type DrawableChart } from '../../../domain/charts/chart-drawing.ts';
import { columnLetter } from '../../../domain/statistics/compare-pairs.ts';
import type { Box } from '../../slides/slide-page.ts';
import type { Palette } from '../palette.ts';
import type { Paragraph } from '../text-body.ts';
import type { ValueLabel } from './labels.ts';
import type { DataSheet } from './data-sheet.ts';

/** The input of a chart; sizes are in points. */
export interface PlottedChart extends DrawableChart {
  palette: Palette;
  /** Minimum end of the value axis; null: the greatest value. */
  axisMax: number | null;
}

/** Shapes beside or on a chart that cannot be part of it. Positions are relative to the area of the chart. */
export type ChartCompanion =
  | { kind: 'text'; name: string; box: Box; paragraphs: Paragraph[]; anchor: 't' | 'ctr' | 'b' }
  | { kind: 'list'; name: string; box: Box; entries: { fill: string; figure: string; name: string }[] };

/** Shares of the whole chart, from its upper left corner. */
export interface PlotArea {
  x: number;
  y: number;
  width: number;
  height: number;
}

interface LayerSeries {
  /** Positions of the series in the data sheet. */
  seriesIndexes: readonly number[];
  /** One per series; a single series may have one per point. */
  fills: readonly string[];
}

export interface BorderLine {
  /** Points. */
  width: number;
  color: string;
}

export interface BarLayer extends LayerSeries {
  type: 'bar';
  isHorizontal: boolean;
  grouping: 'clustered' | 'stacked' | 'percentStacked';
  /** Between categories, in percent of the bar width. */
  gapPercent: number;
  /** Of the bars of one category; negative: a gap. */
  overlapPercent: number;
  border?: BorderLine;
}

/** Lines with round markers. */
export interface LineStyle {
  /** Points. */
  width: number;
  /** Points. */
  markerSize: number;
  /** Absent: the colour of the series. */
  markerOutline?: string;
}

export interface LineLayer extends LayerSeries, LineStyle {
  type: 'line';
  /** Whether the layer has a value axis on the other side. */
  isSecondary?: boolean;
}

export interface AreaLayer extends LayerSeries {
  type: 'area';
  opacityPercent: number;
}

export interface PieLayer extends LayerSeries {
  type: 'pie' | 'doughnut';
  border?: BorderLine;
  /** Of the diameter, for doughnuts. */
  holePercent?: number;
  /** Degrees clockwise from the top. */
  firstSliceAngle?: number;
}

export interface RadarLayer extends LayerSeries, LineStyle {
  type: 'radar';
  /** Number format of the labels of all points; null: no labels. Labels of single points break radar charts in PowerPoint. */
  labelFormat: string | null;
}

/** Series drawn in one way; a combined chart has several layers. */
export type ChartLayer = BarLayer | LineLayer | AreaLayer | PieLayer | RadarLayer;

export interface CategoryAxis {
  isHidden?: boolean;
  hasLine?: boolean;
  /** Whether the first category of horizontal bars is at the top. */
  isReversed?: boolean;
  /** Every nth category has a label. */
  labelInterval?: number;
}

export interface ValueAxis {
  /** Whether the axis and its grid lines are visible. */
  isVisible: boolean;
  hasLabels?: boolean;
  /** Absent: PowerPoint chooses. */
  min?: number | undefined;
  /** Absent: PowerPoint chooses. */
  max?: number | undefined;
  /** Number format. */
  format?: string;
}

export interface NativeChart {
  layers: ChartLayer[];
  /** The plot without axis labels; absent: automatic. */
  plotArea?: PlotArea;
  hasLegend: boolean;
  /** Absent for charts without axes. */
  axes?: { category: CategoryAxis; value: ValueAxis };
  /** Labels per point and series, in drawing order; null: the labels of the layer. */
  labels: ((ValueLabel | null)[] | null)[];
  sheet: DataSheet;
  /** Position within the available area. */
  box: Box;
  companions: ChartCompanion[];
}

/** The series drawn as bars, without lines. */
const barSeries = ({ figures }: DrawableChart) => figures.series.filter((one) => one.drawn_as !== 'line');

/** Series names with their letters in significance tests. */
export function seriesNames(chart: DrawableChart): string[] {
  const hasLetters = isCompared(chart) && barSeries(chart).length > 1;
  return chart.figures.series.map(({ name }, index) =>
    hasLetters ? `${name} (${columnLetter(index)})` : name,
  );
}

/** Height of the legend above the plot. */
export function legendHeight(chart: DrawableChart, names: readonly string[]): number {
  if (names.length < 2) return 0;
  const entries = names.map((name) => ({ name, fill: chart.theme.rest }));
  return createLegend({ width: chart.width * 0.92, theme: chart.theme }, entries).height + 4;
}

/** Converts points to shares of the chart. */
export function plotArea(
  { width, height }: Pick<DrawableChart, 'width' | 'height'>,
  edges: { left: number; right: number; top: number; bottom: number },
): PlotArea {
  return {
    x: edges.left / width,
    y: edges.top / height,
    width: (width - edges.left - edges.right) / width,
    height: (height - edges.top - edges.bottom) / height,
  };
}

export const fullBox = ({ width, height }: Pick<DrawableChart, 'width' | 'height'>): Box => ({
  x: 0,
  y: 0,
  width,
  height,
});
