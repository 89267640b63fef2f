import type { Fill } from './chart-theme.ts';
import { type DrawableChart, FONT_SIZE } from './chart-drawing.ts';
import { textWidth, wrapText } from './text-size.ts';

const MARK = 10;
const MARK_GAP = 6;
const ITEM_GAP = 18;
const ROW = 22;

/** What the colours mean, in lines above a chart. */
export interface Legend {
  /** For the option; absent where one colour needs no telling. */
  graphic: object[];
  height: number;
}

export interface LegendEntry {
  name: string;
  fill: Fill;
}

/** Drawn as plain shapes, so that the place that it takes is known before. */
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
