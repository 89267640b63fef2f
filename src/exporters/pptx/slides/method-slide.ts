import type { MethodSection, DeckSlide } from '../../../domain/reports/deck.ts';
import { type Box, TYPE } from '../../slides/slide-page.ts';
import { layoutTable, factTable } from '../deck-table.ts';
import { textHeight } from '../markdown-text.ts';
import type { NativeTable } from '../native-table.ts';
import type { SlideWriter } from '../slide-writer.ts';
import { type Paragraph, plainParagraph } from '../text-body.ts';

const GAP = 12;
const SIZES = [12, 11, 10, 9, 8] as const;

type MethodBlock =
  | { kind: 'text'; paragraphs: Paragraph[]; height: number; size: number }
  | { kind: 'table'; table: NativeTable; height: number; alt: string };

/** How a survey was made, one part below the other, in type as large as lets all of it fit. */
export function writeMethodSlide(
  { parts, survey }: Extract<DeckSlide, { type: 'method' }>,
  body: Box,
  writer: SlideWriter,
): void {
  const made = SIZES.map((size) => parts.flatMap((part) => layoutSection(part, survey, body, size, writer)));
  const heightOf = (pieces: readonly MethodBlock[]) =>
    pieces.reduce((sum, { height }) => sum + height + GAP, -GAP);
  const pieces = made.find((one) => heightOf(one) <= body.height) ?? made.at(-1)!;
  let { y } = body;
  for (const piece of pieces) {
    const room = { ...body, y, height: piece.height };
    if (piece.kind === 'text')
      writer.addText(piece.paragraphs, { name: 'Text', box: room, usualSize: piece.size });
    else {
      const width = piece.table.widths.reduce((sum, each) => sum + each, 0);
      writer.addTable(piece.table, { box: { ...room, width }, alt: piece.alt });
    }
    y += piece.height + GAP;
  }
}

function layoutSection(
  part: MethodSection,
  survey: string,
  body: Box,
  size: number,
  writer: SlideWriter,
): MethodBlock[] {
  const { palette } = writer.context;
  const ink = palette.colorName(palette.style.text);
  const text = (paragraphs: Paragraph[], of: number): MethodBlock => ({
    ...{ kind: 'text', paragraphs, size: of },
    height: Math.ceil(textHeight(paragraphs, body.width, of)) + 2,
  });
  const alt = `${part.heading} of ${survey}`;
  const heading = plainParagraph(part.heading, {
    size: Math.min(TYPE.chartTitle, size + 2),
    bold: true,
    fill: ink,
  });
  const paragraphs = part.paragraphs.map((line) =>
    plainParagraph(line, { size, fill: ink }, { before: size * 0.5 }),
  );
  const pieces: MethodBlock[] = [text([heading], size + 2)];
  if (part.facts.length > 0)
    pieces.push({ kind: 'table', ...factTable(part.facts, body.width, size, palette), alt });
  if (paragraphs.length > 0) pieces.push(text(paragraphs, size));
  if (part.table !== null) {
    const room = { width: body.width, height: body.height * 0.8 };
    pieces.push({ kind: 'table', ...layoutTable(part.table, room, palette), alt });
    const lines = part.table.source.map((line) =>
      plainParagraph(line, {
        size: Math.min(size, TYPE.source),
        fill: palette.colorName(palette.style.mutedText),
      }),
    );
    if (lines.length > 0) pieces.push(text(lines, Math.min(size, TYPE.source)));
  }
  return pieces;
}
