import type { ChartData, ChartName, ChartOptions } from '../library.ts';
import { isCompared } from '../../../domain/charts/drawing/bars.ts';
import {
  createLegend,
  type DrawableChart,
  FONT_SIZE,
  LINE_HEIGHT,
  textWidth,
  wrapText,
} from '../../../domain/charts/chart-drawing.ts';
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

/** One layer of a combined chart, in the format of the library. */
export interface ChartLayer {
  type: ChartName;
  data: ChartData[];
  options: ChartOptions;
}

export interface NativeChart {
  layers: ChartLayer[];
  /** Of all layers. */
  options: ChartOptions;
  /** Labels per point and series, in drawing order, which the library does not support; null: the labels of the library. */
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

/** The interval and height of category labels: all if they fit, else every nth. */
export function axisLabelLayout(
  names: readonly string[],
  availableWidth: number,
): { each: number; height: number } {
  const longest = Math.max(
    ...names.flatMap((name) => name.split(' ')).map((word) => textWidth(word, FONT_SIZE)),
    0,
  );
  if (availableWidth >= 44 && (longest <= availableWidth - 6 || longest > 90)) {
    const lines = names.map(
      (name) => wrapText(name, { width: availableWidth - 8, fontSize: FONT_SIZE, maxLines: 3 }).length,
    );
    return { each: 1, height: Math.max(1, ...lines) * LINE_HEIGHT + 12 };
  }
  const widest = Math.max(...names.map((name) => textWidth(name, FONT_SIZE)), 1);
  const interval = Math.ceil((Math.min(widest, 90) + 12) / Math.max(availableWidth, 1));
  return { each: interval, height: LINE_HEIGHT + 12 };
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
