import { requireItem } from '../../../lib/require-value.ts';
import { seriesFills } from '../../../domain/charts/drawing/bars.ts';
import { FONT_SIZE, formatValue, showsValues } from '../../../domain/charts/drawing/chart-drawing.ts';
import { chooseFills } from '../../../domain/charts/drawing/chart-theme.ts';
import { choosePalette } from '../../../domain/charts/drawing/palette.ts';
import { gaugeRange } from '../../../domain/charts/types/gauge.ts';
import { formatFigure, formatNumber } from '../../../domain/charts/figures/figure-texts.ts';
import type { Box } from '../../slide-page.ts';
import { plainParagraph } from '../text-body.ts';
import {
  chartOptions,
  numberFormat,
  type ChartCompanion,
  legendHeight,
  type NativeChart,
  type PlottedChart,
  namedSeries,
  fullBox,
} from './plotted-chart.ts';
import { DataSheet } from './chart-part.ts';

const HOLE_PERCENT = 64;
const LIST_GAP = 36;
/** Row height of the list beside a pie or donut. */
const LIST_ROW = 26;
const WIDE_FROM = 340;
const FULL_PLOT_AREA = { x: 0.02, y: 0.02, width: 0.96, height: 0.96 };

/** A pie or donut with a list of its parts, because small slices have no space for a label. */
export function pieOrDonutChart(chart: PlottedChart, isDonut: boolean): NativeChart {
  const { figures, theme, options, width, height, palette } = chart;
  const { categories } = figures;
  const series = requireItem(figures.series, 0);
  const fills = chooseFills(theme, {
    count: categories.length,
    palette: choosePalette(
      figures.dimension.measure,
      categories.map(({ label }) => label),
    ),
    chosen: options.colors,
  }).map((fill, index) =>
    categories[index]?.is_rest && options.colors?.[index] === undefined ? theme.rest : fill,
  );
  const isCount = figures.aggregation.function === 'count' || figures.aggregation.function === 'percent';
  const entries = categories.map(({ label }, index) => {
    const value = (isCount ? series.percents[index] : series.values[index]) ?? null;
    const figure =
      value === null
        ? '–'
        : isCount
          ? formatFigure(value, 'percent', options.decimals)
          : formatValue(chart, value);
    return { fill: requireItem(fills, index).fill, figure, name: label };
  });
  const sheet = new DataSheet(
    categories.map(({ label }) => label),
    [
      {
        name: series.name,
        values: series.values.map((value) => (value === null ? null : Math.max(0, value))),
      },
    ],
  );
  const isWide = width >= WIDE_FROM;
  const listHeight = entries.length * LIST_ROW;
  const diameter = isWide
    ? Math.min(height, width * 0.46, 320)
    : Math.min(width * 0.72, height - listHeight - 16);
  const box: Box = {
    x: isWide ? 0 : (width - diameter) / 2,
    y: isWide ? (height - diameter) / 2 : 0,
    width: diameter,
    height: diameter,
  };
  const visibleListHeight = Math.min(listHeight, height);
  const list: ChartCompanion = {
    kind: 'list',
    name: 'Shares',
    entries,
    box: isWide
      ? {
          x: diameter + LIST_GAP,
          y: (height - visibleListHeight) / 2,
          width: width - diameter - LIST_GAP,
          height: visibleListHeight,
        }
      : { x: 0, y: diameter + 16, width, height: visibleListHeight },
  };
  const base = figures.base?.unweighted ?? null;
  const center = isDonut && isCount && base !== null ? [centerText(box, base, chart)] : [];
  return {
    layers: [
      {
        type: isDonut ? 'doughnut' : 'pie',
        data: [sheet.seriesData(0)],
        options: {
          chartColors: fills.map(({ fill }) => palette.colorName(fill)),
          dataBorder: { pt: 1.5, color: palette.colorName(theme.background) },
          ...(isDonut && { holeSize: HOLE_PERCENT }),
        },
      },
    ],
    options: chartOptions({ plotArea: FULL_PLOT_AREA, hasLegend: false }, palette),
    labels: [[]],
    sheet,
    box,
    companions: [list, ...center],
  };
}

function centerText(box: Box, base: number, { palette, theme }: PlottedChart): ChartCompanion {
  const height = 56;
  return {
    kind: 'text',
    name: 'Base',
    anchor: 'ctr',
    box: { x: box.x + box.width * 0.2, y: box.y + (box.height - height) / 2, width: box.width * 0.6, height },
    paragraphs: [
      plainParagraph(
        formatNumber(base, 0),
        { size: 24, bold: true, fill: palette.colorName(theme.text) },
        { align: 'center' },
      ),
      plainParagraph(
        'respondents',
        { size: FONT_SIZE, fill: palette.colorName(theme.mutedText) },
        { align: 'center' },
      ),
    ],
  };
}

