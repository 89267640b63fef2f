import { requireItem } from '../../../lib/require-value.ts';
import { categoryNames, valueRange, seriesFills, restFillOr } from '../../../domain/charts/drawing/bars.ts';
import {
  FONT_SIZE,
  formatValue,
  LINE_HEIGHT,
  showsValues,
  textWidth,
  wrapText,
} from '../../../domain/charts/drawing/chart-drawing.ts';
import { chooseFills } from '../../../domain/charts/drawing/chart-theme.ts';
import { choosePalette } from '../../../domain/charts/drawing/palette.ts';
import {
  chartOptions,
  numberFormat,
  legendHeight,
  type NativeChart,
  plotArea,
  type PlottedChart,
  mergeEqualColors,
  namedSeries,
  fullBox,
  axisLabelLayout,
} from './plotted-chart.ts';
import { DataSheet, type ValueLabel } from './chart-part.ts';

/** Gap between bars of a category, in percent of the bar width. */
const BAR_GAP = 12;
const MAX_GAP = 500;
const LABEL_GAP = 10;
const MIN_LABEL_SIZE = 7;
/** The types of the library declare only the other value. */
const FIRST_ON_TOP = 'maxMin' as 'minMax';

/** The gap between categories, in percent of the bar width, that limits bars to their maximum width. */
function gapWidthPercent({
  band,
  bars,
  maxBarWidth,
  gap,
}: {
  band: number;
  bars: number;
  maxBarWidth: number;
  gap: number;
}): number {
  const barCount = bars + ((bars - 1) * gap) / 100;
  const bar = Math.min(maxBarWidth, (band * 0.72) / barCount);
  return Math.round(Math.min(Math.max((band / bar - barCount) * 100, 0), MAX_GAP));
}

/** The range of a value axis that leaves space for the label of the longest bar. */
function valueAxisRange(
  { axisMax }: PlottedChart,
  values: readonly (readonly (number | null)[])[],
  labelShare: number,
) {
  const { least, greatest } = valueRange(values);
  const maximum = Math.max(axisMax ?? 0, greatest);
  const span = (maximum - least || 1) * (1 / (1 - Math.min(labelShare, 0.4)) - 1);
  return {
    min: least < 0 ? least - span : 0,
    max: maximum > 0 || least === 0 ? (maximum || 1) + span : span,
  };
}

/** One color per series, or one per bar of a single series. */
function barColors(chart: PlottedChart): string[] {
  const { figures, options, palette } = chart;
  const fills = seriesFills(chart).map(({ fill }) => fill);
  if (figures.series.length !== 1) return fills.map((fill) => palette.colorName(fill));
  const [seriesFill = palette.style.rest.fill] = fills;
  const colors = figures.categories.map((category, index) =>
    palette.colorName(
      options.colors?.[index] ?? (category.is_rest === true ? palette.style.rest.fill : seriesFill),
    ),
  );
  return mergeEqualColors(colors);
}

function endLabels(
  chart: PlottedChart,
  { values, letters }: PlottedChart['figures']['series'][number],
  size: number,
): (ValueLabel | null)[] {
  const { figures, options, theme } = chart;
  return figures.categories.map((_, index) => {
    const value = values[index] ?? null;
    const marks = letters?.[index]?.join('') ?? '';
    if (value === null || (!showsValues(chart) && marks === '')) return null;
    const format = showsValues(chart)
      ? numberFormat({
          value,
          name: figures.aggregation.function,
          decimals: options.decimals,
          letters: marks,
        })
      : `"${marks}"`;
    return { format, position: 'outEnd', size, color: theme.text, bold: true };
  });
}

