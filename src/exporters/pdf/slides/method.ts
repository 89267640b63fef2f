import { LIGHT_THEME } from '../../../domain/charts/chart-theme.ts';
import type { MethodSection, DeckSlide } from '../../../domain/reports/deck.ts';
import { type Box, TEXT_SIZES } from '../../slides/slide-page.ts';
import type { PdfCanvas, TextFormat } from '../pdf-canvas.ts';
import { drawTable } from './table.ts';

type MethodSlide = Extract<DeckSlide, { type: 'method' }>;

const GAP = 18;
const MIN_SIZE = 7;
const MIN_TABLE_HEIGHT = 110;

/** Draws the method sections in the largest font size that fits. */
export function drawMethod({ parts, survey, title }: MethodSlide, body: Box, canvas: PdfCanvas): void {
  let { y } = body;
  const bottom = body.y + body.height;
  if (survey !== '' && survey !== title) {
    y =
      canvas.drawParagraph(survey, body, {
        size: TEXT_SIZES.small,
        color: LIGHT_THEME.mutedText,
        maxLines: 1,
      }) + 6;
  }
  const tables = parts.filter(({ table }) => table !== null).length;
  const availableHeight = bottom - y - tables * MIN_TABLE_HEIGHT;
  let size: number = TEXT_SIZES.small + 1;
  while (
    size > MIN_SIZE &&
    parts.reduce((sum, part) => sum + textHeight(part, body.width, size, canvas), 0) > availableHeight
  ) {
    size -= 0.5;
  }
  let tablesLeft = tables;
  for (const part of parts) {
    if (y > bottom - size * 2) return;
    y = drawText(part, { ...body, y, height: bottom - y }, size, canvas);
    if (part.table !== null) {
      const height = (bottom - y - GAP * (tablesLeft - 1)) / tablesLeft;
      drawTable(part.table, { ...body, y, height }, canvas);
      y += height;
      tablesLeft -= 1;
    }
    y += GAP;
  }
}

const NAME_SHARE = 0.24;
const factWidths = (width: number) => ({ name: width * NAME_SHARE, value: width * (1 - NAME_SHARE) - 12 });
const headingFormat = (size: number): TextFormat => ({ size: size * 1.15, bold: true });

function textHeight(part: MethodSection, width: number, size: number, canvas: PdfCanvas): number {
  const { name, value } = factWidths(width);
  const heightOf = (text: string, room: number) =>
    canvas.layoutLines(text, room, { size }).length * size * 1.35;
  const facts = part.facts.map(
    ([one, two]) => Math.max(heightOf(one, name), heightOf(two, value)) + size * 0.3,
  );
  const paragraphs = part.paragraphs.map((text) => heightOf(text, width) + size * 0.5);
  return [...facts, ...paragraphs].reduce((sum, one) => sum + one, size * 2.2 + GAP);
}

function drawText(part: MethodSection, box: Box, size: number, canvas: PdfCanvas): number {
  const bottom = box.y + box.height;
  let y =
    canvas.drawParagraph(part.heading, box, { ...headingFormat(size), maxLines: 1, as: 'H2' }) + size * 0.4;
  const { name: nameWidth, value: valueWidth } = factWidths(box.width);
  const linesLeft = () => Math.max(1, Math.floor((bottom - y) / (size * 1.35)));
  for (const [factName, factValue] of part.facts) {
    if (y + size * 1.35 > bottom) return y;
    const maxLines = linesLeft();
    const nameEnd = canvas.drawParagraph(
      factName,
      { ...box, y, width: nameWidth },
      { size, color: LIGHT_THEME.mutedText, maxLines },
    );
    const valueEnd = canvas.drawParagraph(
      factValue,
      { x: box.x + nameWidth + 12, y, width: valueWidth },
      { size, maxLines },
    );
    y = Math.max(nameEnd, valueEnd) + size * 0.3;
  }
  if (part.facts.length > 0) y += size * 0.4;
  for (const text of part.paragraphs) {
    if (y + size * 1.35 > bottom) return y;
    y = canvas.drawParagraph(text, { ...box, y }, { size, maxLines: linesLeft() }) + size * 0.5;
  }
  return y;
}
