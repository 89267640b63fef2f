import type { ChartData, ChartName, ChartOptions } from '../library.ts';
import { isCompared } from '../../../domain/charts/drawing/bars.ts';
import type { DrawableChart } from '../../../domain/charts/drawing/chart-drawing.ts';
import { columnLetter } from '../../../domain/statistics/compare-pairs.ts';
import { createLegend } from '../../../domain/charts/drawing/legend.ts';
import type { Box } from '../../slides/slide-page.ts';
import type { Palette } from '../palette.ts';
import type { Paragraph } from '../text-body.ts';
import type { ValueLabel } from './labels.ts';
import type { DataSheet } from './data-sheet.ts';

/** What a chart is made of; its measures are points. */
export interface PlottedChart extends DrawableChart {
  palette: Palette;
  /** Where the axis of values ends at least; null: with the greatest of them. */
  axisMax: number | null;
}

/** What stands beside or on a chart and cannot be part of it; places are relative to the chart's room. */
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

/** One of the charts that lie over each other, as the library takes it. */
export interface ChartLayer {
  type: ChartName;
  data: ChartData[];
  options: ChartOptions;
}

export interface NativeChart {
  layers: ChartLayer[];
  /** Of all layers. */
  options: ChartOptions;
  /** What the library cannot be told: a label for each point of each series, in the order in which they are drawn; null: as it has them. */
  labels: ((ValueLabel | null)[] | null)[];
  sheet: DataSheet;
  /** Within the room that it was given. */
  box: Box;
  companions: ChartCompanion[];
}

/** Series of bars; a line beside them is not among them. */
const barSeries = ({ figures }: DrawableChart) => figures.series.filter((one) => one.drawn_as !== 'line');

/** Names of series, with the letters by which others name them. */
export function seriesNames(chart: DrawableChart): string[] {
  const hasLetters = isCompared(chart) && barSeries(chart).length > 1;
  return chart.figures.series.map(({ name }, index) =>
    hasLetters ? `${name} (${columnLetter(index)})` : name,
  );
}

/** How much room the legend takes above the plot. */
export function legendHeight(chart: DrawableChart, names: readonly string[]): number {
  if (names.length < 2) return 0;
  const entries = names.map((name) => ({ name, fill: chart.theme.rest }));
  return createLegend({ width: chart.width * 0.92, theme: chart.theme }, entries).height + 4;
}

/** Points as shares of the chart. */
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
