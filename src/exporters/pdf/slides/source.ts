import { LIGHT_THEME } from '../../../domain/charts/drawing/chart-theme.ts';
import { type Box, TYPE } from '../../slides/slide-page.ts';
import type { Pen } from '../pen.ts';

const GAP = 10;

/** Of a room, what they may take at most. */
const MOST_SHARE = 0.3;

/** Lines at the lower edge of a room, smaller where there are many; returns the room above them. */
export function drawSource(source: readonly string[], box: Box, pen: Pen): Box {
  const text = source.filter((line) => line.trim() !== '').join('\n');
  if (text === '') return box;
  let size = TYPE.source + 0.5;
  const look = () => ({ size, color: LIGHT_THEME.mutedText, leading: 1.3 });
  const fits = () => pen.heightOf(pen.lines(text, box.width, look()), look()) <= box.height * MOST_SHARE;
  while (size > 7 && !fits()) size -= 0.5;
  const maxLines = Math.max(1, Math.floor((box.height * MOST_SHARE) / (size * 1.3)));
  const lines = pen.lines(text, box.width, { ...look(), maxLines });
  const height = pen.heightOf(lines, look());
  const y = box.y + box.height - height;
  pen.part('P', () => pen.seen(() => pen.draw(lines, { ...box, y }, look())));
  return { ...box, height: box.height - height - GAP };
}
