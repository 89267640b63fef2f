import { type DrawableChart, FONT_SIZE, LINE_HEIGHT, textWidth, wrapText } from './chart-drawing.ts';
import { splitPointLabel } from '../figures/point-label.ts';

const MAX_LINES = 3;
/** Pixels between two names. */
const GAP = 8;
const MAX_END_LINES = 2;
/** Pixels between the numbers and the names below them. */
const ROW_GAP = 4;

/** Whether a name has room below its bar without breaking a word. */
function fits(name: string, room: number): boolean {
  const width = room - GAP;
  const hasLongWord = name.split(' ').some((word) => textWidth(word, FONT_SIZE) > width);
  return (
    !hasLongWord &&
    wrapText(name, { width, fontSize: FONT_SIZE, maxLines: MAX_LINES + 1 }).length <= MAX_LINES
  );
}

/** A row below an axis of numbers, with the names of its ends and its middle. */
interface PointNames {
  height: number;
  /** Elements for the echarts option. `top`: of the row. */
  draw: (top: number) => object[];
}

/**
 * Lays out the names of points of a scale that have no room on the axis, which then has their numbers (`pointNumber`). Returns null if
 * they have room or are no points. `room`: width of one point; `left` and `right`: what is beside the axis.
 */
export function layOutPointNames(
  chart: DrawableChart,
  { room, left = 0, right = 0 }: { room: number; left?: number; right?: number },
): PointNames | null {
  const { theme, width, figures } = chart;
  const points = figures.categories.map(splitPointLabel);
  if (points.every((point) => point === null || fits(`${point.number} · ${point.name}`, room))) return null;
  const last = points.length - 1;
  const ends = [
    { point: points[0], x: left, textAlign: 'left' },
    { point: last % 2 === 0 ? points[last / 2] : null, x: (left + width - right) / 2, textAlign: 'center' },
    { point: points[last], x: width - right, textAlign: 'right' },
  ].flatMap(({ point, ...place }) => (point == null ? [] : [{ ...place, name: point.name }]));
  const each = (width - left - right) / Math.max(1, ends.length) - GAP;
  const wrapped = ends.map(({ name, ...place }) => ({
    ...place,
    lines: wrapText(name, { width: each, fontSize: FONT_SIZE, maxLines: MAX_END_LINES }),
  }));
  return {
    height: Math.max(0, ...wrapped.map(({ lines }) => lines.length)) * LINE_HEIGHT + ROW_GAP,
    draw: (top) =>
      wrapped.map(({ x, textAlign, lines }) => ({
        type: 'text',
        silent: true,
        x,
        y: top + ROW_GAP,
        style: {
          text: lines.join('\n'),
          fill: theme.mutedText,
          fontSize: FONT_SIZE,
          lineHeight: LINE_HEIGHT,
          textAlign,
          textVerticalAlign: 'top',
        },
      })),
  };
}
