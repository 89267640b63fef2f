import type { ChartData, ChartName, ChartOptions } from '../library.ts';
import { isCompared } from '../../../domain/charts/drawing/bars.ts';
import {
  createLegend,
  type DrawableChart,
  FONT_SIZE,
  LINE_HEIGHT,
  textWidth,
  wrapText,
} from '../../../domain/charts/drawing/chart-drawing.ts';
import { columnLetter } from '../../../domain/statistics/compare-pairs.ts';
import type { Box } from '../../slide-page.ts';
import type { Palette } from '../ooxml.ts';
import type { Paragraph } from '../text-body.ts';
import type { ValueLabel, DataSheet } from './chart-part.ts';
import type { AggregationName } from '../../../domain/charts/chart-config.ts';
import { formatFigure, isPercentage } from '../../../domain/charts/figures/figure-texts.ts';

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
interface PlotArea {
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

type Series = DrawableChart['figures']['series'][number];

/** The series, their names with their letters in significance tests. */
export function namedSeries(chart: DrawableChart): Series[] {
  const { series } = chart.figures;
  const hasLetters = isCompared(chart) && barSeries(chart).length > 1;
  if (!hasLetters) return [...series];
  return series.map((one, index) => ({ ...one, name: `${one.name} (${columnLetter(index)})` }));
}

/** One color if all are equal: the library then colors the series instead of each point. */
export const mergeEqualColors = (colors: string[]): string[] =>
  new Set(colors).size === 1 ? colors.slice(0, 1) : colors;

/** Height of the legend above the plot. */
export function legendHeight(chart: DrawableChart, series: readonly { name: string }[]): number {
  if (series.length < 2) return 0;
  const entries = series.map(({ name }) => ({ name, fill: chart.theme.rest }));
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

const AXIS_FONT_SIZE = 11;
/** The font of the theme. */
const FONT = '+mn-lt';

interface ChartOptionsInput {
  /** The plot without axis labels; absent: automatic. */
  plotArea?: PlotArea;
  hasLegend: boolean;
  /** Whether the value axis and its grid lines are visible. */
  hasValueAxis?: boolean;
  /** Number format of the axis. */
  format?: string;
}

const toShare = (value: number) => Number(Math.min(Math.max(value, 0.0001), 1).toFixed(4));

/** The common options of all charts. A new object per call, because the library modifies it. */
export function chartOptions(
  { plotArea, hasLegend, hasValueAxis = false, format }: ChartOptionsInput,
  palette: Palette,
): ChartOptions {
  const { style: theme } = palette;
  const textColor = palette.colorName(theme.text);
  const mutedColor = palette.colorName(theme.mutedText);
  return {
    ...(plotArea !== undefined && {
      layout: {
        x: toShare(plotArea.x),
        y: toShare(plotArea.y),
        w: toShare(plotArea.width),
        h: toShare(plotArea.height),
      },
    }),
    chartArea: { roundedCorners: false },
    displayBlanksAs: 'gap',
    showTitle: false,
    showLegend: hasLegend,
    legendPos: 't',
    legendFontSize: FONT_SIZE,
    legendFontFace: FONT,
    legendColor: mutedColor,
    catAxisLabelFontFace: FONT,
    catAxisLabelFontSize: FONT_SIZE,
    catAxisLabelColor: textColor,
    catAxisLineColor: palette.colorName(theme.line),
    catAxisMajorTickMark: 'none',
    catAxisLabelPos: 'low',
    valAxisLabelFontFace: FONT,
    valAxisLabelFontSize: AXIS_FONT_SIZE,
    valAxisLabelColor: mutedColor,
    valAxisHidden: !hasValueAxis,
    valAxisLineShow: false,
    valAxisMajorTickMark: 'none',
    valGridLine: hasValueAxis
      ? { color: theme.line.slice(1), size: 0.75, style: 'solid' }
      : { style: 'none' },
    dataLabelFontFace: FONT,
    dataLabelFontSize: FONT_SIZE,
    dataLabelColor: textColor,
    dataLabelFontBold: true,
    ...(format !== undefined && { valAxisLabelFormatCode: format }),
  } satisfies ChartOptions;
}

/** A literal text in a number format. */
const quoteLiteral = (text: string) => (text === '' ? '' : `"${text.replaceAll('"', '')}"`);

/**
 * The number format that shows a figure as the dashboard does: `45%`, `+12`, `4.25`. The stored value keeps full precision. Letters of
 * significantly lower columns follow the number.
 */
export function numberFormat({
  value,
  name,
  decimals,
  letters = '',
}: {
  value: number;
  name: AggregationName;
  decimals: number | undefined;
  letters?: string | undefined;
}): string {
  const [, fraction = ''] = formatFigure(value, name, decimals).split('.');
  const decimalPlaces = fraction.replace('%', '').length;
  const digits = `#,##0${decimalPlaces === 0 ? '' : `.${'0'.repeat(decimalPlaces)}`}`;
  const marks = letters === '' ? '' : ` ${letters}`;
  if (name === 'nps') {
    const suffix = quoteLiteral(marks);
    return `+${digits}${suffix};-${digits}${suffix};${digits}${suffix}`;
  }
  return digits + quoteLiteral(`${isPercentage(name) ? '%' : ''}${marks}`);
}
