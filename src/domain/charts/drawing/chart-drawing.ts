import type { EChartsCoreOption } from 'echarts/core';
import { formatFigure } from '../figures/figure-texts.ts';
import type { ChartFigures } from '../chart-data.ts';
import type { ChartOptions } from '../chart-config.ts';
import type { ChartTheme, Fill } from './chart-theme.ts';

/** The input for drawing a chart. */
export interface DrawableChart {
  figures: ChartFigures;
  options: Partial<Pick<ChartOptions, 'colors' | 'decimals' | 'show_values' | 'stacked_percent'>>;
  theme: ChartTheme;
  /** In pixels, like all lengths here. */
  width: number;
  /** The minimum height in pixels; content may need more. */
  height: number;
}

/** The echarts option and its size. */
export interface ChartDrawing {
  option: EChartsCoreOption;
  width: number;
  height: number;
}

export const FONT_SIZE = 12;
export const LINE_HEIGHT = 15;

export const formatValue = ({ figures, options }: DrawableChart, value: number): string =>
  formatFigure(value, figures.aggregation.function, options.decimals);

/** Disables animation and hover effects. */
export const STATIC_CHART = { animation: false, textStyle: { fontSize: FONT_SIZE } } as const;
export const STATIC_SERIES = { emphasis: { disabled: true }, cursor: 'default' } as const;

export const showsValues = ({ options }: DrawableChart): boolean => options.show_values !== false;

/** Widths of a wide sans serif font, so that narrower fonts fit too. */
const NARROW = new Set("iljtfrI.,:;!|'()[] -");
const WIDE = new Set('mwMWQOGDHNU%@&—…');
function isFullWidth(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return (
    (code >= 0x1100 && code <= 0x115f) ||
    (code >= 0x2e80 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xffe6)
  );
}

function characterWidth(character: string): number {
  if (NARROW.has(character)) return 0.38;
  if (WIDE.has(character)) return 0.95;
  if (isFullWidth(character)) return 1;
  return character >= 'A' && character <= 'Z' ? 0.71 : 0.62;
}

/** The estimated width of a text, in the unit of the font size. */
export function textWidth(text: string, fontSize: number): number {
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width * fontSize;
}

/** Truncates a text to fit a width. */
function truncateText(text: string, width: number, fontSize: number): string {
  if (textWidth(text, fontSize) <= width) return text;
  let kept = [...text];
  while (kept.length > 1 && textWidth(`${kept.join('')}…`, fontSize) > width) kept = kept.slice(0, -1);
  return `${kept.join('').trimEnd()}…`;
}

/** Wraps a text to lines that fit; truncates the last line. */
export function wrapText(
  text: string,
  { width, fontSize, maxLines }: { width: number; fontSize: number; maxLines: number },
): string[] {
  const lines: string[] = [];
  let line = '';
  const words = text.split(/\s+/).filter((word) => word !== '');
  for (const [index, word] of words.entries()) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (textWidth(longer, fontSize) <= width || line === '') {
      line = longer;
      continue;
    }
    if (lines.length === maxLines - 1) {
      lines.push(truncateText([line, ...words.slice(index)].join(' '), width, fontSize));
      return lines;
    }
    lines.push(truncateText(line, width, fontSize));
    line = word;
  }
  return [...lines, truncateText(line, width, fontSize)];
}

const MARK = 10;
const MARK_GAP = 6;
const ITEM_GAP = 18;
const ROW = 22;

/** The legend above a chart. */
interface Legend {
  /** Elements for the echarts option; empty if no legend is needed. */
  graphic: object[];
  height: number;
}

interface LegendEntry {
  name: string;
  fill: Fill;
}

/** Draws the legend as plain shapes, so that its height is known in advance. */
export function createLegend(
  { width, theme }: Pick<DrawableChart, 'width' | 'theme'>,
  entries: readonly LegendEntry[],
): Legend {
  if (entries.length === 0) return { graphic: [], height: 0 };
  const graphic: object[] = [];
  let [x, row] = [0, 0];
  for (const { name, fill } of entries) {
    const [text = ''] = wrapText(name, { width: width - MARK - MARK_GAP, fontSize: FONT_SIZE, maxLines: 1 });
    const itemWidth = MARK + MARK_GAP + textWidth(text, FONT_SIZE);
    if (x > 0 && x + itemWidth > width) [x, row] = [0, row + 1];
    const y = row * ROW + ROW / 2 - 4;
    graphic.push(
      {
        type: 'rect',
        silent: true,
        shape: { x, y: y - MARK / 2, width: MARK, height: MARK, r: 3 },
        style: { fill: fill.fill },
      },
      {
        type: 'text',
        silent: true,
        x: x + MARK + MARK_GAP,
        y,
        style: { text, fill: theme.mutedText, fontSize: FONT_SIZE, textVerticalAlign: 'middle' },
      },
    );
    x += itemWidth + ITEM_GAP;
  }
  return { graphic, height: (row + 1) * ROW + 4 };
}

/** Appends the series that are drawn as labels to the category names: `Price (mean rank 1.80)`. */
export function mergeLabelSeries<Chart extends DrawableChart>(chart: Chart): Chart {
  const { figures, options } = chart;
  const labels = figures.series.filter((one) => one.drawn_as === 'label');
  if (labels.length === 0) return chart;
  const categories = figures.categories.map((category, index) => {
    const disclosed = labels.flatMap(({ name, values, function: own }) => {
      const value = values[index] ?? null;
      if (value === null) return [];
      return `${name.toLowerCase()} ${formatFigure(value, own ?? figures.aggregation.function, options.decimals)}`;
    });
    return disclosed.length === 0
      ? category
      : { ...category, label: `${category.label} (${disclosed.join(', ')})` };
  });
  const series = figures.series.filter((one) => one.drawn_as !== 'label');
  return { ...chart, figures: { ...figures, categories, series } };
}

const NICE_STEPS = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

/** Rounds up to the next round number. */
export function roundUpToNice(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const step = NICE_STEPS.find((factor) => factor * power >= value * 0.999) ?? 10;
  return step * power;
}
