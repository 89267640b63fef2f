import { LIGHT_THEME } from '../../../domain/charts/drawing/chart-theme.ts';
import type { DeckHeader, DeckSlide } from '../../../domain/reports/deck.ts';
import { type Box, TYPE } from '../../slides/slide-page.ts';
import { isolated, type Piece } from '../type/atoms.ts';
import { type Pen, styleOf, type TextLook } from '../pen.ts';
import { drawPicture } from './picture.ts';

const LEAST_TITLE = 17;

/** What is around the content of every slide but covers; returns the room that is left. */
export function drawFrame(slide: DeckSlide, number: number, head: DeckHeader, pen: Pen): Box {
  const { page } = pen;
  footer(number, head, pen);
  const { title, part } = slide;
  if (title === null && part === null) {
    return { ...page.body, y: page.margin, height: page.body.y + page.body.height - page.margin };
  }
  const pieces = (size: number): Piece[] => [
    { text: title ?? '', style: styleOf({ size, bold: true }) },
    ...(part === null ? [] : [partOf(part, title, size)]),
  ];
  drawHeading(pieces, page.title, pen);
  return page.body;
}

function partOf({ number, of }: { number: number; of: number }, title: string | null, size: number): Piece {
  const text = `${title === null ? '' : '\u00a0 '}(${number}/${of})`;
  return { text, style: styleOf({ size: size * 0.72, color: LIGHT_THEME.mutedText }) };
}

/** In at most two lines, standing on the lower edge of its room; smaller where it is long. */
function drawHeading(pieces: (size: number) => Piece[], box: Box, pen: Pen): void {
  let size: number = TYPE.title;
  while (size > LEAST_TITLE && pen.lines(pieces(size), box.width, { size }).length > (size > 22 ? 1 : 2))
    size -= 1;
  const look: TextLook = { size, leading: 1.2, maxLines: 2 };
  const lines = pen.lines(pieces(size), box.width, look);
  const y = box.y + box.height - pen.heightOf(lines, look);
  pen.part('H1', () => pen.seen(() => pen.draw(lines, { ...box, y }, look)));
}

function footer(number: number, { style: look, organization, title }: DeckHeader, pen: Pen): void {
  const { page } = pen;
  const text = [organization, look.footer ?? title]
    .filter((one) => one !== '')
    .map(isolated)
    .join('  ·  ');
  const foot = { size: TYPE.foot, color: LIGHT_THEME.mutedText, maxLines: 1 };
  const y = page.footer.y + 3;
  pen.aside(() => {
    pen.rule({ x: page.margin, y: page.footer.y - 9, width: page.width - 2 * page.margin }, LIGHT_THEME.line);
    pen.draw(pen.lines(text, page.footer.width, foot), { ...page.footer, y }, foot);
    const end = { ...foot, align: 'end' } as const;
    pen.draw(pen.lines(String(number), page.number.width, end), { ...page.number, y }, end);
    if (look.logo !== null) drawPicture(look.logo, page.footLogo, 'end', pen);
  });
}
