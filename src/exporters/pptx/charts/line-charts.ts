import { requireItem } from '../../../lib/require-value.ts';
import type { ChartOptions } from '../library.ts';
import { categoryNames, valueRange, seriesFills } from '../../../domain/charts/drawing/bars.ts';
import { FONT_SIZE, showsValues, textWidth } from '../../../domain/charts/drawing/chart-drawing.ts';
import {
  chartOptions,
  numberFormat,
  axisLabelLayout,
  type ChartLayer,
  legendHeight,
  type NativeChart,
  plotArea,
  type PlottedChart,
  namedSeries,
  fullBox,
} from './plotted-chart.ts';
import { DataSheet, type ValueLabel } from './chart-part.ts';

/** With more points, only the last one is labeled. */
const MAX_LABELED = 12;
const DENSE_FROM = 17;
const AXIS_WIDTH = 44;

/** Options for lines and their markers. */
const lineOptions = ({ palette, theme }: PlottedChart, isDense: boolean): ChartOptions => ({
  lineSize: 2.5,
  lineDataSymbol: 'circle',
  lineDataSymbolSize: isDense ? 4 : 8,
  lineDataSymbolLineSize: 1.5,
  ...(isDense ? {} : { lineDataSymbolLineColor: palette.colorName(theme.background) }),
});

/** The axis range with space for labels; undefined: PowerPoint chooses. */
function axisRange({ figures, axisMax }: PlottedChart, isLabeled: boolean, fromZero: boolean) {
  const { series } = figures;
  const values = series.flatMap(({ values }) => values).filter((value) => value !== null);
  if (values.length === 0) return { min: 0, max: 1 };
  const { least, greatest } = valueRange(series.map(({ values }) => values));
  const maximum = Math.max(axisMax ?? -Infinity, ...values);
  if (fromZero) {
    const span = (Math.max(maximum, greatest) - least || 1) * 0.1;
    return {
      min: least,
      max: isLabeled || axisMax !== null ? Math.max(maximum, greatest) + span : undefined,
    };
  }
  if (!isLabeled) return { min: undefined, max: axisMax ?? undefined };
  const minimum = Math.min(...values);
  const span = maximum - minimum || 1;
  return { min: minimum - span * 0.3, max: maximum + span * 0.2 };
}

/** A line chart over ordered categories, or an area chart. */
export function lineChart(chart: PlottedChart, isArea: boolean): NativeChart {
  const { figures, palette, theme, width, options } = chart;
  const { series, categories, aggregation } = figures;
  const names = categoryNames(chart);
  const allSeries = namedSeries(chart);
  const fills = seriesFills(chart);
  const sheet = new DataSheet(names, allSeries);
  const isLabeled = showsValues(chart) && categories.length <= MAX_LABELED && series.length <= 2;
  const isDense = categories.length >= DENSE_FROM;
  const halfLabelWidth = (name: string | undefined) => Math.min(textWidth(name ?? '', FONT_SIZE), 80) / 2 + 4;
  const left = Math.max(halfLabelWidth(names[0]), isLabeled ? 18 : AXIS_WIDTH);
  const right = Math.max(halfLabelWidth(names.at(-1)), isLabeled ? 18 : AXIS_WIDTH);
  const { each, height } = axisLabelLayout(names, (width - left - right) / Math.max(1, names.length - 1));
  const top = legendHeight(chart, allSeries) + 12;
  /** Of two lines, the upper one has its labels above, the lower one below. */
  const isLowerLine = (seriesIndex: number, index: number) => {
    const [own, other] = [series[seriesIndex]?.values[index], series[1 - seriesIndex]?.values[index]];
    return own != null && other != null && (own < other || (own === other && seriesIndex === 1));
  };
  const labels = series.map(({ values }, seriesIndex) =>
    values.map((value, index, { length }): ValueLabel | null => {
      const isShown = showsValues(chart) && (isLabeled || index === length - 1);
      if (value === null || !isShown) return null;
      return {
        format: numberFormat({ value, name: aggregation.function, decimals: options.decimals }),
        position: !isLabeled ? 'r' : isLowerLine(seriesIndex, index) ? 'b' : 't',
        size: FONT_SIZE,
        color: theme.text,
        bold: true,
      };
    }),
  );
  const colors = fills.map(({ fill }) => palette.colorName(fill));
  const data = () => series.map((_, seriesIndex) => sheet.seriesData(seriesIndex));
  const fromZero = isArea || ['count', 'percent', 'top_box', 'sum'].includes(aggregation.function);
  const { min, max } = axisRange(chart, isLabeled, fromZero);
  const line: ChartLayer = {
    type: 'line',
    data: data(),
    options: { ...lineOptions(chart, isDense), chartColors: colors },
  };
  // An area with an outline is framed on all sides, so the line is a second chart layer on the same cells.
  const area: ChartLayer = {
    type: 'area',
    data: data(),
    options: { chartColors: [...colors], chartColorsOpacity: series.length > 1 ? 12 : 16 },
  };
  return {
    layers: isArea ? [area, line] : [line],
    options: {
      ...chartOptions(
        {
          plotArea: plotArea(chart, { left, right, top, bottom: height }),
          hasLegend: series.length > 1,
          hasValueAxis: !isLabeled,
          format: axisFormat(chart),
        },
        palette,
      ),
      ...(min !== undefined && { valAxisMinVal: min }),
      ...(max !== undefined && { valAxisMaxVal: max }),
      ...(each > 1 && { catAxisLabelFrequency: String(each) }),
    },
    labels: isArea ? [...series.map(() => []), ...labels] : labels,
    sheet,
    box: fullBox(chart),
    companions: [],
  };
}

