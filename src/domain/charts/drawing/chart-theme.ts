import type { Palette } from './palette.ts';

/** Colors of a chart, in CSS or SVG notation. */
export interface ChartTheme {
  /** Values and names. */
  text: string;
  /** Axis labels and other secondary text. */
  mutedText: string;
  /** Axes and grid lines. */
  line: string;
  /** The background of the chart. */
  background: string;
  /** For unordered categories. Adjacent colors are distinguishable with any color vision deficiency. */
  colors: readonly Fill[];
  /** For answers between two poles: seven steps from one end of the scale to the other. */
  scale: readonly Fill[];
  /** For amounts: seven steps from little to much. */
  sequence: readonly Fill[];
  /** For the rest category. */
  rest: Fill;
}

export interface Fill {
  fill: string;
  /** The color of text on the fill. */
  textOnFill: string;
}

const WHITE = '#ffffff';
const BLACK = '#14130f';
const fill = (color: string, on: string): Fill => ({ fill: color, textOnFill: on });

/** For paper and light pages. */
export const LIGHT_THEME: ChartTheme = {
  text: '#1d1c1a',
  mutedText: '#5f5b55',
  line: '#dcd8d1',
  background: WHITE,
  colors: [
    fill('#4f46e5', WHITE),
    fill('#e08a1e', BLACK),
    fill('#0d8f80', BLACK),
    fill('#9b1b50', WHITE),
    fill('#62b2f4', BLACK),
    fill('#7d5a34', WHITE),
    fill('#566173', WHITE),
    fill('#aeb04a', BLACK),
  ],
  scale: [
    fill('#a84b00', WHITE),
    fill('#d98324', BLACK),
    fill('#eebf83', BLACK),
    fill('#d9d6d0', BLACK),
    fill('#bab6f6', BLACK),
    fill('#8680ee', BLACK),
    fill('#4f46e5', WHITE),
  ],
  sequence: [
    fill('#cdc9f8', BLACK),
    fill('#b5b0f5', BLACK),
    fill('#9d97f1', BLACK),
    fill('#857dec', BLACK),
    fill('#6259e8', WHITE),
    fill('#463ccf', WHITE),
    fill('#31289f', WHITE),
  ],
  rest: fill('#c9c5be', BLACK),
};

export const DARK_THEME: ChartTheme = {
  text: '#eeece8',
  mutedText: '#aba79f',
  line: '#34373c',
  background: '#1c1e21',
  colors: [
    fill('#8f8bff', BLACK),
    fill('#f2a93b', BLACK),
    fill('#3cc4b0', BLACK),
    fill('#cf4a78', WHITE),
    fill('#8fd0ff', BLACK),
    fill('#b0834f', BLACK),
    fill('#8a92a0', BLACK),
    fill('#d6d27a', BLACK),
  ],
  scale: [
    fill('#f08a2c', BLACK),
    fill('#c77a35', BLACK),
    fill('#86603f', WHITE),
    fill('#565a60', WHITE),
    fill('#5f5c9c', WHITE),
    fill('#7b77d2', BLACK),
    fill('#a19dff', BLACK),
  ],
  sequence: [
    fill('#35335f', WHITE),
    fill('#474580', WHITE),
    fill('#5b58a1', WHITE),
    fill('#6c69bd', WHITE),
    fill('#8d8ae4', BLACK),
    fill('#aaa7f6', BLACK),
    fill('#cbc9ff', BLACK),
  ],
  rest: fill('#5a5f66', WHITE),
};

/** The steps of a scale or a sequence to use for a number of answers. */
const STEPS: Record<number, readonly number[]> = {
  1: [6],
  2: [0, 6],
  3: [0, 3, 6],
  4: [0, 2, 4, 6],
  5: [0, 1, 3, 5, 6],
  6: [0, 1, 2, 4, 5, 6],
  7: [0, 1, 2, 3, 4, 5, 6],
};

/** More answers than steps share them with their neighbors, so that the order stays visible. */
const stepOf = (index: number, count: number, last: number): number | undefined =>
  STEPS[count]?.[index] ?? (count > last ? Math.round((index * last) / (count - 1)) : undefined);

export interface FillChoice {
  count: number;
  palette: Palette;
  /** The author's colors; may be fewer than needed. */
  chosen?: readonly string[] | undefined;
}

/** Returns a fill for each category or series. */
export function chooseFills(theme: ChartTheme, choice: FillChoice): Fill[] {
  return Array.from({ length: choice.count }, (_, index) => chooseFill(theme, choice, index));
}

/** Returns the fill of the category or series at an index. The colors of unordered categories repeat. */
export function chooseFill(
  theme: ChartTheme,
  { count, palette, chosen = [] }: FillChoice,
  index: number,
): Fill {
  const own = chosen[index];
  if (own !== undefined) return { fill: own, textOnFill: isDark(own) ? WHITE : BLACK };
  const steps = { categorical: [], sequential: theme.sequence, diverging: theme.scale }[palette];
  const step = stepOf(index, count, steps.length - 1);
  const ordered = step === undefined ? undefined : steps[step];
  return ordered ?? theme.colors[index % theme.colors.length] ?? theme.rest;
}

/** Whether white text is more readable on it than black, by WCAG relative luminance. */
function isDark(hex: string): boolean {
  const digits =
    hex.length === 4 ? [...hex.slice(1)].map((digit) => digit + digit) : (hex.slice(1).match(/../g) ?? []);
  const [red = 0, green = 0, blue = 0] = digits.map((pair) => {
    const part = parseInt(pair, 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.18;
}
