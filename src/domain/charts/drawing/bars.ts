import type { ChartCategory, ChartSeries } from '../chart-data.ts';
import {
  type ChartDrawing,
  createLegend,
  type DrawableChart,
  FONT_SIZE,
  formatValue,
  LINE_HEIGHT,
  showsValues,
  STATIC_CHART,
  STATIC_SERIES,
  textWidth,
  wrapText,
} from './chart-drawing.ts';
import { isPercentage } from '../figures/figure-texts.ts';
import { type Fill, chooseFill } from './chart-theme.ts';
import { choosePalette } from './palette.ts';
import { pointNumber } from '../figures/scale-points.ts';
import { layOutPointNames } from './point-names.ts';
import { columnLetter } from '../../statistics/compare-pairs.ts';

const LABEL_GAP = 10;
const MAX_BAR = 46;
const CORNER_RADIUS = 3;
const AXIS_ROOM = 8;
const TRACK_OPACITY = 0.45;

/** The series drawn as bars, without a line over them. */
const barSeries = ({ figures }: DrawableChart) => figures.series.filter((one) => one.drawn_as !== 'line');

/** Whether letters compare the categories of the single series, or the series. */
export const isCompared = ({ figures }: DrawableChart) =>
  figures.series.some(({ letters }) => letters !== undefined);

/** Category names. Categories of a single compared series include their column letter. */
export function categoryNames(
  chart: DrawableChart,
  nameOf: (category: ChartCategory) => string = ({ label }) => label,
): string[] {
  const { categories } = chart.figures;
  const lettered = isCompared(chart) && barSeries(chart).length === 1;
  let letterIndex = 0;
  return categories.map((category) => {
    const name = nameOf(category);
    return lettered && category.is_net !== true ? `${name} (${columnLetter(letterIndex++)})` : name;
  });
}

/** The fill of a series. The rest series has its own fill unless the author chose one. */
export function restFillOr(
  fill: Fill,
  { figures, theme, options }: DrawableChart,
  seriesIndex: number,
): Fill {
  const isRest = figures.series[seriesIndex]?.is_rest && options.colors?.[seriesIndex] === undefined;
  return isRest ? theme.rest : fill;
}

export function seriesFill(chart: DrawableChart, seriesIndex: number): Fill {
  const { figures, theme, options } = chart;
  const palette = choosePalette(
    figures.series_by?.measure ?? 'nominal',
    figures.series.map(({ name }) => name),
  );
  const choice = { count: figures.series.length, palette, chosen: options.colors };
  return restFillOr(chooseFill(theme, choice, seriesIndex), chart, seriesIndex);
}

export function seriesFills(chart: DrawableChart): Fill[] {
  return chart.figures.series.map((_, seriesIndex) => seriesFill(chart, seriesIndex));
}

export function seriesLegend(chart: DrawableChart) {
  const { figures } = chart;
  const lettered = isCompared(chart) && barSeries(chart).length > 1;
  const entries = figures.series.map(({ name }, seriesIndex) => ({
    name: lettered ? `${name} (${columnLetter(seriesIndex)})` : name,
    fill: seriesFill(chart, seriesIndex),
  }));
  return createLegend(chart, entries.length > 1 ? entries : []);
}

interface Point {
  value: number | null;
  itemStyle: object;
  label: object;
}

