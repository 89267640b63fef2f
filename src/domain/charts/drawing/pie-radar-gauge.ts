import { seriesFills, seriesLegend } from './bars.ts';
import {
  type ChartDrawing,
  type DrawableChart,
  FONT_SIZE,
  formatValue,
  LINE_HEIGHT,
  showsValues,
  STATIC_CHART,
  STATIC_SERIES,
  textWidth,
  wrapText,
} from '../chart-drawing.ts';
import { chooseFills } from '../chart-theme.ts';
import { formatFigure, formatNumber, isPercentage } from '../figure-texts.ts';

const ENTRY_GAP = 9;
const MARK = 10;

/** A pie or donut with a legend of names and shares beside it, or below it on narrow screens. */
export function drawPieOrDonut(chart: DrawableChart, isDonut: boolean): ChartDrawing {
  const { figures, theme, options, width } = chart;
  const [series] = figures.series;
  const { categories } = figures;
  const fills = chooseFills(theme, {
    count: categories.length,
    isOrdered: figures.dimension.measure !== 'nominal',
    chosen: options.colors,
  }).map((fill, index) =>
    categories[index]!.is_rest && options.colors?.[index] === undefined ? theme.rest : fill,
  );
  const isCount = figures.aggregation.function === 'count' || figures.aggregation.function === 'percent';
  const texts = categories.map((_, index) => {
    const percent = series?.percents[index] ?? null;
    const value = series?.values[index] ?? null;
    if (isCount) return percent === null ? '–' : formatFigure(percent, 'percent', options.decimals);
    return value === null ? '–' : formatValue(chart, value);
  });
  const isWide = width >= 400;
  const diameter = isWide
    ? Math.min(Math.max(chart.height, 200), width * 0.46, 280)
    : Math.min(width * 0.72, 230);
  const listLeft = isWide ? diameter + 32 : 0;
  const figureRoom = Math.max(...texts.map((text) => textWidth(text, FONT_SIZE)), 0) + 14;
  const nameLeft = listLeft + MARK + 8 + figureRoom;
  const entries = categories.map(({ label }) => wrapText(label, width - nameLeft, FONT_SIZE, 2));
  const listHeight = entries.reduce((sum, parts) => sum + parts.length * LINE_HEIGHT + ENTRY_GAP, -ENTRY_GAP);
  const height = isWide ? Math.max(diameter, listHeight) + 8 : diameter + 20 + listHeight;
  let y = isWide ? (height - listHeight) / 2 : diameter + 16;
  const graphic = entries.flatMap((parts, index) => {
    const middle = y + LINE_HEIGHT / 2;
    const text = { textVerticalAlign: 'middle', fontSize: FONT_SIZE };
    const marks: object[] = [
      {
        type: 'rect',
        silent: true,
        shape: { x: listLeft, y: middle - MARK / 2, width: MARK, height: MARK, r: 3 },
        style: { fill: fills[index]!.fill },
      },
      {
        type: 'text',
        silent: true,
        x: listLeft + MARK + 8,
        y: middle,
        style: { ...text, text: texts[index], fill: theme.text, fontWeight: 600 },
      },
      ...parts.map((part, line) => ({
        type: 'text',
        silent: true,
        x: nameLeft,
        y: middle + line * LINE_HEIGHT,
        style: { ...text, text: part, fill: theme.mutedText },
      })),
    ];
    y += parts.length * LINE_HEIGHT + ENTRY_GAP;
    return marks;
  });
  const base = figures.base?.unweighted ?? null;
  const center = [isWide ? diameter / 2 : width / 2, isWide ? height / 2 : diameter / 2];
  if (isDonut && base !== null && isCount) {
    const text = { textAlign: 'center', textVerticalAlign: 'middle' };
    graphic.push(
      {
        type: 'text',
        silent: true,
        x: center[0],
        y: center[1]! - 8,
        style: { ...text, text: formatNumber(base, 0), fill: theme.text, fontSize: 22, fontWeight: 650 },
      },
      {
        type: 'text',
        silent: true,
        x: center[0],
        y: center[1]! + 14,
        style: { ...text, text: 'respondents', fill: theme.mutedText, fontSize: FONT_SIZE },
      },
    );
  }
  return {
    width,
    height,
    option: {
      ...STATIC_CHART,
      graphic,
      series: [
        {
          ...STATIC_SERIES,
          type: 'pie',
          center,
          radius: isDonut ? [diameter * 0.31, diameter * 0.48] : [0, diameter * 0.48],
          startAngle: 90,
          label: { show: false },
          labelLine: { show: false },
          itemStyle: { borderColor: theme.background, borderWidth: 2, borderRadius: isDonut ? 4 : 2 },
          data: categories.map((_, index) => ({
            value: Math.max(0, series?.values[index] ?? 0),
            itemStyle: { color: fills[index]!.fill },
          })),
        },
      ],
    },
  };
}

const NICE_STEPS = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

/** Rounds up to the next round number. */
function roundUpToNice(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return NICE_STEPS.find((step) => step * power >= value * 0.999)! * power;
}

/** Replaces braces, which echarts would parse as rich text styles. */
const stripMarkup = (text: string) => text.replaceAll('{', '(').replaceAll('}', ')').replaceAll('|', '/');

/** Height of the names above and below a radar, in pixels. */
const NAMES_AROUND = 76;

