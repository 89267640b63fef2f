import { textWidth } from '../../../domain/charts/drawing/text-size.ts';
import { TYPE } from '../../slides/slide-page.ts';

const LINE = 1.22;
const MOST_LINES = 6;

/** How high the lines below a figure stand, in points. */
export function sourceHeight(source: readonly string[], width: number): number {
  const lines = source.reduce(
    (sum, line) => sum + Math.max(1, Math.ceil((textWidth(line, TYPE.source) * 0.9) / width)),
    0,
  );
  return Math.ceil(Math.min(lines, MOST_LINES) * TYPE.source * LINE);
}