/** The bars of one series with their value labels. */
function barPoints(
  chart: DrawableChart,
  { values, letters }: ChartSeries,
  { fill, at }: { fill: Fill; at: 'top' | 'right' },
): Point[] {
  const { figures, theme, options } = chart;
  const isOnly = barSeries(chart).length === 1;
  return figures.categories.map((category, index) => {
    const value = values[index] ?? null;
    const own = isOnly ? options.colors?.[index] : undefined;
    const isRest = isOnly && category.is_rest === true;
    const marks = letters?.[index]?.join('') ?? '';
    const text = value === null ? '–' : formatValue(chart, value);
    const rich = {
      v: { color: theme.text, fontSize: FONT_SIZE, fontWeight: 600, lineHeight: LINE_HEIGHT },
      l: { color: theme.mutedText, fontSize: 11, lineHeight: 13, padding: at === 'top' ? 0 : [0, 0, 0, 6] },
    };
    const figure = showsValues(chart) ? `{v|${text}}` : '';
    const between = figure !== '' && at === 'top' ? '\n' : '';
    const negative = value !== null && value < 0;
    const position = !negative ? at : at === 'top' ? 'bottom' : 'left';
    return {
      value: value ?? 0,
      itemStyle: {
        color: isRest && own === undefined ? theme.rest.fill : (own ?? fill.fill),
        borderRadius: barCornerRadii(at, negative),
      },
      label: {
        show: showsValues(chart) || marks !== '',
        position,
        distance: 5,
        color: theme.text,
        formatter: marks === '' ? figure : `${figure}${between}{l|${marks}}`,
        rich,
      },
    };
  });
}

function barCornerRadii(at: 'top' | 'right', negative: boolean): number[] {
  const [r, o] = [CORNER_RADIUS, 0];
  if (at === 'top') return negative ? [o, o, r, r] : [r, r, o, o];
  return negative ? [r, o, o, r] : [o, r, r, o];
}

export function valueRange(series: readonly (readonly (number | null)[])[]): {
  least: number;
  greatest: number;
} {
  const known = series.flat().filter((value) => value !== null);
  return { least: Math.min(0, ...known), greatest: Math.max(0, ...known) };
}

/** Percentages at which a value axis ends. Four intervals of each have whole bounds. */
const PERCENT_ENDS = [20, 40, 60, 100];

/**
 * The end of the axis of vertical bars of percentages: a round number, with lines and numbers beside the bars. An axis that ended at the
 * greatest percentage would show 33% as a full bar; one that always ended at 100% would flatten bars of many categories.
 */
const percentEnd = (greatest: number): number => PERCENT_ENDS.find((end) => greatest <= end) ?? greatest;

export function valueAxis({ theme }: DrawableChart, shown: boolean) {
  return {
    type: 'value',
    splitNumber: 4,
    axisLine: { show: false },
    axisTick: { show: false },
    axisLabel: { show: shown, color: theme.mutedText, fontSize: 11, hideOverlap: true },
    splitLine: { show: shown, lineStyle: { color: theme.line, width: 1 } },
  };
}

/** A value axis with lines at quarters of its end. */
function percentAxis(chart: DrawableChart, end: number) {
  const axis = valueAxis(chart, true);
  const axisLabel = { ...axis.axisLabel, formatter: '{value}%' };
  return { ...axis, axisLabel, min: 0, max: end, interval: end / 4 };
}

export function categoryAxis({ theme }: DrawableChart, labels: readonly string[]) {
  return {
    type: 'category',
    data: labels.map((_, index) => String(index)),
    axisLine: { show: true, lineStyle: { color: theme.line, width: 1 } },
    axisTick: { show: false },
    axisLabel: {
      show: true,
      interval: 0,
      color: theme.text,
      fontSize: FONT_SIZE,
      lineHeight: LINE_HEIGHT,
      formatter: (index: string) => labels[Number(index)] ?? '',
    },
  };
}

/** Names below the axis. Skips names if there is not enough room for all. */
export function layOutAxisLabels(
  names: readonly string[],
  room: number,
): { labels: string[]; lines: number } {
  const longestWord = Math.max(
    ...names.flatMap((name) => name.split(' ')).map((word) => textWidth(word, FONT_SIZE)),
    0,
  );
  if (room >= 44 && (longestWord <= room - 6 || longestWord > 90)) {
    const lines = names.map((name) => wrapText(name, { width: room - 8, fontSize: FONT_SIZE, maxLines: 3 }));
    return {
      labels: lines.map((parts) => parts.join('\n')),
      lines: Math.max(1, ...lines.map(({ length }) => length)),
    };
  }
  const widest = Math.max(...names.map((name) => textWidth(name, FONT_SIZE)), 1);
  const step = Math.ceil((Math.min(widest, 90) + 12) / Math.max(room, 1));
  const last = names.length - 1;
  const shown = names.map((name, index) =>
    (last - index) % step === 0
      ? (wrapText(name, { width: 90, fontSize: FONT_SIZE, maxLines: 1 })[0] ?? '')
      : '',
  );
  return { labels: shown, lines: 1 };
}