/** Clustered bars, vertical or horizontal. */
export function clusteredBars(chart: PlottedChart, isHorizontal: boolean): NativeChart {
  const { figures, palette } = chart;
  const names = categoryNames(chart);
  const series = namedSeries(chart);
  const top = legendHeight(chart, series);
  const sheet = new DataSheet(names, series);
  const hasLabels = showsValues(chart);
  const { edges, band, widest, room, height } = isHorizontal
    ? horizontalBarLayout(chart, names, top)
    : verticalBarLayout(chart, names, top);
  // Labels of narrow horizontal bars would overlap.
  const barWidth = (band * 0.72) / figures.series.length;
  const labelSize = isHorizontal
    ? Math.min(FONT_SIZE, Math.max(MIN_LABEL_SIZE, Math.floor(barWidth * 1.1)))
    : FONT_SIZE;
  const size = { width: chart.width, height };
  const { min, max } = valueAxisRange(
    chart,
    figures.series.map(({ values }) => values),
    room,
  );
  return {
    layers: [
      {
        type: 'bar',
        data: sheet.series.map((_, index) => sheet.seriesData(index)),
        options: {
          barDir: isHorizontal ? 'bar' : 'col',
          barGrouping: 'clustered',
          barOverlapPct: -BAR_GAP,
          barGapWidthPct: gapWidthPercent({
            band,
            bars: figures.series.length,
            maxBarWidth: widest,
            gap: BAR_GAP,
          }),
          chartColors: barColors(chart),
          valAxisMinVal: min,
          valAxisMaxVal: max,
          ...(isHorizontal && { catAxisOrientation: FIRST_ON_TOP }),
        },
      },
    ],
    options: chartOptions(
      {
        plotArea: plotArea(size, edges),
        hasLegend: series.length > 1,
        hasValueAxis: !hasLabels && !isHorizontal,
      },
      palette,
    ),
    labels: series.map((one) => endLabels(chart, one, labelSize)),
    sheet,
    box: fullBox(size),
    companions: [],
  };
}

function verticalBarLayout(chart: PlottedChart, names: readonly string[], legend: number) {
  const { figures, width, height } = chart;
  const left = showsValues(chart) ? 0 : 40;
  const band = (width - left) / Math.max(1, names.length);
  const lines = names.map(
    (name) => wrapText(name, { width: band - 8, fontSize: FONT_SIZE, maxLines: 4 }).length,
  );
  const bottom = Math.max(1, ...lines) * LINE_HEIGHT + 12;
  const edges = { left, right: 0, top: legend + 4, bottom };
  const plot = height - edges.top - bottom;
  const room = showsValues(chart) ? 24 / Math.max(plot, 60) : 0.03;
  return { edges, band, widest: figures.series.length > 1 ? 38 : 60, room, height };
}

/** Width of the names beside horizontal bars: as needed, up to 40 % of the chart. */
function nameColumnWidth(width: number, names: readonly string[]): number {
  const longest = Math.max(0, ...names.map((name) => textWidth(name, FONT_SIZE)));
  return Math.ceil(Math.min(longest + 6, width * (width < 400 ? 0.4 : 0.38))) + LABEL_GAP;
}

function horizontalBarLayout(chart: PlottedChart, names: readonly string[], legend: number) {
  const { figures, width } = chart;
  const left = nameColumnWidth(width, names);
  const texts = figures.series.flatMap(({ values, letters }) =>
    values.map((value, index) =>
      value === null ? '' : `${formatValue(chart, value)} ${letters?.[index]?.join('') ?? ''}`,
    ),
  );
  const labelWidth = Math.max(...texts.map((text) => textWidth(text, FONT_SIZE)), 0) + 12;
  const neededHeight = names.length * Math.max(60, figures.series.length * 34 + 16);
  const height = Math.min(chart.height, legend + 12 + neededHeight);
  const edges = { left, right: 0, top: legend + 4, bottom: 4 };
  const band = (height - edges.top - edges.bottom) / Math.max(1, names.length);
  return { edges, band, widest: 30, room: labelWidth / Math.max(width - left, 60), height };
}

