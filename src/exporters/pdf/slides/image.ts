import { LIGHT_THEME } from '../../../domain/charts/chart-theme.ts';
import { type DeckSlide, isProblem } from '../../../domain/reports/deck.ts';
import { type Box, TEXT_SIZES } from '../../slides/slide-page.ts';
import type { PdfCanvas, TextFormat } from '../pdf-canvas.ts';
import { drawPicture } from './picture.ts';
import { drawProblem } from './problem.ts';

type Image = Extract<DeckSlide, { type: 'image' }>;

export function drawImage({ picture, alt, caption }: Image, body: Box, canvas: PdfCanvas): void {
  const captionFormat: TextFormat = {
    size: TEXT_SIZES.small,
    color: LIGHT_THEME.mutedText,
    align: 'center',
    maxLines: 3,
  };
  const captionHeight =
    caption === null
      ? 0
      : canvas.heightOf(canvas.layoutLines(caption, body.width, captionFormat), captionFormat) + 10;
  const area = { ...body, height: body.height - captionHeight };
  if (isProblem(picture)) drawProblem(picture, area, canvas);
  else {
    canvas.withTag('Figure', () => canvas.markContent(() => drawPicture(picture, area, 'center', canvas)), {
      alt: alt ?? caption ?? 'Picture',
    });
  }
  if (caption !== null)
    canvas.drawParagraph(
      caption,
      { ...body, y: area.y + area.height + 10 },
      { ...captionFormat, as: 'Caption' },
    );
}