/** A radar chart: one axis per category, one polygon per series. */
export function radarChart(chart: PlottedChart): NativeChart {
  const { figures, palette, theme, options } = chart;
  const series = namedSeries(chart);
  const fills = seriesFills(chart);
  const isSingle = figures.series.length === 1;
  const sheet = new DataSheet(
    figures.categories.map(({ label }) => label),
    series,
  );
  const top = legendHeight(chart, series);
  const side = Math.min(chart.height - top - 64, chart.width - 200);
  const radarArea =
    side < 80
      ? undefined
      : {
          x: (chart.width - side) / 2 / chart.width,
          y: (top + 32) / chart.height,
          width: side / chart.width,
          height: side / chart.height,
        };
  const first = figures.series.flatMap(({ values }) => values).find((value) => value !== null) ?? 0;
  return {
    layers: [
      {
        type: 'radar',
        data: sheet.series.map((_, index) => sheet.seriesData(index)),
        options: {
          radarStyle: 'marker',
          lineSize: 2.5,
          lineDataSymbol: 'circle',
          lineDataSymbolSize: 7,
          chartColors: fills.map(({ fill }) => palette.colorName(fill)),
          lineDataSymbolLineColor: palette.colorName(theme.background),
          valAxisMinVal: 0,
          valAxisLabelPos: 'none',
          ...(chart.axisMax !== null && { valAxisMaxVal: chart.axisMax }),
          showValue: isSingle && showsValues(chart),
          dataLabelFormatCode: numberFormat({
            value: first,
            name: figures.aggregation.function,
            decimals: options.decimals,
          }),
        },
      },
    ],
    options: chartOptions(
      { ...(radarArea !== undefined && { plotArea: radarArea }), hasLegend: !isSingle, hasValueAxis: true },
      palette,
    ),
    // Labels of single points break radar charts in PowerPoint.
    labels: figures.series.map(() => null),
    sheet,
    box: fullBox(chart),
    companions: [],
  };
}

/** A gauge: a donut with three slices, of which the third is invisible. */
export function gaugeChart(chart: PlottedChart): NativeChart {
  const { figures, theme, options, width, height, palette } = chart;
  const series = requireItem(figures.series, 0);
  const { function: name } = figures.aggregation;
  const value = series.values[0] ?? null;
  const [min, max] = gaugeRange(chart, value ?? 0);
  const { fill } = requireItem(
    chooseFills(theme, { count: 1, palette: 'categorical', chosen: options.colors }),
    0,
  );
  const clampedValue = value === null ? null : Math.min(Math.max(value, min), max);
  const sheet = new DataSheet(
    [requireItem(figures.categories, 0).label, `To ${formatFigure(max, name, 0)}`, 'Hidden half'],
    [
      {
        name: series.name,
        values: [clampedValue === null ? null : clampedValue - min, max - (clampedValue ?? min), max - min],
      },
    ],
  );
  const diameter = Math.min(width * 0.92, height, 340);
  const box: Box = {
    x: (width - diameter) / 2,
    y: Math.max(0, (height - diameter) / 2),
    width: diameter,
    height: diameter,
  };
  const middle = box.y + diameter / 2;
  const labelFormat = { size: FONT_SIZE, fill: palette.colorName(theme.mutedText) };
  const limitLabel = (limit: number, x: number, shapeName: string): ChartCompanion => ({
    kind: 'text',
    name: shapeName,
    anchor: 't',
    box: { x, y: middle + 6, width: 60, height: 18 },
    paragraphs: [plainParagraph(formatFigure(limit, name, 0), labelFormat, { align: 'center' })],
  });
  const band = diameter * 0.05;
  const figure: ChartCompanion = {
    kind: 'text',
    name: 'Value',
    anchor: 'b',
    box: {
      x: box.x + diameter * 0.15,
      y: middle - diameter * 0.24,
      width: diameter * 0.7,
      height: diameter * 0.24,
    },
    paragraphs: [
      plainParagraph(
        value === null ? '–' : formatValue(chart, value),
        { size: Math.round(diameter * 0.15), bold: true, fill: palette.colorName(theme.text) },
        { align: 'center' },
      ),
    ],
  };
  return {
    layers: [
      {
        type: 'doughnut',
        data: [sheet.seriesData(0)],
        options: {
          // The third slice has the background color of the slide.
          chartColors: [fill, theme.line, theme.background].map((color) => palette.colorName(color)),
          firstSliceAng: 270,
          holeSize: 78,
        },
      },
    ],
    options: chartOptions({ plotArea: FULL_PLOT_AREA, hasLegend: false }, palette),
    labels: [[]],
    sheet,
    box,
    companions: [
      figure,
      limitLabel(min, box.x + band - 26, 'From'),
      limitLabel(max, box.x + diameter - band - 34, 'To'),
    ],
  };
}