/** Stacked bars per category; without series, one bar with the categories as parts. */
export function stackedBars(chart: PlottedChart): NativeChart {
  const { figures, theme, options, width, palette } = chart;
  const isSingle = figures.series_by === null;
  const parts = isSingle
    ? figures.categories.map(({ label }, index) => ({
        name: label,
        values: [figures.series[0]?.values[index] ?? null],
        letters: undefined,
      }))
    : namedSeries(chart);
  const names = isSingle ? [figures.dimension.label] : figures.categories.map(({ label }) => label);
  const partFills = chooseFills(theme, {
    count: parts.length,
    palette: choosePalette(
      (figures.series_by ?? figures.dimension).measure,
      parts.map(({ name }) => name),
    ),
    chosen: options.colors,
  });
  const fills = isSingle ? partFills : partFills.map((fill, index) => restFillOr(fill, chart, index));
  const sheet = new DataSheet(names, parts);
  const sums = names.map((_, row) => parts.reduce((sum, { values }) => sum + (values[row] ?? 0), 0));
  const greatest = Math.max(...sums, chart.axisMax ?? 0) || 1;
  const legend = legendHeight(chart, parts);
  const left = isSingle ? 0 : nameColumnWidth(width, names);
  const size = { width, height: Math.min(chart.height, legend + 12 + names.length * 64) };
  const edges = { left, right: 4, top: legend + 4, bottom: 4 };
  const band = (size.height - edges.top - edges.bottom) / names.length;
  const plotWidth = width - left - 4;
  const labels = parts.map(({ values, letters }, seriesIndex) =>
    values.map((value, row): ValueLabel | null => {
      const marks = letters?.[row]?.join('') ?? '';
      if (value === null || !showsValues(chart)) return null;
      const text = `${formatValue(chart, value)}${marks === '' ? '' : ` ${marks}`}`;
      if ((value / greatest) * plotWidth <= textWidth(text, 11) + 6) return null;
      const format = numberFormat({
        value,
        name: figures.aggregation.function,
        decimals: options.decimals,
        letters: marks,
      });
      return {
        format,
        position: 'ctr',
        size: 11,
        color: requireItem(fills, seriesIndex).textOnFill,
        bold: true,
      };
    }),
  );
  // If a part is suppressed, the remaining parts must not be stretched to 100 %.
  const isWhole =
    figures.aggregation.function === 'percent' && sums.every((sum) => Math.abs(sum - 100) < 0.5);
  return {
    layers: [
      {
        type: 'bar',
        data: parts.map((_, seriesIndex) => sheet.seriesData(seriesIndex)),
        options: {
          barDir: 'bar',
          barGrouping: isWhole ? 'percentStacked' : 'stacked',
          barGapWidthPct: Math.max(1, gapWidthPercent({ band, bars: 1, maxBarWidth: 40, gap: 0 })),
          catAxisOrientation: FIRST_ON_TOP,
          valAxisMinVal: 0,
          valAxisMaxVal: isWhole ? 1 : greatest,
          chartColors: fills.map(({ fill }) => palette.colorName(fill)),
          dataBorder: { pt: 1, color: palette.colorName(theme.background) },
          catAxisHidden: isSingle,
          catAxisLineShow: false,
        },
      },
    ],
    options: chartOptions({ plotArea: plotArea(size, edges), hasLegend: true }, palette),
    labels,
    sheet,
    box: fullBox(size),
    companions: [],
  };
}

const HISTOGRAM_AXIS_WIDTH = 44;
/** Room for values above the bars. */
const HISTOGRAM_LABEL_ROOM = 24;
/** Gap between bars, in percent of the bar width. */
const HISTOGRAM_GAP = 3;

/** Adjacent vertical bars; shows as many names and values as fit. */
export function histogramChart(chart: PlottedChart): NativeChart {
  const { figures, theme, options, width, height, palette } = chart;
  const { name, values } = requireItem(figures.series, 0);
  const names = categoryNames(chart);
  const sheet = new DataSheet(names, [{ name, values }]);
  const widest = Math.max(
    ...values.map((value) => (value === null ? 0 : textWidth(formatValue(chart, value), FONT_SIZE))),
  );
  const isLabeled = showsValues(chart) && widest + 4 <= width / names.length;
  const left = isLabeled ? 0 : HISTOGRAM_AXIS_WIDTH;
  const { each, height: bottom } = axisLabelLayout(names, (width - left) / names.length);
  const greatest = Math.max(...values.map((value) => value ?? 0)) || 1;
  const top = isLabeled ? 4 : 8;
  const plotHeight = Math.max(height - top - bottom, 60);
  const [fill = theme.rest] = seriesFills(chart);
  const colors = figures.categories.map(({ is_rest: isRest }, index) =>
    palette.colorName(options.colors?.[index] ?? (isRest ? theme.rest : fill).fill),
  );
  const labels = values.map((value): ValueLabel | null =>
    value === null || !isLabeled
      ? null
      : {
          format: numberFormat({ value, name: figures.aggregation.function, decimals: options.decimals }),
          position: 'outEnd',
          size: FONT_SIZE,
          color: theme.text,
          bold: true,
        },
  );
  return {
    layers: [
      {
        type: 'bar',
        data: [sheet.seriesData(0)],
        options: {
          barDir: 'col',
          barGapWidthPct: HISTOGRAM_GAP,
          chartColors: mergeEqualColors(colors),
          valAxisMinVal: 0,
          ...(isLabeled && {
            valAxisMaxVal: greatest / (1 - Math.min(HISTOGRAM_LABEL_ROOM / plotHeight, 0.4)),
          }),
        },
      },
    ],
    options: {
      ...chartOptions(
        {
          plotArea: plotArea(chart, { left, right: 0, top, bottom }),
          hasLegend: false,
          hasValueAxis: !isLabeled,
          format: figures.aggregation.function === 'percent' ? '0"%"' : 'General',
        },
        palette,
      ),
      ...(each > 1 && { catAxisLabelFrequency: String(each) }),
    },
    labels: [labels],
    sheet,
    box: fullBox(chart),
    companions: [],
  };
}