/** Number format of an axis; its steps are round numbers. */
function axisFormat({ figures }: PlottedChart): string {
  const { function: name } = figures.aggregation;
  return name === 'percent' || name === 'top_box' ? '0"%"' : 'General';
}

/** Bars and a line on a secondary axis. */
export function barLineChart(chart: PlottedChart): NativeChart {
  const { palette, theme, width, options } = chart;
  const names = categoryNames(chart);
  const fills = seriesFills(chart);
  const series = namedSeries(chart).map((one, index) => ({
    ...one,
    index,
    fill: requireItem(fills, index).fill,
    isLine: one.drawn_as === 'line',
  }));
  const bars = series.filter(({ isLine }) => !isLine);
  const lines = series.filter(({ isLine }) => isLine);
  const sheet = new DataSheet(names, series);
  const band = (width - 2 * AXIS_WIDTH) / Math.max(1, names.length);
  const { each, height } = axisLabelLayout(names, band);
  const top = legendHeight(chart, series) + 12;
  const labels = [...bars, ...lines].map(({ values, isLine }): (ValueLabel | null)[] =>
    values.map((value) =>
      value === null || !isLine || !showsValues(chart) || names.length > MAX_LABELED
        ? null
        : // The aggregation of the line is unknown; two decimals fit means and shares.
          {
            format: numberFormat({ value, name: 'mean', decimals: options.decimals }),
            position: 't',
            background: theme.background,
            size: FONT_SIZE,
            color: theme.text,
            bold: true,
          },
    ),
  );
  const gap = Math.round(Math.min(Math.max((band / Math.min(56, band * 0.72) - 1) * 100, 30), 500));
  const layer = (drawn: typeof series, type: 'bar' | 'line', typeOptions: ChartOptions): ChartLayer => ({
    type,
    data: drawn.map(({ index }) => sheet.seriesData(index)),
    options: { ...typeOptions, chartColors: drawn.map(({ fill }) => palette.colorName(fill)) },
  });
  const hasLine = lines.length > 0;
  const barLayer = layer(bars, 'bar', { barDir: 'col', barGapWidthPct: gap });
  const lineLayer = layer(lines, 'line', {
    ...lineOptions(chart, false),
    secondaryValAxis: true,
    secondaryCatAxis: true,
  });
  const baseOptions = chartOptions(
    {
      plotArea: plotArea(chart, { left: AXIS_WIDTH, right: AXIS_WIDTH, top, bottom: height }),
      hasLegend: series.length > 1,
      hasValueAxis: true,
      format: axisFormat(chart),
    },
    palette,
  );
  return {
    layers: hasLine ? [barLayer, lineLayer] : [barLayer],
    options: {
      ...baseOptions,
      ...(each > 1 && { catAxisLabelFrequency: String(each) }),
      ...(hasLine && {
        valAxes: [{}, { valGridLine: { style: 'none' as const }, valAxisLabelFormatCode: 'General' }],
        catAxes: [{}, { catAxisHidden: true }],
      }),
    },
    labels,
    sheet,
    box: fullBox(chart),
    companions: [],
  };
}
