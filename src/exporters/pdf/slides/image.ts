import { LIGHT_THEME } from '../../../domain/charts/drawing/chart-theme.ts';
import { type DeckSlide, isProblem } from '../../../domain/reports/deck.ts';
import { type Box, TYPE } from '../../slides/slide-page.ts';
import type { Pen, TextLook } from '../pen.ts';
import { drawPicture } from './picture.ts';
import { drawProblem } from './problem.ts';

type Image = Extract<DeckSlide, { type: 'image' }>;

export function drawImage({ picture, alt, caption }: Image, body: Box, pen: Pen): void {
  const look: TextLook = { size: TYPE.small, color: LIGHT_THEME.mutedText, align: 'center', maxLines: 3 };
  const height = caption === null ? 0 : pen.heightOf(pen.lines(caption, body.width, look), look) + 10;
  const room = { ...body, height: body.height - height };
  if (isProblem(picture)) drawProblem(picture, room, pen);
  else {
    pen.part('Figure', () => pen.seen(() => drawPicture(picture, room, 'center', pen)), {
      alt: alt ?? caption ?? 'Picture',
    });
  }
  if (caption !== null)
    pen.paragraph(caption, { ...body, y: room.y + room.height + 10 }, { ...look, as: 'Caption' });
}
