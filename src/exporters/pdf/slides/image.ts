import { LIGHT_THEME } from '../../../domain/charts/drawing/chart-theme.ts';
import { type DeckSlide, isProblem } from '../../../domain/reports/deck.ts';
import { type Box, TYPE } from '../../slides/slide-page.ts';
import type { PdfCanvas, TextFormat } from '../pdf-canvas.ts';
import { drawPicture } from './picture.ts';
import { drawProblem } from './problem.ts';

type Image = Extract<DeckSlide, { type: 'image' }>;

export function drawImage({ picture, alt, caption }: Image, body: Box, canvas: PdfCanvas): void {
  const look: TextFormat = { size: TYPE.small, color: LIGHT_THEME.mutedText, align: 'center', maxLines: 3 };
  const height =
    caption === null ? 0 : canvas.heightOf(canvas.layoutLines(caption, body.width, look), look) + 10;
  const room = { ...body, height: body.height - height };
  if (isProblem(picture)) drawProblem(picture, room, canvas);
  else {
    canvas.withTag('Figure', () => canvas.markContent(() => drawPicture(picture, room, 'center', canvas)), {
      alt: alt ?? caption ?? 'Picture',
    });
  }
  if (caption !== null)
    canvas.drawParagraph(caption, { ...body, y: room.y + room.height + 10 }, { ...look, as: 'Caption' });
}