/** One polygon per series; each category is an axis. */
export function drawRadar(chart: DrawableChart): ChartDrawing {
  const { figures, theme, width } = chart;
  const { categories, series } = figures;
  const legend = seriesLegend(chart);
  const fills = seriesFills(chart);
  const most = Math.max(...series.flatMap(({ values }) => values.map((value) => value ?? 0)), 0);
  const max = roundUpToNice(most);
  const nameSize = width < 400 ? 11 : FONT_SIZE;
  const nameRoom = Math.min(130, width * 0.29);
  const names = categories.map(({ label }) => wrapText(stripMarkup(label), nameRoom, nameSize, 2).join('\n'));
  const room = Math.min(Math.max(chart.height - legend.height - NAMES_AROUND, 232), width * 0.95 - 68, 352);
  const radius = Math.max(Math.min(room / 2, width / 2 - nameRoom + 4), 64);
  const single = series.length === 1;
  return {
    width,
    height: legend.height + radius * 2 + NAMES_AROUND,
    option: {
      ...STATIC_CHART,
      graphic: legend.graphic,
      radar: {
        center: [width / 2, legend.height + radius + 40],
        radius,
        indicator: names.map((name, index) => {
          const value = series[0]?.values[index] ?? null;
          const figure = value === null ? '–' : formatValue(chart, value);
          return {
            name: single && showsValues(chart) ? `{n|${name}}\n{v|${figure}}` : `{n|${name}}`,
            max,
            min: 0,
          };
        }),
        axisName: {
          color: theme.text,
          rich: {
            n: { color: theme.text, fontSize: nameSize, lineHeight: LINE_HEIGHT },
            v: { color: theme.text, fontSize: FONT_SIZE, fontWeight: 600, lineHeight: LINE_HEIGHT },
          },
        },
        axisNameGap: 10,
        splitNumber: 4,
        splitArea: { show: false },
        splitLine: { lineStyle: { color: theme.line, width: 1 } },
        axisLine: { lineStyle: { color: theme.line, width: 1 } },
      },
      series: [
        {
          ...STATIC_SERIES,
          type: 'radar',
          symbol: 'circle',
          symbolSize: 6,
          data: series.map(({ values }, seriesIndex) => ({
            value: values.map((value) => value ?? 0),
            // A series without values has no symbols.
            symbolSize: values.some((value) => value !== null) ? 6 : 0,
            lineStyle: { color: fills[seriesIndex]!.fill, width: 2.5 },
            itemStyle: { color: fills[seriesIndex]!.fill, borderColor: theme.background, borderWidth: 1.5 },
            areaStyle: { color: fills[seriesIndex]!.fill, opacity: 0.12 },
          })),
        },
      ],
    },
  };
}

/** The range of a gauge: all possible values if they are limited, otherwise up to the next round number. */
export function gaugeRange(chart: DrawableChart, value: number): [number, number] {
  const { function: name } = chart.figures.aggregation;
  if (isPercentage(name)) return [0, 100];
  if (name === 'nps') return [-100, 100];
  if (name === 'count') return [0, Math.max(chart.figures.base?.unweighted ?? 0, value, 1)];
  const end = [5, 7, 10, 100].find((candidate) => value <= candidate) ?? roundUpToNice(value);
  return [Math.min(0, value), end];
}

/** A single figure as a half-circle gauge. */
export function drawGauge(chart: DrawableChart): ChartDrawing {
  const { figures, theme, options, width } = chart;
  const value = figures.series[0]?.values[0] ?? null;
  const [min, max] = gaugeRange(chart, value ?? 0);
  const radius = Math.min(width * 0.46, 150);
  const height = radius + 44;
  const center = [width / 2, radius + 8];
  const [fill] = chooseFills(theme, { count: 1, isOrdered: false, chosen: options.colors });
  const band = radius * 0.2;
  const small = {
    fill: theme.mutedText,
    fontSize: FONT_SIZE,
    textAlign: 'center',
    textVerticalAlign: 'middle',
  };
  const end = (at: number, x: number) => ({
    type: 'text',
    silent: true,
    x,
    y: center[1]! + 16,
    style: { ...small, text: formatFigure(at, figures.aggregation.function, 0) },
  });
  return {
    width,
    height,
    option: {
      ...STATIC_CHART,
      graphic: [
        {
          type: 'text',
          silent: true,
          x: center[0],
          y: center[1]! - radius * 0.18,
          style: {
            text: value === null ? '–' : formatValue(chart, value),
            fill: theme.text,
            fontSize: Math.round(radius * 0.3),
            fontWeight: 650,
            textAlign: 'center',
            textVerticalAlign: 'middle',
          },
        },
        end(min, center[0]! - radius + band / 2),
        end(max, center[0]! + radius - band / 2),
      ],
      series: [
        {
          ...STATIC_SERIES,
          type: 'gauge',
          startAngle: 180,
          endAngle: 0,
          min,
          max,
          center,
          radius,
          pointer: { show: false },
          progress: { show: value !== null, width: band, roundCap: false, itemStyle: { color: fill!.fill } },
          axisLine: { lineStyle: { width: band, color: [[1, theme.line]] } },
          axisTick: { show: false },
          splitLine: { show: false },
          axisLabel: { show: false },
          anchor: { show: false },
          title: { show: false },
          detail: { show: false },
          data: [{ value: value ?? min }],
        },
      ],
    },
  };
}