/** Vertical bars, grouped by category if there are several series. */
export function drawVerticalBars(chart: DrawableChart): ChartDrawing {
  const { width } = chart;
  const names = categoryNames(chart);
  const legend = seriesLegend(chart);
  const shown = showsValues(chart);
  const isPercent = isPercentage(chart.figures.aggregation.function);
  const left = shown && !isPercent ? 0 : 40;
  const room = (width - left) / Math.max(1, names.length);
  const points = layOutPointNames(chart, { room, left });
  const axisNames = points === null ? names : categoryNames(chart, pointNumber);
  const lines = axisNames.map((name) =>
    wrapText(name, { width: room - 8, fontSize: FONT_SIZE, maxLines: 4 }),
  );
  const pointsHeight = points?.height ?? 0;
  const bottom = Math.max(1, ...lines.map(({ length }) => length)) * LINE_HEIGHT + AXIS_ROOM + pointsHeight;
  const series = barSeries(chart);
  const { least, greatest } = valueRange(series.map(({ values }) => values));
  const top = legend.height + (shown ? (isCompared(chart) ? 38 : 22) : 8);
  const gap = series.length > 1 ? '12%' : '20%';
  const height = Math.max(chart.height, top + bottom + 120);
  return {
    width,
    height,
    option: {
      ...STATIC_CHART,
      graphic: [...legend.graphic, ...(points?.draw(height - pointsHeight) ?? [])],
      grid: { left, right: 0, top, bottom: bottom + (least < 0 ? 18 : 0), outerBoundsMode: 'none' },
      xAxis: categoryAxis(
        chart,
        lines.map((parts) => parts.join('\n')),
      ),
      yAxis: isPercent
        ? percentAxis(chart, percentEnd(greatest))
        : { ...valueAxis(chart, !shown), min: least, max: shown ? greatest || 1 : undefined },
      series: series.map((one, seriesIndex) => ({
        ...STATIC_SERIES,
        type: 'bar',
        data: barPoints(chart, one, { fill: seriesFill(chart, seriesIndex), at: 'top' }),
        barMaxWidth: series.length > 1 ? 34 : MAX_BAR + 10,
        barGap: gap,
        barCategoryGap: '28%',
      })),
    },
  };
}

/** Computes the label width and row height of horizontal bars. */
export function layOutHorizontalBars(chart: DrawableChart, names: readonly string[], barsEach: number) {
  const { width } = chart;
  const most = Math.max(0, ...names.map((name) => textWidth(name, FONT_SIZE)));
  const left = Math.ceil(Math.min(most + 6, width * (width < 400 ? 0.4 : 0.38)));
  const lines = names.map((name) => wrapText(name, { width: left - 2, fontSize: FONT_SIZE, maxLines: 3 }));
  const mostLines = Math.max(1, ...lines.map(({ length }) => length));
  const band = Math.max(barsEach * 17 + 14, mostLines * LINE_HEIGHT + 12, 32);
  return { left: left + LABEL_GAP, labels: lines.map((parts) => parts.join('\n')), band };
}

