import { LIGHT_THEME } from '../../../domain/charts/drawing/chart-theme.ts';
import type { MethodSection, DeckSlide } from '../../../domain/reports/deck.ts';
import { type Box, TYPE } from '../../slides/slide-page.ts';
import type { PdfCanvas, TextFormat } from '../pdf-canvas.ts';
import { drawTable } from './table.ts';

type MethodSlide = Extract<DeckSlide, { type: 'method' }>;

const GAP = 18;
const MIN_SIZE = 7;
const MIN_TABLE_HEIGHT = 110;

/** How a survey was made: parts one below the other, as large as all of them fit. */
export function drawMethod({ parts, survey, title }: MethodSlide, body: Box, canvas: PdfCanvas): void {
  let { y } = body;
  const bottom = body.y + body.height;
  if (survey !== '' && survey !== title) {
    y =
      canvas.drawParagraph(survey, body, { size: TYPE.small, color: LIGHT_THEME.mutedText, maxLines: 1 }) + 6;
  }
  const tables = parts.filter(({ table }) => table !== null).length;
  const room = bottom - y - tables * MIN_TABLE_HEIGHT;
  let size: number = TYPE.small + 1;
  while (
    size > MIN_SIZE &&
    parts.reduce((sum, part) => sum + textHeight(part, body.width, size, canvas), 0) > room
  ) {
    size -= 0.5;
  }
  let left = tables;
  for (const part of parts) {
    if (y > bottom - size * 2) return;
    y = drawText(part, { ...body, y, height: bottom - y }, size, canvas);
    if (part.table !== null) {
      const height = (bottom - y - GAP * (left - 1)) / left;
      drawTable(part.table, { ...body, y, height }, canvas);
      y += height;
      left -= 1;
    }
    y += GAP;
  }
}

const NAME_SHARE = 0.24;
const factWidths = (width: number) => ({ name: width * NAME_SHARE, value: width * (1 - NAME_SHARE) - 12 });
const headingFormat = (size: number): TextFormat => ({ size: size * 1.15, bold: true });

function textHeight(part: MethodSection, width: number, size: number, canvas: PdfCanvas): number {
  const { name, value } = factWidths(width);
  const of = (text: string, room: number) => canvas.layoutLines(text, room, { size }).length * size * 1.35;
  const facts = part.facts.map(([one, two]) => Math.max(of(one, name), of(two, value)) + size * 0.3);
  const paragraphs = part.paragraphs.map((text) => of(text, width) + size * 0.5);
  return [...facts, ...paragraphs].reduce((sum, one) => sum + one, size * 2.2 + GAP);
}

function drawText(part: MethodSection, box: Box, size: number, canvas: PdfCanvas): number {
  const bottom = box.y + box.height;
  let y =
    canvas.drawParagraph(part.heading, box, { ...headingFormat(size), maxLines: 1, as: 'H2' }) + size * 0.4;
  const { name, value } = factWidths(box.width);
  const linesLeft = () => Math.max(1, Math.floor((bottom - y) / (size * 1.35)));
  for (const [one, two] of part.facts) {
    if (y + size * 1.35 > bottom) return y;
    const maxLines = linesLeft();
    const first = canvas.drawParagraph(
      one,
      { ...box, y, width: name },
      { size, color: LIGHT_THEME.mutedText, maxLines },
    );
    const second = canvas.drawParagraph(two, { x: box.x + name + 12, y, width: value }, { size, maxLines });
    y = Math.max(first, second) + size * 0.3;
  }
  if (part.facts.length > 0) y += size * 0.4;
  for (const text of part.paragraphs) {
    if (y + size * 1.35 > bottom) return y;
    y = canvas.drawParagraph(text, { ...box, y }, { size, maxLines: linesLeft() }) + size * 0.5;
  }
  return y;
}
