import {
  type ChartDrawing,
  type DrawableChart,
  FONT_SIZE,
  formatValue,
  LINE_HEIGHT,
  STATIC_CHART,
  STATIC_SERIES,
  textWidth,
  wrapText,
} from './chart-drawing.ts';
import { chooseFill, type Fill } from './chart-theme.ts';
import { choosePalette } from './palette.ts';
import { formatFigure, formatNumber } from '../figures/figure-texts.ts';

const ENTRY_GAP = 9;
const MARK = 10;

/** A pie or donut with a legend of names and shares beside it, or below it on narrow screens. */
export function drawPieOrDonut(chart: DrawableChart, isDonut: boolean): ChartDrawing {
  const { figures, theme, options, width } = chart;
  const [series] = figures.series;
  const { categories } = figures;
  const choice = {
    count: categories.length,
    palette: choosePalette(
      figures.dimension.measure,
      categories.map(({ label }) => label),
    ),
    chosen: options.colors,
  };
  const sliceFill = (index: number): Fill =>
    categories[index]?.is_rest && options.colors?.[index] === undefined
      ? theme.rest
      : chooseFill(theme, choice, index);
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
  const entries = categories.map(({ label }) =>
    wrapText(label, { width: width - nameLeft, fontSize: FONT_SIZE, maxLines: 2 }),
  );
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
        style: { fill: sliceFill(index).fill },
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
  const [centerX, centerY] = isWide ? [diameter / 2, height / 2] : [width / 2, diameter / 2];
  if (isDonut && base !== null && isCount) {
    const text = { textAlign: 'center', textVerticalAlign: 'middle' };
    graphic.push(
      {
        type: 'text',
        silent: true,
        x: centerX,
        y: centerY - 8,
        style: { ...text, text: formatNumber(base, 0), fill: theme.text, fontSize: 22, fontWeight: 650 },
      },
      {
        type: 'text',
        silent: true,
        x: centerX,
        y: centerY + 14,
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
          center: [centerX, centerY],
          radius: isDonut ? [diameter * 0.31, diameter * 0.48] : [0, diameter * 0.48],
          startAngle: 90,
          label: { show: false },
          labelLine: { show: false },
          itemStyle: { borderColor: theme.background, borderWidth: 2, borderRadius: isDonut ? 4 : 2 },
          data: categories.map((_, index) => ({
            value: Math.max(0, series?.values[index] ?? 0),
            itemStyle: { color: sliceFill(index).fill },
          })),
        },
      ],
    },
  };
}