/** Horizontal bars leave room for long names. */
export function drawHorizontalBars(chart: DrawableChart): ChartDrawing {
  const { figures, theme, width } = chart;
  const isPercent = isPercentage(figures.aggregation.function);
  const legend = seriesLegend(chart);
  const series = barSeries(chart);
  const { left, labels, band } = layOutHorizontalBars(chart, categoryNames(chart), series.length);
  const { least, greatest } = valueRange(series.map(({ values }) => values));
  const texts = series.flatMap(({ values, letters }) =>
    values.map(
      (value, index) =>
        `${value === null ? '–' : formatValue(chart, value)} ${letters?.[index]?.join('') ?? ''}`,
    ),
  );
  const right = showsValues(chart) ? Math.max(...texts.map((text) => textWidth(text, FONT_SIZE)), 0) + 14 : 8;
  const wanted = Math.min(
    Math.max(chart.height - legend.height - 8, figures.categories.length * band),
    figures.categories.length * Math.max(band, 52),
  );
  return {
    width,
    height: legend.height + wanted + 8,
    option: {
      ...STATIC_CHART,
      graphic: legend.graphic,
      grid: { left, right, top: legend.height, bottom: 8, outerBoundsMode: 'none' },
      xAxis: {
        ...valueAxis(chart, false),
        min: least,
        max: isPercent ? Math.max(100, greatest) : greatest || 1,
      },
      yAxis: { ...categoryAxis(chart, labels), inverse: true },
      series: series.map((one, seriesIndex) => ({
        ...STATIC_SERIES,
        // The track is 100 %, as on the Results page: without it, 33% of all would be a full bar.
        showBackground: isPercent,
        backgroundStyle: { color: theme.line, opacity: TRACK_OPACITY, borderRadius: CORNER_RADIUS },
        type: 'bar',
        data: barPoints(chart, one, { fill: seriesFill(chart, seriesIndex), at: 'right' }),
        barMaxWidth: 26,
        barGap: '12%',
        barCategoryGap: '30%',
      })),
    },
  };
}

/** Names under narrower bars are not readable, in pixels. */
const MIN_BAND_WIDTH = 44;
const MIN_BAR_WIDTH = 26;

/** Whether vertical bars have enough room. */
export function fitsVerticalBars({ figures, width }: Pick<DrawableChart, 'figures' | 'width'>): boolean {
  const band = width / figures.categories.length;
  return band >= MIN_BAND_WIDTH && (band * 0.72) / figures.series.length >= MIN_BAR_WIDTH;
}

const VALUE_AXIS = 40;

/** Many bins of a number as adjacent vertical bars. Shows as many names and values as fit. */
export function drawClassBars(chart: DrawableChart): ChartDrawing {
  const { figures, theme, options, width } = chart;
  const values = figures.series[0]?.values ?? [];
  const names = categoryNames(chart);
  const widest = Math.max(
    ...values.map((value) => textWidth(value === null ? '–' : formatValue(chart, value), FONT_SIZE)),
  );
  const labeled = showsValues(chart) && widest + 4 <= width / names.length;
  const left = labeled ? 0 : VALUE_AXIS;
  const room = (width - left) / names.length;
  const points = layOutPointNames(chart, { room, left });
  const axisNames = points === null ? names : categoryNames(chart, pointNumber);
  const { labels, lines } = layOutAxisLabels(axisNames, room);
  const { fill } = seriesFill(chart, 0);
  const { least, greatest } = valueRange([values]);
  const top = labeled ? 22 : 8;
  const pointsHeight = points?.height ?? 0;
  const bottom = lines * LINE_HEIGHT + 12 + pointsHeight;
  const height = Math.max(chart.height, top + bottom + 120);
  return {
    width,
    height,
    option: {
      ...STATIC_CHART,
      graphic: points?.draw(height - pointsHeight) ?? [],
      grid: { left, right: 0, top, bottom, outerBoundsMode: 'none' },
      xAxis: categoryAxis(chart, labels),
      yAxis: { ...valueAxis(chart, !labeled), min: least, max: labeled ? greatest || 1 : undefined },
      series: [
        {
          ...STATIC_SERIES,
          type: 'bar',
          barCategoryGap: '6%',
          data: values.map((value, index) => ({
            value: value ?? 0,
            itemStyle: {
              color: figures.categories[index]?.is_rest ? theme.rest.fill : (options.colors?.[index] ?? fill),
            },
            label: {
              show: labeled,
              position: 'top',
              color: theme.text,
              fontSize: FONT_SIZE,
              fontWeight: 600,
              formatter: value === null ? '–' : formatValue(chart, value),
            },
          })),
        },
      ],
    },
  };
}
