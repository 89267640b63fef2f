import { LIGHT_THEME } from '../../../domain/charts/chart-theme.ts';
import type { DeckProblem } from '../../../domain/reports/deck.ts';
import { type Box, TEXT_SIZES } from '../../slides/slide-page.ts';
import type { PdfCanvas } from '../pdf-canvas.ts';

export const TINT = '#f6f4f0';
const PADDING = 18;

/** Draws why content is missing, in its place. */
export function drawProblem({ problem }: DeckProblem, box: Box, canvas: PdfCanvas): void {
  const format = {
    size: TEXT_SIZES.small + 1,
    color: LIGHT_THEME.mutedText,
    align: 'center',
    maxLines: 6,
  } as const;
  const width = Math.min(box.width - 2 * PADDING, 460);
  const x = box.x + (box.width - width) / 2;
  const lines = canvas.layoutLines(problem, width, format);
  const height = canvas.heightOf(lines, format);
  canvas.drawArtifact(() => canvas.fillBox(box, TINT, 8));
  canvas.drawParagraph(
    problem,
    { x, y: box.y + Math.max(PADDING, (box.height - height) / 2), width },
    format,
  );
}
