import type { Fill } from './chart-theme.ts';
import { type DrawableChart, FONT_SIZE } from './chart-drawing.ts';
import { textWidth, wrapText } from './text-size.ts';

const MARK = 10;
const MARK_GAP = 6;
const ITEM_GAP = 18;
const ROW = 22;

/** The legend above a chart. */
export interface Legend {
  /** Elements for the echarts option; empty if no legend is needed. */
  graphic: object[];
  height: number;
}

export interface LegendEntry {
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
    const [text = ''] = wrapText(name, width - MARK - MARK_GAP, FONT_SIZE, 1);
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
