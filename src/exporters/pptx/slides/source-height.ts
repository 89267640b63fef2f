import { textWidth } from '../../../domain/charts/chart-drawing.ts';
import { TEXT_SIZES } from '../../slides/slide-page.ts';
import { joinSourceLines } from '../../slides/source-text.ts';

const LINE = 1.22;
const MAX_LINES = 6;

/** Height of the source below a figure, in points. */
export const sourceHeight = (source: readonly string[], width: number): number =>
  linesHeight(source.length === 0 ? [] : [joinSourceLines(source)], width);

export function linesHeight(texts: readonly string[], width: number): number {
  const lines = texts.reduce(
    (sum, line) => sum + Math.max(1, Math.ceil((textWidth(line, TEXT_SIZES.source) * 0.9) / width)),
    0,
  );
  return Math.ceil(Math.min(lines, MAX_LINES) * TEXT_SIZES.source * LINE);
}
