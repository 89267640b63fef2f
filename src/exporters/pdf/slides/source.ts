import { LIGHT_THEME } from '../../../domain/charts/chart-theme.ts';
import { type Box, TEXT_SIZES } from '../../slides/slide-page.ts';
import type { PdfCanvas } from '../pdf-canvas.ts';

const GAP = 10;

/** Maximum share of the area. */
const MAX_SHARE = 0.3;

/** Draws source lines at the lower edge of an area, in smaller type if needed; returns the area above. */
export function drawSource(source: readonly string[], box: Box, canvas: PdfCanvas): Box {
  const text = source.filter((line) => line.trim() !== '').join('\n');
  if (text === '') return box;
  let size = TEXT_SIZES.source + 0.5;
  const format = () => ({ size, color: LIGHT_THEME.mutedText, leading: 1.3 });
  const fits = () =>
    canvas.heightOf(canvas.layoutLines(text, box.width, format()), format()) <= box.height * MAX_SHARE;
  while (size > 7 && !fits()) size -= 0.5;
  const maxLines = Math.max(1, Math.floor((box.height * MAX_SHARE) / (size * 1.3)));
  const lines = canvas.layoutLines(text, box.width, { ...format(), maxLines });
  const height = canvas.heightOf(lines, format());
  const y = box.y + box.height - height;
  canvas.withTag('P', () => canvas.markContent(() => canvas.drawLines(lines, { ...box, y }, format())));
  return { ...box, height: box.height - height - GAP };
}
